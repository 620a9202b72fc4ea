import FobBase

/// Handing out, answers, withdrawing, and recovery.
extension Outbox {
  /// Takes the messages that an earlier run left: they go out at once. Of an incident that is over
  /// only the closing message does.
  /// - Returns: the messages that are withdrawn.
  mutating func recover(
    _ notifications: [Notification], open: IncidentID?, at now: Timestamp
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
      // A larger count comes from damage.
      notification.attempts = min(max(notification.attempts, 1), 1 << 31)
      notification.contact.ways = []
      add(notification)
    }
    queues.sort { $0.messages[0].decidedAt.wall < $1.messages[0].decidedAt.wall }
    return withdrawn
  }

  /// Sets the notification channels of recovered messages, which are not stored: attempts begin
  /// with the first one.
  mutating func know(_ ways: [ContactID: [String]]) {
    for queue in queues.indices {
      for index in queues[queue].messages.indices {
        var message = queues[queue].messages[index]
        guard message.contact.ways.isEmpty, message.delivery != .underWay else { continue }
        message.contact.ways = ways[message.contact.id] ?? []
        message.attempts = (message.attempts + message.ways - 1) / message.ways * message.ways
        queues[queue].messages[index] = message
      }
    }
  }

  /// All up to this decision is committed, or its commit has failed: its messages may be told.
  mutating func settled(upTo decision: UInt64, at now: Timestamp) {
    release(at: now) { $0.decision <= decision }
  }

  /// Takes the messages to hand to the sinks now, and those that newer ones have replaced.
  /// - Parameter open: the incident that people are told of now.
  mutating func takeDue(
    at now: Timestamp, during open: IncidentID?
  ) -> (due: [Notification], withdrawn: [Notification]) {
    self.open = open
    let latest = policy.tellLatest
    release(at: now) { now.since($0.decidedAt) >= latest }
    var due: [Notification] = []
    var withdrawn: [Notification] = []
    for queue in queues.indices {
      withdrawn += queues[queue].takeSuperseded()
      guard queues[queue].isFirstDue(at: now),
        !queues[queue].isEnd(otherThan: open)
      else { continue }
      var first = queues[queue].messages[0]
      first.delivery = .underWay
      first.attempts += 1
      first.nextAttempt = now + policy.answerWithin
      queues[queue].handOut(first)
      due.append(first)
    }
    return (due, withdrawn)
  }

  /// The keys of messages whose sink has been silent for too long.
  func unanswered(at now: Timestamp) -> [String] {
    var keys: [String] = []
    for queue in queues.indices
    where queues[queue].isOverdue(at: now) {
      keys.append(queues[queue].messages[0].key)
    }
    return keys
  }

  /// Takes a sink's answer. An acceptance counts however late it comes.
  /// - Returns: the message as it is now; nil when nobody waits for this answer.
  mutating func answered(_ key: String, error: String?, at now: Timestamp) -> Notification? {
    guard let queue = queues.firstIndex(where: { $0.isAwaited(key) }) else {
      return nil
    }
    var first = queues[queue].messages[0]
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
    queues[queue].replaceFirst(first)
    if first.delivery.isOver {
      queues[queue].messages.removeFirst()
      if queues[queue].messages.isEmpty { queues.remove(at: queue) }
    }
    return first
  }

  /// Withdraws the undelivered messages of an ended incident, except closing ones. A message that
  /// is under way is not tried again.
  mutating func withdraw(_ incident: IncidentID) -> [Notification] {
    var withdrawn: [Notification] = []
    for queue in queues.indices
    where queues[queue].incident == incident {
      var kept: [Notification] = []
      for notification in queues[queue].messages {
        if notification.kind == .closing {
          kept.append(notification)
        } else if notification.delivery == .underWay {
          withdrawing.insert(notification.key)
          kept.append(notification)
        } else {
          held.removeAll { $0.id == notification.id }
          withdrawn.append(notification.withdrawn)
        }
      }
      queues[queue].messages = kept
    }
    queues.removeAll(where: \.messages.isEmpty)
    return withdrawn
  }

  var nextWake: Timestamp? {
    mutating get {
      var wake: Timestamp?
      for queue in queues.indices
      where !queues[queue].isEnd(otherThan: open) {
        wake = Timestamp.earlier(wake, queues[queue].nextWake(policy))
      }
      return wake
    }
  }

  mutating func release(
    at now: Timestamp, _ mayBeTold: (Held) -> Bool
  ) {
    let count = held.firstIndex { !mayBeTold($0) } ?? held.count
    guard count > 0 else { return }
    for released in held[..<count] {
      for queue in queues.indices
      where queues[queue].holds(released.id) {
        queues[queue].release(released.id, at: now)
      }
    }
    held.removeFirst(count)
  }

  /// How long to wait after a refusal: not at all before the contact's next notification channel;
  /// after the last one the back-off of a round.
  func wait(_ refused: Notification) -> Interval {
    let (round, tried) = refused.attempts.quotientAndRemainder(dividingBy: refused.ways)
    return tried == 0 ? backOff(round, refused) : .zero
  }

  /// Doubles with each round, less up to a fifth, so that many refused messages do not come back
  /// together. The fifth is drawn from key and attempt, so that a run can be repeated.
  func backOff(_ round: Int, _ refused: Notification) -> Interval {
    let doublings = min(max(round - 1, 0), 16)
    let whole = min(
      policy.firstRetry.microseconds << Int64(doublings), policy.maxRetryDelay.microseconds)
    var name = refused.key + "/\(refused.attempts)"
    let drawn = Int64(name.withUTF8 { CRC32C.of(UnsafeRawBufferPointer($0)) } & 0xFFFF)
    return .microseconds(whole - whole / 5 * drawn / 0xFFFF)
  }
}

extension Notification {
  /// The number of channels, at least one: where the configuration names none, the deliverer
  /// chooses.
  fileprivate var ways: Int { max(contact.ways.count, 1) }
}
