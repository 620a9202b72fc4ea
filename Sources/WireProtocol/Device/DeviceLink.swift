public import FobBase

/// A request of the host to the device.
public enum HostRequest: Sendable {
  /// The host's new session.
  case hello(session: UInt32)
  case time(TimeRequest)
  case ack(EventAck)
  case indicate(Indicate)
  /// With the sequence number of its frame, by which it is rejected while it is not possible.
  case ledSet(LEDSet, sequence: UInt16)
  case config(Config)
  case firmwareInfo
  case trace(TraceFrame)
  case challenge(Challenge)
  case pair(Pair)
  /// Proved: only a sealed session has it.
  case unpair
  /// A frame that is not understood: to be answered with this REJECT.
  case refused(Reject)
  /// Nothing to do: damage, our own echo, a REJECT, an optional type.
  case ignored(Ignored)

  /// Why a frame changes nothing.
  public enum Ignored: Sendable { case damaged, echo, rejected, optional, unproved }
}

/// The device's end of the link: frames in and out. `UnackedEvents` decides what is sent again, and
/// when; the firmware does what the frames ask.
public struct DeviceLink: Sendable {
  private var decoder = FrameDecoder()
  private var outgoing = OutgoingFrames()
  var seal = DeviceSeal()
  /// The session of the host's HELLO answered last, 0 when there was none.
  public private(set) var session: UInt32 = 0
  /// Runs of bytes that were no frame, since boot; it wraps.
  public private(set) var damagedFrames: UInt32 = 0

  /// No HELLO was heard; the first frame has sequence number 0.
  public init() {}

  /// The session whose INDICATE is obeyed: of a paired device the one that was proved last.
  public var trustedSession: UInt32 { seal.isPaired ? seal.provedSession : session }

  /// Takes the front of `chunk` up to the next request; nil when the chunk is used up.
  public mutating func next(
    _ chunk: inout UnsafeRawBufferPointer, at now: Instant
  ) -> HostRequest? {
    switch decoder.next(&chunk) {
    case nil: return nil
    case .refused:
      damagedFrames &+= 1
      return .ignored(.damaged)
    case .frame:
      let request = Self.read(decoder, &seal, at: now)
      if case .hello(let new) = request { session = new }
      return request
    }
  }

  /// A frame ready for the wire, numbered, and sealed where it is to be.
  public mutating func frame<P: Payload>(
    _ payload: P, at now: Instant, resent: Bool = false
  ) -> WireFrame {
    var body = FrameBody()
    begin(&body, P.type, at: now, resent: resent)
    payload.write(to: &body)
    seal(&body, at: now)
    return WireFrame(body)
  }

  /// A frame of a message without fixed fields, numbered; `fill` appends the payload.
  public mutating func frame(
    _ type: MessageType, at now: Instant, _ fill: (inout FrameBody) -> Void
  ) -> WireFrame {
    var body = FrameBody()
    begin(&body, type, at: now)
    fill(&body)
    seal(&body, at: now)
    return WireFrame(body)
  }

  /// Begins the next frame in `body`, which is empty. Append the payload next, then `seal` it;
  /// `withWireBytes` then has the bytes for the wire, without a copy.
  @inline(never)
  public mutating func begin(
    _ body: inout FrameBody, _ type: MessageType, at now: Instant, resent: Bool = false
  ) {
    outgoing.begin(&body, type, at: now, resent: resent)
  }

  /// Seals a frame whose payload is complete, where it is to be sealed (PROTOCOL.md, 15.4).
  @inline(never)
  public mutating func seal(_ body: inout FrameBody, at now: Instant) {
    if seal.isPaired { seal.seal(&body, at: now) }
  }

  /// The longest payload that a frame of this device may have now, in bytes.
  public var maxPayload: Int {
    Limits.maxFrameSize - 8 - (seal.hasSession ? SealTrailer.size : 0)
  }

  /// Static, so that neither the decoder nor the seal is copied.
  private static func read(
    _ decoder: borrowing FrameDecoder, _ seal: inout DeviceSeal, at now: Instant
  ) -> HostRequest {
    decoder.withBody { body in
      let frame = ReceivedFrame(body)
      guard !seal.isPaired || seal.admits(frame, at: now) else { return .ignored(.unproved) }
      return request(frame, isPaired: seal.isPaired)
    }
  }

  private static func request(_ frame: ReceivedFrame, isPaired: Bool) -> HostRequest {
    if frame.rawType == MessageType.reject.rawValue { return .ignored(.rejected) }
    if frame.isPress { return .ignored(.echo) }
    guard frame.head.major == FrameHead.version else { return answer(frame, .version) }
    guard !frame.head.hasReservedBits, isPaired || !frame.head.isSealed else {
      return answer(frame, .reservedBits)
    }
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
      case .value(let hello): return .hello(session: hello.session)
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
    case .challenge: return read(frame) { .challenge($0) }
    case .pair: return read(frame) { .pair($0) }
    // Of no use, and of no meaning, where the frame is not sealed.
    case .unpair: return frame.trailer == nil ? .ignored(.unproved) : .unpair
    case .proof, .pairResult, .timeResponse, .heartbeat, .event, .ledState, .battery, .gpsFix,
      .configResult, .log,
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

/// Pairing, and the proof of it (PROTOCOL.md, 15).
extension DeviceLink {
  /// The device has a key, or a damaged record of one.
  public var isPaired: Bool { seal.isPaired }

  /// Takes the key that the store has. What was proved before ends.
  /// - Parameter key: nil where its record is damaged: then nothing can be proved.
  public mutating func pair(with key: PairingKey?) { seal.pair(key) }

  /// Forgets the key. What was proved by it ends.
  public mutating func unpair() { seal.unpair() }

  /// Whether a sealed session was proved since this was last asked: LED_STATE is owed then.
  public mutating func takeProved() -> Bool { seal.takeNew() }

  /// The answer to CHALLENGE.
  /// - Returns: nil where the device has no key, or where another host's session is asked for.
  public mutating func prove(
    _ challenge: Challenge, device: DeviceID, bootCounter: UInt32, bootNonce: UInt32,
    at now: Instant
  ) -> Proof? {
    guard challenge.session == session else { return nil }
    var proof = Proof(
      session: challenge.session, bootCounter: bootCounter, bootNonce: bootNonce, number: 0,
      clock: now.sealClock, tag: 0)
    return seal.prove(challenge, device: device, &proof) ? proof : nil
  }
}
