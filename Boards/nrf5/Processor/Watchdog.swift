/// Resets the processor when the main loop has not come by for four seconds. QEMU has none.
enum Watchdog {
  private static let base: UInt = 0x4001_0000

  static func start() {
    // CRV, in periods of 32,768 Hz; RREN, one reload register; TASKS_START.
    Register(base + 0x504).value = 4 * 32_768 - 1
    Register(base + 0x508).value = 1
    Register(base + 0x000).value = 1
  }

  /// The main loop has come by: RR[0].
  static func serve() { Register(base + 0x600).value = 0x6E52_4635 }
}
