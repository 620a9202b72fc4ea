import FobBase
package import SerialIO
package import WireProtocol

/// A board in QEMU: the firmware on its processor, with button, light, battery and store. Boards
/// differ in how QEMU lets their parts be moved.
package protocol QEMUBoard: AnyObject {
  /// The QEMU that it runs in.
  var machine: QEMUMachine { get }

  /// Sets the reset cause and the button, and runs the firmware.
  func boot(_ cause: ResetCause) throws(IOFailure)
  /// Sets the button's contact, whether the processor runs or stands still.
  func setButton(closed: Bool) throws(IOFailure)
  /// Sets the voltage that the board measures.
  func setBattery(millivolts: UInt16) throws(IOFailure)
  /// Takes the light's changes since the last call, with the times at which they were read.
  func takeLight() throws(IOFailure) -> [LightEdge]
  /// Hands over bytes of the GPS receiver, without waiting.
  /// - Returns: how many the board takes now.
  func hear(gps bytes: UnsafeRawBufferPointer) throws(IOFailure) -> Int
  /// Makes durable what the firmware has stored.
  func saveStore() throws(IOFailure)
  /// Ends QEMU; the store stays as it is at this moment.
  func cutPower()

  /// Sends an order to a firmware in lockstep (Boards/cortex-m/LOCKSTEP.md).
  func send(order: [UInt8]) throws(IOFailure)
  /// Takes the next mark of a firmware in lockstep, nil where none has come.
  func takeMark() throws(IOFailure) -> LockstepMark?
}

/// What a firmware in lockstep says between two orders.
package enum LockstepMark: Equatable, Sendable {
  /// It waits for the order to boot.
  case ready
  /// An order is carried out, and sent so many bytes to the host.
  case done(sent: Int)

  /// Nil for a mark that there is not.
  init?(_ mark: UInt8, sent: Int) {
    switch mark {
    case 0x05: self = .ready
    case 0x06: self = .done(sent: sent)
    default: return nil
    }
  }
}

extension QEMUBoard {
  /// Stops, resets and boots; the firmware loses what is only in memory.
  package func reset(_ cause: ResetCause) throws(IOFailure) {
    try machine.tell("stop", QMPNothing(), "stop")
    // With `shutdown` QEMU stops in place of any reset, also of this one.
    try machine.tell("set-action", QMPAction(reboot: "reset"), "reset")
    try machine.tell("system_reset", QMPNothing(), "reset")
    try machine.tell("set-action", QMPAction(reboot: "shutdown"), "reset")
    try boot(cause)
  }

  /// The cause of a reset that the firmware has made itself since the last call; the board stands
  /// still after it. Nil if it made none.
  package func takeOwnReset() -> ResetCause? {
    var cause: ResetCause?
    var isWatchdog = false
    for event in machine.takeEvents() {
      if event.name == "WATCHDOG" { isWatchdog = true }
      if event.name == "SHUTDOWN", event.reason == "guest-reset" {
        cause = isWatchdog ? .watchdog : .software
      }
    }
    return cause
  }
}

/// The file behind the store of a board in QEMU, or memory that ends with the emulator.
protocol QEMUStore: AnyObject {
  /// Writes the serial number that the firmware reads its identity from.
  func provision(serial: UInt32) throws(IOFailure)
  /// As of `BoardStore`.
  func provision(_ key: PairingKey) throws(IOFailure)
  /// Starts QEMU with the board and this store, stopped before the first instruction.
  func makeBoard(firmware: String) throws(IOFailure) -> any QEMUBoard
}

/// The boards that QEMU has and the keychain's firmware is built for.
public enum QEMUBoardKind: String, CaseIterable, Sendable {
  /// Texas Instruments' evaluation board, a Cortex-M3.
  case lm3s6965evb
  /// The BBC micro:bit, version 1, a Cortex-M0.
  case microbit

  /// - Throws: `IOFailure`; EBUSY if another emulator holds the file, EINVAL if it is no store of
  ///   this board.
  func makeStore(path: String?) throws(IOFailure) -> any QEMUStore {
    switch self {
    case .lm3s6965evb: try EEPROMFile(path: path)
    case .microbit: try FlashFile(path: path)
    }
  }
}
