import Glibc
import NIOCore

/// The other end of a connection, as far as ends can be told apart: an IPv4 address, or the first
/// 64 bits of an IPv6 address, which stand for one network.
struct PeerAddress: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    switch bytes.count {
    case 16 where bytes.starts(with: mapped): self.bytes = Array(bytes.suffix(4))
    // One network has 2^64 addresses, so they count as one.
    case 16 where bytes.prefix(8).contains { $0 != 0 }: self.bytes = Array(bytes.prefix(8))
    default: self.bytes = bytes
    }
  }

  init(_ address: SocketAddress?) {
    switch address {
    case .v4(let address):
      self.init(withUnsafeBytes(of: address.address.sin_addr) { Array($0) })
    case .v6(let address):
      self.init(withUnsafeBytes(of: address.address.sin6_addr) { Array($0) })
    case .unixDomainSocket, nil: self.init([])
    }
  }
}
