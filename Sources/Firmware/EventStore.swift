import FobBase
import WireProtocol

/// The layout of the board's non-volatile memory.
///
/// ```
/// 0    boot counter, copy A: u32 magic, u32 counter, u32 CRC-32C of both
/// 16   boot counter, copy B
/// 32   key of the pairing: u32 magic, 16 bytes, u32 CRC-32C of both
/// 64   65 slots of 68 bytes: an EVENT payload of 64 (zeros behind it), u32 CRC-32C of it
/// ```
/// One slot more than events are kept, so that a merged press is written before the one that it
/// stands for is cleared.
///
/// A slot whose CRC does not verify is free. So a write that a power failure cut short counts as
/// never made.
enum EventStore {
  static let slotSize = StoredRecord.size
  static let slotsAt = 64
  static let slots = Limits.deviceEvents + 1
  static let size = slotsAt + slots * slotSize

  private static let magic: UInt32 = 0x666F_6231

  @inline(never)
  static func write<B: Board>(_ record: inout StoredRecord, slot: Int, _ board: inout B) -> Bool {
    record.seal()
    return record.withBytes { board.writeStore(at: offset(slot), $0) }
  }

  /// False where the slot is free or the memory failed.
  @inline(never)
  static func read<B: Board>(
    slot: Int, _ record: inout StoredRecord, _ board: inout B
  ) -> Bool {
    withUnsafeMutableBytes(of: &record.bytes) { board.readStore(at: offset(slot), $0) }
      && record.isSealed
  }

  @inline(never)
  static func isReadable<B: Board>(_ board: inout B) -> Bool {
    var record = StoredRecord()
    for slot in 0..<slots {
      guard
        withUnsafeMutableBytes(of: &record.bytes, { board.readStore(at: offset(slot), $0) })
      else { return false }
    }
    return true
  }

  @inline(never)
  static func clear<B: Board>(slot: Int, _ board: inout B) -> Bool {
    var nothing = StoredRecord()
    return nothing.withBytes { board.writeStore(at: offset(slot), $0) }
  }

  /// The counter of the last boot: the greater of two copies, nil when neither verifies.
  static func lastBoot<B: Board>(_ board: inout B) -> UInt32? {
    var last: UInt32?
    for copy in 0..<2 {
      var bytes = InlineArray<12, UInt8>(repeating: 0)
      let counter: UInt32? = withUnsafeMutableBytes(of: &bytes) { raw in
        board.readStore(at: copy * 16, raw) ? self.counter(in: UnsafeRawBufferPointer(raw)) : nil
      }
      if let counter { last = max(last ?? 0, counter) }
    }
    return last
  }

  /// Whether this memory never held a boot counter: all its first 64 bytes are the same.
  static func isBlank<B: Board>(_ board: inout B) -> Bool {
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    guard withUnsafeMutableBytes(of: &bytes, { board.readStore(at: 0, $0) }) else { return false }
    for i in 1..<bytes.count where bytes[i] != bytes[0] { return false }
    return true
  }

  /// Writes the counter over the older copy, so that power cut in between loses neither.
  static func writeBoot<B: Board>(_ counter: UInt32, _ board: inout B) -> Bool {
    var body = FrameBody()
    append(boot: counter, to: &body)
    let at = counter % 2 == 0 ? 0 : 16
    return body.withBytesInPlace { board.writeStore(at: at, $0) }
  }

  private static func append(boot counter: UInt32, to body: inout FrameBody) {
    body.append(magic)
    body.append(counter)
    body.appendChecksum()
  }

  private static let keyAt = 32
  private static let keySize = 24
  private static let keyMagic: UInt32 = 0x666F_626B
  /// A record whose magic has so many wrong bits was a key's once. Blank memory has 13 or 19, and
  /// what is worn some half: a keychain that was never paired must not believe nobody.
  private static let maxStrayBits = 4

  /// What the store says of a pairing.
  enum Pairing {
    /// Nothing was ever written there, or it was cleared, or it is worn beyond knowing.
    case none
    case key(PairingKey)
    /// A key was written, and cannot be read any more.
    case damaged
  }

  /// `none` where the memory fails, too: whether there is a key is not known then.
  @inline(never)
  static func pairing<B: Board>(_ board: inout B) -> Pairing {
    var bytes = InlineArray<24, UInt8>(repeating: 0)
    guard withUnsafeMutableBytes(of: &bytes, { board.readStore(at: keyAt, $0) }) else {
      return .none
    }
    return withUnsafeBytes(of: bytes) { pairing(in: $0) }
  }

  /// What the record of a key says.
  private static func pairing(in raw: UnsafeRawBufferPointer) -> Pairing {
    let strayBits = (word(raw, 0) ^ keyMagic).nonzeroBitCount
    guard strayBits <= maxStrayBits else { return .none }
    let crc = CRC32C.of(UnsafeRawBufferPointer(rebasing: raw[0..<keySize - 4]))
    guard strayBits == 0, word(raw, keySize - 4) == crc else { return .damaged }
    return .key(
      PairingKey(
        low: UInt64(word(raw, 4)) | UInt64(word(raw, 8)) << 32,
        high: UInt64(word(raw, 12)) | UInt64(word(raw, 16)) << 32))
  }

  /// Nil clears it. A write that power cut short leaves a damaged record, which nobody can prove.
  @inline(never)
  static func write<B: Board>(_ key: PairingKey?, _ board: inout B) -> Bool {
    var body = FrameBody()
    if let key {
      append(key, to: &body)
    } else {
      for _ in 0..<keySize / 4 { body.append(UInt32(0)) }
    }
    return body.withBytesInPlace { board.writeStore(at: keyAt, $0) }
  }

  private static func append(_ key: PairingKey, to body: inout FrameBody) {
    body.append(keyMagic)
    body.append(key.low)
    body.append(key.high)
    body.appendChecksum()
  }

  /// Puts a key into the image of a memory, as a factory does.
  static func put(_ key: PairingKey, into image: UnsafeMutableRawBufferPointer) {
    var body = FrameBody()
    append(key, to: &body)
    let place = UnsafeMutableRawBufferPointer(rebasing: image[keyAt..<keyAt + keySize])
    body.withBytesInPlace { place.copyMemory(from: $0) }
  }

  #if !hasFeature(Embedded)
    /// As `put`, where the image is blank: no boot was yet, and none is missed. One that was used
    /// must have this key already.
    /// - Returns: false where it has another key, or has lost it, or never had one.
    static func provision(
      _ image: UnsafeMutableRawBufferPointer, with key: PairingKey
    ) -> Bool {
      let raw = UnsafeRawBufferPointer(image)
      if raw[..<slotsAt].allSatisfy({ $0 == raw[0] }) {
        var body = FrameBody()
        append(boot: 0, to: &body)
        body.withBytesInPlace { image.copyMemory(from: $0) }
        put(key, into: image)
        return true
      }
      let record = UnsafeRawBufferPointer(rebasing: raw[keyAt..<keyAt + keySize])
      guard case .key(let old) = pairing(in: record) else { return false }
      return old == key
    }
  #endif

  private static func offset(_ slot: Int) -> Int { slotsAt + slot * slotSize }

  private static func counter(in copy: UnsafeRawBufferPointer) -> UInt32? {
    let crc = CRC32C.of(UnsafeRawBufferPointer(rebasing: copy[0..<8]))
    guard word(copy, 0) == magic, word(copy, 8) == crc else { return nil }
    return word(copy, 4)
  }

  private static func word(_ raw: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
