import AlertCore
import Bridge
import FobBase
import HTTPTypes
import Hummingbird

/// The five messages: slots, sending, what was sent, and the help links (R62 to R68).
enum MessageOperations {
  private static let place: [Operation.Parameter] = [
    .path("n", MessageShapes.slot, "The slot: it is sent by n + 1 clicks")
  ]
  private static let slot = JSONSchema.reference("MessageSlot")
  private static let slots = Operation.Success.json(
    .open(.needed("slots", .array(slot, limit: 5))), "All five; an empty one has no text")
  private static let linkList = JSONSchema.closed(.needed("links", MessageShapes.links))

  static let all = [
    Operation(
      method: .get, path: "/v1/messages/slots", scope: .observe,
      summary: "The five messages, and what was last sent of each", success: [slots],
      handler: { Reply.json(Slots(slots: views($0))) }),
    Operation(
      method: .put, path: "/v1/messages/slots/{n}", scope: .administer,
      summary: "Replaces a slot: a contact, or a name and a number, and a text; after set-up it"
        + " needs the PIN",
      parameters: place, form: .json(.reference("MessageDraft"), isRequired: true),
      success: [.json(slot, "As it is now")], problems: Operation.refusals, handler: fill),
    Operation(
      method: .delete, path: "/v1/messages/slots/{n}", scope: .administer,
      summary: "Empties a slot, and cancels what of it was not handed out; after set-up it needs"
        + " the PIN",
      parameters: place, form: .json(.closed(.optional("pin", .pin)), isRequired: false),
      success: [.json(.reference("Done"), "It is durable")], problems: Operation.refusals,
      handler: { call in
        Reply.json(Done(try await call.message(.empty(slot: number(in: call)), pin: call.pin)))
      }),
    Operation(
      method: .post, path: "/v1/messages/slots/{n}/send", scope: .operate,
      summary: "Sends a slot's message; a second one within 60 s is the one before",
      parameters: place, form: .json(.closed(.needed("key", MessageShapes.key)), isRequired: true),
      isUrgent: true,
      success: [
        .json(.reference("MessageSend"), "It is durable, and is sent", status: .accepted)
      ], problems: Operation.refusals, handler: send),
    Operation(
      method: .get, path: "/v1/messages", scope: .observe,
      summary: "What was asked for and what became of it, latest first",
      parameters: [
        .query("before", MessageShapes.cursor, "Those that come after this row"),
        .query("limit", .integer(1...Int64(ConsoleLimits.rows)), "At most so many"),
      ],
      success: [
        .json(
          .open(
            .needed("messages", .array(.reference("MessageSend"), limit: ConsoleLimits.rows)),
            .needed("total", .count), .optional("next", MessageShapes.cursor)),
          "next goes on, as before")
      ], handler: list),
    Operation(
      method: .get, path: "/v1/help/links", scope: .observe, summary: "Where the owner finds help",
      success: [.json(linkList, "In the owner's order")],
      handler: { Reply.json(Links(links: $0.core.messages.links)) }),
    Operation(
      method: .put, path: "/v1/help/links", scope: .administer,
      summary: "Replaces the help links, \(HelpLink.most) at most",
      form: .json(linkList, isRequired: true), success: [.json(linkList, "As they are now")],
      problems: Operation.refusals, handler: setLinks),
  ]

  private struct Slots: Encodable { let slots: [MessageSlotView] }
  private struct Links: Encodable { let links: [HelpLink] }

  private struct List: Encodable {
    let messages: [MessageSendView]
    let total: Int
    let next: String?
  }

  static func number(in call: Call) -> Int { Int(call.parameter("n")) ?? 0 }

  private static func views(_ call: Call) -> [MessageSlotView] {
    MessageSlotView.all(call.core.messages, call.core.completeSlots, call.core.account)
  }

  private static func list(_ call: Call) async throws -> Response {
    let sends = call.core.messages.sends
    let before = call.query["before"].flatMap { MessageCursor($0) }
    let rows = sends.map { (cursor: MessageCursor($0), send: $0) }
      .filter { row in before.map { row.cursor < $0 } ?? true }
      .sorted { $1.cursor < $0.cursor }
    let page = rows.prefix(call.limit)
    return Reply.json(
      List(
        messages: page.map { MessageSendView($0.send) }, total: sends.count,
        next: rows.count > call.limit ? page.last?.cursor.text : nil))
  }

  private static func fill(_ call: Call) async throws -> Response {
    let json = call.body.json
    let draft = MessageSlot(
      slot: number(in: call), contact: json["contact"]?.text, name: json["name"]?.text ?? "",
      number: json["number"]?.text ?? "", message: json["message"]?.text ?? "",
      addsPosition: json["addsPosition"] == .boolean(true))
    _ = try await call.message(.fill(draft), pin: call.pin)
    return Reply.json(views(call)[draft.slot - 1])
  }

  private static func send(_ call: Call) async throws -> Response {
    let (slot, key) = (number(in: call), call.body.json["key"]?.text ?? "")
    let (core, who) = (call.core, call.who)
    _ = try await call.durableAnswer {
      core.perform(.message(.send(slot: slot, key: key), isProven: false), by: who, answer: $0)
    }
    guard let send = core.messages.send(askedBy: key, slot: slot) else {
      throw Problem(.conflict, "changedMeanwhile", "sent, and no more in the list meanwhile")
    }
    return Reply.json(MessageSendView(send), status: .accepted)
  }

  private static func setLinks(_ call: Call) async throws -> Response {
    let links = (call.body.json["links"]?.elements ?? []).map { link in
      HelpLink(
        label: link["label"]?.text ?? "", phone: link["phone"]?.text ?? "",
        address: link["address"]?.text ?? "")
    }
    _ = try await call.perform(.message(.links(links), isProven: false))
    return Reply.json(Links(links: call.core.messages.links))
  }
}

/// The place of a row in the list: rows that come and go between two pages move no other row.
private struct MessageCursor: Comparable {
  let moment: Int64
  let id: String

  init(_ send: MessageSend) { (moment, id) = (send.decidedWall, send.id.description) }

  /// - Returns: nil for a text that `text` never gives.
  init?(_ text: String) {
    let parts = text.split(separator: "-", maxSplits: 1)
    guard parts.count == 2, let moment = Int64(parts[0]) else { return nil }
    (self.moment, id) = (moment, String(parts[1]))
  }

  var text: String { "\(moment)-\(id)" }

  static func < (a: Self, b: Self) -> Bool { (a.moment, a.id) < (b.moment, b.id) }
}
