import Transport

/// Where a micro:bit's chip has the keychain's program and its variables (Boards/nrf5/*.ld).
struct MicrobitMemory {
  /// Of flash, without the store that the keychain keeps behind it.
  let program: ClosedRange<UInt32>
  let ram: ClosedRange<UInt32>

  /// 16 vectors of the processor and 32 interrupts.
  static let endOfVectors: UInt32 = 0xC0

  init(_ version: Microbit.Version) {
    switch version {
    case .one:
      program = 0...0x3_7FFF
      ram = 0x2000_0000...0x2000_3FFF
    case .two:
      program = 0...0x7_7FFF
      ram = 0x2000_0000...0x2001_FFFF
    }
  }

  /// Whether there is nothing to start with: erased flash in the place of the vectors.
  static func isBlank(_ hex: IntelHex) -> Bool {
    (0..<endOfVectors).allSatisfy { hex.bytes[$0] ?? 0xFF == 0xFF }
  }

  /// Whether the chip starts with an image: its bytes are in the flash of the program without a
  /// hole, the first word is a place for the stack, and the second the address of Thumb code in it
  /// (Arm, "ARMv6-M Architecture Reference Manual", B1.5.3). The stack is aligned (Arm, "Procedure
  /// Call Standard for the Arm Architecture", 6.2.1.2).
  /// - Throws: `Fault` of the line that speaks against it.
  func check(_ hex: IntelHex) throws(IntelHex.Fault) {
    let end = try end(of: hex)
    let (stack, reset) = (hex.word(at: 0) ?? 0, hex.word(at: 4) ?? 0)
    // It grows down from there.
    guard stack > ram.lowerBound, stack <= ram.upperBound + 1 else {
      throw Self.fault(
        hex, at: 0,
        "puts the stack at \(IntelHex.digits(stack)), outside of the RAM, \(Self.text(ram))")
    }
    guard stack.isMultiple(of: 8) else {
      throw Self.fault(
        hex, at: 0, "puts the stack at \(IntelHex.digits(stack)), which is no multiple of 8")
    }
    guard !reset.isMultiple(of: 2) else {
      throw Self.fault(
        hex, at: 4,
        "has the reset vector \(IntelHex.digits(reset)), whose lowest bit does not say Thumb code")
    }
    guard (Self.endOfVectors..<end).contains(reset - 1) else {
      throw Self.fault(
        hex, at: 4, "has the reset vector \(IntelHex.digits(reset)), outside of the image's code")
    }
  }

  /// - Returns: the address behind the last byte.
  private func end(of hex: IntelHex) throws(IntelHex.Fault) -> UInt32 {
    for record in hex.records where record.last > program.upperBound {
      throw IntelHex.Fault(
        line: record.line,
        reason: "has bytes at \(IntelHex.digits(max(record.start, program.upperBound + 1))),"
          + " outside of the program's flash, \(Self.text(program))")
    }
    var end = program.lowerBound
    for record in hex.records.sorted(by: { $0.start < $1.start }) {
      guard record.start <= end else {
        throw IntelHex.Fault(
          line: record.line,
          reason: "begins at \(IntelHex.digits(record.start)), and"
            + " \(end < Self.endOfVectors ? "vectors" : "bytes") before it are missing, from"
            + " \(IntelHex.digits(end)) on")
      }
      end = max(end, record.last + 1)
    }
    return end
  }

  /// Of the line that has the byte at an address.
  private static func fault(_ hex: IntelHex, at address: UInt32, _ reason: String) -> IntelHex.Fault
  {
    let record = hex.records.first { ($0.start...$0.last).contains(address) }
    return IntelHex.Fault(line: record?.line ?? 1, reason: reason)
  }

  private static func text(_ range: ClosedRange<UInt32>) -> String {
    "\(IntelHex.digits(range.lowerBound)) to \(IntelHex.digits(range.upperBound))"
  }
}
