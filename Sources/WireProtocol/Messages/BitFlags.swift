/// A set of bits in one byte. Not an `OptionSet`: that is built from array literals, and the
/// firmware allocates nothing.
public protocol BitFlags: Equatable, Sendable {
  var rawValue: UInt8 { get set }
  init(rawValue: UInt8)
}

extension BitFlags {
  public static var none: Self { Self(rawValue: 0) }

  public func contains(_ other: Self) -> Bool { rawValue & other.rawValue == other.rawValue }
  public mutating func insert(_ other: Self) { rawValue |= other.rawValue }
  public mutating func remove(_ other: Self) { rawValue &= ~other.rawValue }
}
