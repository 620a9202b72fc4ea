/// What people type, checked and in the form in which it is kept.
enum FieldValidation {
  static func name(_ text: String, _ part: String) throws(UserCommand.Refusal) -> String {
    let trimmed = trim(text)
    guard !trimmed.isEmpty else { throw .invalid(part, "is empty") }
    guard trimmed.utf8.count <= 100 else { throw .invalid(part, "has more than 100 bytes") }
    guard trimmed.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw .invalid(part, "has a control character")
    }
    return trimmed
  }

  /// E.164: a plus, the country's code, up to 15 digits; spaces, hyphens, dots and brackets are
  /// passed over (R57).
  static func number(_ text: String, _ part: String) throws(UserCommand.Refusal) -> String {
    let kept = text.filter { !" -.()".contains($0) }
    let digits = kept.utf8.dropFirst()
    guard kept.utf8.first == UInt8(ascii: "+"), (7...15).contains(digits.count),
      digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.first != 0x30
    else { throw .invalid(part, "is no number in E.164, as in +15555550100") }
    return kept
  }

  /// One @ between a local part and a domain with a dot, in ASCII (RFC 5321's lengths).
  static func email(_ text: String, _ part: String) throws(UserCommand.Refusal) -> String {
    let trimmed = trim(text)
    let parts = trimmed.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...64).contains(parts[0].utf8.count), trimmed.utf8.count <= 254,
      trimmed.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !#",;:<>()[]\""#.utf8.contains($0) }),
      parts[1].split(separator: ".", omittingEmptySubsequences: false).count >= 2,
      parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
    else { throw .invalid(part, "is no mail address, as in owner@example.org") }
    return trimmed
  }

  /// ISO 3166's two letters.
  static func country(_ text: String) throws(UserCommand.Refusal) -> String {
    guard text.utf8.count == 2, text.utf8.allSatisfy(isLetter) else {
      throw .invalid("country", "is not two letters, as in FR")
    }
    return text.uppercased()
  }

  /// BCP 47's shape.
  static func language(_ text: String) throws(UserCommand.Refusal) -> String {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count <= 35, (2...8).contains(parts[0].utf8.count),
      parts[0].utf8.allSatisfy(isLetter),
      parts.dropFirst().allSatisfy({
        (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { isLetter($0) || isDigit($0) }
      })
    else { throw .invalid("language", "is no language tag, as in en or fr-CA") }
    return text
  }

  /// The shape of an IANA name; whether there is such a zone only its tables know.
  static func zone(_ text: String) throws(UserCommand.Refusal) -> String {
    guard (1...64).contains(text.utf8.count),
      text.utf8.allSatisfy({ isLetter($0) || isDigit($0) || "_+-/".utf8.contains($0) })
    else { throw .invalid("zone", "is no time zone, as in Europe/Paris") }
    return text
  }

  private static func trim(_ text: String) -> String {
    var part = Substring(text)
    while part.first?.isWhitespace == true { part.removeFirst() }
    while part.last?.isWhitespace == true { part.removeLast() }
    return String(part)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
