import FobBase
import NMEA
import WireProtocol

/// The link: answers to the host, and reports of the device.
extension Keychain {
  mutating func receive<B: Board>(_ board: inout B) {
    var buffer = InlineArray<64, UInt8>(repeating: 0)
    while true {
      let count = withUnsafeMutableBytes(of: &buffer) { board.readLink($0) }
      guard count > 0 else { return }
      withUnsafeBytes(of: buffer) { raw in
        var chunk = UnsafeRawBufferPointer(rebasing: raw[0..<count])
        while let request = link.next(&chunk, at: board.now()) { answer(request, &board) }
      }
    }
  }

  private mutating func answer<B: Board>(_ request: HostRequest, _ board: inout B) {
    let now = board.now()
    if link.takeProved() {
      display.sessionBegan()
      reportState(at: now)
    }
    switch request {
    case .hello(let session):
      unacked.hostHello(at: now)
      send(self.hello(answering: session, board), at: now)
      reportState(at: now)
    case .time(let request):
      let received = UInt64(bitPattern: now.microseconds)
      transmit.drain(into: &board)
      let sent = UInt64(bitPattern: board.now().microseconds)
      send(
        TimeResponse(to: request, receive: received, send: sent, bootNonce: board.bootNonce),
        at: now)
      transmit.drain(into: &board)
    case .ack(let ack): forget(ack, &board)
    case .indicate(let indicate): _ = display.obey(indicate, session: link.trustedSession, at: now)
    case .ledSet(let pattern, let sequence):
      if !show(pattern, at: now) {
        refuse(Reject(type: LEDSet.type.rawValue, reason: .notNow, sequence: sequence), at: now)
      }
    case .config(let config): send(configure(config), at: now)
    case .firmwareInfo: sendFirmwareInfo(at: now)
    case .trace(let frame):
      // A long answer is begun only on an empty ring, so that a press always finds room.
      transmit.drain(into: &board)
      if transmit.isEmpty {
        sendTrace(from: frame.first, at: now)
      } else {
        counts.droppedFrames &+= 1
      }
    case .challenge(let challenge): prove(challenge, board, at: now)
    case .pair(let request): if request.session == link.session { pair(request, &board) }
    case .unpair: unpair(&board)
    case .refused(let reject): refuse(reject, at: now)
    case .ignored(.damaged): trace.note(.damaged, at: now)
    case .ignored: break
    }
  }

  /// Shows a pattern of the bench; false while a press is unacked or an incident is open: these go
  /// before it.
  mutating func show(_ pattern: LEDSet, at now: Instant) -> Bool {
    guard !mayHavePress && !display.isOpen(at: now) else { return false }
    display.set(pattern, at: now)
    return true
  }

  /// Whether a press is unacked, or may be: one can lie in a store that was not read yet.
  var mayHavePress: Bool {
    mutating get { unacked.hasPress || owesLoad || hasUnloaded }
  }

  private mutating func refuse(_ reject: Reject, at now: Instant) {
    if rejects.allows(at: now) { send(reject, at: now) }
  }

  /// Puts a frame into the transmit ring, or counts it as dropped. These frames are sent again by
  /// rule, asked for again, or of no consequence (PROTOCOL.md, 8).
  @inline(never)
  mutating func send<P: Payload>(_ payload: P, at now: Instant) {
    var body = FrameBody()
    link.begin(&body, P.type, at: now)
    payload.write(to: &body)
    put(&body, at: now)
  }

  private mutating func put(_ body: inout FrameBody, at now: Instant) {
    link.seal(&body, at: now)
    if !transmit.append(&body) { counts.droppedFrames &+= 1 }
  }

  @inline(never)
  mutating func hello<B: Board>(answering session: UInt32, _ board: B) -> Hello {
    var hello = Hello(role: .device, session: session, software: Self.software)
    hello.resetCause = board.resetCause
    hello.capabilities = Hello.seals | (link.isPaired ? Hello.isPaired : 0)
    if !battery.hasBattery { hello.capabilities |= Hello.hasNoBattery }
    if !board.hasGPS { hello.capabilities |= Hello.hasNoGPS }
    hello.deviceID = board.deviceID
    hello.bootCounter = bootCounter
    hello.bootNonce = board.bootNonce
    hello.oldestUnacked = unacked.oldest
    return hello
  }

  mutating func heartbeat(at now: Instant) -> Heartbeat {
    var beat = Heartbeat()
    beat.uptime = UInt64(bitPattern: now.microseconds)
    beat.millivolts = battery.millivolts
    beat.batteryPercent = battery.percent
    beat.unacked = UInt8(unacked.count)
    beat.shown = display.shown.state
    if display.shown.sounder { beat.flags.insert(.sounder) }
    if debouncer.isPressed { beat.flags.insert(.buttonClosed) }
    if isStoreFailing { beat.flags.insert(.storeFailing) }
    if unacked.isFull { beat.flags.insert(.ringFull) }
    beat.damagedFrames = link.damagedFrames
    beat.droppedFrames = counts.droppedFrames
    beat.evictedEvents = counts.evictedEvents
    beat.mergedPresses = counts.mergedPresses
    return beat
  }

  private mutating func configure(_ config: Config) -> ConfigResult {
    guard config.key == ConfigKey.debounce.rawValue else {
      return ConfigResult(key: config.key, value: 0, outcome: .unknownKey)
    }
    let fits = config.value <= 50
    if fits { debounceMilliseconds = UInt8(config.value) }
    return ConfigResult(
      key: config.key, value: UInt32(debounceMilliseconds), outcome: fits ? .done : .outOfRange)
  }

  @inline(never)
  private mutating func sendFirmwareInfo(at now: Instant) {
    var body = FrameBody()
    link.begin(&body, .firmwareInfo, at: now)
    Self.writeFirmwareInfo(to: &body)
    put(&body, at: now)
  }

  static func writeFirmwareInfo(to body: inout FrameBody) {
    body.append(StaticString("fob keychain\u{0}0.1.0"))
  }

  @inline(never)
  private mutating func sendTrace(from first: UInt32, at now: Instant) {
    let start = trace.start(from: first)
    var body = FrameBody()
    link.begin(&body, .trace, at: now)
    body.append(start)
    let entries = (link.maxPayload - TraceFrame.size) / TraceEntry.size
    for i in 0..<UInt32(entries) {
      guard trace.write(start &+ i, to: &body) else { break }
    }
    put(&body, at: now)
  }
}

extension FrameBody {
  fileprivate mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
