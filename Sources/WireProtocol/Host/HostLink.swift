public import FobBase

/// The host's end of the link: frames in and out, the session, clock exchange, supervision and the
/// repetition of INDICATE. Pure: bytes and time in, messages and frames out.
public struct HostLink: Sendable {
  private var decoder = FrameDecoder()
  /// The seal with the device, where this host has a key for it.
  var seal: HostSeal?
  /// Whether the frame that `next` read last was sealed in the proved session. EVENT never is.
  public private(set) var isFrameProved = false
  /// Whether the frame that `next` read last was sealed, by whatever key.
  public private(set) var isFrameSealed = false
  /// Whether the PROOF that `next` read last has opened the sealed session.
  public private(set) var isProofOurs = false
  /// This host has no key and carries sealed frames to a core that has: it reads them for itself,
  /// and hands them on as they are.
  let isRelay: Bool
  /// No proof has come for three seconds, which nobody was told yet.
  var isDoubtNew = false
  var outgoing = OutgoingFrames()
  let software: SoftwareVersion
  /// The session of this host's HELLO, never 0; a new one begins where the device booted or obeys
  /// another host.
  public internal(set) var session: UInt32
  /// Whether the device has answered, and is still heard.
  public internal(set) var state = State.asking
  var nextHello: Instant
  /// CHALLENGEs that went to the device.
  private var challenges: UInt8 = 0
  /// HELLO is due although the device has answered it.
  var isHelloDue = false
  /// As HELLO has named the device.
  var deviceID: DeviceID?
  var bootNonce: UInt32?
  var lastHeard: Instant
  var sync = TimeSync()
  var questions = ClockQuestions()
  /// No frame was missed since the last exchange. A device whose clock goes back says so first, so
  /// the fit still holds.
  var isClockProven = false
  private var expectedSequence: UInt16?
  /// A sequence number was skipped since the caller cleared this.
  public var hasGap = false
  var syncsLeft = 0
  var lastSync = Instant(microseconds: .min / 2)
  var nextSync: Instant?
  var indication: Indication
  var revision: UInt32 = 0
  var nextIndicate: Instant?
  /// The core cannot say what is true: no INDICATE is sent.
  var isWithheld = false
  /// The device's clock as last heard, µs since its boot.
  public internal(set) var lastUptime: UInt64 = 0
  var noise = LineNoise()
  private var rejects = RejectRateLimit()
  var contest: SessionConflict

  /// How far the session is.
  public enum State: UInt8, Sendable {
    /// HELLO was said and not yet answered.
    case asking
    case linked
    /// Nothing whole was heard for three seconds; HELLO goes on.
    case silent
  }

  static let helloEvery = Interval.milliseconds(500)
  /// After a sealed frame of a device of which no key is here. A core renews what it indicates
  /// sooner.
  static let helloAgain = Interval.seconds(10)
  static let silentAfter = Interval.seconds(3)
  static let syncEvery = Interval.seconds(10)
  static let syncBurst = 8
  /// Least time between exchanges that missed frames cause.
  static let doubtEvery = Interval.milliseconds(100)
  /// A heartbeat that lags more behind the fitted clock raises doubt.
  static let maxLag = Interval.milliseconds(250)

  /// - Parameters:
  ///   - session: random and never zero, new at each opening of the line.
  ///   - software: the version that this host names in its HELLO.
  ///   - isRelay: whether it carries sealed frames to a core on another host.
  ///   - now: the host's boot clock at the opening; the first HELLO is due then.
  public init(
    session: UInt32, software: SoftwareVersion, isRelay: Bool = false, at now: Instant
  ) {
    precondition(session != 0)
    self.session = session
    self.software = software
    self.isRelay = isRelay
    contest = SessionConflict(from: session)
    nextHello = now
    lastHeard = now
    indication = Indication(state: .unclaimed)
  }

  /// The device's clock in terms of the host's; nil before the first exchange.
  public var fit: TimeSync.Fit? { sync.fit }
  /// The fit, where the device's clock cannot have gone back since the last exchange; else nil. By
  /// this one a press may be said to be older than its arrival.
  public var provenFit: TimeSync.Fit? { isClockProven ? sync.fit : nil }

  /// Takes the front of `chunk` up to the next message; nil when the chunk is used up.
  public mutating func next(
    _ chunk: inout UnsafeRawBufferPointer, at now: Instant
  ) -> DeviceMessage? {
    let before = chunk.count
    let outcome = decoder.next(&chunk)
    noise.sinceFrame &+= UInt64(before - chunk.count)
    switch outcome {
    case nil: return nil
    case .refused:
      noise.damaged(at: now)
      return .nothing
    case .frame: break
    }
    let (message, sequence, isSealed, isTrusted) = Self.read(decoder, &seal, isRelay: isRelay)
    isFrameSealed = isSealed
    isFrameProved = isTrusted && seal != nil
    if isSealed, seal == nil { askWhoSeals(at: now) }
    if case .echo(let session) = message {
      noise.echoed(at: now)
      if let session { named(session, by: .host, at: now) }
      return .nothing
    }
    heardWhole(sequence, isTrusted: isTrusted, at: now)
    guard isTrusted || message.isHeardFromAnybody else { return .nothing }
    return counts(message, at: now) ? message : .nothing
  }

