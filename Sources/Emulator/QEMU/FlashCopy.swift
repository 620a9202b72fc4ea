import CZlib
import FobBase

/// One of the two copies of a micro:bit's flash in its file.
///
/// ```
/// 0       the flash, 32,768 bytes
/// 32,768  a trailer of 4,096 bytes, written behind it: u32 magic, u32 size of the flash,
///         u32 sequence, u32 CRC-32 of the flash; zeros; u32 CRC-32 of the trailer before it
/// ```
/// A page of a file is written whole or not at all, whenever the process is killed. So a copy whose
/// flash does not verify and whose trailer does was being written, and nothing was told of it yet;
/// any other that does not verify was damaged from outside.
///
/// It is the CRC-32 of zlib. Records of the store end in their own CRC-32C, so one of all would be
/// the same with any valid record in place of another.
struct FlashCopy {
  enum State: Equatable {
    /// No write of it has come to its end.
    case blank
    case whole(sequence: UInt32)
    /// Its next write has not come to its end; that with this sequence had.
    case unfinished(after: UInt32)
    case damaged
  }

  /// Why no copy can be taken.
  enum Damage: Error, Equatable {
    /// No copy verifies, and one has been written.
    case ofAll
    /// A copy verifies, and the other may have been newer.
    case ofNewer
  }

  static let size = flashSize + trailerSize
  static let flashSize = 32_768
  private static let trailerSize = 4_096
  private static let magic: UInt32 = 0x666F_6C62
  /// Behind the flash: u32 magic, u32 sequence, u32 CRC-32C of all before it.
  private static let formerMagic: UInt32 = 0x666F_6C61

  let flash: [UInt8]
  let state: State

  /// - Parameter bytes: ``size`` of them.
  init(_ bytes: [UInt8]) {
    flash = Array(bytes[..<Self.flashSize])
    state = Self.state(bytes)
  }

  private static func state(_ bytes: [UInt8]) -> State {
    func word(_ offset: Int) -> UInt32 {
      bytes.withUnsafeBytes {
        UInt32(littleEndian: $0.load(fromByteOffset: flashSize + offset, as: UInt32.self))
      }
    }
    let flash = bytes[..<flashSize]
    let trailer = bytes[flashSize...]
    switch word(0) {
    case 0 where trailer.allSatisfy { $0 == 0 }:
      return .blank
    case magic where word(4) == flashSize && word(trailerSize - 4) == sum(trailer.dropLast(4)):
      return word(12) == sum(flash) ? .whole(sequence: word(8)) : .unfinished(after: word(8))
    case formerMagic:
      let crc = bytes.withUnsafeBytes {
        CRC32C.of(UnsafeRawBufferPointer(rebasing: $0[..<(flashSize + 8)]))
      }
      return word(8) == crc ? .whole(sequence: word(4)) : .unfinished(after: word(4))
    default:
      return .damaged
    }
  }

  /// The trailer of a flash.
  static func trailer(of flash: [UInt8], sequence: UInt32) -> [UInt8] {
    var trailer: [UInt8] = []
    for word in [magic, UInt32(flashSize), sequence, sum(flash[...])] {
      withUnsafeBytes(of: word.littleEndian) { trailer += $0 }
    }
    trailer += [UInt8](repeating: 0, count: trailerSize - 4 - trailer.count)
    withUnsafeBytes(of: sum(trailer[...]).littleEndian) { trailer += $0 }
    return trailer
  }

  private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBufferPointer { UInt32(crc32(0, $0.baseAddress, uInt($0.count))) }
  }

  /// The newer of both.
  /// - Parameter copies: as they stand in the file; the first write goes to the second one.
  /// - Returns: nil where nothing was written to its end yet.
  static func newest(_ copies: [FlashCopy]) throws(Damage) -> (FlashCopy, sequence: UInt32)? {
    var newest: (FlashCopy, sequence: UInt32)?
    for copy in copies {
      if case .whole(let sequence) = copy.state, sequence >= newest?.sequence ?? 0 {
        newest = (copy, sequence)
      }
    }
    guard let newest else {
      let isUnused = copies[0].flash.allSatisfy { $0 == 0 }
      guard isUnused, copies.allSatisfy({ $0.state == .blank }) else { throw .ofAll }
      return nil
    }
    for copy in copies {
      let isOlder =
        switch copy.state {
        case .whole: true
        case .unfinished(let former): former < newest.sequence
        case .blank: newest.sequence == 1
        case .damaged: false
        }
      guard isOlder else { throw .ofNewer }
    }
    return newest
  }
}
