import Firmware
import FobBase
import SerialIO
import WireProtocol

/// Power, reset, battery and button of a board in QEMU.
extension QEMULoop {
  var isPowered: Bool { board != nil }

  var load: SimulatedBattery.Load {
    SimulatedBattery.Load(gps: gps.isPresent, led: light.isOn, sounder: shown?.sounder ?? false)
  }

  /// Starts a new QEMU at each power-on: memory is lost with the last one.
  func powerOn(_ cause: ResetCause) throws(IOFailure) {
    forgetBoard()
    let board = try store.makeBoard(firmware: firmware)
    self.board = board
    death = nil
    powerReturns = nil
    let now = BootClock.now()
    button.skip(to: now)
    try tellBattery(to: board, at: now)
    try board.setButton(closed: button.isClosed)
    try board.boot(cause)
  }

  func boot(_ cause: ResetCause) {
    do throws(IOFailure) {
      try powerOn(cause)
    } catch {
      die(error.description)
    }
  }

  func cutPower(for pause: Interval, _ cause: ResetCause, at now: Instant) {
    board?.cutPower()
    forgetBoard()
    powerReturns = now + pause
    returnCause = cause
  }

  /// Pulls the reset pin, or starts a new QEMU if the last has died.
  func reset() throws(CommandRefusal) {
    guard isPowered || death != nil else { throw CommandRefusal("the keychain has no power") }
    do throws(IOFailure) {
      if let board { return try restart(board, .resetPin) }
    } catch {
      die(error.description)
    }
    publish(.reset)
    do throws(IOFailure) {
      try powerOn(.powerOn)
    } catch {
      die(error.description)
      throw CommandRefusal(error.description)
    }
  }

  func restart(_ board: any QEMUBoard, _ cause: ResetCause) throws(IOFailure) {
    publish(.reset)
    // Relays the rest of the bytes from before the reset.
    try relay.pass(
      board, sent: { heard(fromBoard: $0) }, received: { heard(fromHost: $0) })
    forgetWords()
    try board.reset(cause)
  }

  /// Handles the end of QEMU without a power cut.
  func die(_ reason: String) {
    guard board != nil || death == nil else { return }
    board?.machine.kill()
    forgetBoard()
    powerReturns = nil
    death = reason
    presses.refuseAll(CommandRefusal("the press came to nothing: \(reason)"))
    publish(.died) { $0.reason = reason }
  }

  func changeOwn(_ command: EmulatorCommand, at now: Instant) throws(CommandRefusal) {
    switch command {
    case .clockDrift, .clockJump:
      throw CommandRefusal(
        "the clock of a board in QEMU is QEMU's own: only the simulated board's can be moved")
    case .failStore(true):
      throw CommandRefusal(
        "QEMU's store cannot be made to fail: only the simulated board's store can")
    default: break
    }
  }

  /// Sets the voltage at the terminals in QEMU, only if it has changed.
  func tellBattery(to board: any QEMUBoard, at now: Instant) throws(IOFailure) {
    let new = battery.terminals(under: load, at: now)
    guard new != millivolts else { return }
    try board.setBattery(millivolts: new)
    millivolts = new
  }

  func moveButton(of board: any QEMUBoard, at now: Instant) throws(IOFailure) {
    while let edge = button.take(upTo: now) {
      try board.setButton(closed: edge.closed)
      publish(edge.closed ? .closed : .opened)
    }
  }

  private func forgetBoard() {
    board = nil
    millivolts = 0
    light.set(false, at: BootClock.now())
    tellLightEdges()
    gps.drop()
    receiver.discard()
    faulty.discard()
    forgetWords()
  }

  /// Forgets what the firmware has sent before a reset.
  private func forgetWords() {
    relay.discard()
    observer = WireObserver()
    events = SeenEvents()
    isLinked = false
    shown = nil
    heartbeat = nil
    position = nil
  }
}
