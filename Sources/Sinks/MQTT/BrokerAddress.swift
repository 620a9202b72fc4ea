import Foundation

/// The address of an MQTT broker: mqtts://host or mqtt://host, with a port where it is not the
/// usual one. Without TLS it is for this host only, as of an ``HTTPAddress``.
public struct BrokerAddress: Equatable, Sendable {
  /// The host, an IPv6 address without its brackets.
  public let host: String
  /// 8883 with TLS and 1883 without, unless it is given.
  public let port: UInt16
  /// It is mqtts.
  public let isSecure: Bool

  /// Checks an address.
  /// - Parameters:
  ///   - text: mqtt or mqtts with a host, and no more than a port behind it.
  ///   - insecure: allows mqtt to another host.
  /// - Throws: what is wrong with the field `url`, and a hint; never the address, which may hold a
  ///   secret.
  public init(_ text: String, insecure: Bool = false) throws(ConfigurationFailure) {
    guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
      let scheme = parts.scheme?.lowercased(), scheme == "mqtts" || scheme == "mqtt",
      parts.path.isEmpty || parts.path == "/", parts.query == nil, parts.fragment == nil
    else {
      throw ConfigurationFailure(
        "url", "is no broker's address: write it as mqtts://host or mqtt://127.0.0.1")
    }
    guard parts.user == nil, parts.password == nil else {
      throw ConfigurationFailure(
        "url", "has a user in it: give `account`, and `secret` or `secretFile`")
    }
    isSecure = scheme == "mqtts"
    guard let port = UInt16(exactly: parts.port ?? (isSecure ? 8_883 : 1_883)), port > 0 else {
      throw ConfigurationFailure("url", "has a port that is not 1 to 65535")
    }
    self.port = port
    self.host = HTTPAddress.bare(host)
    guard isSecure || isLoopback || insecure else {
      throw ConfigurationFailure(
        "url",
        "is plain mqtt to another host, where everybody on the way reads it: use mqtts, or say"
          + " `insecure: true`")
    }
  }

  /// The address is of this host itself.
  var isLoopback: Bool { HTTPAddress.isLoopback(host) }
}
