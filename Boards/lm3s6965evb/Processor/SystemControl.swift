import WireProtocol

/// Clocks, and why the processor was reset (LM3S6965 data sheet, chapter 5).
enum SystemControl {
  /// UART0 and 1, I2C0.
  private static let clocks1: UInt32 = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 12
  /// Ports A, B, D, F, G.
  private static let clocks2: UInt32 = 1 << 0 | 1 << 1 | 1 << 3 | 1 << 5 | 1 << 6

  /// 50 MHz, and every peripheral that is used has its clock.
  static func start() {
    Register(0x400F_E060).value = 0x01C0_0000
    Register(0x400F_E104).value = clocks1
    Register(0x400F_E108).value = clocks2
  }

  /// Asked once a boot. QEMU does not model RESC: there a mark in memory tells what the firmware
  /// did itself, and that memory is still there tells a reset from a loss of power.
  static func takeResetCause() -> ResetCause {
    let resc = Register(0x400F_E05C)
    let flags = resc.value
    resc.value = 0
    let mark = ResetMark.take()
    if flags & 0x02 != 0 { return .powerOn }
    if flags & 0x04 != 0 { return .brownOut }
    if flags & 0x08 != 0 { return .watchdog }
    if flags & 0x10 != 0 { return .software }
    if flags & 0x01 != 0 { return .resetPin }
    return mark
  }
}

extension ResetMark {
  /// The last word of the RAM.
  static let address: UInt = 0x2000_FFFC
}
