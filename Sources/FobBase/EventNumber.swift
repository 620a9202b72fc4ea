/// The number of one event of one keychain: `boot << 32 | n`, with `n` from 1 in each boot.
/// Zero is no event.
public struct EventNumber: Hashable, Comparable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public init(boot: UInt32, n: UInt32) { rawValue = UInt64(boot) << 32 | UInt64(n) }

  public static let none = EventNumber(rawValue: 0)

  public var boot: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }
  public var n: UInt32 { UInt32(truncatingIfNeeded: rawValue) }

  public static func < (a: EventNumber, b: EventNumber) -> Bool { a.rawValue < b.rawValue }
}
