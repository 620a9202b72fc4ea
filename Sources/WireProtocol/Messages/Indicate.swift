/// INDICATE (20): the state to show, for as long as the lease. What the device shows comes from
/// here alone.
public struct Indicate: Payload, Equatable {
  public static let type = MessageType.indicate
  public static let size = 21

  public var session: UInt32
  /// First eight bytes of the incident's id, 0 when there is none.
  public var incident: UInt64
  /// Grows within a session; a lower one than the last obeyed is ignored.
  public var revision: UInt32
  public var state: ShownState
  /// Countdown: seconds left, at most 255. Due: how many.
  public var detail: UInt8
  public var sounder: Bool
  /// Milliseconds.
  public var lease: UInt16

  public init(
    session: UInt32, incident: UInt64, revision: UInt32, state: ShownState, detail: UInt8 = 0,
    sounder: Bool, lease: UInt16
  ) {
    self.session = session
    self.incident = incident
    self.revision = revision
    self.state = state
    self.detail = detail
    self.sounder = sounder
    self.lease = lease
  }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    session = r.next()
    incident = r.next()
    revision = r.next()
    guard let state = ShownState(rawValue: r.next()), state.canBeIndicated else { return nil }
    self.state = state
    detail = r.next()
    sounder = r.next(UInt8.self) & 1 != 0
    lease = r.next()
  }

  public func write(to body: inout FrameBody) {
    body.append(session)
    body.append(incident)
    body.append(revision)
    body.append(state.rawValue)
    body.append(detail)
    body.append(UInt8(sounder ? 1 : 0))
    body.append(lease)
  }
}

/// What the light can say. The last two are the device's own.
public enum ShownState: UInt8, Sendable {
  case unclaimed = 0, idle, countdown, sending, accepted, acknowledged, failed, ended, due
  case breathing, identify, lowBattery, off

  public var canBeIndicated: Bool { rawValue <= ShownState.identify.rawValue }
}
