public import FobBase

/// The state that the core wants the device to show.
public struct Indication: Equatable, Sendable {
  /// First 8 bytes of the id of the incident, 0 when none.
  public var incident: UInt64
  /// A state that a host may ask for: `ShownState.canBeIndicated`.
  public var state: ShownState
  /// Countdown: seconds left, at most 255; due: how many check-ins wait for an answer; else 0.
  public var detail: UInt8
  /// Whether the sounder sounds.
  public var sounder: Bool

  /// Without an incident unless one is given.
  public init(incident: UInt64 = 0, state: ShownState, detail: UInt8 = 0, sounder: Bool = false) {
    self.incident = incident
    self.state = state
    self.detail = detail
    self.sounder = sounder
  }

  /// While an incident is open, or somebody breathes with the light, the device is told each
  /// second, and believes it for five.
  var isUrgent: Bool {
    switch state {
    case .countdown, .sending, .accepted, .acknowledged, .failed, .breathing: true
    default: false
    }
  }
}

extension HostLink {
  /// Sets what `indicateFrame` says from now on. Nil where the core cannot be asked: nothing more
  /// is said, and the lease of the device runs out.
  public mutating func indicate(_ new: Indication?, at now: Instant) {
    let wasWithheld = isWithheld
    isWithheld = new == nil
    guard let new, new != indication || wasWithheld else { return }
    indication = new
    nextIndicate = now
    // Behind the last revision a device takes no other; in a new session it takes any.
    if revision == .max { renew(at: now) }
    revision &+= 1
  }

  /// Whether the device has obeyed, in this session, an INDICATE that this host did not send. Its
  /// revision is higher, so the device ignores this host's.
  func contradicts(_ led: LEDState) -> Bool {
    state == .linked && led.session == session && led.revision > revision
  }

  /// INDICATE, where it is due; else nil.
  public mutating func indicateFrame(at now: Instant) -> WireFrame? {
    guard state == .linked, seal?.state != .waiting, !isWithheld,
      let due = nextIndicate, now >= due
    else { return nil }
    nextIndicate = now + (indication.isUrgent ? .seconds(1) : .seconds(5))
    return frame(Indicate(indication, session: session, revision: revision), at: now)
  }
}

extension Indicate {
  /// An indication as a host says it, with the lease that it has.
  /// - Parameters:
  ///   - shown: what the device is to show.
  ///   - session: the host's; with a paired device the one that was proved.
  ///   - revision: grows with each change in that session.
  package init(_ shown: Indication, session: UInt32, revision: UInt32) {
    self.init(
      session: session, incident: shown.incident, revision: revision, state: shown.state,
      detail: shown.detail, sounder: shown.sounder, lease: shown.isUrgent ? 5_000 : 15_000)
  }
}
