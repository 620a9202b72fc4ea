import FobBase
import WireProtocol

/// An event as the store holds it and as it is sent again: the payload of EVENT, zeros behind it up
/// to 64 bytes, and their CRC-32C. Single fields are read where they lie: reading the whole record
/// and writing it again would cost a processor without memory to spare a copy each.
///
/// Methods that only read are mutating for the same reason.
struct StoredRecord: Sendable {
  static let payloadSize = EventRecord.maxSize
  static let size = payloadSize + 4

  private static let numberAt = 8
  private static let kindAt = 16
  private static let commitDeltaAt = 29
  private static let flagsAt = 33
  private static let firstCoveredAt = 54
  private static let coveredAt = 62

  var bytes = InlineArray<68, UInt8>(repeating: 0)

  @inline(never)
  mutating func set(_ record: EventRecord) {
    var body = FrameBody()
    record.write(to: &body)
    body.withBytesInPlace { payload in
      withUnsafeMutableBytes(of: &bytes) { $0.copyMemory(from: payload) }
    }
  }

  var number: EventNumber {
    @inline(never) mutating get { EventNumber(rawValue: load(Self.numberAt)) }
  }
  var kind: EventKind? { @inline(never) mutating get { EventKind(rawValue: bytes[Self.kindAt]) } }
  var isPress: Bool { mutating get { bytes[Self.kindAt] == EventKind.pressed.rawValue } }
  var flags: EventRecord.Flags {
    mutating get { EventRecord.Flags(rawValue: bytes[Self.flagsAt]) }
    set { bytes[Self.flagsAt] = newValue.rawValue }
  }
  /// Sets the time from the event's clock, which is that of the first edge, to `now`: 0 where the
  /// clock went back since, the largest number where the time does not fit.
  @inline(never)
  mutating func setCommitDelta(to now: Instant) {
    let clock: Int64 = load(Self.kindAt + 1)
    store(UInt32(clamping: now.microseconds &- clock), Self.commitDeltaAt)
  }

  /// With MERGED: the first number that it stands for. `covered` says for how many presses.
  var firstCovered: EventNumber {
    @inline(never) mutating get { EventNumber(rawValue: load(Self.firstCoveredAt)) }
    set { store(newValue.rawValue, Self.firstCoveredAt) }
  }
  var covered: UInt16 {
    mutating get { load(Self.coveredAt) }
    set { store(newValue, Self.coveredAt) }
  }

  var identityCRC: UInt32 {
    mutating get {
      withBytes { CRC32C.of(UnsafeRawBufferPointer(rebasing: $0[0..<EventIdentity.size])) }
    }
  }

  var record: EventRecord? {
    mutating get {
      withBytes { EventRecord(UnsafeRawBufferPointer(rebasing: $0[0..<Self.payloadSize])) }
    }
  }

  mutating func write(to body: inout FrameBody) {
    let count = flags.contains(.merged) ? Self.payloadSize : EventRecord.size
    withBytes { body.append(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
  }

  @inline(never)
  mutating func seal() { store(checksum, Self.payloadSize) }

  var isSealed: Bool {
    @inline(never) mutating get { load(Self.payloadSize) == checksum }
  }

  private var checksum: UInt32 {
    mutating get {
      withBytes { CRC32C.of(UnsafeRawBufferPointer(rebasing: $0[0..<Self.payloadSize])) }
    }
  }

  mutating func withBytes<R>(_ read: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeMutableBytes(of: &bytes) { read(UnsafeRawBufferPointer($0)) }
  }

  private mutating func load<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> T {
    withBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
  }

  private mutating func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, _ offset: Int) {
    withUnsafeMutableBytes(of: &bytes) {
      $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }
  }
}
