import AlertCore
import FobBase
import HTTPTypes
import Hummingbird

/// The five messages as files: a line each for name, number and message, in ASCII, the last with
/// its newline, too. What is written is read back byte for byte.
enum MessageFileOperations {
  private static let place: [Operation.Parameter] = [
    .path("file", .pattern("^alert0[1-5]\\.txt$", 11...11), "alert01.txt to alert05.txt")
  ]
  private static let type = "text/plain"

  static let all = [
    Operation(
      method: .get, path: "/v1/messages/files/{file}", scope: .observe,
      summary: "A slot as a file of three lines: name, number, message; an empty one has three"
        + " empty lines",
      parameters: place, success: [.other(type, "ASCII")], problems: [409], handler: show),
    Operation(
      method: .put, path: "/v1/messages/files/{file}", scope: .administer,
      summary: "Fills a slot out of such a file, or empties it by three empty lines; after set-up"
        + " it needs the PIN",
      parameters: place + [
        Operation.Parameter(
          name: "Fob-PIN", place: .header, schema: .pin, summary: "For a body that is no JSON")
      ],
      form: .text(
        [type], .object([.needed("text", .text), .optional("pin", .pin)], open: false)),
      success: [.other(type, "The file as it is now")], problems: Operation.refusals,
      handler: bring),
  ]

  private static func slot(in call: Call) -> Int {
    call.parameter("file").utf8.dropFirst(6).first.map { Int($0 - UInt8(ascii: "0")) } ?? 0
  }

  private static func show(_ call: Call) async throws -> Response {
    let slot = slot(in: call)
    let filled = call.core.messages.slots[slot] ?? MessageSlot(slot: slot)
    let text = lines(of: filled, call.core.account)
    if let foreign = foreign(in: text) {
      throw Problem(.conflict, "notASCII", "a file cannot have \(foreign)")
    }
    return Reply.text(text, type)
  }

  private static func bring(_ call: Call) async throws -> Response {
    let isJSON = call.body.type != type
    let pin = isJSON ? call.pin : call.query["Fob-PIN"]
    let text = isJSON ? call.body.json["text"]?.text ?? "" : call.body.text
    let account = call.core.account
    let draft = try slot(slot(in: call), of: text, call.core.messages.slots, account)
    if text == "\n\n\n" {
      if call.core.messages.slots[draft.slot] != nil {
        _ = try await call.message(.empty(slot: draft.slot), pin: pin)
      }
      return Reply.text(text, type)
    }
    let checked: MessageSlot
    do throws(UserCommand.Refusal) {
      checked = try draft.checked(account)
    } catch {
      throw Problem(error)
    }
    let stored = lines(of: checked, account)
    guard stored == text else {
      throw Problem.wrong(
        "text", "it would be kept as \(stored.split(separator: "\n").joined(separator: " | "))")
    }
    _ = try await call.message(.fill(draft), pin: pin)
    return Reply.text(stored, type)
  }

  private static func lines(of slot: MessageSlot, _ account: Account) -> String {
    let recipient = slot.recipient(in: account)
    let (name, number) = (
      recipient?.name ?? slot.name, recipient?.number ?? slot.number
    )
    return "\(name)\n\(number)\n\(slot.message)\n"
  }

  /// What the file says; a contact of that name and number stays one, and so does the switch.
  private static func slot(
    _ slot: Int, of text: String, _ slots: [Int: MessageSlot], _ account: Account
  ) throws(Problem) -> MessageSlot {
    if let foreign = foreign(in: text) { throw .wrong("text", "a file cannot have \(foreign)") }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 4, lines[3].isEmpty else {
      throw .wrong("text", "it has not three lines, each with its newline: name, number, message")
    }
    let before = slots[slot]
    let contact = before?.contact.flatMap { id in account.contacts.first { $0.id == id } }
    let isSame = contact?.name == lines[0] && contact?.number == lines[1]
    return MessageSlot(
      slot: slot, contact: isSame ? contact?.id : nil, name: isSame ? "" : lines[0],
      number: isSame ? "" : lines[1], message: lines[2],
      addsPosition: before?.addsPosition ?? false)
  }

  /// The first character that is neither printable ASCII nor a newline, by its code and name.
  private static func foreign(in text: String) -> String? {
    let found = text.unicodeScalars.first {
      $0 != "\n" && !(0x20...0x7E).contains($0.value)
    }
    return found.map { scalar in
      let code = String(scalar.value, radix: 16, uppercase: true)
      let digits = String(repeating: "0", count: max(0, 4 - code.count)) + code
      return "U+\(digits) \(scalar.properties.name ?? scalar.properties.nameAlias ?? "")"
    }
  }
}
