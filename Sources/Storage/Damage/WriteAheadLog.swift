import Foundation
import SerialIO

/// Compares a write-ahead log with the index that says how much was committed into it. SQLite reads
/// a log up to the first bad frame, and does not report the rest.
///
/// Source: sqlite.org/fileformat2.html (4. The Write-Ahead Log), sqlite.org/walformat.html (2.).
struct WriteAheadLog {
  let bytes: Data
  private let index: Data

  /// - Throws: if a file is there and cannot be read, which is no loss yet.
  init(_ files: StoreFiles) throws(IOFailure) {
    bytes = try StoreFiles.bytes(of: files.log)
    // The index's two headers and the numbers of its checkpoint.
    index = try StoreFiles.bytes(of: files.index, atMost: 136)
  }

  init(log: Data, index: Data) {
    bytes = log
    self.index = index
  }

  /// The loss as a clause; nil if none is known.
  var loss: String? {
    let header = header
    if header == nil, bytes.prefix(32).contains(where: { $0 != 0 }) {
      return "the head of the write-ahead log cannot be read"
    }
    guard let said = said, said.committed > said.folded else { return nil }
    guard let header else {
      return "the write-ahead log is gone, with \(said.committed) committed pages"
    }
    guard header.salts == said.salts else { return nil }
    let held = frames(header, atMost: said.committed)
    guard held < said.committed else { return nil }
    return "the write-ahead log is torn: \(said.committed - held) of its \(said.committed)"
      + " committed pages cannot be read"
  }

  /// The page size of its database, in bytes; nil if the log's head cannot be read.
  var pageSize: Int? { header?.pageSize }

  private struct Header {
    let isBigEndian: Bool
    let pageSize: Int
    let salts: [UInt8]
    let sum: (UInt32, UInt32)
  }

  /// Nil if the bytes are no valid header.
  private var header: Header? {
    guard bytes.count >= 32 else { return nil }
    return bytes.withUnsafeBytes { bytes in
      let magic = Self.big(bytes, 0)
      guard magic & ~1 == 0x377F_0682, Self.big(bytes, 4) == 3_007_000 else { return nil }
      let isBigEndian = magic & 1 == 1
      let sum = Self.sum(bytes, 0..<24, (0, 0), isBigEndian)
      guard sum == (Self.big(bytes, 24), Self.big(bytes, 28)) else { return nil }
      let pageSize = Int(Self.big(bytes, 8))
      guard (512...65_536).contains(pageSize) else { return nil }
      return Header(
        isBigEndian: isBigEndian, pageSize: pageSize, salts: Array(bytes[16..<24]), sum: sum)
    }
  }

  /// The index's own numbers: frames committed, and how many of them the database has.
  private var said: (committed: Int, folded: Int, salts: [UInt8])? {
    guard index.count >= 100, index[12] == 1, index.prefix(48).elementsEqual(index[48..<96])
    else { return nil }
    return index.withUnsafeBytes { bytes in
      let committed = Int(bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
      let folded = Int(bytes.loadUnaligned(fromByteOffset: 96, as: UInt32.self))
      return (committed, folded, Array(bytes[32..<40]))
    }
  }

  /// Counts the frames that are valid from the first on, up to the last that ends a transaction.
  private func frames(_ header: Header, atMost limit: Int) -> Int {
    bytes.withUnsafeBytes { bytes in
      var sum = header.sum
      var whole = 0
      for frame in 0..<limit {
        let at = 32 + frame * (24 + header.pageSize)
        guard at + 24 + header.pageSize <= bytes.count,
          bytes[at + 8..<at + 16].elementsEqual(header.salts)
        else { break }
        sum = Self.sum(bytes, at..<at + 8, sum, header.isBigEndian)
        sum = Self.sum(bytes, at + 24..<at + 24 + header.pageSize, sum, header.isBigEndian)
        guard sum == (Self.big(bytes, at + 16), Self.big(bytes, at + 20)) else { break }
        if Self.big(bytes, at + 4) != 0 { whole = frame + 1 }
      }
      return whole
    }
  }

  private static func big(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
  }

  private static func sum(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ start: (UInt32, UInt32),
    _ isBigEndian: Bool
  ) -> (UInt32, UInt32) {
    var (first, second) = start
    var at = range.lowerBound
    while at < range.upperBound {
      let a = bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
      let b = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
      first = first &+ (isBigEndian ? UInt32(bigEndian: a) : UInt32(littleEndian: a)) &+ second
      second = second &+ (isBigEndian ? UInt32(bigEndian: b) : UInt32(littleEndian: b)) &+ first
      at += 8
    }
    return (first, second)
  }
}
