import Glibc

/// An IP address, however it is written: an IPv4 address is itself inside IPv6, too.
struct HostAddress: Hashable, Sendable {
  /// In the order of the wire; an IPv4 address as ::ffff:0:0/96 has it (RFC 4291, 2.5.5.2).
  private let high: UInt64
  private let low: UInt64

  private static let mapped: UInt64 = 0xFFFF_0000_0000

  /// - Parameter text: 192.0.2.1, 2001:db8::1 or fe80::1%eth0; nil where it is a name.
  init?(_ text: String) {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      (high, low) = (0, Self.mapped | UInt64(UInt32(bigEndian: four.s_addr)))
      return
    }
    var six = in6_addr()
    let address = String(text.prefix { $0 != "%" })
    guard inet_pton(AF_INET6, address, &six) == 1 else { return nil }
    (high, low) = withUnsafeBytes(of: six) { bytes in
      (
        UInt64(bigEndian: bytes.load(as: UInt64.self)),
        UInt64(bigEndian: bytes.load(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// What one customer of a provider has of IPv6, a /64; of IPv4 the address itself.
  var network: HostAddress {
    high == 0 && low & ~0xFFFF_FFFF == Self.mapped ? self : HostAddress(high: high, low: 0)
  }

  var isLoopback: Bool {
    high == 0 && (low == 1 || low & ~0xFF_FFFF == Self.mapped | 0x7F00_0000)
  }
}
