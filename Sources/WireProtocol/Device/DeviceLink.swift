public import FobBase

/// A request of the host to the device.
public enum HostRequest: Sendable {
  case hello(Hello)
  case time(TimeRequest)
  case ack(EventAck)
  case indicate(Indicate)
  /// With the sequence number of its frame, by which it is rejected while it is not possible.
  case ledSet(LEDSet, sequence: UInt16)
  case config(Config)
  case firmwareInfo
  case trace(TraceFrame)
  /// A frame that is not understood: to be answered with this REJECT.
  case refused(Reject)
  /// Nothing to do: damage, our own echo, a REJECT, an optional type.
  case ignored(Ignored)

  /// Why a frame changes nothing.
  public enum Ignored: Sendable { case damaged, echo, rejected, optional }
}

/// The device's end of the link: frames in and out. `UnackedEvents` decides what is sent again, and
/// when; the firmware does what the frames ask.
public struct DeviceLink: Sendable {
  private var decoder = FrameDecoder()
  private var outgoing = OutgoingFrames()
  /// The session of the host's HELLO answered last, 0 when there was none.
  public private(set) var session: UInt32 = 0
  /// Runs of bytes that were no frame, since boot; it wraps.
  public private(set) var damagedFrames: UInt32 = 0

  /// No HELLO was heard; the first frame has sequence number 0.
  public init() {}

  /// Takes the front of `chunk` up to the next request; nil when the chunk is used up.
  public mutating func next(_ chunk: inout UnsafeRawBufferPointer) -> HostRequest? {
    switch decoder.next(&chunk) {
    case nil: return nil
    case .refused:
      damagedFrames &+= 1
      return .ignored(.damaged)
    case .frame:
      let request = decoder.withBody { Self.request(ReceivedFrame($0)) }
      if case .hello(let hello) = request { session = hello.session }
      return request
    }
  }

  /// A frame ready for the wire, numbered.
  public mutating func frame<P: Payload>(
    _ payload: P, at now: Instant, resent: Bool = false
  ) -> WireFrame {
    outgoing.frame(payload, at: now, resent: resent)
  }

  /// A frame of a message without fixed fields, numbered; `fill` appends the payload.
  public mutating func frame(
    _ type: MessageType, at now: Instant, _ fill: (inout FrameBody) -> Void
  ) -> WireFrame {
    var body = FrameBody()
    begin(&body, type, at: now)
    fill(&body)
    return WireFrame(body)
  }

  /// Begins the next frame in `body`, which is empty. Append the payload next; `withWireBytes` then
  /// has the bytes for the wire, without a copy.
  @inline(never)
  public mutating func begin(
    _ body: inout FrameBody, _ type: MessageType, at now: Instant, resent: Bool = false
  ) {
    outgoing.begin(&body, type, at: now, resent: resent)
  }

  private static func request(_ frame: ReceivedFrame) -> HostRequest {
    if frame.rawType == MessageType.reject.rawValue { return .ignored(.rejected) }
    if frame.isPress { return .ignored(.echo) }
    guard frame.head.major == FrameHead.version else { return answer(frame, .version) }
    guard !frame.head.hasReservedBits else { return answer(frame, .reservedBits) }
    guard let type = MessageType(rawValue: frame.rawType) else {
      return MessageType.isOptional(frame.rawType)
        ? .ignored(.optional) : answer(frame, .unknownType)
    }
    switch type {
    case .hello:
      switch frame.read(Hello.self) {
      case .value(let hello) where hello.role == .device: return .ignored(.echo)
      // An answer to session 0 would be taken for the unasked HELLO of a boot.
      case .value(let hello) where hello.session == 0: return answer(frame, .badValue)
      case .value(let hello): return .hello(hello)
      case .refused(let reject): return .refused(reject)
      }
    case .timeRequest: return read(frame) { .time($0) }
    case .eventAck: return read(frame) { .ack($0) }
    case .indicate: return read(frame) { .indicate($0) }
    case .ledSet: return read(frame) { .ledSet($0, sequence: frame.sequence) }
    case .config: return read(frame) { .config($0) }
    case .firmwareInfo: return frame.payload.isEmpty ? .firmwareInfo : .ignored(.echo)
    case .trace:
      return frame.payload.count > TraceFrame.size
        ? .ignored(.echo) : read(frame) { .trace($0) }
    case .timeResponse, .heartbeat, .event, .ledState, .battery, .gpsFix, .configResult, .log,
      .nmeaRaw, .reject:
      return .ignored(.echo)
    }
  }

  private static func answer(_ frame: ReceivedFrame, _ reason: Reject.Reason) -> HostRequest {
    .refused(frame.refused(reason))
  }

  private static func read<P: Payload>(
    _ frame: ReceivedFrame, _ request: (P) -> HostRequest
  ) -> HostRequest {
    switch frame.read(P.self) {
    case .value(let value): return request(value)
    case .refused(let reject): return .refused(reject)
    }
  }
}
