import FobBase

/// Contradictions of a link's session, summed up: a log gets one line for many.
public struct ConflictSummary: Equatable, Sendable {
  /// Frames that contradicted the session; stops at the largest number.
  public var contradictions: UInt32
  /// Some frames named a session of another host, which therefore talks to the device.
  public var isForeign: Bool
}

/// Finds out whether what a device says fits the session that this host has opened, and limits how
/// soon a new session may begin. Without the limit, a device whose answers go on contradicting each
/// other, or another host on the line, would cause a new session with each frame.
struct SessionConflict: Sendable {
  /// Where a session was named.
  enum Sign {
    /// HELLO of the device.
    case answer
    /// TIME_RESP: the first may be an answer to the host before this one.
    case clock
    /// LED_STATE: it names the INDICATE obeyed last, which may be of the host before this one.
    case light
    /// A frame of another host's own, on a line that brings them.
    case host
  }

  private let first: UInt32
  private var pacer = RateLimiter(Limits.sessionPace)
  /// Session of the host before this one, which the light may still obey.
  private var predecessor: UInt32?
  /// The light has been seen to obey this host.
  private var isObeyed = false
  private var isForeign = false
  private var isOtherClockHeard = false
  private var summary: ConflictSummary?

  /// - Parameter first: session of this host's opening; later ones count up from it.
  init(from first: UInt32) { self.first = first }

  /// True: a new session may begin now. False: it may begin at `due`.
  mutating func wantsRenewal(at now: Instant) -> Bool {
    guard let count = pacer.take(at: now) else { return false }
    sumUp(count)
    return true
  }

  /// Whether a new session that had to wait may begin now.
  mutating func takeRenewal(at now: Instant) -> Bool {
    guard let count = pacer.takeHeld(at: now) else { return false }
    sumUp(count)
    return true
  }

  var due: Instant? { pacer.due }

  /// The session was answered: contradictions of an earlier one cause no new session.
  mutating func settled() { pacer.forgetHeld() }

  mutating func renewed() {
    isObeyed = false
    isForeign = false
    isOtherClockHeard = false
  }

  /// Whether `nonce` is a session of another host. An earlier session of this host is none: an
  /// answer may be late. Nor is the one that the light names before it has obeyed this host.
  mutating func isForeign(_ nonce: UInt32, by sign: Sign, to session: UInt32) -> Bool {
    guard nonce != 0 else { return false }
    if sign == .light, nonce == session { isObeyed = true }
    guard nonce &- first > session &- first else { return false }
    defer {
      if sign == .clock { isOtherClockHeard = true }
      if sign == .light { predecessor = nonce }
    }
    let isSign =
      switch sign {
      case .answer, .host: true
      case .clock: isOtherClockHeard
      case .light: isObeyed || (predecessor ?? nonce) != nonce
      }
    if isSign { isForeign = true }
    return isSign
  }

  /// Leaves out a single contradiction: a device that has booted makes one.
  private mutating func sumUp(_ count: UInt32) {
    guard count > 1 || isForeign else { return }
    let earlier = summary?.contradictions ?? 0
    let (sum, isOver) = earlier.addingReportingOverflow(count)
    summary = ConflictSummary(
      contradictions: isOver ? .max : sum, isForeign: isForeign || summary?.isForeign ?? false)
  }

  mutating func take() -> ConflictSummary? {
    defer { summary = nil }
    return summary
  }
}

extension HostLink {
  /// The contradictions since the last call; nil where none needs to be reported.
  public mutating func contestSummary() -> ConflictSummary? { contest.take() }
}
