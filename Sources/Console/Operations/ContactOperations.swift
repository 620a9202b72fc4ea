import AlertCore
import FobBase
import Hummingbird

/// The contacts, who are told (R14 to R18, R23).
enum ContactOperations {
  private static let id = Operation.Parameter.path("id", .text(1...200), "The contact")
  /// BCP 47; null: the account's.
  private static let language = JSONSchema.nullable(.text(0...35))
  private static let contact = Operation.Success.json(.reference("Contact"), "As it is now")

  static let all =
    [
      Operation(
        method: .get, path: "/v1/contacts", scope: .observe, summary: "Every contact",
        success: [
          .json(
            .open(
              .needed("total", .count),
              .needed("contacts", .array(.reference("Contact"), limit: Limits.contacts))),
            "As people sort names")
        ], handler: { Reply.json(List($0.core.account)) }),
      Operation(
        method: .post, path: "/v1/contacts", scope: .administer,
        summary: "Adds a contact with one chosen number; that needs no PIN",
        form: .json(
          .closed(
            .needed("name", .text(1...100)),
            .needed("numbers", .array(Components.number, limit: 8)),
            .optional("email", .nullable(.text)), .optional("language", language),
            .optional("pin", .pin)),
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
            .optional("email", .nullable(.text)), .optional("language", language),
            .optional("pin", .pin)),
          isRequired: true),
        success: [contact], problems: Operation.refusals, handler: edit),
      Operation(
        method: .delete, path: "/v1/contacts/{id}", scope: .administer,
        summary: "Removes a contact", parameters: [id],
        form: .json(.closed(.optional("pin", .pin)), isRequired: false),
        success: [.json(.reference("Done"), "It is gone")], problems: Operation.refusals,
        handler: remove),
    ] + ImportOperations.all

  private struct List: Encodable {
    let total: Int
    let contacts: [ContactView]

    init(_ account: Account) {
      contacts = ContactView.all(of: account)
      total = contacts.count
    }
  }

  private struct Edit: Decodable {
    let name: String?
    let numbers: [ContactDraft.Number]?
    let email: String?
    let language: String?
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
    // Null takes it away; what is not said stays.
    func isGiven(_ part: String) -> Bool { call.body.json[part] != nil }
    let draft = ContactDraft(
      name: edit.name ?? view.name, numbers: edit.numbers ?? view.numbers,
      email: isGiven("email") ? edit.email : view.email,
      language: isGiven("language") ? edit.language : view.language)
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
}
