/// How a field lies in a payload.
public enum FieldKind: Hashable, Sendable {
  case u8, u16, u32, u64, i32
  /// A fixed number of bytes.
  case bytes(Int)
  /// Reaches to the end of the payload, or to a zero byte.
  case rest

  /// The least number of bytes that it takes.
  var size: Int {
    switch self {
    case .u8: 1
    case .u16: 2
    case .u32, .i32: 4
    case .u64: 8
    case .bytes(let count): count
    case .rest: 0
    }
  }

  /// - Parameter bytes: exactly `size`.
  func value(_ bytes: ArraySlice<UInt8>) -> FieldValue {
    switch self {
    case .bytes, .rest: return .bytes(Array(bytes))
    case .i32: return .signed(Int64(Int32(truncatingIfNeeded: Self.littleEndian(bytes))))
    case .u8, .u16, .u32, .u64: return .unsigned(Self.littleEndian(bytes))
    }
  }

  private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// The value of a field, as read from the wire.
public enum FieldValue: Hashable, Sendable {
  case unsigned(UInt64)
  case signed(Int64)
  case bytes([UInt8])

  var isZero: Bool {
    switch self {
    case .unsigned(let value): value == 0
    case .signed(let value): value == 0
    case .bytes(let bytes): bytes.isEmpty
    }
  }

  var unsigned: UInt64 { if case .unsigned(let value) = self { value } else { 0 } }
}
