import Firmware
import FobBase
import Judge
import WireProtocol

/// A board's non-volatile memory: power may go in the middle of a write, writes may fail, and it
/// may say that it has what it has not.
struct FlashMemory {
  private var bytes = [UInt8](repeating: 0, count: Keychain.storeSize)
  var isFailing = false
  /// What it has not really kept yet, the oldest first, is undone when the power goes.
  var isForgetful = false { didSet { if !isForgetful { undo = [] } } }
  private var undo: [(offset: Int, old: [UInt8])] = []
  /// Bytes that are still written until the power goes.
  var bytesUntilCut: Int?
  /// The power went in the middle of a write: nothing the board does now happens.
  private(set) var isCut = false
  /// Events that were written whole since this was looked at last.
  var written: [EventRecord] = []

  func read(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard !isFailing else { return false }
    bytes.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + buffer.count]))
    }
    return true
  }

  mutating func write(at offset: Int, _ source: UnsafeRawBufferPointer) -> Bool {
    guard !isCut else { return true }
    guard !isFailing else { return false }
    let count = min(source.count, bytesUntilCut ?? source.count)
    if isForgetful { undo.append((offset, Array(bytes[offset..<offset + count]))) }
    bytes.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[offset..<offset + count])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
    }
    if let left = bytesUntilCut { bytesUntilCut = left - count }
    guard count == source.count else {
      isCut = true
      return true
    }
    if let record = Self.record(source) { written.append(record) }
    return true
  }

  /// The power goes: what was not really kept is gone.
  /// - Returns: the events that it had said it has.
  mutating func losePower() -> [EventIdentity] {
    var lost: [EventIdentity] = []
    for write in undo.reversed() {
      let end = write.offset + write.old.count
      let slot = bytes[write.offset..<end]
      if let record = slot.withUnsafeBytes({ Self.record($0) }) { lost.append(record.identity) }
      bytes.replaceSubrange(write.offset..<end, with: write.old)
    }
    undo = []
    isCut = false
    bytesUntilCut = nil
    return lost
  }

  /// Both copies of the boot counter are worn out.
  mutating func loseBootCounter() {
    for index in 0..<64 { bytes[index] = index % 2 == 0 ? 0xA5 : 0 }
  }

  /// A slot of the firmware's store: an EVENT payload of 64 bytes and its CRC.
  private static func record(_ slot: UnsafeRawBufferPointer) -> EventRecord? {
    guard slot.count == EventRecord.maxSize + 4 else { return nil }
    let payload = UnsafeRawBufferPointer(rebasing: slot[..<EventRecord.maxSize])
    guard let record = EventRecord(payload), record.identity.number != .none else { return nil }
    return record
  }
}
