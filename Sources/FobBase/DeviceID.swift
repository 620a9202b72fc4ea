/// The 64-bit name of one keychain. The top bit marks bench identity: emulators make no other, and
/// no live way out ever serves one (rule "bench traffic cannot page a person").
public struct DeviceID: Hashable, Comparable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// A bench device: `serial` with the bench bit set.
  public static func bench(_ serial: UInt32) -> DeviceID {
    DeviceID(rawValue: benchBit | UInt64(serial))
  }

  public var isBench: Bool { rawValue & Self.benchBit != 0 }

  public static func < (a: DeviceID, b: DeviceID) -> Bool { a.rawValue < b.rawValue }

  private static let benchBit: UInt64 = 1 << 63
}
