import Firmware
import FobBase
import Glibc
import SerialIO
import USB
import WireProtocol

/// The loop of a simulated board: it moves the board on, polls the firmware whenever anything has
/// happened or is due, and publishes the results.
final class EmulatorLoop: KeychainLoop {
  let commandQueue: CommandQueue
  var toldPercent: UInt8
  let transport: any DeviceTransport
  let faulty: FaultyLine
  let store: BoardStore
  var board: SimulatedBoard
  /// Nil while there is no power. It is large, and to ask an optional whether it is nil copies it:
  /// `isPowered` is asked.
  private var keychain: Keychain?
  private(set) var isPowered = false
  var powerReturns: Instant?
  var returnCause = ResetCause.powerOn
  var presses = PendingPresses()
  var goals = PendingGoals()
  var acked: [EventNumber] = []
  var isLinked = false
  /// The session of the last HELLO that was told as `linked`.
  var session: UInt32 = 0
  var nextTrace: UInt32 = 0
  var nextLight = 0
  var shown: ShownState?
  var shownDetail: UInt8 = 0
  var finger: RandomFinger?
  /// The firmware's state after its last poll.
  private(set) var news = FirmwareChanges()
  private var firmwareDue = Instant(microseconds: 0)
  /// Nil on a shared thread, which sleeps for all its members.
  private let ownRest: PollWaiter?

  /// - Parameter rest: nil on a shared thread.
  init(
    _ configuration: EmulatorConfiguration, _ commandQueue: CommandQueue,
    transport: any DeviceTransport, rest: PollWaiter?
  ) throws(IOFailure) {
    let now = BootClock.now()
    let gps = try GPSFeed(configuration.gps, at: now)
    let store = try BoardStore(path: configuration.storePath)
    if let label = configuration.label { try store.provision(label.key) }
    self.commandQueue = commandQueue
    ownRest = rest
    self.store = store
    self.transport = transport
    let faulty = Self.line(to: transport, configuration, commandQueue)
    self.faulty = faulty
    board = SimulatedBoard(
      deviceID: configuration.deviceID,
      button: SimulatedButton(bounce: ContactBounce(seed: configuration.bounceSeed)), gps: gps,
      battery: SimulatedBattery(percent: configuration.batteryPercent, at: now),
      hasBattery: configuration.hasBattery, hasGPS: configuration.hasGPS,
      driftPPM: configuration.driftPPM, store: store,
      line: BoardLine(read: faulty.read, write: faulty.write))
    finger = configuration.randomPresses.map { RandomFinger($0, at: now) }
    toldPercent = board.battery.percent(at: now)
    board.battery.drain(percentPerHour: configuration.drainPerHour, at: now)
    (transport as? USBTransport)?.answer = { [unowned self] in answer($0) }
  }

  func start() throws(IOFailure) {
    boot(.powerOn)
    turn()
  }

  func boot(_ cause: ResetCause) {
    board.gps.drop()
    board.boot(cause)
    keychain = Keychain(booting: &board)
    isPowered = true
    news = keychain!.changes()
    powerReturns = nil
    nextTrace = 0
    session = 0
    isLinked = false
    firmwareDue = board.clock.hostInstant(dueAt: Instant(microseconds: 0))
    tell()
  }

  func cutPower(for pause: Interval, _ cause: ResetCause, at now: Instant) {
    keychain = nil
    isPowered = false
    board.turnOff()
    board.gps.drop()
    faulty.discard()
    powerReturns = now + pause
    returnCause = cause
    isLinked = false
    shown = nil
    tell()
  }

  func serveFirmware(at now: Instant) {
    guard isPowered else { return }
    board.gps.advance(to: now)
    board.refillFIFO()
    faulty.flush()
    let wake = keychain!.poll(&board)
    news = keychain!.changes()
    let due = board.clock.hostInstant(dueAt: wake)
    firmwareDue = board.mayHaveMoreToRead ? now : due
    tell()
  }

  func rest() -> Bool {
    guard let ownRest else { return false }
    let polled = polled
    return ownRest.rest(until: nextDue(), polling: polled.indices.map { polled[$0] })
  }

