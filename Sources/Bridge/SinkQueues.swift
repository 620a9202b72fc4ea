import AlertCore
import SerialIO
import Sinks
import Synchronization

/// One bounded queue and threads of its own for each notification channel, so that one that hangs,
/// refuses or answers slowly delays no other, and nobody who decides.
final class SinkQueues: Sendable {
  let sinks: [any Sink]
  private let queues: [String: SinkQueue]

  /// - Parameter limit: messages that may wait for one sink.
  init(_ sinks: [any Sink], limit: Int) throws(IOFailure) {
    self.sinks = sinks
    var queues: [String: SinkQueue] = [:]
    for sink in sinks where queues[sink.name] == nil {
      queues[sink.name] = try SinkQueue(limit: limit)
    }
    self.queues = queues
  }

  /// - Parameters:
  ///   - prepare: called first by each thread.
  ///   - compose: makes the message, on a thread of the sink.
  ///   - answer: called once for each message that was put; nil is an acceptance.
  /// - Returns: the threads, each named after its sink.
  func start(
    prepare: @escaping @Sendable () -> Void,
    compose: @escaping @Sendable (Notification) -> OutgoingMessage,
    answer: @escaping @Sendable (_ key: String, _ refusal: String?) -> Void
  ) throws(IOFailure) -> [BlockingThread] {
    var threads: [BlockingThread] = []
    for sink in sinks {
      guard let queue = queues[sink.name] else { continue }
      for _ in 0..<max(1, sink.width) {
        threads.append(
          try BlockingThread(name: "sink \(sink.name)") {
            prepare()
            while let notification = queue.take() {
              answer(notification.key, Self.refusal(of: sink, compose(notification)))
            }
          })
      }
    }
    return threads
  }

  /// Never waits.
  /// - Returns: why it could not be queued, for the core to try the next way; nil when it was.
  func put(_ notification: Notification) -> String? {
    let contact = notification.contact
    let ways = contact.ways.isEmpty ? ways(to: contact) : contact.ways
    guard let way = notification.way(of: ways) else { return noWay(to: contact) }
    guard let queue = queues[way] else {
      let reason = "no notification channel has this name: see `sinks`"
      return "\(SinkFailure(sink: way, reason: reason))"
    }
    guard !queue.put(notification) else { return nil }
    return "\(SinkFailure(sink: way, reason: "too many messages wait for it"))"
  }

  /// What waits is let go of: it goes out again at the next start.
  func close() { for queue in queues.values { queue.close() } }

  /// The names of the sinks that can reach a contact, in configured order; of a channel, its own.
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

/// Messages that wait for one sink, taken one at a time by any of its threads.
final class SinkQueue: Sendable {
  private let state = Mutex<(waiting: [Notification], isClosed: Bool)>(([], false))
  private let signal: EventSignal
  private let limit: Int

  init(limit: Int) throws(IOFailure) {
    self.limit = limit
    signal = try EventSignal()
  }

  /// What waits of the same incident for the same contact gives way: nobody waits for it any more.
  /// - Returns: false when the queue is full; one that is closed takes a message and forgets it.
  func put(_ notification: Notification) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isClosed else { return true }
      state.waiting.removeAll { waiting in
        waiting.incident == notification.incident && waiting.contact.id == notification.contact.id
      }
      guard state.waiting.count < limit else { return false }
      state.waiting.append(notification)
      return true
    }
    signal.signal()
    return isTaken
  }

  /// The oldest. Waits for it; nil when closed.
  func take() -> Notification? {
    while true {
      signal.clear()
      let (taken, isClosed, hasMore) = state.withLock { state in
        let taken = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        return (taken, state.isClosed, !state.waiting.isEmpty)
      }
      // The next thread's turn: the signal that this one has cleared may have been for several.
      if hasMore || isClosed { signal.signal() }
      if isClosed || taken != nil { return taken }
      _ = try? Syscall.poll(signal.descriptor, for: 1)
    }
  }

  func close() {
    state.withLock { state in
      state.isClosed = true
      state.waiting = []
    }
    signal.signal()
  }
}
