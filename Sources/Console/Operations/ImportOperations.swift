import AlertCore
import FobBase
import Hummingbird

/// Contacts out of a telephone's book: looked at first, then taken (R23, R120).
enum ImportOperations {
  private static let file: [JSONSchema.Property] = [
    .optional("vcard", .text(0...ConsoleLimits.body)),
    .optional("csv", .text(0...ConsoleLimits.body)), .optional("pin", .pin),
  ]
  private static let types = ["text/vcard", "text/csv"]
  private static let wrong = JSONSchema.array(
    .open(.needed("person", .count), .needed("name", .text), .needed("problem", .text(0...2_000))),
    limit: ConsoleLimits.people)

  static let all = [
    Operation(
      method: .post, path: "/v1/contacts/import/preview", scope: .administer,
      summary: "The persons of a vCard or CSV file with their numbers; adds none",
      form: .text(types, .object(file, open: false)), most: ConsoleLimits.body,
      success: [
        .json(
          .open(
            .needed("total", .count), .needed("people", people), .needed("wrong", wrong)),
          "As people sort names, and the cards that give no contact")
      ], problems: [422], handler: preview),
    Operation(
      method: .post, path: "/v1/contacts/import", scope: .administer,
      summary: "Adds those of a vCard or CSV file, or those that take names; a name that is there"
        + " already is passed over",
      parameters: [
        Operation.Parameter(
          name: "Fob-PIN", place: .header, schema: .pin,
          summary: "For a body that is no JSON; none is needed, and one that is sent is checked")
      ],
      form: .text(
        types,
        .object(
          file + [
            .optional(
              "take",
              .array(
                .closed(
                  .needed("person", .integer(1...Int64(ConsoleLimits.people))),
                  .needed("number", .text(1...40))), limit: Limits.contacts))
          ], open: false)),
      most: ConsoleLimits.body,
      success: [
        .json(
          .open(
            .needed("total", .count),
            .needed("contacts", .array(.reference("Contact"), limit: Limits.contacts)),
            .needed("added", .array(.text, limit: Limits.contacts)),
            .needed("passedOver", wrong), .needed("wrong", wrong)),
          "All contacts, as people sort names, and what became of the file's")
      ], problems: Operation.refusals, handler: bring),
  ]

  private static let people = JSONSchema.array(
    .open(
      .needed("person", .count), .needed("name", .text), .optional("email", .text),
      .needed(
        "numbers",
        .array(
          .open(
            .needed("written", .text), .optional("number", .text),
            .needed("types", .array(.choice(VCards.types), limit: VCards.types.count)),
            .needed("chosen", .boolean), .optional("problem", .text(0...2_000))),
          limit: Limits.contactNumbers)),
      .optional("contact", .text),
      .optional("duplicate", .choice(ContactImport.Duplicate.allCases.map(\.rawValue))),
      .optional("problem", .text)),
    limit: ConsoleLimits.people)

  private struct Choices: Decodable {
    struct Choice: Decodable {
      let person: Int
      let number: String
    }

    let take: [Choice]?
  }

  private struct Preview: Encodable {
    let total: Int
    let people: [ContactImport.Person]
    let wrong: [ContactImport.Wrong]
  }

  private struct Brought: Encodable {
    let total: Int
    let contacts: [ContactView]
    let added: [ContactID]
    let passedOver: [ContactImport.Wrong]
    let wrong: [ContactImport.Wrong]
  }

  private static func preview(_ call: Call) async throws -> Response {
    let found = try read(call)
    return Reply.json(Preview(total: found.people.count, people: found.people, wrong: found.wrong))
  }

  /// - Throws: `Problem` where nobody can be taken; it names the first card that is wrong.
  private static func read(_ call: Call) throws(Problem) -> ContactImport {
    let written: [WrittenPerson] =
      switch call.body.type {
      case "text/vcard": VCards.people(in: call.body.text)
      case "text/csv": ContactTable.people(in: call.body.text)
      default:
        if let cards = call.body.json["vcard"]?.text, !cards.isEmpty {
          VCards.people(in: cards)
        } else {
          ContactTable.people(in: call.body.json["csv"]?.text ?? "")
        }
      }
    let found = ContactImport(written, call.core.account)
    guard !found.people.isEmpty else {
      throw Problem(
        .unprocessableContent, "noContacts",
        found.wrong.first?.problem
          ?? "no contact with a name and a number was found; CSV needs a line of titles with name"
          + " and number")
    }
    return found
  }

  private static func bring(_ call: Call) async throws -> Response {
    let isJSON = !types.contains(call.body.type)
    let pin = isJSON ? call.body.json["pin"]?.text : call.query["Fob-PIN"]
    let found = try read(call)
    let account = call.core.account
    let take = isJSON ? try call.decode(Choices.self).take : nil
    let (drafts, passedOver) = fresh(try chosen(take, of: found), account)
    guard !drafts.isEmpty else {
      throw Problem(.conflict, "unchanged", "nobody is new: each is a contact already")
    }
    guard account.contacts.count + drafts.count <= Limits.contacts else {
      throw Problem(UserCommand.Refusal.tooMany("contacts", limit: Limits.contacts))
    }
    _ = try await call.change(.importContacts(drafts), pin: pin)
    let before = Set(account.contacts.map(\.id))
    let names = Set(drafts.map(\.name))
    let now = call.core.account
    let added = now.contacts.filter { !before.contains($0.id) && names.contains($0.name) }
    return Reply.json(
      Brought(
        total: now.contacts.count, contacts: ContactView.all(of: now), added: added.map(\.id),
        passedOver: passedOver, wrong: take == nil ? found.wrong : []))
  }

  private typealias Taken = (person: ContactImport.Person, draft: ContactDraft)

  /// - Parameter take: nil: everybody, with the number that the file prefers.
  private static func chosen(
    _ take: [Choices.Choice]?, of found: ContactImport
  ) throws(Problem) -> [Taken] {
    guard let take else {
      return found.people.compactMap { person in
        person.draft(choosing: nil).map { (person, $0) }
      }
    }
    var taken: [Taken] = []
    for choice in take {
      let person = found.people.first { $0.person == choice.person }
      guard let person, let draft = person.draft(choosing: choice.number) else {
        throw Problem(
          .unprocessableContent, "invalid",
          "take: card \(choice.person) has no person with the number \(choice.number)",
          field: "take")
      }
      taken.append((person, draft))
    }
    return taken
  }

  /// Those whose name is new, and the others.
  private static func fresh(
    _ taken: [Taken], _ account: Account
  ) -> ([ContactDraft], [ContactImport.Wrong]) {
    var names = Set(account.contacts.map(\.name))
    var drafts: [ContactDraft] = []
    var passedOver: [ContactImport.Wrong] = []
    for (person, draft) in taken {
      if names.insert(draft.name).inserted {
        drafts.append(draft)
      } else {
        let problem = person.contact == nil ? "is twice in the file" : "is a contact already"
        passedOver.append(.init(person: person.person, name: person.name, problem: problem))
      }
    }
    return (drafts, passedOver)
  }
}

extension ContactView {
  /// As people sort names.
  static func all(of account: Account) -> [ContactView] {
    let order = NameOrder(account)
    return account.contacts.sorted { order.precedes($0.name, $1.name, $0.id < $1.id) }
      .map(ContactView.init)
  }
}
