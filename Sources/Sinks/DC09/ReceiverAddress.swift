import Foundation

/// The address of an alarm receiver: tcp://HOST:PORT.
struct ReceiverAddress: Equatable, Sendable {
  /// An IPv6 address without its brackets.
  let host: String
  let port: UInt16

  /// - Throws: what is wrong with the field `url`, and a hint.
  init(_ text: String) throws(ConfigurationFailure) {
    guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "tcp",
      let host = parts.host, !host.isEmpty, let port = parts.port.flatMap(UInt16.init(exactly:)),
      port > 0, parts.user == nil, parts.password == nil, parts.path.isEmpty || parts.path == "/",
      parts.query == nil, parts.fragment == nil
    else {
      throw ConfigurationFailure(
        "url", "is no receiver's address: write it as tcp://receiver.example.org:PORT")
    }
    self.host = HTTPAddress.bare(host)
    self.port = port
  }

  /// The address is of this host itself.
  var isLoopback: Bool { HTTPAddress.isLoopback(host) }
}
