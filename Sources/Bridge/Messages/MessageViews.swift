public import AlertCore

/// A slot as the API and the control socket show it.
public struct MessageSlotView: Encodable, Sendable {
  private let slot: Int
  private let clicks: Int
  private let contact: ContactID?
  private let name: String
  private let number: String
  private let message: String
  private let addsPosition: Bool
  private let isComplete: Bool
  private let units: Int
  private let limit: Int
  private let last: MessageSendView?

  /// The five of an account, in order; an empty one has no text.
  public static func all(
    _ messages: QuickMessages, _ complete: PanicSlots, _ account: Account
  ) -> [MessageSlotView] {
    let sends = messages.sends
    return PanicSlots.range.map { number in
      let slot = Int(number)
      return MessageSlotView(
        messages.slots[slot] ?? MessageSlot(slot: slot), account,
        isComplete: complete.contains(number),
        last: sends.filter { $0.slot == slot }.max { $0.decidedWall < $1.decidedWall })
    }
  }

  private init(_ filled: MessageSlot, _ account: Account, isComplete: Bool, last: MessageSend?) {
    let recipient = filled.recipient(in: account)
    slot = filled.slot
    clicks = filled.slot + 1
    contact = filled.contact
    name = recipient?.name ?? filled.name
    number = recipient?.number ?? filled.number
    message = filled.message
    addsPosition = filled.addsPosition
    self.isComplete = isComplete
    (units, limit) = filled.length
    self.last = last.map { MessageSendView($0) }
  }
}

/// A message that was asked for, as the API and the control socket show it. Times are µs since
/// 1970.
public struct MessageSendView: Encodable, Sendable {
  private let id: IncidentID
  private let slot: Int
  private let recipient: String
  private let number: String?
  private let message: String
  private let by: String
  private let isBench: Bool
  private let state: MessageSend.State
  private let attempts: Int
  private let way: String?
  private let askedAt: Int64
  private let endedAt: Int64?
  private let lastError: String?

  /// Holds what it shows.
  public init(_ send: MessageSend) {
    id = send.id
    slot = send.slot
    recipient = send.recipient.name
    number = send.recipient.number
    message = send.message
    by = send.by
    isBench = send.isBench
    state = send.state
    attempts = send.attempts
    way = send.way
    askedAt = send.decidedWall
    endedAt = send.endedWall
    lastError = send.lastError
  }
}
