import AlertCore

/// Reads contacts out of a CSV table (RFC 4180) whose first line has titles: name, number (or
/// phone, mobile, tel), email. Several numbers stand in several columns; the first is chosen.
enum ContactTable {
  static func contacts(in text: String) -> [ContactDraft] {
    let rows = rows(of: text)
    guard let titles = rows.first?.map({ PhoneText.trimmed($0).lowercased() }) else { return [] }
    let names = columns(titles, ["name"])
    let numbers = columns(titles, ["number", "phone", "mobile", "tel"])
    let emails = columns(titles, ["mail"])
    return rows.dropFirst().compactMap { row in
      func values(_ columns: [Int]) -> [String] {
        columns.compactMap { $0 < row.count ? PhoneText.trimmed(row[$0]) : nil }
          .filter { !$0.isEmpty }
      }
      let name = values(names).joined(separator: " ")
      let found = values(numbers).map(PhoneText.plain).filter { !$0.isEmpty }.prefix(8)
      guard !name.isEmpty, !found.isEmpty else { return nil }
      return ContactDraft(
        name: String(name.prefix(100)),
        numbers: found.enumerated().map { ContactDraft.Number(number: $1, chosen: $0 == 0) },
        email: values(emails).first.map { String($0.prefix(ConsoleLimits.text)) })
    }.sorted { $0.name < $1.name }
  }

  private static func columns(_ titles: [String], _ words: [String]) -> [Int] {
    titles.indices.filter { column in words.contains { titles[column].contains($0) } }
  }

  /// Fields in quotes may hold commas, newlines and doubled quotes.
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
