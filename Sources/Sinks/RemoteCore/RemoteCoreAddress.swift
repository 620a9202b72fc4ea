import Foundation

/// Where a core on another host is, and how it is trusted.
public struct RemoteCoreAddress: Equatable, Sendable {
  /// Without a slash at its end.
  public let url: String
  /// PEM; nil: the system's certificate authorities.
  public let caFile: String?

  /// - Parameters:
  ///   - text: as in "https://core.example.org:8420".
  ///   - allowsPlain: http to other hosts, too; without it a token is never sent in clear text.
  public init(
    _ text: String, caFile: String? = nil, allowsPlain: Bool = false
  ) throws(RemoteCoreFailure) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      let host = parts.host, !host.isEmpty, ["http", "https"].contains(scheme)
    else {
      throw RemoteCoreFailure(
        .configuration, "'\(text)' is no address of a core; write https://HOST:PORT")
    }
    guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
      parts.path.isEmpty || parts.path == "/"
    else {
      throw RemoteCoreFailure(
        .configuration, "the address of a core is https://HOST:PORT and nothing more")
    }
    guard scheme == "https" || allowsPlain || Self.isLoopback(host) else {
      throw RemoteCoreFailure(
        .configuration,
        "http would send the token to \(host) in clear text; write https://, or force it with"
          + " --insecure")
    }
    guard scheme == "https" || caFile == nil else {
      throw RemoteCoreFailure(.configuration, "--ca says nothing with http; write https://")
    }
    let port = parts.port.map { ":\($0)" } ?? ""
    url = "\(scheme)://\(host)\(port)"
    self.caFile = caFile
  }

  private static func isLoopback(_ host: String) -> Bool {
    ["localhost", "::1", "[::1]"].contains(host.lowercased())
      || host.split(separator: ".", omittingEmptySubsequences: false).count == 4
        && host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
  }
}
