/// Bytes as `%XX`, but for those that may stand.
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

  /// Visible ASCII alone: nothing in it can end a header.
  static func header(_ text: String) -> String {
    encoded(text) { (0x21...0x7E).contains($0) && $0 != 0x25 }
  }

  /// Of a word that names something: it needs no encoding anywhere.
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