  /// The descriptors to wait for besides calls and deadlines: bytes, hosts that come, the GPS
  /// receiver.
  var polled: InlineArray<3, pollfd> {
    guard isPowered else {
      return InlineArray(
        first: transport.polled(isPowered: false, mayRead: false, waitsToWrite: false)
      ) { _ in pollfd(fd: -1, events: 0, revents: 0) }
    }
    return [
      transport.polled(isPowered: true, mayRead: faulty.mayRead, waitsToWrite: wantsToWrite),
      pollfd(fd: transport.listenerDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: board.gps.descriptor, events: Int16(POLLIN), revents: 0),
    ]
  }

  /// Bytes that a fault delays wait for their time and not for the line.
  private var wantsToWrite: Bool {
    faulty.isWaitingForLine || faulty.mayWrite && news.wantsToTransmit
  }

  /// When the next turn is due even if nothing happens; nil: never.
  func nextDue() -> Instant? {
    var due = Instant(microseconds: .max)
    for other in [powerReturns, presses.nextDeadline, goals.nextDeadline, finger?.next] {
      if let other { due = min(due, other) }
    }
    if isPowered {
      due = min(due, firmwareDue)
      for other in [board.gps.nextDue, board.button.nextEdge, faulty.nextDue, transport.nextDue] {
        if let other { due = min(due, other) }
      }
    }
    return due < Instant(microseconds: .max) ? due : nil
  }
}

/// A simulated board's answers to vendor requests.
extension EmulatorLoop {
  /// The answer's payload; nil means STALL: the board has no power, or the firmware refuses.
  func answer(_ question: KeychainQuestion) -> [UInt8]? {
    guard isPowered else { return nil }
    var body = FrameBody()
    let isAnswered =
      switch question {
      case .hello: tell(.hello, in: &body)
      case .heartbeat: tell(.heartbeat, in: &body)
      case .firmwareInfo: tell(.firmwareInfo, in: &body)
      case .ledSet(let payload):
        payload.withUnsafeBytes { keychain!.setLight($0, &board) }
      }
    return isAnswered ? body.withBytes { Array($0) } : nil
  }

  private func tell(_ type: MessageType, in body: inout FrameBody) -> Bool {
    keychain!.tell(type, in: &body, isLinked: isLinked, &board)
  }
}

/// The events that a simulated board publishes: from the firmware's trace, and from the light.
extension EmulatorLoop {
  /// Publishes what has happened since the last call.
  func tell() {
    tellTrace()
    if board.light.next != nextLight {
      for edge in board.light.edges(from: nextLight) {
        publish(.light, at: edge.at) { $0.led = edge.isOn }
      }
      nextLight = board.light.next
    }
    guard isPowered, transport.hostIsPresent, news.session != session else { return }
    session = news.session
    isLinked = true
    publish(.linked)
  }

  private func tellTrace() {
    guard isPowered, news.nextTrace != nextTrace, let trace = keychain?.trace else { return }
    let lost = trace.first > nextTrace ? trace.first - nextTrace : 0
    if lost > 0 {
      publish(.traceLost) { $0.lost = lost }
      nextTrace = trace.first
    }
    while let entry = trace[nextTrace] {
      nextTrace &+= 1
      tell(entry, at: board.hostInstant(entry.clock))
    }
  }

  private func tell(_ entry: TraceEntry, at instant: Instant) {
    switch entry.code {
    case .edgeClosed: publish(.closed, at: instant)
    case .edgeOpen: publish(.opened, at: instant)
    case .eventCommitted: tellCommit(EventNumber(rawValue: entry.argument), at: instant)
    case .eventWritten: publish(.written, of: EventNumber(rawValue: entry.argument), at: instant)
    case .eventAcked:
      tellAcked(EventNumber(rawValue: entry.argument), at: instant)
    case .stateShown: tellShown(entry.argument, at: instant)
    case .booted:
      publish(.booted, at: instant) { event in
        event.boot = keychain?.bootCounter
        event.cause = ResetCause(rawValue: UInt8(truncatingIfNeeded: entry.argument)).map {
          "\($0)"
        }
      }
    case .storeFailed: publish(.storeFailed, at: instant)
    case .damaged: publish(.damagedFrame, at: instant)
    }
  }

