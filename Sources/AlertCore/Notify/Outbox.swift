import FobBase

/// Messages on their way to people; each is tried again until it is delivered or withdrawn.
struct Outbox: Sendable {
  /// Oldest first; none is empty.
  var queues: [DeliveryQueue] = []
  let policy: Policy
  /// Messages that wait for their commit, in the order of their decision, which is that of their
  /// batches: whether any may be told the first one says.
  var held: [Held] = []
  /// Under way for an incident that has ended meanwhile.
  var withdrawing: Set<String> = []
  /// The incident that people are told of now: the end of another waits, or the last that they hear
  /// would be that all is well.
  var open: IncidentID?

  struct Held: Sendable {
    let id: Notification.ID
    let batch: UInt64
    let decidedAt: Timestamp
  }

  init(_ policy: Policy) { self.policy = policy }

  /// - Parameter batch: whose commit it waits for; nil: it may be told.
  mutating func add(_ notification: Notification, batch: UInt64? = nil) {
    let id = notification.id
    if let batch {
      held.append(Held(id: id, batch: batch, decidedAt: notification.decidedAt))
    }
    if let queue = queues.firstIndex(where: { $0.holds(id) }) {
      queues[queue].append(notification)
    } else {
      queues.append(
        DeliveryQueue(contact: id.contact, incident: id.incident, messages: [notification]))
    }
  }
}

/// The messages of one incident to one contact, one at a time and in order, so that a closing
/// message never overtakes the alarm. Another incident has a queue of its own: an old message that
/// nobody takes must not hold back a new alarm.
struct DeliveryQueue: Sendable {
  let contact: ContactID
  let incident: IncidentID
  var messages: [Notification]
  /// Of the message that was handed out last: what its answer names it by.
  var handedOut: (id: Notification.ID, key: String)?
  /// A message may have become due since it was looked which ones are pointless.
  var hasNews = true

  mutating func append(_ notification: Notification) {
    messages.append(notification)
    hasNews = true
  }

  func holds(_ id: Notification.ID) -> Bool { contact == id.contact && incident == id.incident }
}

/// What becomes of the messages of a delivery queue, one after the other.
extension DeliveryQueue {
  /// A message that was held may be told.
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

  /// The end of another incident than this one is what it has to tell next.
  func isEnd(otherThan open: IncidentID?) -> Bool {
    guard let open, incident != open else { return false }
    return messages[0].kind == .closing && messages[0].delivery == .due
  }

  /// The first message is with its sink, which has been silent for too long.
  func isOverdue(at now: Timestamp) -> Bool {
    messages[0].delivery == .underWay && messages[0].nextAttempt.map { $0.at <= now.at } ?? false
  }

  /// When something is to be done about the first message.
  func nextWake(_ policy: Policy) -> Timestamp? {
    messages[0].delivery == .held
      ? messages[0].decidedAt + policy.tellLatest : messages[0].nextAttempt
  }

  /// The first message may go out now.
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

  /// Takes out what a newer message makes pointless: of those that say that the alarm goes on and
  /// that may be told, only the last is.
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
