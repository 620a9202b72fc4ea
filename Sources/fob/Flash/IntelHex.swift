/// The bytes of a file in Intel's hexadecimal format, each at its address (Intel, "Hexadecimal
/// Object File Format Specification", Revision A, 1988).
struct IntelHex {
  /// A line that breaks the format, or does not fit what stands round it.
  struct Fault: Error, Equatable, CustomStringConvertible {
    /// From 1.
    let line: Int
    let reason: String

    var description: String { "line \(line) \(reason)" }
  }

  /// Where the bytes of a line stand; there is one at least.
  struct Record {
    /// From 1.
    let line: Int
    let start: UInt32
    let last: UInt32
  }

  /// By address; what is not there is erased flash.
  private(set) var bytes: [UInt32: UInt8] = [:]
  /// Of data, as the file has them.
  private(set) var records: [Record] = []

  /// In characters: a colon, and two digits for each byte of count, address, type, at most 255
  /// bytes of data, and checksum.
  static let longestLine = 1 + 2 * (1 + 2 + 1 + 255 + 1)

  /// Types 00 (data), 01 (end), 02 and 04 (upper address), 03 and 05 (start) are read. Lines end in
  /// LF or CR LF. Time and memory grow with the size of the file alone.
  /// - Throws: `Fault` for a line of another form or type or with a wrong checksum, for one that
  ///   goes past the addresses that there are or gives an address another byte than one before it,
  ///   and for a file that does not end in a record of type 01, as half a file does.
  init(_ file: [UInt8]) throws(Fault) {
    var origin = Origin.segment(0)
    var hasEnded = false
    var number = 0
    var last = 1
    for ended in file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let line = ended.last == UInt8(ascii: "\r") ? ended.dropLast() : ended
      guard !line.isEmpty else { continue }
      last = number
      guard !hasEnded else { throw Fault(line: number, reason: "stands behind the end") }
      let record = try Self.record(line, number)
      let data = record.dropFirst(4).dropLast()
      let upper = data.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      switch (record[3], data.count) {
      case (0, _):
        let start = try origin.address(
          of: UInt32(record[1]) << 8 | UInt32(record[2]), count: data.count, number)
        try put(data, at: start, number)
      case (1, 0): hasEnded = true
      case (2, 2): origin = .segment(upper << 4)
      case (4, 2): origin = .linear(upper << 16)
      case (3, 4), (5, 4): break
      default: throw Fault(line: number, reason: "is of a kind that no firmware has")
      }
    }
    guard hasEnded else { throw Fault(line: last, reason: "is the last, and not the end") }
  }

  /// What an address in a record of data is counted from.
  private enum Origin {
    /// Bytes past its 64 KB would stand at its beginning: readers differ there.
    case segment(UInt32)
    case linear(UInt32)

    func address(of offset: UInt32, count: Int, _ line: Int) throws(Fault) -> UInt32 {
      let end = Int64(offset) + Int64(count)
      switch self {
      case .segment(let base):
        guard end <= 0x1_0000 else {
          throw Fault(line: line, reason: "goes past the end of its segment of 64 KB")
        }
        return base + offset
      case .linear(let base):
        guard Int64(base) + end <= 0x1_0000_0000 else {
          throw Fault(line: line, reason: "goes past the last address, FFFFFFFF")
        }
        return base + offset
      }
    }
  }

  private mutating func put(
    _ data: ArraySlice<UInt8>, at start: UInt32, _ line: Int
  ) throws(Fault) {
    guard !data.isEmpty else { return }
    let last = start + UInt32(data.count - 1)
    for (address, byte) in zip(start...last, data) {
      if let former = bytes.updateValue(byte, forKey: address), former != byte {
        throw Fault(
          line: line, reason: "gives \(Self.digits(address)) another byte than a line before it")
      }
    }
    records.append(Record(line: line, start: start, last: last))
  }

  /// An address as eight digits.
  static func digits(_ address: UInt32) -> String {
    let digits = String(address, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - digits.count) + digits
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

  /// Four bytes from an address on, the lowest first; nil where one is missing.
  func word(at start: UInt32) -> UInt32? {
    var word: UInt32 = 0
    for offset in 0..<4 as Range<UInt32> {
      guard let byte = bytes[start &+ offset] else { return nil }
      word |= UInt32(byte) << (8 * offset)
    }
    return word
  }

  /// Where these bytes stand first; nil: nowhere.
  func address(of wanted: [UInt8]) -> UInt32? {
    bytes.keys.sorted().first { start in
      wanted.enumerated().allSatisfy { bytes[start &+ UInt32($0.offset)] == $0.element }
    }
  }

  /// Count, address, type, data and checksum of a line.
  private static func record(_ line: ArraySlice<UInt8>, _ number: Int) throws(Fault) -> [UInt8] {
    guard line.count <= longestLine else {
      throw Fault(
        line: number,
        reason: "is no record of the Intel HEX format, which has \(longestLine) characters at most")
    }
    guard line.first == UInt8(ascii: ":") else {
      throw Fault(
        line: number, reason: "is no record of the Intel HEX format, which begins with a colon")
    }
    let digits = line.dropFirst().compactMap(digit)
    guard digits.count == line.count - 1, digits.count.isMultiple(of: 2) else {
      throw Fault(
        line: number,
        reason: "is no record of the Intel HEX format, which has pairs of hexadecimal digits")
    }
    let bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    guard bytes.count >= 5, bytes.count == Int(bytes[0]) + 5 else {
      throw Fault(
        line: number,
        reason: "is no record of the Intel HEX format, which has as many bytes as it says")
    }
    guard bytes.reduce(0, &+) == 0 else {
      throw Fault(line: number, reason: "has a wrong checksum")
    }
    return bytes
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
