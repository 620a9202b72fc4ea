/// The PMBus voltage monitor at 0x40.
enum BatteryMonitor {
  private static let device: UInt32 = 0x40
  private static let readVout: UInt32 = 0x8B

  // Only the main loop asks for it.
  nonisolated(unsafe) private static var last: UInt16 = 0

  /// What it last said; 0 when it never did.
  static func millivolts() -> UInt16 {
    var value: UInt16 = 0
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    let wasRead =
      I2CBus.write(device, inside: readVout, head: 1, nothing)
      && withUnsafeMutableBytes(of: &value) { I2CBus.read(device, $0) }
    if wasRead { last = value }
    return last
  }
}
