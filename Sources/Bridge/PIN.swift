import CLinux
import Glibc

/// Four digits (R6). It is stored as a slow salted hash, and checked outside the core's lock.
public struct PIN: Equatable, Sendable, CustomStringConvertible {
  /// The four digits: never log them.
  public let description: String

  /// - Returns: nil unless it is exactly four digits.
  public init?(_ text: String) {
    guard text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    description = text
  }

  /// Any of the 10,000, from the system's generator.
  public static func random() -> PIN {
    let digits = String(Int.random(in: 0...9_999))
    return PIN(String(repeating: "0", count: 4 - digits.count) + digits)!
  }

  /// The hash in crypt(5) form: SHA-512, 20,000 rounds, a new salt each time.
  public func hash() -> String {
    let letters = Array("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    let salt = String((0..<16).map { _ in letters.randomElement()! })
    guard let hash = Self.crypt(description, "$6$rounds=20000$\(salt)$") else {
      preconditionFailure("libcrypt knows SHA-512")
    }
    return hash
  }

  /// Hashes again with the salt of `hash`, which is slow on purpose; false for a hash that crypt(5)
  /// cannot read.
  public func matches(_ hash: String) -> Bool {
    guard !hash.isEmpty, let own = Self.crypt(description, hash) else { return false }
    return own == hash
  }

  private static func crypt(_ phrase: String, _ setting: String) -> String? {
    var hash = [CChar](repeating: 0, count: 384)
    guard clinux_crypt(phrase, setting, &hash, hash.count) == 0 else { return nil }
    return String(decoding: hash.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
