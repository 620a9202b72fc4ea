/// Descriptors (USB 2.0, 9.6; CDC 1.2, 5.2) of a serial port that says that it is a keychain.
struct FakeDescriptors {
  let serial: String
  let hasWrongLengths: Bool

  /// Nil where the device has none.
  func descriptor(type: UInt8, index: UInt8) -> [UInt8]? {
    switch (type, index) {
    case (1, _): device
    case (2, 0): configuration
    case (3, 0): [4, 3, 0x09, 0x04]
    case (3, 1): text("fob")
    case (3, 2): text("fob keychain")
    case (3, 3): text(serial)
    default: nil
    }
  }

  private var device: [UInt8] {
    [18, 1, 0x00, 0x02, 2, 0, 0, 64, 0x09, 0x12, 0x01, 0x00, 0x00, 0x01, 1, 2, 3, 1]
  }

  private var configuration: [UInt8] {
    let interfaces: [[UInt8]] = [
      [9, 4, 0, 0, 1, 2, 2, 1, 0],
      [5, 0x24, 0, 0x10, 0x01], [5, 0x24, 1, 0, 1], [4, 0x24, 2, 2], [5, 0x24, 6, 0, 1],
      [7, 5, 0x82, 3, 16, 0, 16],
      [9, 4, 1, 0, 2, 10, 0, 0, 0],
      // Of the wrong ones, packets of no bytes, and then a descriptor of no length.
      [7, 5, 0x01, 2, hasWrongLengths ? 0 : 64, 0, 0],
      [hasWrongLengths ? 0 : 7, 5, 0x81, 2, 64, 0, 0],
    ]
    let body = interfaces.flatMap { $0 }
    let total = UInt8(9 + body.count) &+ (hasWrongLengths ? 100 : 0)
    return [9, 2, total, 0, 2, 1, 0, 0x80, 50] + body
  }

  private func text(_ words: String) -> [UInt8] {
    let units = words.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return [UInt8(2 + units.count), 3] + units
  }
}
