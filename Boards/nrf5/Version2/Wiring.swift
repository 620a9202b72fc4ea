/// The micro:bit, version 2: which part is where. The values are from two readings of notes on the
/// board and on the nRF52833's data sheet; no schematic was looked at, and no board was tried.
enum Wiring {
  static let store: UInt = 0x0007_8000
  static let pageSize = 4_096
  static let eraseMilliseconds: Int64 = 100
  static let sharedMemory: UInt = 0x2001_FF00

  /// P0.14, button A.
  static let button: UInt = 14
  /// P0.15 and P0.31: row 3, column 3 of the matrix, the light in the middle.
  static let lightRow: UInt = 15
  static let lightColumn: UInt = 31
  /// P0.02, ring 0.
  static let speaker: UInt = 2
  /// P0.06 and P1.08, to the debugger and from it. PSEL counts the second port from 32 on.
  static let linkOut: UInt = 6
  static let linkIn: UInt = 32 + 8
  /// P0.20, which the edge does not have.
  static let done: UInt = 20
}