  /// The frame that was just decoded, and whether it is by all that this host knows the device's:
  /// where it has a key, only a sealed one. Static, so that neither is copied.
  private static func read(
    _ decoder: borrowing FrameDecoder, _ seal: inout HostSeal?, isRelay: Bool
  ) -> (DeviceMessage, sequence: UInt16, isSealed: Bool, isTrusted: Bool) {
    decoder.withBody { body in
      let frame = ReceivedFrame(body)
      let isTrusted =
        seal == nil
        || frame.rawType != MessageType.event.rawValue && seal?.takes(frame) == true
      let isStray =
        seal == nil && !isRelay && frame.head.isSealed && !DeviceMessage.isOpen(frame.rawType)
      let message = isStray ? DeviceMessage.notPlain(frame) : DeviceMessage(frame)
      return (message, frame.sequence, frame.trailer != nil, isTrusted)
    }
  }

  /// Notes that an undamaged frame came. In a sealed session only a proved one shows that the
  /// device is there; a gap in the numbers raises doubt, whoever makes it.
  private mutating func heardWhole(_ sequence: UInt16, isTrusted: Bool, at now: Instant) {
    noise.sinceFrame = 0
    if let expectedSequence, sequence != expectedSequence {
      hasGap = true
      doubtClock(at: now)
    }
    expectedSequence = sequence &+ 1
    guard isTrusted || seal?.state != .proved else { return }
    lastHeard = now
    if state == .silent {
      state = .asking
      nextHello = now
    }
  }

  /// Learns from a message.
  /// - Returns: whether the caller of `next` is to get it.
  private mutating func counts(_ message: DeviceMessage, at now: Instant) -> Bool {
    switch message {
    case .hello(let hello): return opensSession(hello, at: now)
    case .time(let response): return fitsClock(response, at: now)
    case .heartbeat(let beat): compareUptime(beat, at: now)
    // Its session and revision are the core's.
    case .ledState where isRelay && isFrameSealed: break
    case .ledState(let led):
      if contradicts(led) { ask(at: now) } else { named(led.session, by: .light, at: now) }
    case .refused: return rejects.allows(at: now)
    case .proof(let proof): isProofOurs = proves(proof, at: now)
    case .pairResult, .event, .barePress, .battery, .position, .configResult, .trace, .log,
      .firmwareInfo,
      .nmeaRaw, .rejected, .echo, .nothing:
      break
    }
    return true
  }

  /// Reads the payload of the message that `next` returned last; empty where that was damage. It is
  /// there until the next call.
  public func withPayload<R>(_ read: (UnsafeRawBufferPointer) -> R) -> R {
    decoder.withBody { body in
      guard body.count >= 4 else { return read(UnsafeRawBufferPointer(start: nil, count: 0)) }
      return read(ReceivedFrame(body).payload)
    }
  }

  /// Reads the frame that `next` returned last from its head on, without its CRC.
  public func withBody<R>(_ read: (UnsafeRawBufferPointer) -> R) -> R { decoder.withBody(read) }

  /// Whether the event that `next` returned last was made by the device that has this key.
  public func isEventProved(by key: PairingKey) -> Bool {
    decoder.withBody { $0.count >= 4 && key.proves(event: ReceivedFrame($0)) }
  }

  /// A frame ready for the wire, numbered.
  public mutating func frame<P: Payload>(_ payload: P, at now: Instant) -> WireFrame {
    var body = FrameBody()
    outgoing.begin(&body, P.type, at: now)
    payload.write(to: &body)
    seal?.seal(&body)
    return WireFrame(body)
  }

  /// A frame of a core on another host, numbered for this line.
  /// - Parameters:
  ///   - head: as the core has made it.
  ///   - rawType: the type of the message.
  ///   - payload: with the trailer, where head says so.
  ///   - now: the host's boot clock.
  /// - Returns: nil where it is not for a bridge to carry: only CHALLENGE is, and sealed frames.
  public mutating func relay(
    head: FrameHead, rawType: UInt8, payload: UnsafeRawBufferPointer, at now: Instant
  ) -> WireFrame? {
    let isSealed = head.rawValue == FrameHead(resent: false).rawValue | FrameHead.sealedBit
    guard isRelay, let type = MessageType(rawValue: rawType), isSealed || type == .challenge,
      (isSealed ? SealTrailer.size : 0)...Limits.maxPayloadSize ~= payload.count
    else { return nil }
    if type == .challenge { challenged(at: now) } else { isHelloDue = false }
    var body = FrameBody()
    outgoing.begin(&body, type, at: now)
    if isSealed { body.markSealed() }
    body.append(payload)
    return WireFrame(body)
  }

