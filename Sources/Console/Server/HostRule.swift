import Glibc
import HTTPTypes
import Hummingbird
import NIOCore

/// The names that this server answers to. If the name of another site's page is made to point here
/// (DNS rebinding), the browser sends that name in Host, and is refused.
///
/// An address cannot be made to point elsewhere: requests for the address at which the server was
/// reached are answered, whichever interface has it.
struct HostRule: Sendable {
  private let names: Set<String>
  private let addresses: Set<HostAddress>

  /// - Parameter names: further names, beside the loopback's.
  init(_ names: [String]) {
    self.names = Set(names.map { $0.lowercased() })
    addresses = Set(names.compactMap { HostAddress($0) })
  }

  /// - Parameter local: the local address of the connection.
  func check(_ request: Request, at local: SocketAddress?) throws(Problem) {
    guard let authority = request.head.authority, !authority.isEmpty else {
      throw Problem(.badRequest, "noHost", "the request names no host")
    }
    // The first Host is the authority; a proxy may have used the second.
    guard request.headers[.host] == nil else {
      throw Problem(.badRequest, "twoHosts", "the request names two hosts")
    }
    guard allows(authority, at: local?.ipAddress) else {
      throw Problem(
        .misdirectedRequest, "unknownHost",
        "this server does not answer to that name; start it with --host and the name")
    }
  }

  func allows(_ authority: String, at local: String? = nil) -> Bool {
    guard let name = Self.name(of: authority) else { return false }
    guard let address = HostAddress(name) else {
      return name == "localhost" || names.contains(name)
    }
    return address.isLoopback || addresses.contains(address)
      || address == local.flatMap { HostAddress($0) }
  }

  /// The name without its port, in lower case; an IPv6 address without brackets.
  static func name(of authority: String) -> String? {
    var rest = authority.lowercased()[...]
    var name: Substring
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      name = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
    } else {
      name = rest.prefix { $0 != ":" }
      rest = rest.dropFirst(name.count)
    }
    if name.last == "." { name = name.dropLast() }
    let isPort =
      rest.isEmpty || (rest.first == ":" && UInt16(rest.dropFirst()) != nil)
    return isPort && !name.isEmpty ? String(name) : nil
  }
}

extension HTTPField.Name {
  fileprivate static let host = HTTPField.Name("Host")!
}

/// An IP address in any notation: an IPv4 address equals its form within IPv6.
struct HostAddress: Hashable, Sendable {
  /// In wire order; an IPv4 address is in ::ffff:0:0/96 (RFC 4291, 2.5.5.2).
  private let high: UInt64
  private let low: UInt64

  private static let mapped: UInt64 = 0xFFFF_0000_0000

  /// - Parameter text: as in 192.0.2.1, 2001:db8::1 or fe80::1%eth0; nil for a name.
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

  /// The network of one customer: an IPv6 /64, or the IPv4 address itself.
  var network: HostAddress {
    high == 0 && low & ~0xFFFF_FFFF == Self.mapped ? self : HostAddress(high: high, low: 0)
  }

  var isLoopback: Bool {
    high == 0 && (low == 1 || low & ~0xFF_FFFF == Self.mapped | 0x7F00_0000)
  }
}
