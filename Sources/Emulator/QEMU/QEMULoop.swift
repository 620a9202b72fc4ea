import CLinux
import FobBase
import Glibc
import SerialIO
import WireProtocol

/// The loop of a board in QEMU: it relays bytes between the board's UARTs, the device transport and
/// the GPS receiver, moves the button, and publishes what line and light show.
final class QEMULoop: KeychainLoop {
  private static let bootPatience = Interval.seconds(10)

  let commandQueue: CommandQueue
  let configuration: EmulatorConfiguration
  let firmware: String
  let transport: any DeviceTransport
  let faulty: FaultyLine
  let store: any QEMUStore
  private let ownRest: PollWaiter
  var button: SimulatedButton
  var battery: SimulatedBattery
  let hasBattery = true
  let hasGPS = true
  var gps: GPSFeed
  var finger: RandomFinger?
  var presses = PendingPresses()
  var goals = PendingGoals()
  var acked: [EventNumber] = []
  var isLinked = false
  var toldPercent: UInt8
  var powerReturns: Instant?
  var returnCause = ResetCause.powerOn

  /// Nil while there is no power.
  var board: (any QEMUBoard)?
  /// Why there is no power without a power cut; nil: no such reason.
  var death: String?
  var relay: UARTRelay
  var receiver = GPSWire()
  var observer = WireObserver()
  var events = SeenEvents()
  var light = LightTrace()
  var nextLight = 0
  var shown: LEDState?
  var heartbeat: Heartbeat?
  var position: PositionFix?
  /// The voltage at the terminals that QEMU was told last.
  var millivolts: UInt16 = 0
  /// The deadline for the first frame during `start()`; nil otherwise.
  private var firstWord: Instant?

  /// - Throws: `IOFailure` for the store, the GPS file or the link; EINVAL for a clock that drifts.
  init(
    _ configuration: EmulatorConfiguration, on kind: QEMUBoardKind, firmware: String,
    _ commandQueue: CommandQueue, _ rest: PollWaiter
  ) throws(IOFailure) {
    guard configuration.driftPPM == 0 else {
      throw IOFailure(
        "set the clock of", errno: EINVAL, path: "the board in QEMU",
        reason: "it is QEMU's own and does not drift; the simulated board's does")
    }
    guard configuration.hasBattery, configuration.hasGPS else {
      throw IOFailure(
        "take parts off", errno: EINVAL, path: "the board in QEMU",
        reason: "its battery and its GPS receiver are there; the simulated board's need not be")
    }
    let now = BootClock.now()
    gps = try GPSFeed(configuration.gps, at: now)
    ownRest = rest
    store = try kind.makeStore(path: configuration.storePath)
    if let label = configuration.label { try store.provision(label.key) }
    try store.provision(serial: configuration.serial)
    transport = try configuration.makeTransport()
    self.commandQueue = commandQueue
    self.configuration = configuration
    self.firmware = firmware
    faulty = Self.line(to: transport, configuration, commandQueue)
    relay = UARTRelay(faulty)
    button = SimulatedButton(bounce: ContactBounce(seed: configuration.bounceSeed))
    battery = SimulatedBattery(percent: configuration.batteryPercent, at: now)
    finger = configuration.randomPresses.map { RandomFinger($0, at: now) }
    toldPercent = battery.percent(at: now)
    battery.drain(percentPerHour: configuration.drainPerHour, at: now)
  }

  /// - Throws: `IOFailure` where QEMU is missing or refuses the firmware, and ETIMEDOUT for one
  ///   that says nothing.
  func start() throws(IOFailure) {
    try powerOn(.powerOn)
    let deadline = BootClock.now() + Self.bootPatience
    firstWord = deadline
    while board != nil, !observer.hasSpoken, BootClock.now() < deadline, rest() { turn() }
    firstWord = nil
    guard !observer.hasSpoken else { return }
    board?.machine.kill()
    throw IOFailure(
      "boot", errno: ETIMEDOUT, path: firmware,
      reason: death ?? "it says nothing; is it the keychain's? make firmware builds that one")
  }

  /// A board that stops answering counts as dead.
  func serveFirmware(at now: Instant) {
    guard let board else { return }
    do throws(IOFailure) {
      try moveButton(of: board, at: now)
      try tellBattery(to: board, at: now)
      gps.advance(to: now)
      receiver.pass(&gps, to: board, at: now)
      try relay.pass(
        board, sent: { heard(fromBoard: $0) }, received: { heard(fromHost: $0) })
      try tellLight(of: board)
      if let cause = board.takeOwnReset() { try restart(board, cause) }
      if let words = board.machine.lastWords { die("QEMU has died, \(words)") }
    } catch {
      die(error.description)
    }
  }

  func rest() -> Bool {
    var polled = [
      transport.polled(
        isPowered: isPowered, mayRead: relay.mayRead, waitsToWrite: relay.isWaitingForHost)
    ]
    if let board {
      polled += [
        pollfd(fd: transport.listenerDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: gps.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      polled += board.machine.descriptors.map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      if relay.isWaitingForBoard {
        polled.append(
          pollfd(
            fd: board.machine.uarts[0].descriptor, events: Int16(POLLOUT), revents: 0))
      }
    }
    return ownRest.rest(until: nextDue(), polling: polled)
  }

  private func nextDue() -> Instant? {
    var dues = [powerReturns, presses.nextDeadline, goals.nextDeadline, finger?.next, firstWord]
    if board != nil {
      dues += [
        gps.nextDue, receiver.nextDue, button.nextEdge, faulty.nextDue,
        battery.sagEnds(after: BootClock.now()),
      ]
    }
    return dues.compactMap { $0 }.min()
  }
}
