import Storage

/// The readers that wait, found by what they wait for: a line wakes those whom it concerns, and
/// costs the others nothing. Pure but for what it keeps for them.
struct FeedWaiters {
  typealias Continuation = CheckedContinuation<Int64, any Error>

  struct Woken {
    let continuation: Continuation
    /// Everything up to here was of no concern.
    let cursor: Int64
  }

  private struct Waiter {
    let filter: LogFilter
    let cursor: Int64
    let continuation: Continuation
  }

  private var lastID: UInt64 = 0
  /// Has begun to wait, and is not here yet or no longer.
  private var pending: Set<UInt64> = []
  private var cancelled: Set<UInt64> = []
  private var waiters: [UInt64: Waiter] = [:]
  private var byDevice: [String: Set<UInt64>] = [:]
  private var byIncident: [String: Set<UInt64>] = [:]
  private var ofEverything: Set<UInt64> = []

  mutating func newID() -> UInt64 {
    lastID += 1
    pending.insert(lastID)
    return lastID
  }

  /// Asked once, before `add`.
  mutating func isCancelled(_ id: UInt64) -> Bool {
    pending.remove(id)
    return cancelled.remove(id) != nil
  }

  mutating func add(
    _ id: UInt64, _ filter: LogFilter, _ cursor: Int64, _ continuation: Continuation
  ) {
    waiters[id] = Waiter(filter: filter, cursor: cursor, continuation: continuation)
    if let device = filter.device {
      byDevice[device, default: []].insert(id)
    } else if let incident = filter.incident {
      byIncident[incident, default: []].insert(id)
    } else {
      ofEverything.insert(id)
    }
  }

  /// - Returns: what is to be resumed; nil where it is woken already or does not wait yet.
  mutating func cancel(_ id: UInt64) -> Continuation? {
    if pending.contains(id) { cancelled.insert(id) }
    return remove(id)?.continuation
  }

  mutating func wakeAll() -> [Woken] {
    waiters.keys.sorted().compactMap { remove($0) }.map {
      Woken(continuation: $0.continuation, cursor: $0.cursor)
    }
  }

  /// - Parameter ring: with the line in it.
  mutating func wake(for line: LogEntry, _ ring: FeedRing, into woken: inout [Woken]) {
    guard !waiters.isEmpty else { return }
    var concerned = ofEverything
    if let incident = line.incident { concerned.formUnion(byIncident[incident] ?? []) }
    if let device = line.device {
      concerned.formUnion(byDevice[device] ?? [])
    } else if let incident = line.incident, !byDevice.isEmpty {
      for device in ring.devices(of: incident).keys {
        if let waiting = byDevice[device] { concerned.formUnion(waiting) }
      }
    }
    for id in concerned {
      guard let waiter = waiters[id], waiter.cursor < line.id,
        ring.matches(line, waiter.filter)
      else { continue }
      _ = remove(id)
      woken.append(
        Woken(continuation: waiter.continuation, cursor: max(waiter.cursor, line.id - 1)))
    }
  }

  private mutating func remove(_ id: UInt64) -> Waiter? {
    guard let waiter = waiters.removeValue(forKey: id) else { return nil }
    if let device = waiter.filter.device {
      byDevice[device]!.remove(id)
      if byDevice[device]!.isEmpty { byDevice[device] = nil }
    } else if let incident = waiter.filter.incident {
      byIncident[incident]!.remove(id)
      if byIncident[incident]!.isEmpty { byIncident[incident] = nil }
    } else {
      ofEverything.remove(id)
    }
    return waiter
  }
}
