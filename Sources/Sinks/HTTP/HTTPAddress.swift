import Foundation
import Glibc

/// The address that a notification channel posts to. Plain HTTP is for this host only, since a
/// message says who needs help, and where.
public struct HTTPAddress: Equatable, Sendable {
  /// The address as it was written.
  public let text: String
  /// The host, an IPv6 address without its brackets.
  public let host: String
  /// It is https.
  public let isSecure: Bool

  /// Checks an address.
  /// - Parameters:
  ///   - text: http or https, without a user, a password or a fragment.
  ///   - field: the configuration's field, for errors.
  ///   - insecure: allows plain http to another host.
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
    self.host = Self.bare(host)
    isSecure = scheme == "https"
    guard isSecure || isLoopback || insecure else {
      throw ConfigurationFailure(
        field,
        "is plain http to another host, where everybody on the way reads it: use https, or say"
          + " `insecure: true`")
    }
  }

  /// The address is of this host itself.
  public var isLoopback: Bool { Self.isLoopback(host) }

  /// A host, an IPv6 address without its brackets.
  static func bare(_ host: String) -> String {
    host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
  }

  /// Whether a host is this one. Of all names only localhost counts; none is looked up.
  static func isLoopback(_ host: String) -> Bool {
    if ["localhost", "::1", "[::1]"].contains(host.lowercased()) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The address with `path` appended.
  func appending(_ path: String) -> String {
    var base = text
    while base.hasSuffix("/") { base.removeLast() }
    return base + path
  }
}

/// Encodes bytes as `%XX`, except those that may stand unencoded.
enum PercentEncoding {
  /// As application/x-www-form-urlencoded has it (WHATWG URL, 5.2).
  static func form(_ fields: [(String, String)]) -> [UInt8] {
    func encoded(_ text: String) -> String {
      Self.encoded(text) { byte in
        isAlphanumeric(byte) || "*-._".utf8.contains(byte) || byte == 0x20
      }.replacing(" ", with: "+")
    }
    return Array(fields.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&").utf8)
  }

  /// One part of a path (RFC 3986, 2.3).
  static func pathPart(_ text: String) -> String {
    encoded(text) { isAlphanumeric($0) || "-._~".utf8.contains($0) }
  }

  /// Visible ASCII alone, so that nothing in it can end a header.
  static func header(_ text: String) -> String {
    encoded(text) { (0x21...0x7E).contains($0) && $0 != 0x25 }
  }

  /// A byte of a name: such a name needs no encoding anywhere.
  static func isNameByte(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || byte == 0x2D || byte == 0x5F
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func encoded(_ text: String, keeping mayStand: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if mayStand(byte) {
        bytes.append(byte)
      } else {
        bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A time as APIs write it: 2026-01-15T04:47:00.000000Z.
package enum RFC3339 {
  /// - Parameter wall: µs since 1970.
  package static func text(_ wall: Int64) -> String {
    let (second, micros) = wall.quotientAndRemainder(dividingBy: 1_000_000)
    let time = broken(time_t(max(0, second)))
    let date = "\(time.tm_year + 1_900)-\(padded(time.tm_mon + 1))-\(padded(time.tm_mday))"
    let clock = "\(padded(time.tm_hour)):\(padded(time.tm_min)):\(padded(time.tm_sec))"
    return "\(date)T\(clock).\(padded(Int32(max(0, micros)), 6))Z"
  }

  /// To the second, as CAP 1.2 has it, which forbids the Z: 2026-01-15T04:47:00-00:00.
  /// - Parameter wall: µs since 1970; of another year than 1970 to 9999 the nearest there is.
  static func cap(_ wall: Int64) -> String {
    text(min(max(0, wall), 253_402_300_799_000_000)).prefix(19) + "-00:00"
  }

  /// The parts of a UTC time.
  static func broken(_ second: time_t) -> tm {
    var second = second
    var time = tm()
    gmtime_r(&second, &time)
    return time
  }

  static func padded(_ number: Int32, _ width: Int = 2) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
