/// The micro:bit, version 1: which part is where. The values are from notes on the board and on the
/// nRF51822's data sheet. QEMU's model has the same memory and UART; which pin has the button and
/// which the light was tried on no board.
enum Wiring {
  static let store: UInt = 0x0003_8000
  static let pageSize = 1_024
  static let eraseMilliseconds: Int64 = 30
  static let sharedMemory: UInt = 0x2000_3F00

  /// P0.17, button A.
  static let button: UInt = 17
  /// P0.14 and P0.06: row 2, column 3 of the matrix, the light in the middle.
  static let lightRow: UInt = 14
  static let lightColumn: UInt = 6
  /// P0.03, ring 0.
  static let speaker: UInt = 3
  /// P0.24 and P0.25, to the debugger and from it.
  static let linkOut: UInt = 24
  static let linkIn: UInt = 25
  /// P0.20, which is nobody's: it tells QEMU that an order is carried out.
  static let done: UInt = 20
}
