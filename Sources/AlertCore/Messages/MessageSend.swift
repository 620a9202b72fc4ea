/// One sending of a slot's message. It is no incident: nothing counts down, is repeated or closed.
public struct MessageSend: Codable, Equatable, Sendable {
  /// How it stands. `waiting` and `underWay` alternate until the end.
  public enum State: String, Codable, CaseIterable, Sendable {
    /// It waits for its commit, or for `Policy.tellLatest`.
    case decided
    /// It is durable, or its commit takes too long: next it is handed out.
    case waiting
    /// Its notification channel has it.
    case underWay
    /// A notification channel has accepted it.
    case taken
    /// Nobody accepted it within 15 minutes, or its clicks came too late.
    case failed
    /// Its slot was emptied before it was handed out.
    case cancelled

    /// Nothing more is done for it.
    public var isOver: Bool { self == .taken || self == .failed || self == .cancelled }
  }

  /// Made of the event that asked for it, or of the request's key.
  public let id: IncidentID
  /// 1 to 5.
  public let slot: Int
  /// A copy from when it was decided.
  public internal(set) var recipient: Contact
  /// A copy from when it was decided.
  public let message: String
  /// "button", a role, or a token's name.
  public let by: String
  /// It may reach test receivers only.
  public let isBench: Bool
  /// When it was decided, µs since 1970.
  public let decidedWall: Int64
  /// How it stands.
  public internal(set) var state = State.decided
  /// How often it was handed to a notification channel.
  public internal(set) var attempts = 0
  /// The notification channel that has or had it last; nil: none yet, or the core knows of none.
  public internal(set) var way: String?
  /// When it was over, µs since 1970; nil: it is not.
  public internal(set) var endedWall: Int64?
  /// Why it was not accepted, as last heard; nil: nothing was refused.
  public internal(set) var lastError: String?

  /// What is handed to a notification channel.
  func notification(at decidedAt: Timestamp) -> Notification {
    var notification = Notification(self, decidedAt: decidedAt)
    notification.delivery = .underWay
    notification.attempts = attempts
    return notification
  }

  /// The key of what is handed out.
  var key: String { "\(id)/\(recipient.id)/\(Notification.Kind.message.rawValue)/1" }

  /// Why a core cannot use a stored one, as a clause; nil where it can.
  package var misfit: String? {
    let times: ClosedRange<Int64> = -300_000_000_000_000_000...300_000_000_000_000_000
    let isSound =
      PanicSlots.range.contains(UInt8(clamping: slot)) && (0...1 << 31).contains(attempts)
      && times.contains(decidedWall) && times.contains(endedWall ?? 0)
      && state.isOver == (endedWall != nil)
    return isSound ? nil : "a value of the message is out of its range"
  }
}

/// A row of the messages that a step changed. Later ones replace earlier ones of the same row.
public enum MessageChange: Equatable, Sendable {
  case slot(MessageSlot)
  case slotEmptied(Int)
  case send(MessageSend)
  /// It fell out of the history.
  case sendRemoved(IncidentID)
  /// All of them.
  case links([HelpLink])
}

/// The slots and sends that an earlier run left.
public struct StoredMessages: Equatable, Sendable {
  /// In any order.
  public var slots: [MessageSlot] = []
  /// In any order.
  public var sends: [MessageSend] = []
  /// As the owner has ordered them.
  public var links: [HelpLink] = []

  /// None.
  public init() {}

  /// As it is with one row changed.
  package mutating func apply(_ change: MessageChange) {
    switch change {
    case .slot(let changed): slots.replace(changed, by: \.slot)
    case .slotEmptied(let slot): slots.removeAll { $0.slot == slot }
    case .send(let changed): sends.replace(changed, by: \.id)
    case .sendRemoved(let id): sends.removeAll { $0.id == id }
    case .links(let changed): links = changed
    }
  }
}
