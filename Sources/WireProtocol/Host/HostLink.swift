public import FobBase

/// The host's end of the link: frames in and out, the session, clock exchange, supervision and the
/// repetition of INDICATE. Pure: bytes and time in, messages and frames out.
public struct HostLink: Sendable {
  private var decoder = FrameDecoder()
  private var outgoing = OutgoingFrames()
  private let software: SoftwareVersion
  public private(set) var session: UInt32
  public private(set) var state = State.asking
  private var nextHello: Instant
  private var bootNonce: UInt32?
  private var lastHeard: Instant
  private var sync = TimeSync()
  /// Nothing was missed since the last exchange: a device whose clock goes back says so first.
  private var isClockProven = false
  private var expectedSequence: UInt16?
  /// There was a gap in `seq` since it was asked last.
  private var hasGap = false
  private var syncsLeft = 0
  private var lastSync = Instant(microseconds: .min / 2)
  private var nextSync: Instant?
  var indication: Indication
  var revision: UInt32 = 0
  var nextIndicate: Instant?
  /// Nobody says now what is true: nothing is shown on a lease.
  var isWithheld = false
  private var lastUptime: UInt64 = 0
  var noise = LineNoise()
  private var rejects = RejectPace()
  var contest: SessionContest

  public enum State: UInt8, Sendable {
    /// HELLO was said and not yet answered.
    case asking
    case linked
    /// Nothing whole was heard for three seconds; HELLO goes on.
    case silent
  }

  static let helloEvery = Interval.milliseconds(500)
  static let silentAfter = Interval.seconds(3)
  static let syncEvery = Interval.seconds(10)
  static let syncBurst = 8
  /// Not oftener, however many frames are missed.
  static let doubtEvery = Interval.milliseconds(100)
  /// Of a heartbeat behind the fitted clock.
  static let mostLag = Interval.milliseconds(250)

  /// - Parameter session: random and never zero, anew at each opening of the line.
  public init(session: UInt32, software: SoftwareVersion, at now: Instant) {
    precondition(session != 0)
    self.session = session
    self.software = software
    contest = SessionContest(from: session)
    nextHello = now
    lastHeard = now
    indication = Indication(state: .unclaimed)
  }

  public var fit: TimeSync.Fit? { sync.fit }
  /// The fit, where the device's clock cannot have gone back since: what a press is said to be
  /// earlier by.
  public var provenFit: TimeSync.Fit? { isClockProven ? sync.fit : nil }

  /// The next message in `chunk`, whose front it takes; nil when the chunk is used up.
  public mutating func next(
    _ chunk: inout UnsafeRawBufferPointer, at now: Instant
  ) -> DeviceMessage? {
    let before = chunk.count
    let outcome = decoder.next(&chunk)
    noise.received(before - chunk.count)
    switch outcome {
    case nil: return nil
    case .refused:
      noise.damaged(at: now)
      return .nothing
    case .frame: break
    }
    let (message, sequence) = decoder.withBody {
      let frame = ReceivedFrame($0)
      return (DeviceMessage(frame), frame.sequence)
    }
    if case .echo(let session) = message {
      noise.echoed(at: now)
      if let session { named(session, by: .host, at: now) }
      return .nothing
    }
    heardWhole(sequence, at: now)
    return counts(message, at: now) ? message : .nothing
  }

  /// A frame of the device came undamaged, of whatever kind.
  private mutating func heardWhole(_ sequence: UInt16, at now: Instant) {
    noise.wholeFrame()
    if let expectedSequence, sequence != expectedSequence {
      hasGap = true
      doubtClock(at: now)
    }
    expectedSequence = sequence &+ 1
    lastHeard = now
    if state == .silent {
      state = .asking
      nextHello = now
    }
  }

  /// Learns from a message.
  /// - Returns: whether it says anything to whoever holds the link.
  private mutating func counts(_ message: DeviceMessage, at now: Instant) -> Bool {
    switch message {
    case .hello(let hello): return opensSession(hello, at: now)
    case .time(let response): return fitsClock(response, at: now)
    case .heartbeat(let beat): compareUptime(beat, at: now)
    case .ledState(let led):
      if contradicts(led) { ask(at: now) } else { named(led.session, by: .light, at: now) }
    case .refused: return rejects.allows(at: now)
    case .event, .barePress, .battery, .position, .configResult, .trace, .log, .firmwareInfo,
      .nmeaRaw, .rejected, .echo, .nothing:
      break
    }
    return true
  }

  /// Whether frames were missed since this was asked last.
  public mutating func takeGap() -> Bool {
    defer { hasGap = false }
    return hasGap
  }

  /// The payload of the message handed on last.
  public func withPayload<R>(_ read: (UnsafeRawBufferPointer) -> R) -> R {
    decoder.withBody { read(UnsafeRawBufferPointer(rebasing: $0.dropFirst(4))) }
  }

