import FobBase
package import SerialIO
package import WireProtocol

/// The board microbit in QEMU: the firmware on the Cortex-M0 of an nRF51822, with button, light and
/// flash. QEMU has no ADC and no second UART there: battery, GPS receiver and lockstep go through
/// the shared memory in its RAM (Boards/nrf5/Devices/SharedMemory.swift).
package final class NRF51: QEMUBoard {
  private static let chip = "/machine/nrf51"
  private static let button = 17
  private static let light = 14
  /// The pin by which lockstep says that there is a mark.
  private static let done = 20
  /// The interrupt that wakes the processor for an order.
  private static let bell = 20
  private static let resetMark: UInt32 = 0x666F_6200
  private static let sharedMemory: UInt32 = 0x2000_3F00
  private static let gpsCapacity: UInt32 = 64

  /// The QEMU that it runs in.
  package let machine: QEMUMachine
  private let flash: FlashFile
  private var isClosed = false
  private var millivolts: UInt16 = 0
  private var gpsPut: UInt32 = 0
  private var orders: UInt32 = 0
  private var edges: [LightEdge] = []
  private var marks = 0

  /// Starts QEMU with the board, stopped before the first instruction, and brings its flash back.
  /// - Parameter isCounted: each instruction takes 128 ns of the board's time, two cycles of its
  ///   16 MHz; else time is the host's.
  /// - Throws: `IOFailure` where QEMU is not installed, or for firmware that it refuses.
  package init(
    firmware: String, flash: FlashFile, isCounted: Bool = false
  ) throws(IOFailure) {
    self.flash = flash
    machine = try QEMUMachine(
      board: ["-M", "microbit", "-kernel", firmware] + (isCounted ? ["-icount", "shift=7"] : []),
      uarts: 1, passing: [flash.descriptor])
    try flash.restore(to: machine)
    try machine.pin("irq_intercept_out \(Self.chip)", "watch the light of")
  }

  /// Sets serial number, reset cause and button, and runs the firmware. `unknown` leaves the cause
  /// that the firmware itself has marked.
  package func boot(_ cause: ResetCause) throws(IOFailure) {
    // UICR CUSTOMER[0], which QEMU clears at each reset.
    try machine.pin("writel 0x10001080 \(flash.serial)", "give the serial number to")
    if cause != .unknown {
      try write(Self.resetMark | UInt32(cause.rawValue), at: 0x000, "tell the reset cause to")
    }
    try write(UInt32(millivolts), at: 0x004, "set the battery of")
    try write(0, at: 0x090, "start")
    try setButton(closed: isClosed)
    // A reset lets go of all pins, which is no light.
    sortInterrupts()
    edges = []
    marks = 0
    try machine.tell("cont", QMPNothing(), "start")
  }

  package func setButton(closed: Bool) throws(IOFailure) {
    try machine.pin(
      "set_irq_in \(Self.chip) unnamed-gpio-in \(Self.button) \(closed ? 0 : 1)",
      "\(closed ? "press" : "release") the button of")
    isClosed = closed
  }

  package func setBattery(millivolts: UInt16) throws(IOFailure) {
    self.millivolts = millivolts
    try write(UInt32(millivolts), at: 0x004, "set the battery of")
  }

  package func takeLight() -> [LightEdge] {
    sortInterrupts()
    defer { edges = [] }
    return edges
  }

  /// Fills its ring in the shared memory.
  package func hear(gps bytes: UnsafeRawBufferPointer) throws(IOFailure) -> Int {
    let operation = "write to the GPS receiver of"
    let taken = try read(at: 0x00C, operation)
    let count = min(bytes.count, Int(Self.gpsCapacity - min(Self.gpsCapacity, gpsPut &- taken)))
    var rest = bytes.prefix(count)
    while !rest.isEmpty {
      let place = gpsPut % Self.gpsCapacity
      let piece = Array(rest.prefix(Int(Self.gpsCapacity - place)))
      try write(piece, at: 0x010 + place, operation)
      gpsPut &+= UInt32(piece.count)
      rest = rest.dropFirst(piece.count)
    }
    if count > 0 { try write(gpsPut, at: 0x008, operation) }
    return count
  }

  package func saveStore() throws(IOFailure) { try flash.save(from: machine) }

  package func cutPower() {
    // A QEMU that has died has told nothing since its last frame, before which it was saved.
    do throws(IOFailure) {
      try machine.tell("stop", QMPNothing(), "stop")
      try saveStore()
    } catch {}
    machine.kill()
  }

  package func send(order: [UInt8]) throws(IOFailure) {
    let operation = "give an order to"
    try write(order, at: 0x084, operation)
    orders = try read(at: 0x080, operation) &+ 1
    try write(orders, at: 0x080, operation)
    for level in [1, 0] {
      try machine.pin(
        "set_irq_in \(Self.chip)/armv6m unnamed-gpio-in \(Self.bell) \(level)", operation)
    }
  }

  package func takeMark() throws(IOFailure) -> LockstepMark? {
    sortInterrupts()
    guard marks > 0 else { return nil }
    marks -= 1
    let mark = try read(at: 0x090, "hear")
    // A reset lets go of the pin, too.
    guard mark != 0 else { return nil }
    try write(0, at: 0x090, "hear")
    return LockstepMark(
      UInt8(truncatingIfNeeded: mark), sent: Int(try read(at: 0x094, "hear")))
  }

  private func sortInterrupts() {
    for change in machine.takeInterrupts() {
      switch change.line {
      case Self.light: edges.append(LightEdge(isOn: change.isRaised, at: change.at))
      case Self.done: marks += 1
      default: break
      }
    }
  }

  private func write(
    _ bytes: [UInt8], at place: UInt32, _ operation: String
  ) throws(IOFailure) {
    try machine.pin(
      "write \(Self.sharedMemory + place) \(bytes.count) 0x\(Hex.text(bytes))", operation)
  }

  private func write(_ word: UInt32, at place: UInt32, _ operation: String) throws(IOFailure) {
    try machine.pin("writel \(Self.sharedMemory + place) \(word)", operation)
  }

  private func read(at place: UInt32, _ operation: String) throws(IOFailure) -> UInt32 {
    let text = try machine.pin("readl \(Self.sharedMemory + place)", operation)
    guard let word = UInt32(text.dropFirst(2), radix: 16) else {
      throw machine.failure(operation, "it says \(text) of its memory")
    }
    return word
  }
}
