import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

/// The file behind a micro:bit's flash: two copies, of which the newest one counts.
struct FlashFileTests {
  private static let size = FlashCopy.size
  private let scratch: ScratchDirectory
  private let file: URL

  init() throws {
    scratch = try ScratchDirectory()
    file = URL(filePath: scratch.path("flash"))
  }

  /// A file that was written as often as is said. The first write goes to the second copy.
  private func written(_ times: Int) throws -> Data {
    let flash = try FlashFile(path: file.path)
    for time in 1...times { try flash.save(Self.flash(UInt8(time))) }
    return try Data(contentsOf: file)
  }

  private static func flash(_ byte: UInt8) -> [UInt8] {
    [UInt8](repeating: byte, count: FlashCopy.flashSize)
  }

  @Test(arguments: 1...3) func `what was written last is there again`(times: Int) throws {
    _ = try written(times)
    #expect(try FlashFile(path: file.path).saved == Self.flash(UInt8(times)))
  }

  /// A file with both copies damaged is refused as well: an older state is none that may be taken.
  @Test(arguments: 1...(Soak.isOn ? 20_000 : 60) as ClosedRange<UInt64>)
  func `with any byte damaged, a file is refused or has what was written last`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let times = Int.random(in: 2...3, using: &random)
    var bytes = try written(times)
    let newest = times % 2 * Self.size
    // As often in a trailer as in the flash.
    let offset =
      Bool.random(using: &random)
      ? Int.random(in: 0..<FlashCopy.flashSize, using: &random)
      : Int.random(in: FlashCopy.flashSize..<Self.size, using: &random)
    let copy = Bool.random(using: &random) ? 0 : Self.size
    bytes[copy + offset] ^= .random(in: 1...255, using: &random)
    try bytes.write(to: file)
    do throws(IOFailure) {
      #expect(try FlashFile(path: file.path).saved == Self.flash(UInt8(times)))
      #expect(copy != newest)
    } catch {
      #expect(error.errno == EINVAL)
      #expect(error.description.contains("move the file away, and a new keychain begins"))
    }
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test(arguments: [2, 3]) func `the newest copy is not passed over`(times: Int) throws {
    var bytes = try written(times)
    bytes[times % 2 * Self.size + 500] ^= 1
    try bytes.write(to: file)
    let refusal = #expect(throws: IOFailure.self) { try FlashFile(path: file.path) }
    #expect(refusal?.description.contains("may be the newer one, with the last presses") == true)
  }

  /// Records end in their own CRC-32C, which hides them from one of all.
  @Test func `a record in place of another is found`() throws {
    var bytes = try written(1)
    let place = Self.size + 20_000
    let records = [[1, 2, 3, 4], [5, 6, 7, 8]].map { Self.withCRC($0) }
    let sums = records.map { record in (record + [9, 9]).withUnsafeBytes { CRC32C.of($0) } }
    #expect(sums[0] == sums[1])
    bytes.replaceSubrange(place..<place + 8, with: records[0])
    let flash = Array(bytes[Self.size..<Self.size + FlashCopy.flashSize])
    bytes.replaceSubrange(
      Self.size + FlashCopy.flashSize..<2 * Self.size,
      with: FlashCopy.trailer(of: flash, sequence: 1))
    try bytes.write(to: file)
    #expect(try FlashFile(path: file.path).saved == flash)
    bytes.replaceSubrange(place..<place + 8, with: records[1])
    try bytes.write(to: file)
    #expect(throws: IOFailure.self) { try FlashFile(path: file.path) }
  }

  @Test(arguments: [1, 2, 3]) func `two damaged copies are refused, and nothing begins anew there`(
    times: Int
  ) throws {
    var bytes = try written(times)
    for copy in 0..<min(times, 2) { bytes[(1 - copy) * Self.size + 500] ^= 1 }
    try bytes.write(to: file)
    let refusal = #expect(throws: IOFailure.self) { try FlashFile(path: file.path) }
    #expect(refusal?.errno == EINVAL)
    #expect(refusal?.description.contains("no copy of the flash in it is whole") == true)
    #expect(try Data(contentsOf: file) == bytes)
  }

  /// Nothing was told before it was whole: the trailer is written last, at once.
  @Test(arguments: 0...3, [0, 4_096, 32_768])
  func `a write that a kill has left unfinished is none`(times: Int, count: Int) throws {
    var bytes = times > 0 ? try written(times) : Data(count: 2 * Self.size)
    let place = (times + 1) % 2 * Self.size
    bytes.replaceSubrange(place..<place + count, with: Data(repeating: 0x5A, count: count))
    try bytes.write(to: file)
    do {
      let flash = try FlashFile(path: file.path)
      #expect(flash.saved == Self.flash(times > 0 ? UInt8(times) : 0xFF))
      try flash.save(Self.flash(9))
    }
    #expect(try FlashFile(path: file.path).saved == Self.flash(9))
  }

  /// Its copies have one CRC-32C of flash, magic and sequence.
  @Test func `a file of an earlier fob opens, and is written on`() throws {
    let flashes = [7, 8].map(Self.flash)
    var bytes = Data()
    for (sequence, flash) in zip([6, 5], flashes) {
      bytes += Self.former(flash, sequence: UInt32(sequence))
    }
    try bytes.write(to: file)
    do {
      let flash = try FlashFile(path: file.path)
      #expect(flash.saved == flashes[0])
      try flash.save(Self.flash(9))
    }
    #expect(try FlashFile(path: file.path).saved == Self.flash(9))
    // As that one was cut short by a kill, and as it was damaged.
    for (copy, isKilled) in [(1, true), (0, false)] {
      var damaged = bytes
      damaged[copy * Self.size + 500] ^= 1
      try damaged.write(to: file)
      #expect((try? FlashFile(path: file.path))?.saved == (isKilled ? flashes[0] : nil))
    }
  }

  private static func former(_ flash: [UInt8], sequence: UInt32) -> [UInt8] {
    var copy = flash
    withUnsafeBytes(of: UInt32(0x666F_6C61).littleEndian) { copy += $0 }
    withUnsafeBytes(of: sequence.littleEndian) { copy += $0 }
    copy = withCRC(copy)
    return copy + [UInt8](repeating: 0, count: size - copy.count)
  }

  private static func withCRC(_ bytes: [UInt8]) -> [UInt8] {
    let crc = bytes.withUnsafeBytes { CRC32C.of($0) }
    return bytes + withUnsafeBytes(of: crc.littleEndian) { Array($0) }
  }
}
