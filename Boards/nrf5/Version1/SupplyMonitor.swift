/// VDD by the ADC (nRF51 Series Reference Manual 3.0, chapter 31). QEMU has none.
enum SupplyMonitor {
  private static let base: UInt = 0x4000_7000
  private static let ended = Register(base + 0x100)

  /// 0 where the converter does not answer.
  static func millivolts() -> UInt16 {
    // CONFIG: ten bits, a third of VDD against the band gap of 1.2 V, no pin. ENABLE, TASKS_START.
    Register(base + 0x504).value = 2 | 6 << 2
    Register(base + 0x500).value = 1
    ended.value = 0
    Register(base + 0x000).value = 1
    var patience = 10_000
    while ended.value == 0, patience > 0 { patience -= 1 }
    // RESULT: 1,024 are three times 1.2 V.
    let result = patience > 0 ? Register(base + 0x508).value & 0x3FF : 0
    Register(base + 0x500).value = 0
    return UInt16(result * 3_600 >> 10)
  }
}
