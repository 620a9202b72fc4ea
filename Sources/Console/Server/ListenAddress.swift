import Foundation

/// Where the console listens. Loopback is for everybody on this host; anywhere else what is said
/// must not be read on the way.
public struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
  public struct Refusal: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  public let host: String
  /// 0: one that is free.
  public let port: Int

  public static let standard = try! ListenAddress("127.0.0.1:8787", isTLS: false)

  /// - Parameters:
  ///   - text: HOST:PORT, as in 127.0.0.1:8787 or [::1]:8787.
  ///   - isForced: the operator vouches for the network, as behind a proxy that has TLS.
  public init(_ text: String, isTLS: Bool, isForced: Bool = false) throws(Refusal) {
    let bad = Refusal(
      description: "'\(text)' is no address; write HOST:PORT, as in 127.0.0.1:8787 or [::1]:8787")
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      let name = HostRule.name(of: text), !text[..<colon].isEmpty
    else { throw bad }
    host = name
    self.port = Int(port)
    guard isTLS || isForced || host == "localhost" || HostAddress(host)?.isLoopback == true else {
      throw Refusal(
        description:
          "\(host) can be reached from other hosts, and without TLS tokens and PINs could"
          + " be read on the way; give a certificate and key, listen on 127.0.0.1, or force it")
    }
  }

  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// A name or an address, and nothing more.
  public static func isHost(_ text: String) -> Bool {
    if HostAddress(text) != nil { return true }
    return (1...253).contains(text.utf8.count) && !text.hasPrefix(".")
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-._".unicodeScalars.contains($0))
      }
  }

  /// Nil: it is no address of a page that a browser opens.
  public static func host(ofPublicURL text: String) -> String? {
    guard let parts = URLComponents(string: text), let host = parts.host,
      ["http", "https"].contains(parts.scheme?.lowercased()), parts.user == nil,
      parts.query == nil, parts.fragment == nil
    else { return nil }
    // Foundation leaves an address of IPv6 in its brackets.
    let plain = String(host.drop { $0 == "[" }.prefix { $0 != "]" })
    return isHost(plain) ? plain : nil
  }

  /// Every address of this host.
  var isWildcard: Bool { host == "0.0.0.0" || host == "::" }
}
