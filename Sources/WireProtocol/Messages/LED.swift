/// LED_SET (21): shows a pattern for a while, for benches; ignored while anything is open.
public struct LEDSet: Payload, Equatable {
  public static let type = MessageType.ledSet
  public static let size = 4

  public var state: ShownState
  public var detail: UInt8
  /// Milliseconds.
  public var duration: UInt16

  public init(state: ShownState, detail: UInt8, duration: UInt16) {
    self.state = state
    self.detail = detail
    self.duration = duration
  }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    guard let state = ShownState(rawValue: r.next()), state.canBeIndicated else { return nil }
    self.state = state
    detail = r.next()
    duration = r.next()
  }

  public func write(to body: inout FrameBody) {
    body.append(state.rawValue)
    body.append(detail)
    body.append(duration)
  }
}

/// LED_STATE (22): what is really shown, at each change.
public struct LEDState: Payload, Equatable {
  public static let type = MessageType.ledState
  public static let size = 19

  public enum Source: UInt8, Sendable { case own = 0, lease, bench }

  /// Device clock when the pattern began, µs since boot.
  public var clock: UInt64
  /// Nil: a state that this version does not know.
  public var shown: ShownState?
  public var detail: UInt8
  public var sounder: Bool
  public var source: Source
  /// Of the INDICATE obeyed, 0 when there is none.
  public var session: UInt32
  public var revision: UInt32

  public init(
    clock: UInt64, shown: ShownState, detail: UInt8, sounder: Bool, source: Source,
    session: UInt32, revision: UInt32
  ) {
    self.clock = clock
    self.shown = shown
    self.detail = detail
    self.sounder = sounder
    self.source = source
    self.session = session
    self.revision = revision
  }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    clock = r.next()
    shown = ShownState(rawValue: r.next())
    detail = r.next()
    let flags = r.next(UInt8.self)
    sounder = flags & 1 != 0
    source = flags & 4 != 0 ? .bench : flags & 2 != 0 ? .lease : .own
    session = r.next()
    revision = r.next()
  }

  public func write(to body: inout FrameBody) {
    body.append(clock)
    body.append(shown?.rawValue ?? .max)
    body.append(detail)
    body.append((sounder ? 1 : 0) | source.rawValue << 1)
    body.append(session)
    body.append(revision)
  }
}
