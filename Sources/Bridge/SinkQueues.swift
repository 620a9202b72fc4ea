import AlertCore
import FobBase
import SerialIO
import Sinks
import Synchronization

/// Two bounded queues with threads of their own for each notification channel, one for alarms and
/// one for the owner's messages: a channel that hangs, refuses or answers slowly delays no other
/// channel and no decision, and no message delays an alarm.
final class SinkQueues: Sendable {
  let sinks: [any Sink]
  private let queues: [String: Lanes]
  private let isLeading: @Sendable () -> Bool

  private struct Lanes: Sendable {
    let alarms: SinkQueue
    let messages: SinkQueue
  }

  /// - Parameters:
  ///   - limit: how many alarms of one account may wait for one sink, and how many of its messages.
  ///   - isLeading: whether no other core can have taken the store over. While that is not proved
  ///     only an alarm's first messages are carried: another core would send the same ones, by
  ///     keys that receivers know. Anything else may no longer be true, and waits.
  init(
    _ sinks: [any Sink], limit: Int, isLeading: @escaping @Sendable () -> Bool = { true }
  ) throws(IOFailure) {
    self.sinks = sinks
    self.isLeading = isLeading
    var queues: [String: Lanes] = [:]
    for sink in sinks where queues[sink.name] == nil {
      queues[sink.name] = Lanes(
        alarms: try SinkQueue(limit: limit), messages: try SinkQueue(limit: limit))
    }
    self.queues = queues
  }

  /// - Parameter prepare: called first on each thread.
  /// - Returns: the threads, each named after its sink.
  func start(
    prepare: @escaping @Sendable () -> Void
  ) throws(IOFailure) -> [BlockingThread] {
    var threads: [BlockingThread] = []
    for sink in sinks {
      guard let lanes = queues[sink.name] else { continue }
      for queue in [lanes.messages] + Array(repeating: lanes.alarms, count: max(1, sink.width)) {
        threads.append(
          try BlockingThread(name: "sink \(sink.name)") { [isLeading] in
            prepare()
            while let (notification, sender) = queue.take(isLeading) {
              let refusal = Self.refusal(of: sink, sender.compose(notification))
              sender.answered(notification.key, refusal)
            }
          })
      }
    }
    return threads
  }

  /// Queues a message, and never waits.
  /// - Returns: why it could not be queued, so that the core tries the next way; nil if it was.
  func put(_ notification: Notification, from sender: any NotificationSender) -> String? {
    let contact = notification.contact
    let ways = contact.ways.isEmpty ? ways(to: contact) : contact.ways
    guard let way = notification.way(of: ways) else { return noWay(to: contact) }
    guard let lanes = queues[way] else {
      let reason = "no notification channel has this name: see `sinks`"
      return "\(SinkFailure(sink: way, reason: reason))"
    }
    let queue = notification.kind == .message ? lanes.messages : lanes.alarms
    guard !queue.put(notification, from: sender) else { return nil }
    return "\(SinkFailure(sink: way, reason: "too many messages wait for it"))"
  }

  /// Drops the messages that wait: they are sent again at the next start.
  func close() {
    for lanes in queues.values {
      lanes.alarms.close()
      lanes.messages.close()
    }
  }

  /// Recipients beside contacts that are no persons.
  var channels: [Contact] { sinks.compactMap(\.channel) }

  /// The names of the sinks that can reach a contact, in configured order; for a channel's own
  /// contact, that channel.
  func ways(to contact: Contact) -> [String] {
    if let own = sinks.first(where: { $0.channel?.id == contact.id }) { return [own.name] }
    return sinks.filter { $0.obstacle(to: contact) == nil }.map(\.name)
  }

  private func noWay(to contact: Contact) -> String {
    guard !sinks.isEmpty else { return "no notification channel is configured" }
    let obstacles = sinks.map { "\($0.name): \($0.obstacle(to: contact) ?? "")" }
    return "no notification channel reaches \(contact.id): \(obstacles.joined(separator: "; "))"
  }

  private static func refusal(of sink: any Sink, _ message: OutgoingMessage) -> String? {
    do throws(SinkFailure) {
      try sink.carry(message)
      return nil
    } catch {
      return "\(error)"
    }
  }
}

/// The account whose message a sink carries.
protocol NotificationSender: AnyObject, Sendable {
  /// Makes the message, on a thread of the sink.
  func compose(_ notification: Notification) -> OutgoingMessage
  /// Called once for each queued message; a nil refusal is an acceptance.
  func answered(_ key: String, _ refusal: String?)
}

/// The messages that wait for one sink; any of its threads takes one at a time. Accounts take
/// turns, so that however many messages one has, another's next waits for one of them at most.
final class SinkQueue: Sendable {
  typealias Waiting = (notification: Notification, sender: any NotificationSender)

  private struct State {
    var waiting = TurnQueue<ObjectIdentifier, Waiting>()
    var isClosed = false
  }

  private static let doubtful = Interval.milliseconds(200)

  private let state = Mutex(State())
  private let signal: EventSignal
  private let limit: Int

  /// - Parameter limit: how many messages of one account may wait.
  init(limit: Int) throws(IOFailure) {
    self.limit = limit
    signal = try EventSignal()
  }

  /// Adds a message. It replaces a waiting one of the same account and incident to the same
  /// contact, which is outdated.
  /// - Returns: false if the account has too many. A closed queue returns true and drops the
  ///   message.
  func put(_ notification: Notification, from sender: any NotificationSender) -> Bool {
    let limit = limit
    let isTaken = state.withLock { state in
      guard !state.isClosed else { return true }
      return state.waiting.put((notification, sender), of: ObjectIdentifier(sender), limit: limit) {
        $0.notification.incident == notification.incident
          && $0.notification.contact.id == notification.contact.id
      }
    }
    signal.signal()
    return isTaken
  }

  /// Waits for the next message; nil when closed.
  /// - Parameter isLeading: as of `SinkQueues`: what may not be carried yet is looked at again.
  func take(_ isLeading: () -> Bool = { true }) -> Waiting? {
    while true {
      signal.clear()
      let firstAlone = !isLeading()
      let (taken, isClosed, hasMore) = state.withLock { state in
        let next = state.waiting.takeNext { !firstAlone || $0.notification.isDueUnproved }
        return (next, state.isClosed, !state.waiting.isEmpty)
      }
      // Wakes another thread: the cleared signal may have stood for several messages.
      if isClosed || (hasMore && taken != nil) { signal.signal() }
      if isClosed || taken != nil { return taken }
      let again = hasMore ? BootClock.now() + Self.doubtful : nil
      _ = try? Syscall.poll(signal.descriptor, for: 1, until: again)
    }
  }

  func close() {
    state.withLock { state in
      state.isClosed = true
      state.waiting.removeAll()
    }
    signal.signal()
  }
}