  private func tellCommit(_ number: EventNumber, at instant: Instant) {
    let identity = keychain?.record(of: number, &board)?.identity
    publish(.committed, at: instant) { event in
      event.event = number.text
      event.number = number.rawValue
      event.kind = identity?.kind.map { "\($0)" }
    }
    guard let identity, identity.kind == .pressed else { return }
    presses.committed(number, firstEdge: board.hostInstant(identity.clock))
  }

  private func tellShown(_ argument: UInt64, at instant: Instant) {
    shown = ShownState(rawValue: UInt8(truncatingIfNeeded: argument))
    shownDetail = UInt8(truncatingIfNeeded: argument >> 8)
    publish(.shown, at: instant) { event in
      event.shown = shown.map { "\($0)" }
      event.detail = shownDetail
      event.sounder = argument >> 16 & 1 == 1
    }
  }
}

/// The parts of ``KeychainLoop`` that only a simulated board has.
extension EmulatorLoop {
  private static let maxJump = Interval.seconds(3_600)

  var button: SimulatedButton {
    get { board.button }
    set { board.button = newValue }
  }

  var hasBattery: Bool { board.hasBattery }
  var hasGPS: Bool { board.hasGPS }

  var battery: SimulatedBattery {
    get { board.battery }
    set { board.battery = newValue }
  }

  var gps: GPSFeed {
    get { board.gps }
    set { board.gps = newValue }
  }

  var load: SimulatedBattery.Load { board.load }

  var lightEdges: [LightEdge] { board.light.edges() }

  func reset() throws(CommandRefusal) {
    guard isPowered else { throw CommandRefusal("the keychain has no power") }
    publish(.reset)
    boot(.resetPin)
  }

  func forgetSession() { session = 0 }

  func changeOwn(_ command: EmulatorCommand, at now: Instant) throws(CommandRefusal) {
    switch command {
    case .failStore(let fails): store.fails = fails
    case .clockDrift(let ppm):
      let most = BoardClock.maxDrift
      guard (-most...most).contains(ppm) else {
        throw CommandRefusal("a clock drifts by \(most) parts per million at most")
      }
      board.clock.setDrift(ppm, at: now)
    case .clockJump(let interval):
      guard interval <= Self.maxJump, .zero - interval <= Self.maxJump else {
        throw CommandRefusal("a clock jumps by an hour at most")
      }
      board.clock.jump(by: interval, at: now)
    default: break
    }
  }

  func state(at now: Instant) -> EmulatorState {
    var state = EmulatorState(
      device: board.deviceID.text, link: transport.link, pty: transport.devicePath,
      plugged: transport.isPluggedIn, powered: isPowered, host: transport.hostIsPresent,
      linked: isLinked, shown: shown.map { "\($0)" }, detail: shownDetail,
      led: board.light.isOn, sounder: board.sounder,
      held: board.button.isHeld || board.button.isClosed,
      battery: hasBattery ? board.battery.percent(at: now) : nil,
      millivolts: board.batteryMillivolts(),
      drain: board.battery.drainPerHour, drift: board.clock.driftPPM,
      receiver: board.gps.source.text, chatter: board.button.chatters,
      stuck: board.button.isStuck)
    state.setFaults(of: faulty)
    state.usb = transport.usbState
    guard let keychain else { return state }
    let position = keychain.position(at: board.now())
    state.unacked = keychain.unackedCount
    state.boot = keychain.bootCounter
    state.gps = "\(position.quality)"
    guard position.isKnown else { return state }
    state.latitude = position.latitude
    state.longitude = position.longitude
    return state
  }
}

/// Lets the thread of a single keychain sleep until it is called, its deadline has come, or a
/// descriptor is ready.
final class PollWaiter {
  private let waker: PolledWaker
  private let alarm: TimerFD
  private var armed: Instant?

  init(_ waker: PolledWaker) throws(IOFailure) {
    let alarm = try TimerFD()
    self.waker = waker
    self.alarm = alarm
  }

  /// Sleeps. False if poll(2) fails, which happens only in a broken process.
  func rest(until due: Instant?, polling descriptors: [pollfd]) -> Bool {
    if due != armed {
      alarm.set(at: due)
      armed = due
    }
    var polled = descriptors
    for descriptor in [waker.descriptor, alarm.descriptor] {
      polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    guard (try? Syscall.poll(&polled, count: polled.count)) != nil else { return false }
    waker.clear()
    return true
  }
}
