import Glibc

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
    guard isTLS || isForced || Self.isLoopback(host) else {
      throw Refusal(
        description:
          "\(host) can be reached from other hosts, and without TLS tokens and PINs could"
          + " be read on the way; give a certificate and key, listen on 127.0.0.1, or force it")
    }
  }

  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  static func isLoopback(_ name: String) -> Bool {
    if name == "localhost" { return true }
    var four = in_addr()
    if inet_pton(AF_INET, name, &four) == 1 { return four.s_addr & 0xFF == 127 }
    var six = in6_addr()
    guard inet_pton(AF_INET6, name, &six) == 1 else { return false }
    return withUnsafeBytes(of: six) { bytes in
      bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }
  }

  /// Every address of this host.
  var isWildcard: Bool { host == "0.0.0.0" || host == "::" }
}
