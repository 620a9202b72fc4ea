import HTTPTypes
import Hummingbird
import NIOCore

/// Which names this server answers to. A page of another site whose name is made to point here
/// (DNS rebinding) sends its own name in Host, and is refused.
///
/// An address is no name that could be pointed elsewhere: who asks for this server by the address
/// at which it was reached is answered, whichever interface has it.
struct HostRule: Sendable {
  private let names: Set<String>
  private let addresses: Set<HostAddress>

  /// - Parameter names: beside those of the loopback.
  init(_ names: [String]) {
    self.names = Set(names.map { $0.lowercased() })
    addresses = Set(names.compactMap { HostAddress($0) })
  }

  /// - Parameter local: where the connection came in.
  func check(_ request: Request, at local: SocketAddress?) throws(Problem) {
    guard let authority = request.head.authority, !authority.isEmpty else {
      throw Problem(.badRequest, "noHost", "the request names no host")
    }
    // The first is the authority. A proxy may have gone by the other one.
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

  /// Without its port, in lower case; an IPv6 address without brackets.
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
