/// VDD by the SAADC (nRF52833 Product Specification 1.5, SAADC), which writes its result to memory.
/// Not tested on hardware.
enum SupplyMonitor {
  private static let base: UInt = 0x4000_7000
  private static let started = Register(base + 0x100)
  private static let ended = Register(base + 0x104)
  private static let stopped = Register(base + 0x114)
  /// A word of the shared memory that only QEMU would use.
  private static let result = SharedMemory.address + 0x004

  /// 0 where the converter does not answer.
  static func millivolts() -> UInt16 {
    // CH[0].PSELP: VDD. CH[0].CONFIG: gain 1/6, internal reference of 0.6 V, 10 µs.
    Register(base + 0x510).value = 9
    Register(base + 0x518).value = 2 << 16
    // RESOLUTION: 12 bits. RESULT.PTR, RESULT.MAXCNT. ENABLE.
    Register(base + 0x5F0).value = 2
    Register(result).value = 0
    Register(base + 0x62C).value = UInt32(result)
    Register(base + 0x630).value = 1
    Register(base + 0x500).value = 1
    // TASKS_START, TASKS_SAMPLE, TASKS_STOP.
    let isSampled =
      run(base + 0x000, started) && run(base + 0x004, ended) && run(base + 0x008, stopped)
    Register(base + 0x500).value = 0
    // 4,096 are six times 0.6 V. A voltage near 0 may be told as below it.
    let value = Register(result).value & 0xFFFF
    return isSampled && value < 0x8000 ? UInt16(value * 3_600 >> 12) : 0
  }

  private static func run(_ task: UInt, _ event: Register) -> Bool {
    event.value = 0
    Register(task).value = 1
    var patience = 10_000
    while event.value == 0, patience > 0 { patience -= 1 }
    return patience > 0
  }
}
