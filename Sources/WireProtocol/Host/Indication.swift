public import FobBase

/// What the core says is true now, to be shown by the device.
public struct Indication: Equatable, Sendable {
  public var incident: UInt64
  public var state: ShownState
  public var detail: UInt8
  public var sounder: Bool

  public init(incident: UInt64 = 0, state: ShownState, detail: UInt8 = 0, sounder: Bool = false) {
    self.incident = incident
    self.state = state
    self.detail = detail
    self.sounder = sounder
  }

  /// While an incident is open the device is told each second, and believes it for five.
  var isOpen: Bool {
    switch state {
    case .countdown, .sending, .accepted, .acknowledged, .failed: true
    default: false
    }
  }
}

extension HostLink {
  /// Says from now on what the core says, by `indicateFrame`. Nil: whoever knows what is true
  /// cannot be asked; nothing more is said, and the device's lease runs out.
  public mutating func indicate(_ new: Indication?, at now: Instant) {
    let wasWithheld = isWithheld
    isWithheld = new == nil
    guard let new, new != indication || wasWithheld else { return }
    indication = new
    nextIndicate = now
    // A device takes none after the last one; in a new session it takes any.
    if revision == .max { renew(at: now) }
    revision &+= 1
  }

  /// The device has obeyed, in this session, what was not said here, and ignores what is: its
  /// revision is a lower one.
  func contradicts(_ led: LEDState) -> Bool {
    state == .linked && led.session == session && led.revision > revision
  }

  /// INDICATE, where it is due.
  public mutating func indicateFrame(at now: Instant) -> WireFrame? {
    guard state == .linked, !isWithheld, let due = nextIndicate, now >= due else { return nil }
    nextIndicate = now + (indication.isOpen ? .seconds(1) : .seconds(5))
    let indicate = Indicate(
      session: session, incident: indication.incident, revision: revision,
      state: indication.state, detail: indication.detail, sounder: indication.sounder,
      lease: indication.isOpen ? 5_000 : 15_000)
    return frame(indicate, at: now)
  }
}
