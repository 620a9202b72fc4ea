import Foundation
import SystemCrypto

/// Random names that nobody can guess, and what is kept of them.
enum Secret {
  /// 32 random bytes as base64url, 43 characters.
  static func random() -> String {
    base64URL(Digests.random(32))
  }

  static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// - Returns: nil for a text that is not written as `base64URL` writes it.
  static func bytes(base64URL text: some StringProtocol) -> [UInt8]? {
    let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: plain + padding), base64URL(data) == String(text) else {
      return nil
    }
    return Array(data)
  }

  static func digest(_ text: String) -> [UInt8] { Digests.sha256(Array(text.utf8)) }
}
