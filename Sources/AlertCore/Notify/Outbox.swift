import FobBase

/// Messages on their way to people; each is tried again until it is delivered or withdrawn.
struct Outbox: Sendable {
  /// Oldest first; none is empty.
  var deliveryQueues: [DeliveryQueue] = []
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
    if let deliveryQueue = deliveryQueues.firstIndex(where: { $0.holds(id) }) {
      deliveryQueues[deliveryQueue].append(notification)
    } else {
      deliveryQueues.append(
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
