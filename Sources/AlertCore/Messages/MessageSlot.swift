/// One of the five messages that clicks and requests send (R62): to whom, and what. Each part may
/// be missing: then its clicks raise the alarm (R65).
public struct MessageSlot: Codable, Equatable, Sendable {
  /// 1 to 5; slot n is sent by n + 1 clicks.
  public let slot: Int
  /// One of the account's; nil: `name` and `number` say who.
  public let contact: ContactID?
  /// The recipient's name, where it is no contact; 0 to 100 bytes.
  public let name: String
  /// E.164, where the recipient is no contact; may be empty.
  public let number: String
  /// The text, as long as one SMS at most; may be empty.
  public let message: String

  /// Nothing is checked.
  public init(
    slot: Int, contact: ContactID? = nil, name: String = "", number: String = "",
    message: String = ""
  ) {
    self.slot = slot
    self.contact = contact
    self.name = name
    self.number = number
    self.message = message
  }

  /// Whom it goes to; nil: nobody is named, or no such contact is there any more.
  func recipient(in account: Account) -> Contact? {
    if let contact { return account.contacts.first { $0.id == contact } }
    return number.isEmpty ? nil : Contact(id: Self.own(slot), name: name, numbers: [number])
  }

  /// The id of a recipient who is no contact.
  private static func own(_ slot: Int) -> ContactID { "slot-\(slot)" }

  /// For each slot a recipient who has a number and nothing else, by whom the host finds the ways
  /// to all such.
  public static var numbersAlone: [Contact] {
    PanicSlots.range.map { Contact(id: own(Int($0)), name: "", numbers: ["+15555550100"]) }
  }

  /// The checked slot, with its parts in their stored form.
  func checked(_ account: Account) throws(UserCommand.Refusal) -> MessageSlot {
    guard PanicSlots.range.contains(UInt8(clamping: slot)) else {
      throw .invalid("slot", "is not 1 to 5")
    }
    var message = Substring(message)
    while message.last?.isWhitespace == true { message.removeLast() }
    if let reason = GSM7.overlong(String(message)) { throw .invalid("message", reason) }
    guard !message.unicodeScalars.contains(where: FieldValidation.isControl) else {
      throw .invalid("message", "has a control character")
    }
    if let contact {
      guard account.contacts.contains(where: { $0.id == contact }) else { throw .unknownContact }
      guard name.isEmpty, number.isEmpty else {
        throw .invalid("contact", "comes with another name or number: name one recipient")
      }
    }
    return MessageSlot(
      slot: slot, contact: contact,
      name: name.isEmpty ? "" : try FieldValidation.name(name, "name"),
      number: number.isEmpty
        ? "" : try FieldValidation.number(number, "number", account.country),
      message: String(message))
  }

  /// Why a core cannot use a stored one, as a clause; nil where it can.
  package var misfit: String? {
    let isSound =
      PanicSlots.range.contains(UInt8(clamping: slot)) && name.utf8.count <= 100
      && number.utf8.count <= 100 && GSM7.overlong(message) == nil
    return isSound ? nil : "a value of the slot is out of its range"
  }
}

/// A request about the five messages. All are refused as `locked` while an alarm of the account is
/// open; filling and emptying a slot needs the PIN after set-up.
public enum MessageCommand: Equatable, Sendable {
  case fill(MessageSlot)
  /// What of it was not handed out yet is cancelled.
  case empty(slot: Int)
  /// - key: chosen by the caller, 1 to 100 bytes: the same request sent again sends nothing twice.
  case send(slot: Int, key: String)
}