  /// A frame that is due by the clock alone: HELLO, TIME_REQ, INDICATE; call until nil.
  public mutating func nextFrame(at now: Instant) -> WireFrame? {
    if state == .linked, now - lastHeard >= Self.silentAfter {
      state = .silent
      isClockProven = false
      nextHello = now
      nextSync = nil
      nextIndicate = nil
    }
    if contest.takeRenewal(at: now) { renew(at: now) }
    if state != .linked, now >= nextHello {
      nextHello = now + Self.helloEvery
      return frame(Hello(role: .host, session: session, software: software), at: now)
    }
    guard state == .linked else { return nil }
    if let indicate = dueIndicate(at: now) { return frame(indicate, at: now) }
    if let due = nextSync, now >= due {
      syncsLeft = max(0, syncsLeft - 1)
      lastSync = now
      nextSync = now + (syncsLeft > 0 ? .milliseconds(20) : Self.syncEvery)
      let request = TimeRequest(
        hostSend: UInt64(bitPattern: now.microseconds), session: session)
      return frame(request, at: now)
    }
    return nil
  }

  /// When `nextFrame` or `noiseSummary` is next worth a call.
  public var nextWake: Instant {
    var wake = state == .linked ? lastHeard + Self.silentAfter : nextHello
    if state == .linked {
      if let nextSync { wake = min(wake, nextSync) }
      if let nextIndicate, !isWithheld { wake = min(wake, nextIndicate) }
    }
    if let due = noise.due { wake = min(wake, due) }
    if let due = contest.due { wake = min(wake, due) }
    return wake
  }

  /// A frame ready for the wire, numbered.
  public mutating func frame<P: Payload>(_ payload: P, at now: Instant) -> WireFrame {
    outgoing.frame(payload, at: now)
  }

  public mutating func firmwareInfoRequest(at now: Instant) -> WireFrame {
    var body = FrameBody()
    outgoing.begin(&body, .firmwareInfo, at: now)
    return WireFrame(body)
  }

  private mutating func opensSession(_ hello: Hello, at now: Instant) -> Bool {
    guard hello.session == session else {
      if hello.session == 0 { ask(at: now) } else { named(hello.session, by: .answer, at: now) }
      return false
    }
    if let bootNonce, hello.bootNonce != bootNonce {
      ask(at: now)
      return false
    }
    let isNew = state != .linked
    state = .linked
    bootNonce = hello.bootNonce
    lastUptime = 0
    sync.deviceBooted(nonce: hello.bootNonce)
    guard isNew else { return false }
    contest.settled()
    syncsLeft = Self.syncBurst
    nextSync = now
    nextIndicate = now
    return true
  }

  /// The device has booted since, or obeys another: begins a new session; not at once where answers
  /// go on contradicting each other.
  private mutating func ask(at now: Instant) {
    isClockProven = false
    if contest.wantsRenewal(at: now) { renew(at: now) }
  }

  private mutating func named(_ nonce: UInt32, by sign: SessionContest.Sign, at now: Instant) {
    guard state == .linked, contest.isForeign(nonce, by: sign, to: session) else { return }
    ask(at: now)
  }

  /// Begins a new session, which takes whatever boot answers.
  mutating func renew(at now: Instant) {
    session = session &+ 1 == 0 ? 1 : session &+ 1
    state = .asking
    isClockProven = false
    bootNonce = nil
    nextHello = now
    nextSync = nil
    nextIndicate = nil
    contest.renewed()
  }

  /// What was missed may have said that the device's clock has gone back: it is asked at once.
  private mutating func doubtClock(at now: Instant) {
    isClockProven = false
    guard state == .linked, syncsLeft == 0 else { return }
    nextSync = min(nextSync ?? now, max(now, lastSync + Self.doubtEvery))
  }

  private mutating func fitsClock(_ response: TimeResponse, at now: Instant) -> Bool {
    guard response.session == session, let bootNonce else {
      named(response.session, by: .clock, at: now)
      return false
    }
    guard response.bootNonce == bootNonce else {
      ask(at: now)
      return false
    }
    guard sync.receive(response, at: now) else { return false }
    isClockProven = true
    lastUptime = response.deviceSend
    if sync.isNew, syncsLeft == 0 {
      syncsLeft = Self.syncBurst - 1
      nextSync = now
    }
    return true
  }

  /// A clock that ran backwards means a boot whose own HELLO was lost.
  private mutating func compareUptime(_ beat: Heartbeat, at now: Instant) {
    if beat.uptime < lastUptime && state == .linked { ask(at: now) }
    lastUptime = beat.uptime
    if let fit, isBehind(beat, by: fit, at: now) { doubtClock(at: now) }
  }

  /// The line was slow, or the clock is: one that lags would make a press look older than it is.
  private func isBehind(_ beat: Heartbeat, by fit: TimeSync.Fit, at now: Instant) -> Bool {
    let (lag, isAbsurd) = now.microseconds.subtractingReportingOverflow(
      fit.hostInstant(beat.uptime).microseconds)
    return isAbsurd || lag > Self.mostLag.microseconds
  }
}
