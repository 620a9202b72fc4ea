/// I2C0 as master at 100 kHz, polled. A transfer that nobody acknowledges has failed.
///
/// A read is a write that ends with STOP and a START of its own: the model in QEMU knows no
/// repeated START, and no device here minds.
enum I2CBus {
  private static let address = Register(0x4002_0000)
  private static let control = Register(0x4002_0004)
  private static let data = Register(0x4002_0008)

  private static let run: UInt32 = 1
  private static let start: UInt32 = 2
  private static let stop: UInt32 = 4
  private static let acknowledge: UInt32 = 8
  private static let isBusy: UInt32 = 1
  private static let failed: UInt32 = 2

  static func begin() {
    Register(0x4002_0020).value = 0x10
    Register(0x4002_000C).value = 24
  }

  /// Sends `head` bytes of an address inside the device, high byte first, then `bytes`.
  static func write(
    _ device: UInt32, inside: UInt32, head: Int, _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    address.value = device << 1
    let count = head + bytes.count
    for i in 0..<count {
      data.value =
        i < head ? inside >> UInt32(8 * (head - 1 - i)) & 0xFF : UInt32(bytes[i - head])
      guard transfer(place(i, count)) else { return false }
    }
    return true
  }

  static func read(_ device: UInt32, _ bytes: UnsafeMutableRawBufferPointer) -> Bool {
    address.value = device << 1 | 1
    for i in 0..<bytes.count {
      let last = i == bytes.count - 1
      guard transfer(place(i, bytes.count) | (last ? 0 : acknowledge)) else { return false }
      bytes[i] = UInt8(truncatingIfNeeded: data.value)
    }
    return true
  }

  private static func place(_ index: Int, _ count: Int) -> UInt32 {
    run | (index == 0 ? start : 0) | (index == count - 1 ? stop : 0)
  }

  /// One byte takes 90 µs; a bus that is held for longer has failed.
  @inline(never)
  private static func transfer(_ command: UInt32) -> Bool {
    control.value = command
    var patience = 100_000
    var status = control.value
    while status & isBusy != 0 {
      patience -= 1
      guard patience > 0 else { return false }
      status = control.value
    }
    guard status & failed != 0 else { return true }
    if command & stop == 0 { control.value = stop }
    return false
  }
}
