import FobBase

/// What contradicted the session of a link, summed up: a log gets one line for many.
public struct ConflictSummary: Equatable, Sendable {
  public var contradictions: UInt32
  /// Some named a session that is not this host's: another host talks to the device.
  public var isForeign: Bool
}

/// Whether what a device says fits the session that this host has opened, and how soon another may
/// be opened: a device whose answers go on contradicting each other, or another host on the line,
/// would have a new one for each frame.
struct SessionConflict: Sendable {
  /// Where a session was named.
  enum Sign {
    /// HELLO of the device.
    case answer
    /// TIME_RESP: the first may answer the host before this one.
    case clock
    /// LED_STATE: it names the INDICATE obeyed last, perhaps of the host before this one.
    case light
    /// A frame of another host's own, on a line that brings them.
    case host
  }

  private let first: UInt32
  private var pacer = RateLimiter(Limits.sessionPace)
  /// Of the host before this one, by which the device may still be lit.
  private var predecessor: UInt32?
  /// The light has been seen to obey this host.
  private var isObeyed = false
  private var isForeign = false
  private var isOtherClockHeard = false
  private var summary: ConflictSummary?

  /// - Parameter first: session of this host's opening; later ones count up from it.
  init(from first: UInt32) { self.first = first }

  /// True: a new session may begin now. False: it is due at `due`.
  mutating func wantsRenewal(at now: Instant) -> Bool {
    guard let count = pacer.take(at: now) else { return false }
    sumUp(count)
    return true
  }

  /// A new session has become due that had to wait.
  mutating func takeRenewal(at now: Instant) -> Bool {
    guard let count = pacer.takeHeld(at: now) else { return false }
    sumUp(count)
    return true
  }

  var due: Instant? { pacer.due }

  /// The session was answered: what contradicted an earlier one asks for no other.
  mutating func settled() { pacer.forgetHeld() }

  mutating func renewed() {
    isObeyed = false
    isForeign = false
    isOtherClockHeard = false
  }

  /// Whether a session that was named is another host's. This host's earlier ones are not: an
  /// answer may be late. Nor is that of a light which has not yet been told anything by this host.
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

  /// A device that has booted contradicts once.
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
  /// What contradicted the session since the last call; nil: nothing that needs telling.
  public mutating func contestSummary() -> ConflictSummary? { contest.take() }
}
