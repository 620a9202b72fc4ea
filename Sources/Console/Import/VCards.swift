import FobBase

/// A person of a file of contacts, as it is written there.
struct WrittenPerson: Equatable {
  /// Which card or row of the file it is, from 1.
  let place: Int
  /// At most 100 bytes, on one line; empty: the file gives none.
  let name: String
  /// At most `Limits.contactNumbers`.
  let numbers: [WrittenNumber]
  /// Nil: the file gives none.
  let email: String?
}

/// A number of a file of contacts.
struct WrittenNumber: Equatable {
  /// As it is written, at most 40 characters.
  let text: String
  /// Words of `VCards.types`, as in "cell".
  var types: [String] = []
  /// The file says that this one is to be called first.
  var isPreferred = false
}

/// Reads persons from vCards (RFC 6350, and 3.0 and 2.1 as telephones write them): FN or N, TEL,
/// EMAIL; other properties are skipped. Unreadable cards give fewer persons, never an error.
enum VCards {
  /// What a number is for; other words are left out.
  static let types = ["cell", "home", "work", "main", "other", "fax", "pager"]

  /// The persons in the order of the file, at most `ConsoleLimits.people`.
  static func people(in text: String) -> [WrittenPerson] {
    var people: [WrittenPerson] = []
    var card: Card?
    for line in unfolded(text) {
      let (name, parameters, value) = parts(of: line)
      switch (name, value.uppercased()) {
      case ("BEGIN", "VCARD"): card = Card()
      case ("END", "VCARD"):
        if let card { people.append(card.person(people.count + 1)) }
        card = nil
        if people.count == ConsoleLimits.people { return people }
      default: card?.take(name, parameters, value)
      }
    }
    return people
  }

  /// A line that begins with a blank continues the line before, and in 2.1 one behind a "=".
  private static func unfolded(_ text: String) -> [String] {
    var lines: [String] = []
    // Looked for once in each line: it may be joined of thousands.
    var isLastQuoted = false
    for line in text.split(whereSeparator: \.isNewline) {
      let last = lines.count - 1
      if let first = line.first, first == " " || first == "\t", last >= 0 {
        lines[last] += line.dropFirst()
      } else if last >= 0, isLastQuoted, lines[last].utf8.last == UInt8(ascii: "=") {
        lines[last].removeLast()
        lines[last] += line
      } else {
        lines.append(String(line))
        isLastQuoted = isQuoted(lines[last + 1])
      }
    }
    return lines
  }

  private static func isQuoted(_ head: String) -> Bool {
    head.prefix { $0 != ":" }.uppercased().contains("QUOTED-PRINTABLE")
  }

  /// `item1.TEL;TYPE=cell:+1555` → TEL, TYPE=CELL, +1555
  private static func parts(of line: String) -> (String, String, String) {
    guard let colon = line.firstIndex(of: ":") else { return ("", "", "") }
    let head = line[..<colon].uppercased()
    let property = head.prefix { $0 != ";" }
    let name = property.split(separator: ".").last.map(String.init) ?? ""
    let value = String(line[line.index(after: colon)...])
    return (
      name, String(head.dropFirst(property.count)), isQuoted(head) ? unquoted(value) : value
    )
  }

  /// `=C3=A9` → é
  private static func unquoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "="), let code = UInt8(String(rest.prefix(2)) ?? "", radix: 16) {
        rest = rest.dropFirst(2)
        bytes.append(code)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private struct Card {
    var fullName = ""
    var structuredName = ""
    var numbers: [WrittenNumber] = []
    var email: String?

    mutating func take(_ name: String, _ parameters: String, _ value: String) {
      switch name {
      case "FN": fullName = VCards.plain(value)
      case "N":
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        structuredName = [parts.dropFirst().first, parts.first].compactMap { $0 }
          .map { VCards.plain(String($0)) }.filter { !$0.isEmpty }.joined(separator: " ")
      case "TEL":
        let number = TypedContact.number(VCards.plain(value))
        guard !number.isEmpty, numbers.count < Limits.contactNumbers else { return }
        let words = parameters.lowercased().split { ";,=\"".contains($0) }.map(String.init)
        numbers.append(
          WrittenNumber(
            text: number, types: VCards.types.filter(words.contains),
            isPreferred: words.contains("pref")))
      case "EMAIL": email = email ?? VCards.plain(value)
      default: break
      }
    }

    func person(_ place: Int) -> WrittenPerson {
      WrittenPerson(
        place: place, name: TypedContact.name(fullName.isEmpty ? structuredName : fullName),
        numbers: numbers, email: email.flatMap(TypedContact.email))
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
    return text
  }
}

/// Texts of a file, brought to the lengths that a contact may have.
enum TypedContact {
  /// At most 100 bytes, on one line.
  static func name(_ text: String) -> String {
    var name = ""
    let oneLine = text.map { $0.isNewline || $0 < " " || $0 == "\u{7F}" ? " " : $0 }
    for character in trimmed(String(oneLine)) {
      guard name.utf8.count + character.utf8.count <= 100 else { break }
      name.append(character)
    }
    return trimmed(name)
  }

  /// Without `tel:` and what follows a semicolon, at most 40 characters.
  static func number(_ text: String) -> String {
    let value = trimmed(text)
    let plain = value.lowercased().hasPrefix("tel:") ? String(value.dropFirst(4)) : value
    return trimmed(String(plain.prefix { $0 != ";" }.prefix(40)))
  }

  /// Nil where there is none.
  static func email(_ text: String) -> String? {
    let plain = trimmed(text)
    return plain.isEmpty ? nil : String(plain.prefix(ConsoleLimits.text))
  }

  static func trimmed(_ text: String) -> String {
    var rest = text.drop(while: \.isWhitespace)
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
