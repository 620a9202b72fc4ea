/// Who this board is, and which of its lives this is.
enum Identity {
  /// UICR CUSTOMER[0]; FICR DEVICEID[0], which is random, where nothing was written there.
  static func serial() -> UInt32 {
    let given = Register(0x1000_1080).value
    return given == .max ? Register(0x1000_0060).value : given
  }

  /// Four bytes of the RNG.
  static func newNonce(serial: UInt32) -> UInt32 {
    let base: UInt = 0x4000_D000
    let valueReady = Register(base + 0x100)
    // CONFIG: bias correction. TASKS_START.
    Register(base + 0x504).value = 1
    Register(base + 0x000).value = 1
    var nonce: UInt32 = 0
    for _ in 0..<4 {
      valueReady.value = 0
      while valueReady.value == 0 {}
      nonce = nonce << 8 | Register(base + 0x508).value & 0xFF
    }
    // TASKS_STOP.
    Register(base + 0x004).value = 1
    return nonce == 0 ? 1 : nonce
  }
}
