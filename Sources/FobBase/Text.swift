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

    public init?(text: String) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let boot = UInt32(parts[0]), let n = UInt32(parts[1]) else {
        return nil
      }
      self.init(boot: boot, n: n)
    }
  }
#endif
