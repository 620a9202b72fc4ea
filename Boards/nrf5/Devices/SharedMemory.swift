/// The last 256 bytes of the RAM, which the linker gives to nobody and a reset leaves as they are.
/// A micro:bit has one UART, so in QEMU the host speaks to the firmware here, too. On a board
/// nobody does, and nothing here is looked at but the mark.
///
/// ```
/// 000  the reset mark
/// 004  battery: u32 millivolts
/// 008  GPS receiver: u32 bytes ever put, u32 bytes ever taken, a ring of 64 bytes
/// 080  lockstep: u32 orders ever given, an order of ten bytes; at 090 the u32 mark, u32 bytes sent
/// ```
enum SharedMemory {
  static let address = Wiring.sharedMemory
  static let gpsPut = Register(address + 0x008)
  static let gpsTaken = Register(address + 0x00C)
  static let gpsBytes = address + 0x010
  static let gpsCapacity: UInt32 = 64
  static let orders = Register(address + 0x080)
  static let order = address + 0x084
  static let mark = Register(address + 0x090)
  static let sent = Register(address + 0x094)

  static var millivolts: UInt16 { UInt16(truncatingIfNeeded: Register(address + 0x004).value) }

  static func byte(_ address: UInt) -> UInt8 {
    UInt8(truncatingIfNeeded: Register(address & ~3).value >> UInt32(8 * (address & 3)))
  }
}

/// The GPS receiver: in QEMU what the host has put into the shared memory. A micro:bit has none.
enum GPSPort {
  static var isPresent: Bool { SystemControl.isEmulated }

  /// What was there before the boot is nobody's.
  static func start() { SharedMemory.gpsTaken.value = SharedMemory.gpsPut.value }

  /// Bytes that wait.
  static var count: Int {
    SystemControl.isEmulated ? Int(SharedMemory.gpsPut.value &- SharedMemory.gpsTaken.value) : 0
  }

  static func next() -> UInt8? {
    guard count > 0 else { return nil }
    let taken = SharedMemory.gpsTaken.value
    SharedMemory.gpsTaken.value = taken &+ 1
    return SharedMemory.byte(SharedMemory.gpsBytes + UInt(taken & (SharedMemory.gpsCapacity - 1)))
  }
}

/// In QEMU a battery with the voltage that the host says. A micro:bit has none: its supply, by USB
/// or by cells of any kind, is not a lithium cell's.
enum BatteryMonitor {
  static func millivolts() -> UInt16? {
    SystemControl.isEmulated ? SharedMemory.millivolts : nil
  }
}
