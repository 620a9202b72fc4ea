enum SyntaxKind {
  case code, comment, literal
}

/// Tells of each byte of a Swift text whether it is code, comment, or the text of a literal.
/// What stands in an interpolation is code. A raw identifier counts as literal text: its words are
/// prose. Regex literals between bare slashes are not known to it.
struct SyntaxKinds {
  private let bytes: [UInt8]
  private var kinds: [SyntaxKind]
  private var at = 0

  static func of(_ text: String) -> [SyntaxKind] {
    var scan = SyntaxKinds(Array(text.utf8))
    while scan.at < scan.bytes.count {
      scan.code()
      scan.at += 1
    }
    return scan.kinds
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    kinds = Array(repeating: .code, count: bytes.count)
  }

  /// Up to the end, or up to a closing parenthesis that was not opened here.
  private mutating func code() {
    var depth = 0
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        if depth == 0 { return }
        depth -= 1
      case UInt8(ascii: "/") where sees("//"): lineComment()
      case UInt8(ascii: "/") where sees("/*"): blockComment()
      case UInt8(ascii: "\""), UInt8(ascii: "#"): string()
      case UInt8(ascii: "`"): rawIdentifier()
      default: break
      }
      at += 1
    }
  }

  // Each of these starts on its first byte and stops on its last, so that `code` can step on.

  private mutating func lineComment() {
    while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { mark(.comment) }
    at -= 1
  }

  private mutating func blockComment() {
    var depth = 0
    repeat {
      if sees("/*") {
        depth += 1
      } else if sees("*/") {
        depth -= 1
      } else {
        mark(.comment)
        continue
      }
      mark(.comment)
      mark(.comment)
    } while depth > 0 && at < bytes.count
    at -= 1
  }

  private mutating func rawIdentifier() {
    at += 1
    while at < bytes.count, bytes[at] != UInt8(ascii: "`"), bytes[at] != UInt8(ascii: "\n") {
      mark(.literal)
    }
  }

  private mutating func string() {
    var hashes = 0
    while at + hashes < bytes.count, bytes[at + hashes] == UInt8(ascii: "#") { hashes += 1 }
    guard at + hashes < bytes.count, bytes[at + hashes] == UInt8(ascii: "\"") else {
      at += max(hashes, 1) - 1
      return
    }
    let pounds = String(repeating: "#", count: hashes)
    let isMultiline = sees(pounds + "\"\"\"")
    let close = (isMultiline ? "\"\"\"" : "\"") + pounds
    mark(.literal, hashes + (isMultiline ? 3 : 1))
    while at < bytes.count, !sees(close) {
      // An unclosed literal ends with its line, so that a misread quote cannot hide a file.
      if !isMultiline, bytes[at] == UInt8(ascii: "\n") { return }
      if sees("\\" + pounds + "(") {
        mark(.literal, hashes + 2)
        code()
        mark(.literal)
      } else if sees("\\" + pounds) {
        mark(.literal, hashes + 2)
      } else {
        mark(.literal)
      }
    }
    mark(.literal, close.utf8.count)
    at -= 1
  }

  private func sees(_ text: String) -> Bool {
    guard at + text.utf8.count <= bytes.count else { return false }
    return zip(bytes[at...], text.utf8).allSatisfy { $0 == $1 }
  }

  private mutating func mark(_ kind: SyntaxKind, _ count: Int = 1) {
    for _ in 0..<count where at < bytes.count {
      kinds[at] = kind
      at += 1
    }
  }
}
