/// The 64-bit name of one keychain. The top bit marks bench identity: emulators make no other, and
/// no live notification channel ever serves one (rule "bench traffic cannot page a person").
public struct DeviceID: Hashable, Comparable, Sendable {
  /// As it is on the wire; 0 is what a host says of itself.
  public let rawValue: UInt64

  /// Takes any number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// A bench device: `serial` with the bench bit set.
  public static func bench(_ serial: UInt32) -> DeviceID {
    DeviceID(rawValue: benchBit | UInt64(serial))
  }

  /// The top bit is set: no message about this keychain reaches a person.
  public var isBench: Bool { rawValue & Self.benchBit != 0 }

  public static func < (a: DeviceID, b: DeviceID) -> Bool { a.rawValue < b.rawValue }

  private static let benchBit: UInt64 = 0x8000_0000_0000_0000
}

/// The number of one event of one keychain: `boot << 32 | n`, with `n` from 1 in each boot.
/// Zero is no event.
public struct EventNumber: Hashable, Comparable, Sendable {
  /// As it is on the wire. Numbers compare by boot, then by `n`.
  public let rawValue: UInt64

  /// Takes any number; 0 is `none`.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// Event `n` of a boot, the first of which is 1.
  public init(boot: UInt32, n: UInt32) { rawValue = UInt64(boot) << 32 | UInt64(n) }

  /// No event.
  public static let none = EventNumber(rawValue: 0)

  /// The boot counter of the keychain: the upper 32 bits.
  public var boot: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }
  /// The number within the boot, from 1: the lower 32 bits.
  public var n: UInt32 { UInt32(truncatingIfNeeded: rawValue) }

  public static func < (a: EventNumber, b: EventNumber) -> Bool { a.rawValue < b.rawValue }
}

#if !hasFeature(Embedded)
  extension DeviceID {
    /// Sixteen hexadecimal digits.
    public var text: String {
      String(unsafeUninitializedCapacity: 16) { digits in
        for i in 0..<16 {
          let digit = UInt8(truncatingIfNeeded: rawValue >> (60 - 4 * UInt64(i)) & 15)
          digits[i] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        }
        return 16
      }
    }
  }

  extension EventNumber {
    /// `boot.n`, as in `3.17`.
    public var text: String { String(boot) + "." + String(n) }

    /// Reads `boot.n`, two decimal numbers below 2^32; nil for anything else.
    public init?(text: String) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let boot = UInt32(parts[0]), let n = UInt32(parts[1]) else {
        return nil
      }
      self.init(boot: boot, n: n)
    }
  }
#endif
