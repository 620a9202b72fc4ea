/// Which account of a core: one owner's contacts, PIN, keychains, incidents and log.
public struct AccountNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Counted from 1; at most `last`.
  public let rawValue: Int

  /// The account that a state folder begins with. Keychains that no account has claimed are its,
  /// so that no press is nobody's.
  public static let first = Self(unchecked: 1)

  /// The greatest: the numbers of stored rows begin with the account's, and have room for no more.
  public static let last = Self(unchecked: 1 << 21)

  /// - Returns: nil for a number outside 1 to `last`.
  public init?(_ number: Int) {
    guard (Self.first.rawValue...Self.last.rawValue).contains(number) else { return nil }
    rawValue = number
  }

  private init(unchecked number: Int) { rawValue = number }

  public var description: String { "\(rawValue)" }

  /// By number.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
