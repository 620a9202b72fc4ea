import FobBase
package import SerialIO
package import WireProtocol

/// The board lm3s6965evb in QEMU: the firmware on a Cortex-M3, with button, light, battery, store.
package final class LM3S6965: QEMUBoard {
  /// Bytes of the EEPROM on the board's I2C bus, and of the file behind it.
  package static let storeSize = 8_192
  private static let resetCauseRegister = "0x400FE05C"
  private static let buttonPin = 1
  private static let lightPin = 0
  private static let battery = "/machine/peripheral/battery"

  /// The QEMU that it runs in.
  package let machine: QEMUMachine
  /// The GPIO port with button and light.
  private let port: String
  private var isClosed = false
  private var marks: [UInt8] = []

  /// Starts QEMU with the board, stopped before the first instruction.
  /// - Parameters:
  ///   - store: the file behind the EEPROM, ``storeSize`` bytes; `/dev/fd/N` for a descriptor in
  ///     `passing`.
  ///   - uarts: 2 for the link and the GPS receiver; 3 adds the order UART of lockstep.
  /// - Throws: `IOFailure` where QEMU is not installed, or for firmware and store that it refuses.
  package init(
    firmware: String, store: String, uarts: Int = 2, passing: [Int32] = []
  ) throws(IOFailure) {
    machine = try QEMUMachine(
      board: [
        "-M", "lm3s6965evb", "-kernel", firmware,
        "-device", "max34451,address=0x40,bus=i2c,id=battery",
        "-drive", "if=none,id=store,format=raw,file=\(store.replacing(",", with: ",,"))",
        "-device",
        "at24c-eeprom,bus=i2c,address=0x50,rom-size=\(Self.storeSize),drive=store",
      ], uarts: uarts, passing: passing)
    port = try Self.sixthPort(machine)
    try machine.pin("irq_intercept_out \(port)", "watch the light of")
  }

  /// Sets the reset cause and the button, and runs the firmware.
  package func boot(_ cause: ResetCause) throws(IOFailure) {
    try machine.pin(
      "writel \(Self.resetCauseRegister) \(Self.register(cause))", "tell the reset cause to")
    // Until its pin is set once, the port reads 0, which is a pressed button.
    try setButton(closed: isClosed)
    try machine.tell("cont", QMPNothing(), "start")
  }

  /// Sets the button's contact, whether the processor runs or stands still.
  package func setButton(closed: Bool) throws(IOFailure) {
    try machine.pin(
      "set_irq_in \(port) unnamed-gpio-in \(Self.buttonPin) \(closed ? 0 : 1)",
      "\(closed ? "press" : "release") the button of")
    isClosed = closed
  }

  /// Sets the voltage that the board measures.
  package func setBattery(millivolts: UInt16) throws(IOFailure) {
    try machine.tell(
      "qom-set", QOMSetting(path: Self.battery, property: "vout[0]", value: Int64(millivolts)),
      "set the battery of")
  }

  /// Takes the light's changes since the last call, with the times at which they were read.
  package func takeLight() -> [LightEdge] {
    machine.takeInterrupts().filter { $0.line == Self.lightPin }
      .map { LightEdge(isOn: $0.isRaised, at: $0.at) }
  }

  /// Writes to the UART of the GPS receiver.
  package func hear(gps bytes: UnsafeRawBufferPointer) throws(IOFailure) -> Int {
    try machine.uarts[1].write(bytes)
  }

  /// QEMU writes each byte to the EEPROM's file at once.
  package func saveStore() {}

  package func cutPower() { machine.kill() }

  /// UART2 has the orders.
  package func send(order: [UInt8]) throws(IOFailure) { try machine.write(order, uart: 2) }

  package func takeMark() -> LockstepMark? {
    marks += machine.read(uart: 2)
    guard let first = marks.first else { return nil }
    let size = first == 0x06 ? 3 : 1
    guard marks.count >= size else { return nil }
    defer { marks.removeFirst(size) }
    return LockstepMark(first, sent: size == 1 ? 0 : Int(marks[1]) | Int(marks[2]) << 8)
  }

  /// QEMU numbers the ports in the order in which it makes them, A first: F is the sixth.
  private static func sixthPort(_ machine: QEMUMachine) throws(IOFailure) -> String {
    let folder = "/machine/unattached"
    let operation = "find the button of"
    let entries = try machine.ask(
      "qom-list", QOMQuestion(path: folder), operation, as: [QOMEntry].self)
    let ports = entries.filter { $0.type == "child<pl061_luminary>" }
      .compactMap { Int($0.name.dropFirst("device[".count).dropLast()) }.sorted()
    guard ports.count > 5 else {
      throw machine.failure(operation, "this QEMU's lm3s6965evb has no GPIO port F")
    }
    return "\(folder)/device[\(ports[5])]"
  }

  /// The value of SYSCTL RESC of the LM3S6965, which QEMU does not set: bit 0 external, 1 power-on,
  /// 2 brown-out, 3 watchdog, 4 software.
  private static func register(_ cause: ResetCause) -> Int {
    switch cause {
    case .unknown: 0
    case .resetPin: 1
    case .powerOn: 2
    case .brownOut: 4
    case .watchdog: 8
    case .software: 16
    }
  }
}
