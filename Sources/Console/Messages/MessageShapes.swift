import AlertCore
import FobBase

/// The JSON shapes of the five messages.
enum MessageShapes {
  static let slot = JSONSchema.pattern("^[1-5]$", 1...1)
  static let key = JSONSchema.described(
    .text(1...100), "of the caller's choice: the same request sent again sends nothing twice")
  /// A row of the list: its moment and its id.
  static let cursor = JSONSchema.pattern(
    "^[0-9]{1,19}-[0-9a-f]{16}-[0-9a-f]{8}-[0-9a-f]{16}$", 44...62)
  static let links = JSONSchema.array(.reference("HelpLink"), limit: HelpLink.most)

  private static let moment = JSONSchema.integer(Int64.min...Int64.max)
  private static let message = JSONSchema.described(
    .text, "as long as one SMS: 160 septets, or 70 UTF-16 units where it needs them")
  private static let addsPosition = JSONSchema.described(
    .boolean, "the keychain's position is sent behind it, with 35 characters of its length")

  static let all: [String: JSONSchema] = [
    "MessageSlot": .open(
      .needed("slot", .integer(1...5)), .needed("clicks", .integer(2...6)),
      .optional("contact", .text), .needed("name", .text), .needed("number", .text),
      .needed("message", message), .needed("addsPosition", addsPosition),
      .needed("isComplete", .boolean), .needed("units", .count), .needed("limit", .count),
      .optional("last", .reference("MessageSend"))),
    "MessageDraft": .closed(
      .optional("contact", .nullable(.text)), .optional("name", .text(0...100)),
      .optional("number", .text(0...40)), .needed("message", message),
      .optional("addsPosition", addsPosition), .optional("pin", .pin)),
    "MessageSend": .open(
      .needed("id", .incident), .needed("slot", .integer(1...5)), .needed("recipient", .text),
      .optional("number", .text), .needed("message", .text), .needed("by", .text),
      .needed("isBench", .boolean),
      .needed("state", .choice(MessageSend.State.allCases.map(\.rawValue))),
      .needed("attempts", .count), .optional("way", .text), .needed("askedAt", moment),
      .optional("endedAt", moment), .optional("lastError", .text(0...2_000))),
    "HelpLink": .closed(
      .needed("label", .text(1...100)), .optional("phone", .text(0...40)),
      .optional("address", .described(.text(0...500), "begins with https://"))),
  ]
}
