import FobBase

/// Reads persons from a CSV table (RFC 4180) whose first line has titles: name, number (or phone,
/// mobile, tel), email. Several numbers are in several columns.
enum ContactTable {
  /// The persons in the order of the rows, at most `ConsoleLimits.people`.
  static func people(in text: String) -> [WrittenPerson] {
    let rows = rows(of: text)
    guard let titles = rows.first?.map({ TypedContact.trimmed($0).lowercased() }) else { return [] }
    let names = columns(titles, ["name"])
    let numbers = columns(titles, ["number", "phone", "mobile", "tel"])
    let emails = columns(titles, ["mail"])
    guard !names.isEmpty, !numbers.isEmpty else { return [] }
    return rows.dropFirst().prefix(ConsoleLimits.people).enumerated().map { index, row in
      func values(_ columns: [Int]) -> [String] {
        columns.compactMap { $0 < row.count ? TypedContact.trimmed(row[$0]) : nil }
          .filter { !$0.isEmpty }
      }
      let found = numbers.compactMap { column -> WrittenNumber? in
        guard let text = values([column]).first.map(TypedContact.number), !text.isEmpty else {
          return nil
        }
        let isMobile = titles[column].contains("mobile") || titles[column].contains("cell")
        return WrittenNumber(text: text, types: isMobile ? ["cell"] : [])
      }
      return WrittenPerson(
        place: index + 1, name: TypedContact.name(values(names).joined(separator: " ")),
        numbers: Array(found.prefix(Limits.contactNumbers)),
        email: values(emails).first.flatMap(TypedContact.email))
    }
  }

  private static func columns(_ titles: [String], _ words: [String]) -> [Int] {
    titles.indices.filter { column in words.contains { titles[column].contains($0) } }
  }

  /// Quoted fields may hold commas, newlines and doubled quotes.
  private static func rows(of text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field = ""
    var isQuoted = false
    var characters = text.makeIterator()
    var next = characters.next()
    func isSeparator(_ character: Character) -> Bool { character == "," || character == ";" }
    while let character = next {
      next = characters.next()
      if isQuoted {
        if character != "\"" {
          field.append(character)
        } else if next == "\"" {
          field.append("\"")
          next = characters.next()
        } else {
          isQuoted = false
        }
      } else if character == "\"", field.isEmpty {
        isQuoted = true
      } else if isSeparator(character) || character.isNewline {
        row.append(field)
        field = ""
        if character.isNewline {
          if row != [""] { rows.append(row) }
          row = []
        }
      } else {
        field.append(character)
      }
    }
    row.append(field)
    if row != [""] { rows.append(row) }
    return rows
  }
}
