import Firmware
import FobBase
import Glibc
import SerialIO
import WireProtocol

/// The emulator's thread: it moves the board on, polls the firmware whenever anything happened or
/// is due, and tells what came of it.
final class EmulatorLoop {
  static let mostAcked = 1_024

  let mailbox: Mailbox
  let plug: PtyPlug
  let store: BoardStore
  let alarm: Alarm
  var board: SimulatedBoard
  /// Nil while there is no power.
  var keychain: Keychain?
  var powerReturns: Instant?
  var presses = PendingPresses()
  var goals = PendingGoals()
  /// The events acked last.
  var acked: [EventNumber] = []
  var isLinked = false
  /// The session that was linked last, of whichever host.
  var session: UInt32 = 0
  var nextTrace: UInt32 = 0
  var nextLight = 0
  var shown: ShownState?
  var shownDetail: UInt8 = 0
  private var firmwareDue = Instant(microseconds: 0)
  private var armed: Instant?

  init(_ configuration: EmulatorConfiguration, _ mailbox: Mailbox) throws(IOFailure) {
    let gps = try GPSFeed(configuration.gps, at: BootClock.now())
    let alarm = try Alarm()
    let store = try BoardStore(path: configuration.storePath)
    let plug = try PtyPlug(linkPath: configuration.effectiveLinkPath)
    self.mailbox = mailbox
    self.alarm = alarm
    self.store = store
    self.plug = plug
    board = SimulatedBoard(
      deviceID: configuration.deviceID,
      button: SimulatedButton(bounce: ContactBounce(seed: configuration.bounceSeed)), gps: gps,
      millivolts: BatteryGauge.millivolts(percent: configuration.batteryPercent), store: store,
      line: BoardLine(read: plug.read, write: plug.write).tapped(
        by: mailbox.tap, device: configuration.deviceID.text))
  }

  func run() {
    while mailbox.isOpen, rest() { turn() }
    mailbox.close()
    presses.refuseAll(Mailbox.stopped)
    goals.refuseAll(Mailbox.stopped)
  }

  func boot(_ cause: ResetCause) {
    board.boot(cause)
    keychain = Keychain(booting: &board)
    powerReturns = nil
    nextTrace = 0
    session = 0
    isLinked = false
    firmwareDue = board.bootedAt
    tell()
  }

  func cutPower(for pause: Interval, at now: Instant) {
    keychain = nil
    board.turnOff()
    board.gps.drop()
    powerReturns = now + pause
    isLinked = false
    shown = nil
    tell()
  }

  /// Once round: the host, the commands, the power, the firmware, and whoever waits for them.
  func turn() {
    mailbox.signal.clear()
    lookAtHost()
    for order in mailbox.take() { carryOut(order) }
    let now = BootClock.now()
    if let powerReturns, powerReturns <= now {
      plug.discardInput()
      boot(.powerOn)
    }
    pollFirmware(at: now)
    presses.expire(at: now, isPowered: keychain != nil)
    goals.settle(at: now, isReached)
  }

  private func pollFirmware(at now: Instant) {
    guard keychain != nil else { return }
    board.gps.advance(to: now)
    board.refillFIFO()
    let wake = keychain!.poll(&board)
    let due = board.bootedAt + Interval(microseconds: wake.microseconds)
    firmwareDue = board.mayHaveMoreToRead ? now : due
    tell()
  }

  private func lookAtHost() {
    let wasPresent = plug.hostIsPresent
    plug.look()
    guard plug.hostIsPresent != wasPresent else { return }
    isLinked = false
    publish(plug.hostIsPresent ? .hostOpened : .hostClosed)
  }

  private func isReached(_ goal: EmulatorCommand.Goal) -> Bool {
    switch goal {
    case .ready: keychain != nil && plug.isPluggedIn
    case .linked: isLinked
    case .acked(let number): acked.contains(number)
    }
  }

  /// False if polling itself fails, which only a broken process does.
  private func rest() -> Bool {
    let due = nextDue()
    if due != armed {
      alarm.set(at: due)
      armed = due
    }
    var polled = [
      pollfd(fd: mailbox.signal.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
      // Without power nobody reads the link, and its hang-up would end every poll.
      pollfd(fd: keychain == nil ? -1 : plug.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    if plug.hostIsPresent, keychain?.wantsToTransmit == true { polled[2].events |= Int16(POLLOUT) }
    return (try? Syscall.poll(&polled, count: polled.count)) != nil
  }

  private func nextDue() -> Instant? {
    var dues = [powerReturns, presses.nextDeadline, goals.nextDeadline]
    if keychain != nil { dues += [firmwareDue, board.gps.nextDue, board.button.nextEdge] }
    return dues.compactMap { $0 }.min()
  }
}
