import FobBase

/// Messages on their way to people; each is tried again until it is delivered or withdrawn.
struct Outbox: Sendable {
  /// Oldest first; none is empty.
  var lanes: [Lane] = []
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
    let decidedAt: Moment
  }

  init(_ policy: Policy) { self.policy = policy }

  mutating func add(_ notification: Notification, batch: UInt64) {
    append(notification)
    held.append(Held(id: notification.id, batch: batch, decidedAt: notification.decidedAt))
  }

  mutating func append(_ notification: Notification) {
    if let lane = lanes.firstIndex(where: { $0.holds(notification) }) {
      lanes[lane].append(notification)
    } else {
      lanes.append(Lane(notification))
    }
  }
}
