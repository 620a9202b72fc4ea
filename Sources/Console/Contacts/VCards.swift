import AlertCore

/// Reads contacts out of vCards (RFC 6350, and 3.0 and 2.1 as telephones write them): FN or N, TEL,
/// EMAIL; the rest is passed over. What cannot be read yields fewer contacts, never an error.
enum VCards {
  static func contacts(in text: String) -> [ContactDraft] {
    var contacts: [ContactDraft] = []
    var card: Card?
    for line in unfolded(text) {
      let (name, parameters, value) = parts(of: line)
      switch (name, value.uppercased()) {
      case ("BEGIN", "VCARD"): card = Card()
      case ("END", "VCARD"):
        if let draft = card?.draft { contacts.append(draft) }
        card = nil
        if contacts.count > 1_024 { return contacts }
      default: card?.take(name, parameters, value)
      }
    }
    return contacts.sorted { $0.name < $1.name }
  }

  /// A line that begins with a blank goes on with the one before.
  private static func unfolded(_ text: String) -> [String] {
    var lines: [String] = []
    for line in text.split(whereSeparator: \.isNewline) {
      if let first = line.first, first == " " || first == "\t", !lines.isEmpty {
        lines[lines.count - 1] += line.dropFirst()
      } else {
        lines.append(String(line))
      }
    }
    return lines
  }

  /// `item1.TEL;TYPE=cell:+1555` → TEL, TYPE=CELL, +1555
  private static func parts(of line: String) -> (String, String, String) {
    guard let colon = line.firstIndex(of: ":") else { return ("", "", "") }
    let head = line[..<colon].uppercased()
    let property = head.prefix { $0 != ";" }
    let name = property.split(separator: ".").last.map(String.init) ?? ""
    return (name, String(head.dropFirst(property.count)), String(line[line.index(after: colon)...]))
  }

  private struct Card {
    var fullName = ""
    var structuredName = ""
    var numbers: [(number: String, isPreferred: Bool)] = []
    var email: String?

    mutating func take(_ name: String, _ parameters: String, _ value: String) {
      switch name {
      case "FN": fullName = VCards.plain(value)
      case "N":
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        structuredName = [parts.dropFirst().first, parts.first].compactMap { $0 }
          .map { VCards.plain(String($0)) }.filter { !$0.isEmpty }.joined(separator: " ")
      case "TEL":
        let number = PhoneText.plain(value)
        let isPreferred = parameters.contains("PREF")
        if !number.isEmpty, numbers.count < 8 { numbers.append((number, isPreferred)) }
      case "EMAIL": email = email ?? VCards.plain(value)
      default: break
      }
    }

    var draft: ContactDraft? {
      let name = fullName.isEmpty ? structuredName : fullName
      guard !name.isEmpty, !numbers.isEmpty else { return nil }
      let chosen = numbers.firstIndex(where: \.isPreferred) ?? 0
      return ContactDraft(
        name: String(name.prefix(100)),
        numbers: numbers.enumerated().map {
          ContactDraft.Number(number: $1.number, chosen: $0 == chosen)
        },
        email: email.flatMap { $0.isEmpty ? nil : String($0.prefix(ConsoleLimits.text)) })
    }
  }

  /// RFC 6350, 3.4: backslash escapes.
  private static func plain(_ value: String) -> String {
    var text = ""
    var isEscaped = false
    for character in value {
      if isEscaped {
        text.append(character == "n" || character == "N" ? " " : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
      }
    }
    return PhoneText.trimmed(text)
  }
}

/// Numbers as people write them.
enum PhoneText {
  /// Digits with a leading +; `tel:` and what groups the digits are taken away.
  static func plain(_ text: String) -> String {
    let value = text.lowercased().hasPrefix("tel:") ? String(text.dropFirst(4)) : text
    let kept = value.prefix { $0 != ";" }.filter { $0 == "+" || ("0"..."9").contains($0) }
    let digits = kept.filter { $0 != "+" }
    return String((kept.first == "+" ? "+" : "") + digits.prefix(20))
  }

  static func trimmed(_ text: String) -> String {
    var rest = text.drop(while: \.isWhitespace)
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