  /// A frame is sealed, and no key is here for whom HELLO has named: that may have been another.
  /// HELLO is said again in the same session, unless a core on another host seals to the device.
  private mutating func askWhoSeals(at now: Instant) {
    guard state == .linked, !isHelloDue else { return }
    isHelloDue = true
    nextHello = now + Self.helloAgain
  }

  /// CHALLENGE goes out. A device answers that of the host whose HELLO came last, and the answer to
  /// another's may have been lost: with every fourth, HELLO is said again.
  mutating func challenged(at now: Instant) {
    challenges &+= 1
    guard challenges % 4 == 0 else { return }
    isHelloDue = true
    nextHello = now
  }

  /// An empty FW_INFO, which asks for the name of the board and its build.
  public mutating func firmwareInfoRequest(at now: Instant) -> WireFrame {
    var body = FrameBody()
    outgoing.begin(&body, .firmwareInfo, at: now)
    seal?.seal(&body)
    return WireFrame(body)
  }
}

/// Limits the REJECT that one end sends to 16 within a second (PROTOCOL.md, 5.3): a peer of another
/// protocol, or one that is defective, is not answered frame by frame.
public struct RejectRateLimit: Sendable {
  private var began = Instant(microseconds: 0)
  private var count: UInt8 = 0

  /// The next 16 are allowed.
  public init() {}

  /// Whether a REJECT may be sent now; if so, it is counted.
  public mutating func allows(at now: Instant) -> Bool {
    // The second also begins anew where the clock went back.
    if count == 0 || now < began || now - began >= .seconds(1) {
      began = now
      count = 0
    }
    guard count < Limits.rejectsPerSecond else { return false }
    count += 1
    return true
  }
}

/// Bytes that were no frames, summed up: a log gets one line for an episode, not thousands.
public struct NoiseSummary: Equatable, Sendable {
  /// Runs of bytes between delimiters that were no frame.
  public var damagedFrames: UInt32 = 0
  /// Frames of a kind that only a host sends, as where the line echoes.
  public var echoedFrames: UInt32 = 0
  /// Bytes of all these frames.
  public var bytes: UInt64 = 0
}

/// Sums up an episode of noise, which ends after a quiet second. While it lasts it is reported
/// every ten seconds.
struct LineNoise: Sendable {
  private var summary = NoiseSummary()
  /// Bytes that came since the last whole frame.
  var sinceFrame: UInt64 = 0
  private var began: Instant?
  private var last: Instant?

  mutating func damaged(at now: Instant) {
    summary.damagedFrames &+= 1
    heard(at: now)
  }

  mutating func echoed(at now: Instant) {
    summary.echoedFrames &+= 1
    heard(at: now)
  }

  private mutating func heard(at now: Instant) {
    summary.bytes &+= sinceFrame
    sinceFrame = 0
    if began == nil { began = now }
    last = now
  }

  var due: Instant? {
    guard let began, let last else { return nil }
    return min(last + .seconds(1), began + .seconds(10))
  }

  mutating func take(at now: Instant) -> NoiseSummary? {
    guard let due, now >= due else { return nil }
    defer {
      summary = NoiseSummary()
      began = nil
      last = nil
    }
    return summary
  }
}

extension HostLink {
  /// Sums up an episode of noise that is over, or has lasted ten seconds; nil when there is none.
  public mutating func noiseSummary(at now: Instant) -> NoiseSummary? { noise.take(at: now) }
}

/// The newest TIME_REQs that nobody has answered yet. The device answers anybody's, and an answer
/// to a stranger's would move the fit of its clock.
struct ClockQuestions: Sendable {
  private static let none = UInt64.max
  private var stamps = InlineArray<8, UInt64>(repeating: none)
  private var count: UInt8 = 0

  /// - Returns: the stamp of a new question.
  mutating func ask(at now: Instant) -> UInt64 {
    let stamp = UInt64(bitPattern: now.microseconds)
    stamps[Int(count & 7)] = stamp
    count &+= 1
    return stamp
  }

  /// Whether this is the first answer to one of them.
  mutating func takes(_ response: TimeResponse) -> Bool {
    for index in stamps.indices where stamps[index] == response.hostSend {
      guard response.hostSend != Self.none else { return false }
      stamps[index] = Self.none
      return true
    }
    return false
  }
}
