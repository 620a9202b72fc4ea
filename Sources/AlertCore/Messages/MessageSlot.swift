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
  /// The keychain's position is sent behind the text, where it is known.
  public let addsPosition: Bool

  /// Nothing is checked.
  public init(
    slot: Int, contact: ContactID? = nil, name: String = "", number: String = "",
    message: String = "", addsPosition: Bool = false
  ) {
    self.slot = slot
    self.contact = contact
    self.name = name
    self.number = number
    self.message = message
    self.addsPosition = addsPosition
  }

  /// One that was stored before there was a position adds none.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    slot = try values.decode(Int.self, forKey: .slot)
    contact = try values.decodeIfPresent(ContactID.self, forKey: .contact)
    name = try values.decode(String.self, forKey: .name)
    number = try values.decode(String.self, forKey: .number)
    message = try values.decode(String.self, forKey: .message)
    addsPosition = try values.decodeIfPresent(Bool.self, forKey: .addsPosition) ?? false
  }

  /// How long the text is with what it adds, and how long it may be.
  package var length: (units: Int, limit: Int) {
    let (units, limit) = GSM7.length(message)
    return (units + (addsPosition ? Position.longestText : 0), limit)
  }

  /// Why the text and what it adds are longer than one SMS, as a clause; nil where they fit.
  private static func overlong(_ message: String, _ addsPosition: Bool) -> String? {
    GSM7.overlong(message, reserved: addsPosition ? Position.longestText : 0)
  }

  /// Whom it goes to; nil: nobody is named, or no such contact is there any more.
  package func recipient(in account: Account) -> Contact? {
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
  package func checked(_ account: Account) throws(UserCommand.Refusal) -> MessageSlot {
    guard PanicSlots.range.contains(UInt8(clamping: slot)) else {
      throw .invalid("slot", "is not 1 to 5")
    }
    var message = Substring(message)
    while message.last?.isWhitespace == true { message.removeLast() }
    if let reason = Self.overlong(String(message), addsPosition) {
      throw .invalid("message", reason)
    }
    if let fault = FieldValidation.fault(of: String(message)) { throw .invalid("message", fault) }
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
      message: String(message), addsPosition: addsPosition)
  }

  /// Why a core cannot use a stored one, as a clause; nil where it can.
  package var misfit: String? {
    let isSound =
      PanicSlots.range.contains(UInt8(clamping: slot)) && name.utf8.count <= 100
      && number.utf8.count <= 100 && Self.overlong(message, addsPosition) == nil
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
  /// In place of all help links; needs no PIN.
  case links([HelpLink])
}
