import FobBase

/// Messages on their way to people; each is tried again until it is delivered or withdrawn.
struct Outbox: Sendable {
  /// The delivery queues, oldest first; none is empty.
  var queues: [DeliveryQueue] = []
  let policy: Policy
  /// Messages that wait for their commit, in the order of decision, which is that of the batches:
  /// so the first one decides whether any may be told.
  var held: [Held] = []
  /// Keys of messages under way whose incident has ended.
  var withdrawing: Set<String> = []
  /// The incident that people are told of now. The end of another one waits: otherwise the last
  /// news would be that all is well.
  var open: IncidentID?

  struct Held: Sendable {
    let id: Notification.ID
    let decision: UInt64
    let decidedAt: Timestamp
  }

  init(_ policy: Policy) { self.policy = policy }

  /// Adds a message to its delivery queue.
  /// - Parameter decision: whose commit it waits for; nil: it may be told at once.
  mutating func add(_ notification: Notification, decision: UInt64? = nil) {
    let id = notification.id
    if let decision {
      held.append(Held(id: id, decision: decision, decidedAt: notification.decidedAt))
    }
    if let queue = queues.firstIndex(where: { $0.holds(id) }) {
      queues[queue].append(notification)
    } else {
      queues.append(
        DeliveryQueue(contact: id.contact, incident: id.incident, messages: [notification]))
    }
  }
}

/// The messages of one incident to one contact, sent one at a time and in order, so that a closing
/// message never overtakes the alarm. Each incident has its own queue: an old message that nobody
/// takes must not hold back a new alarm.
struct DeliveryQueue: Sendable {
  let contact: ContactID
  let incident: IncidentID
  var messages: [Notification]
  /// The message that was handed out last, with the key that its answer names.
  var handedOut: (id: Notification.ID, key: String)?
  /// Some message may have become due since `takeSuperseded` last looked.
  var hasNews = true

  mutating func append(_ notification: Notification) {
    messages.append(notification)
    hasNews = true
  }

  func holds(_ id: Notification.ID) -> Bool { contact == id.contact && incident == id.incident }
}

/// Moving the messages of a delivery queue along, one after the other.
extension DeliveryQueue {
  /// A held message may be told from now on.
  mutating func release(_ id: Notification.ID, at now: Timestamp) {
    for index in messages.indices where messages[index].delivery == .held {
      guard messages[index].sequence == id.sequence, messages[index].kind == id.kind else {
        continue
      }
      messages[index].delivery = .due
      messages[index].nextAttempt = now
      hasNews = true
    }
  }

  mutating func replaceFirst(_ first: Notification) {
    messages[0] = first
    if first.delivery == .due { hasNews = true }
  }

  /// True where the next message is the end of another incident than the open one.
  func isEnd(otherThan open: IncidentID?) -> Bool {
    guard let open, incident != open else { return false }
    return messages[0].kind == .closing && messages[0].delivery == .due
  }

  /// The first message is with its sink, which has been silent for too long.
  func isOverdue(at now: Timestamp) -> Bool {
    messages[0].delivery == .underWay && messages[0].nextAttempt.map { $0.at <= now.at } ?? false
  }

  /// When the first message needs attention: it may be told, sent or given up.
  func nextWake(_ policy: Policy) -> Timestamp? {
    messages[0].delivery == .held
      ? messages[0].decidedAt + policy.tellLatest : messages[0].nextAttempt
  }

  /// The first message is due.
  func isFirstDue(at now: Timestamp) -> Bool {
    messages[0].delivery == .due && (messages[0].nextAttempt.map { $0.at <= now.at } ?? true)
  }

  mutating func handOut(_ first: Notification) {
    messages[0] = first
    handedOut = (first.id, first.key)
  }

  /// An answer with this key is for the first message.
  func isAwaited(_ key: String) -> Bool {
    guard let handedOut, handedOut.key == key else { return false }
    return handedOut.id == messages[0].id
  }

  /// Takes out messages that a newer one replaces: of the due messages that the alarm goes on, only
  /// the last stays.
  mutating func takeSuperseded() -> [Notification] {
    guard hasNews else { return [] }
    hasNews = false
    func saysItGoesOn(_ notification: Notification) -> Bool {
      (notification.kind == .update || notification.kind == .again)
        && notification.delivery == .due
    }
    guard let last = messages.lastIndex(where: saysItGoesOn) else { return [] }
    let superseded = messages[..<last].filter(saysItGoesOn)
    guard !superseded.isEmpty else { return [] }
    messages = messages[..<last].filter { !saysItGoesOn($0) } + messages[last...]
    return superseded.map(\.withdrawn)
  }
}
