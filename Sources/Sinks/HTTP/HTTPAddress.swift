import Foundation

/// Where a notification channel posts to. Plain HTTP is for this host alone: what is posted says
/// who needs help, and where.
public struct HTTPAddress: Equatable, Sendable {
  public let text: String
  public let host: String
  public let isSecure: Bool

  /// - Parameter field: of the configuration, for messages.
  /// - Throws: what is wrong, and a hint; never the address, which may hold a secret.
  public init(
    _ text: String, field: String, insecure: Bool = false
  ) throws(ConfigurationFailure) {
    guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
      let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http"
    else {
      throw ConfigurationFailure(
        field, "is no web address: write it as https://host/path or http://127.0.0.1:PORT/path")
    }
    guard parts.user == nil, parts.password == nil else {
      throw ConfigurationFailure(
        field, "has a password in it: give it as `secret` or `secretFile`")
    }
    guard parts.fragment == nil else {
      throw ConfigurationFailure(field, "has a # in it: leave out what follows it")
    }
    self.text = text
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    isSecure = scheme == "https"
    guard isSecure || isLoopback || insecure else {
      throw ConfigurationFailure(
        field,
        "is plain http to another host, where everybody on the way reads it: use https, or say"
          + " `insecure: true`")
    }
  }

  /// An address of this host itself; a name other than localhost is not looked up.
  public var isLoopback: Bool {
    if host.lowercased() == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The same with a path behind it.
  func appending(_ path: String) -> String {
    var base = text
    while base.hasSuffix("/") { base.removeLast() }
    return base + path
  }
}
