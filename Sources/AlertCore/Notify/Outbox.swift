import FobBase

/// Messages on their way to people; each is tried again until it is delivered or withdrawn.
struct Outbox: Sendable {
  /// Oldest first; none is empty.
  private var lanes: [Lane] = []
  private let policy: Policy
  /// Messages that wait for their commit, with the batch they are in.
  private var held: [Notification.ID: UInt64] = [:]
  /// Under way for an incident that has ended meanwhile.
  private var withdrawing: Set<String> = []

  init(_ policy: Policy) { self.policy = policy }

  /// What an earlier run left goes out at once. Of an incident that is over only the closing
  /// message does.
  /// - Parameter contacts: as they are now, whose ways are not stored.
  /// - Returns: what is withdrawn.
  mutating func recover(
    _ notifications: [Notification], open: IncidentID?, contacts: [Contact], at now: Moment
  ) -> [Notification] {
    var withdrawn: [Notification] = []
    for var notification in notifications.sorted(by: { $0.sequence < $1.sequence }) {
      guard !notification.delivery.isOver else { continue }
      guard notification.kind == .closing || notification.incident == open else {
        withdrawn.append(notification.withdrawn)
        continue
      }
      notification.delivery = .due
      notification.nextAttempt = now
      let contact = contacts.first { $0.id == notification.contact.id }
      notification.contact.ways = contact?.ways ?? []
      // Its ways are tried from the first on.
      let ways = notification.ways
      notification.attempts = (max(notification.attempts, 1) + ways - 1) / ways * ways
      append(notification)
    }
    lanes.sort { $0.messages[0].decidedAt.wall < $1.messages[0].decidedAt.wall }
    return withdrawn
  }

  mutating func add(_ notification: Notification, batch: UInt64) {
    append(notification)
    held[notification.id] = batch
  }

  private mutating func append(_ notification: Notification) {
    if let lane = lanes.firstIndex(where: { $0.holds(notification) }) {
      lanes[lane].messages.append(notification)
    } else {
      lanes.append(Lane(notification))
    }
  }

  /// Everything up to this batch is committed, or has failed to be: it may be told.
  mutating func settled(batch: UInt64, at now: Moment) {
    release(at: now) { held, _ in held <= batch }
  }

  /// The messages to hand to the sinks now, and those that newer ones have made pointless.
  mutating func takeDue(at now: Moment) -> (due: [Notification], withdrawn: [Notification]) {
    let latest = policy.tellLatest
    release(at: now) { _, notification in now.since(notification.decidedAt) >= latest }
    var due: [Notification] = []
    var withdrawn: [Notification] = []
    for lane in lanes.indices {
      withdrawn += lanes[lane].takeSuperseded()
      guard lanes[lane].isFirstDue(at: now) else { continue }
      var first = lanes[lane].messages[0]
      first.delivery = .underWay
      first.attempts += 1
      first.nextAttempt = now + policy.answerWithin
      lanes[lane].handOut(first)
      due.append(first)
    }
    return (due, withdrawn)
  }

  /// Messages whose sink has been silent for too long.
  func unanswered(at now: Moment) -> [String] {
    lanes.compactMap { lane in
      guard lane.messages[0].delivery == .underWay, let latest = lane.messages[0].nextAttempt else {
        return nil
      }
      return latest.at <= now.at ? lane.messages[0].key : nil
    }
  }

  /// A sink's answer; an acceptance counts however late it comes.
  /// - Returns: the message as it is now; nil when it is not waited for.
  mutating func answered(_ key: String, error: String?, at now: Moment) -> Notification? {
    guard let lane = lanes.firstIndex(where: { $0.isAwaited(key) }) else { return nil }
    var first = lanes[lane].messages[0]
    guard first.delivery == .underWay || (error == nil && first.attempts > 0) else { return nil }
    first.lastError = error
    first.nextAttempt = nil
    let isWithdrawn = withdrawing.remove(key) != nil
    if error == nil {
      first.delivery = .delivered
    } else if isWithdrawn {
      first.delivery = .withdrawn
    } else {
      first.delivery = .due
      first.nextAttempt = now + wait(first)
    }
    lanes[lane].messages[0] = first
    if first.delivery.isOver {
      lanes[lane].messages.removeFirst()
      if lanes[lane].messages.isEmpty { lanes.remove(at: lane) }
    }
    return first
  }

  /// Takes back what was not delivered of an incident that ended; what is under way is not tried
  /// again.
  mutating func withdraw(_ incident: IncidentID) -> [Notification] {
    var withdrawn: [Notification] = []
    for lane in lanes.indices where lanes[lane].incident == incident {
      var kept: [Notification] = []
      for notification in lanes[lane].messages {
        if notification.kind == .closing {
          kept.append(notification)
        } else if notification.delivery == .underWay {
          withdrawing.insert(notification.key)
          kept.append(notification)
        } else {
          held[notification.id] = nil
          withdrawn.append(notification.withdrawn)
        }
      }
      lanes[lane].messages = kept
    }
    lanes.removeAll(where: \.messages.isEmpty)
    return withdrawn
  }

  var nextWake: Moment? {
    var wake: Moment?
    for lane in lanes {
      let due =
        lane.messages[0].delivery == .held
        ? lane.messages[0].decidedAt + policy.tellLatest : lane.messages[0].nextAttempt
      if let due { wake = wake.map { $0.at < due.at ? $0 : due } ?? due }
    }
    return wake
  }

  private mutating func release(
    at now: Moment, _ mayBeTold: (_ batch: UInt64, Notification) -> Bool
  ) {
    guard !held.isEmpty else { return }
    for lane in lanes.indices {
      for (index, notification) in lanes[lane].messages.enumerated() {
        guard let batch = held[notification.id], mayBeTold(batch, notification) else { continue }
        held[notification.id] = nil
        lanes[lane].messages[index].delivery = .due
        lanes[lane].messages[index].nextAttempt = now
      }
    }
  }

  /// Each way of a contact is tried at once after the one before; then the next round waits.
  private func wait(_ refused: Notification) -> Interval {
    let (round, tried) = refused.attempts.quotientAndRemainder(dividingBy: refused.ways)
    return tried == 0 ? backOff(round, refused) : .zero
  }

  /// Doubling, less up to a fifth: many that were refused together do not come back together. The
  /// fifth is drawn from the name and the attempt, so that a run can be repeated.
  private func backOff(_ round: Int, _ refused: Notification) -> Interval {
    let doublings = min(max(round - 1, 0), 16)
    let whole = min(
      policy.firstRetry.microseconds << Int64(doublings), policy.longestRetry.microseconds)
    var name = refused.key + "/\(refused.attempts)"
    let drawn = Int64(name.withUTF8 { CRC32C.of(UnsafeRawBufferPointer($0)) } & 0xFFFF)
    return .microseconds(whole - whole / 5 * drawn / 0xFFFF)
  }
}

extension Notification {
  /// At least one: where configuration names none, whoever delivers it chooses.
  fileprivate var ways: Int { max(contact.ways.count, 1) }
}
