/// The bytes of a file in Intel's hexadecimal format, each at its address.
struct IntelHex {
  /// A line that breaks the format.
  struct Fault: Error, Equatable, CustomStringConvertible {
    /// From 1.
    let line: Int
    let reason: String

    var description: String { "line \(line) \(reason)" }
  }

  /// By address; what is not there is erased flash.
  private(set) var bytes: [UInt32: UInt8] = [:]

  /// Types 00 (data), 01 (end), 02 and 04 (upper address), 03 and 05 (start) are read.
  /// - Throws: `Fault` for a line of another form or type, a wrong checksum, and a file that does
  ///   not end in a record of type 01, as half a file does.
  init(_ text: String) throws(Fault) {
    var base: UInt32 = 0
    var hasEnded = false
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      guard !line.isEmpty else { continue }
      guard !hasEnded else { throw Fault(line: number, reason: "stands behind the end") }
      let record = try Self.record(line, number)
      let data = record.dropFirst(4).dropLast()
      let upper = data.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      switch (record[3], data.count) {
      case (0, _):
        let address = base &+ UInt32(record[1]) << 8 &+ UInt32(record[2])
        for (offset, byte) in data.enumerated() { bytes[address &+ UInt32(offset)] = byte }
      case (1, 0): hasEnded = true
      case (2, 2): base = upper << 4
      case (4, 2): base = upper << 16
      case (3, 4), (5, 4): break
      default: throw Fault(line: number, reason: "is of a kind that no firmware has")
      }
    }
    guard hasEnded else { throw Fault(line: number, reason: "is the last, and not the end") }
  }

  /// The bytes from an address to the first zero byte; nil where one is missing before it.
  func text(at start: UInt32) -> String? {
    var text: [UInt8] = []
    for offset in 0..<64 as Range<UInt32> {
      guard let byte = bytes[start &+ offset] else { return nil }
      if byte == 0 { return String(validating: text, as: UTF8.self) }
      text.append(byte)
    }
    return nil
  }

  /// Where these bytes stand first; nil: nowhere.
  func address(of wanted: [UInt8]) -> UInt32? {
    bytes.keys.sorted().first { start in
      wanted.enumerated().allSatisfy { bytes[start &+ UInt32($0.offset)] == $0.element }
    }
  }

  /// Count, address, type, data and checksum of a line.
  private static func record(_ line: Substring, _ number: Int) throws(Fault) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = line.dropFirst()
    while rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    guard line.first == ":", rest.isEmpty, bytes.count >= 5, bytes.count == Int(bytes[0]) + 5 else {
      throw Fault(line: number, reason: "is no record of the Intel HEX format")
    }
    guard bytes.reduce(0, &+) == 0 else {
      throw Fault(line: number, reason: "has a wrong checksum")
    }
    return bytes
  }
}
