import AlertCore
import FobBase
import Hummingbird

/// The contacts, who are told (R14 to R18, R23).
enum ContactOperations {
  private static let id = Operation.Parameter.path("id", .text(1...200), "The contact")
  private static let contact = Operation.Success.json(.reference("Contact"), "As it is now")

  static let all = [
    Operation(
      method: .get, path: "/v1/contacts", scope: .observe, summary: "Every contact",
      success: [
        .json(
          .open(
            .needed("total", .count),
            .needed("contacts", .array(.reference("Contact"), limit: Limits.contacts))),
          "By name")
      ], handler: { Reply.json(List($0.core.account)) }),
    Operation(
      method: .post, path: "/v1/contacts", scope: .administer,
      summary: "Adds a contact with one chosen number",
      form: .json(
        .closed(
          .needed("name", .text(1...100)),
          .needed("numbers", .array(Components.number, limit: 8)),
          .optional("email", .nullable(.text)), .optional("pin", .pin)),
        isRequired: true),
      success: [.json(.reference("Contact"), "As it is now", status: .created)],
      problems: Operation.refusals, handler: add),
    Operation(
      method: .patch, path: "/v1/contacts/{id}", scope: .administer, summary: "Edits a contact",
      parameters: [id],
      form: .json(
        .closed(
          .optional("name", .text(1...100)),
          .optional("numbers", .array(Components.number, limit: 8)),
          .optional("email", .nullable(.text)), .optional("pin", .pin)),
        isRequired: true),
      success: [contact], problems: Operation.refusals, handler: edit),
    Operation(
      method: .delete, path: "/v1/contacts/{id}", scope: .administer,
      summary: "Removes a contact", parameters: [id],
      form: .json(.closed(.optional("pin", .pin)), isRequired: false),
      success: [.json(.reference("Done"), "It is gone")], problems: Operation.refusals,
      handler: remove),
    Operation(
      method: .post, path: "/v1/contacts/import", scope: .administer,
      summary: "Adds those of a vCard or CSV file; a name that is there already is passed over",
      parameters: [
        Operation.Parameter(
          name: "Fob-PIN", place: .header, schema: .pin,
          summary: "Where one is needed, for a body that is no JSON")
      ],
      form: .text(
        ["text/vcard", "text/csv"],
        .closed(
          .optional("vcard", .text(0...ConsoleLimits.body)),
          .optional("csv", .text(0...ConsoleLimits.body)), .optional("pin", .pin))),
      most: ConsoleLimits.body,
      success: [
        .json(
          .open(
            .needed("total", .count),
            .needed("contacts", .array(.reference("Contact"), limit: Limits.contacts))),
          "All contacts, by name")
      ], problems: Operation.refusals, handler: bring),
  ]

  private struct List: Encodable {
    let total: Int
    let contacts: [ContactView]

    init(_ account: Account) {
      total = account.contacts.count
      contacts = account.contacts.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        .map(ContactView.init)
    }
  }

  private struct Edit: Decodable {
    let name: String?
    let numbers: [ContactDraft.Number]?
    let email: String?
    let pin: String?
  }

  private static func add(_ call: Call) async throws -> Response {
    let before = Set(call.core.account.contacts.map(\.id))
    let draft: ContactDraft = try call.decode()
    _ = try await call.change(.addContact(draft), pin: try call.decode(Edit.self).pin)
    guard
      let added = call.core.account.contacts.first(where: {
        !before.contains($0.id) && $0.name == draft.name
      })
    else { throw Problem(.conflict, "changedMeanwhile", "added, and changed again meanwhile") }
    return Reply.json(ContactView(added), status: .created)
  }

  private static func edit(_ call: Call) async throws -> Response {
    let edit: Edit = try call.decode()
    let present = try contact(of: call)
    let view = ContactView(present)
    let isEmailGiven = call.body.json["email"] != nil
    let draft = ContactDraft(
      name: edit.name ?? view.name, numbers: edit.numbers ?? view.numbers,
      email: isEmailGiven ? edit.email : view.email)
    _ = try await call.change(.editContact(present.id, draft), pin: edit.pin)
    return Reply.json(ContactView(try contact(of: call)))
  }

  private static func remove(_ call: Call) async throws -> Response {
    let pin = try call.decode(Edit.self).pin
    return Reply.json(
      Done(try await call.change(.removeContact(try contact(of: call).id), pin: pin)))
  }

  private static func contact(of call: Call) throws(Problem) -> Contact {
    let id = call.parameter("id")
    guard let contact = call.core.account.contacts.first(where: { $0.id == id }) else {
      throw Problem(UserCommand.Refusal.unknownContact)
    }
    return contact
  }

  private static func bring(_ call: Call) async throws -> Response {
    var pin = call.query["Fob-PIN"]
    let drafts: [ContactDraft]
    switch call.body.type {
    case "text/vcard": drafts = VCards.contacts(in: call.body.text)
    case "text/csv": drafts = ContactTable.contacts(in: call.body.text)
    default:
      pin = call.body.json["pin"]?.text
      drafts =
        VCards.contacts(in: call.body.json["vcard"]?.text ?? "")
        + ContactTable.contacts(in: call.body.json["csv"]?.text ?? "")
    }
    guard !drafts.isEmpty else {
      throw Problem(
        .unprocessableContent, "noContacts",
        "no contact with a name and a number was found; CSV needs a line of titles with name and"
          + " number")
    }
    guard drafts.count <= Limits.contacts else {
      throw Problem(UserCommand.Refusal.tooMany("contacts", limit: Limits.contacts))
    }
    _ = try await call.change(.importContacts(drafts), pin: pin)
    return Reply.json(List(call.core.account))
  }
}

/// Reads contacts from a CSV table (RFC 4180) whose first line has titles: name, number (or phone,
/// mobile, tel), email. Several numbers are in several columns; the first is chosen.
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

/// Reads contacts from vCards (RFC 6350, and 3.0 and 2.1 as telephones write them): FN or N, TEL,
/// EMAIL; other properties are skipped. Unreadable cards give fewer contacts, never an error.
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

  /// A line that begins with a blank continues the line before.
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

/// Telephone numbers as people write them.
enum PhoneText {
  /// Keeps the digits and a leading +; removes `tel:` and characters that group digits.
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
