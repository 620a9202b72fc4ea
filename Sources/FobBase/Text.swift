#if !hasFeature(Embedded)
  extension DeviceID {
    /// Sixteen hexadecimal digits.
    public var text: String {
      let digits = String(rawValue, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }

  extension EventNumber {
    /// `boot.n`, as in `3.17`.
    public var text: String { "\(boot).\(n)" }

    public init?(text: String) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let boot = UInt32(parts[0]), let n = UInt32(parts[1]) else {
        return nil
      }
      self.init(boot: boot, n: n)
    }
  }
#endif
