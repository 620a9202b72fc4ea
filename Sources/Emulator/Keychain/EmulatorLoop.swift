import Firmware
import FobBase
import Glibc
import SerialIO
import WireProtocol

/// The thread of a simulated board: it moves the board on, polls the firmware whenever anything
/// happened or is due, and tells what came of it.
final class EmulatorLoop: KeychainLoop {
  let commandQueue: CommandQueue
  var toldPercent: UInt8
  let transport: any DeviceTransport
  let faulty: FaultyLine
  let store: BoardStore
  var board: SimulatedBoard
  /// Nil while there is no power.
  var keychain: Keychain?
  var powerReturns: Instant?
  var returnCause = ResetCause.powerOn
  var presses = PendingPresses()
  var goals = PendingGoals()
  var acked: [EventNumber] = []
  var isLinked = false
  /// The session that was linked last, of whichever host.
  var session: UInt32 = 0
  var nextTrace: UInt32 = 0
  var nextLight = 0
  var shown: ShownState?
  var shownDetail: UInt8 = 0
  var finger: RandomFinger?
  /// As of the last poll.
  private(set) var news = FirmwareChanges()
  private var firmwareDue = Instant(microseconds: 0)
  /// Nil on a thread that it shares, which rests for all.
  private let ownRest: PollWaiter?

  /// - Parameter rest: nil on a thread that it shares.
  init(
    _ configuration: EmulatorConfiguration, _ commandQueue: CommandQueue,
    transport: any DeviceTransport, rest: PollWaiter?
  ) throws(IOFailure) {
    let now = BootClock.now()
    let gps = try GPSFeed(configuration.gps, at: now)
    let store = try BoardStore(path: configuration.storePath)
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
    news = FirmwareChanges(of: &keychain!)
    powerReturns = nil
    nextTrace = 0
    session = 0
    isLinked = false
    firmwareDue = board.clock.hostInstant(dueAt: Instant(microseconds: 0))
    tell()
  }

  func cutPower(for pause: Interval, _ cause: ResetCause, at now: Instant) {
    keychain = nil
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
    guard keychain != nil else { return }
    board.gps.advance(to: now)
    board.refillFIFO()
    faulty.flush()
    let wake = keychain!.poll(&board)
    news = FirmwareChanges(of: &keychain!)
    let due = board.clock.hostInstant(dueAt: wake)
    firmwareDue = board.mayHaveMoreToRead ? now : due
    tell()
  }

  func rest() -> Bool {
    guard let ownRest else { return false }
    let polled = polled
    return ownRest.rest(until: nextDue(), polling: polled.indices.map { polled[$0] })
  }

  /// What to wait for besides calls and deadlines: bytes, hosts that come, the GPS receiver.
  var polled: InlineArray<3, pollfd> {
    guard keychain != nil else {
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

  /// What a fault keeps back waits for its time and not for the line.
  private var wantsToWrite: Bool {
    faulty.isWaitingForLine || faulty.mayWrite && news.wantsToTransmit
  }

  /// When it is to have its next turn though nothing has happened.
  func nextDue() -> Instant? {
    var due = Instant(microseconds: .max)
    for other in [powerReturns, presses.nextDeadline, goals.nextDeadline, finger?.next] {
      if let other { due = min(due, other) }
    }
    if keychain != nil {
      due = min(due, firmwareDue)
      for other in [board.gps.nextDue, board.button.nextEdge, faulty.nextDue, transport.nextDue] {
        if let other { due = min(due, other) }
      }
    }
    return due < Instant(microseconds: .max) ? due : nil
  }
}
