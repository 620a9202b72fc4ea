import Firmware

/// The pages of the store, by NVMC. The processor stands still while it writes (46 µs a word on an
/// nRF51) or erases (22 ms a page there, 85 ms on an nRF52).
struct StoreFlash: FlashDevice {
  private static let size = 32_768
  private static let base: UInt = 0x4001_E000
  private static let ready = Register(base + 0x400)
  /// CONFIG: 0 read, 1 write, 2 erase.
  private static let mode = Register(base + 0x504)
  private static let erasePage = Register(base + 0x508)

  var pageSize: Int { Wiring.pageSize }
  var pageCount: Int { Self.size / Wiring.pageSize }

  func word(at offset: Int) -> UInt32 { Register(Wiring.store + UInt(offset)).value }

  func write(_ word: UInt32, at offset: Int) {
    switchMode(to: 1)
    Register(Wiring.store + UInt(offset)).value = word
    switchMode(to: 0)
  }

  func erase(page: Int) {
    switchMode(to: 2)
    Self.erasePage.value = UInt32(Wiring.store) + UInt32(page) * UInt32(pageSize)
    switchMode(to: 0)
  }

  private func switchMode(to mode: UInt32) {
    while Self.ready.value == 0 {}
    Self.mode.value = mode
    while Self.ready.value == 0 {}
  }
}
