import Firmware
import FobBase
import Glibc
import SerialIO
import WireProtocol

/// The thread of a simulated board: it moves the board on, polls the firmware whenever anything
/// happened or is due, and tells what came of it.
final class EmulatorLoop: KeychainLoop {
  let mailbox: Mailbox
  var toldPercent: UInt8
  let plug: any Plug
  let faulty: FaultyLine
  let store: BoardStore
  let alarm: Alarm
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
  private var firmwareDue = Instant(microseconds: 0)
  private var armed: Instant?

  init(_ configuration: EmulatorConfiguration, _ mailbox: Mailbox) throws(IOFailure) {
    let now = BootClock.now()
    let gps = try GPSFeed(configuration.gps, at: now)
    let alarm = try Alarm()
    let store = try BoardStore(path: configuration.storePath)
    let plug = try configuration.makePlug()
    self.mailbox = mailbox
    self.alarm = alarm
    self.store = store
    self.plug = plug
    let faulty = Self.line(to: plug, configuration, mailbox)
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
    (plug as? USBPlug)?.answer = { [unowned self] in answer($0) }
  }

  func start() throws(IOFailure) {
    boot(.powerOn)
    turn()
  }

  func boot(_ cause: ResetCause) {
    board.gps.drop()
    board.boot(cause)
    keychain = Keychain(booting: &board)
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
    let due = board.clock.hostInstant(dueAt: wake)
    firmwareDue = board.mayHaveMoreToRead ? now : due
    tell()
  }

  func rest() -> Bool {
    let due = nextDue()
    if due != armed {
      alarm.set(at: due)
      armed = due
    }
    var polled = [
      pollfd(fd: mailbox.signal.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
      plug.polled(
        isPowered: keychain != nil, mayRead: faulty.mayRead, waitsToWrite: wantsToWrite),
      pollfd(fd: keychain == nil ? -1 : plug.doorDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: keychain == nil ? -1 : board.gps.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    return (try? Syscall.poll(&polled, count: polled.count)) != nil
  }

  /// What a fault keeps back waits for its time and not for the line.
  private var wantsToWrite: Bool {
    faulty.isWaitingForLine || faulty.mayWrite && keychain?.wantsToTransmit == true
  }

  private func nextDue() -> Instant? {
    var dues = [powerReturns, presses.nextDeadline, goals.nextDeadline, finger?.next]
    if keychain != nil {
      dues += [firmwareDue, board.gps.nextDue, board.button.nextEdge, faulty.nextDue]
    }
    return dues.compactMap { $0 }.min()
  }
}
