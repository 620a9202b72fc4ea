import FobBase
public import Storage
import Synchronization

/// Passes committed log entries to many readers. Each reader gets every entry it asked for, once
/// and in order, however slow it is.
///
/// The newest entries are in memory; a reader that is further behind reads from the store. A reader
/// that keeps up sleeps until an entry concerns it. A slow reader has only an old cursor: nothing
/// is kept for it.
public final class EventFeed: Sendable {
  private struct State {
    var ring: FeedRing
    var waiters = FeedWaiters()
    var isClosed = false

    /// Takes entries off the front of `lines`.
    /// - Returns: an incident whose devices must be known before the next entry; nil when all are
    ///   taken.
    mutating func add(
      _ lines: inout ArraySlice<LogEntry>, _ woken: inout [FeedWaiters.Woken]
    ) -> String? {
      while let line = lines.first {
        if line.id != ring.last + 1 { ring.clear(before: line.id) }
        if let incident = line.incident, !ring.knows(incident) { return incident }
        ring.append(line)
        waiters.wake(for: line, ring, into: &woken)
        lines.removeFirst()
      }
      return nil
    }
  }

  private let state: Mutex<State>
  private let store: AlertStore

  /// Begins behind the newest entry of the store.
  /// - Throws: `StorageFailure` if the store cannot be read.
  public convenience init(store: AlertStore) throws {
    try self.init(store: store, capacity: Limits.feedLines)
  }

  /// - Parameter capacity: how many entries are kept in memory.
  init(store: AlertStore, capacity: Int) throws {
    self.store = store
    state = Mutex(State(ring: FeedRing(capacity: capacity, last: try store.lastLogID())))
  }

  /// Adds committed entries, in order and without a gap; called by the commit thread only.
  public func publish(_ lines: [LogEntry]) {
    var rest = lines[...]
    var woken: [FeedWaiters.Woken] = []
    while let incident = state.withLock({ $0.add(&rest, &woken) }) {
      // Rare: the first entry of an incident that is not in memory. The store has all of these
      // entries already.
      let known = try? store.devices(of: incident)
      state.withLock { state in
        if let known {
          state.ring.learn(incident, known)
        } else {
          // It is unknown whom an entry concerns: all readers look into the store, and get its
          // error.
          state.ring.clear(before: rest.last!.id + 1)
          woken += state.waiters.wakeAll()
          rest = []
        }
      }
    }
    for reader in woken { reader.continuation.resume(returning: reader.cursor) }
  }

  /// - Parameters:
  ///   - after: the id of the last entry that the reader has had, 0 for all entries; nil: only new
  ///     ones.
  ///   - filter: which entries; all by default.
  public func reader(after: Int64?, matching filter: LogFilter = LogFilter()) -> Reader {
    Reader(self, after: after ?? state.withLock { $0.ring.last }, filter)
  }

  /// Ends the wait of every reader for good, with `CancellationError`.
  public func close() {
    let woken = state.withLock { state in
      state.isClosed = true
      return state.waiters.wakeAll()
    }
    for reader in woken { reader.continuation.resume(throwing: CancellationError()) }
  }

  // MARK: For readers

  func lines(after cursor: Int64, limit: Int, _ filter: LogFilter) async throws -> LogPage {
    switch state.withLock({ $0.ring.lines(after: cursor, limit: limit, filter) }) {
    case .lines(let lines, let end): return LogPage(lines: lines, end: end)
    case .behind: return try await store.page(after: cursor, limit: limit, filter)
    }
  }

  /// Waits until an entry above `cursor` concerns the reader.
  /// - Returns: a cursor below that entry, at least the given one.
  func wait(after cursor: Int64, _ filter: LogFilter) async throws -> Int64 {
    let id = state.withLock { $0.waiters.newID() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Int64, CancellationError>? in
          if state.isClosed || state.waiters.isCancelled(id) {
            return .failure(CancellationError())
          }
          // An entry came since the last look.
          if state.ring.last > cursor { return .success(cursor) }
          state.waiters.add(id, filter, cursor, continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let continuation = state.withLock { $0.waiters.cancel(id) }
      continuation?.resume(throwing: CancellationError())
    }
  }
}

extension EventFeed {
  /// One reader with its own cursor, for one task at a time.
  public final class Reader: Sendable {
    private let feed: EventFeed
    private let filter: LogFilter
    private let place: Mutex<(cursor: Int64, isReading: Bool)>

    init(_ feed: EventFeed, after cursor: Int64, _ filter: LogFilter) {
      self.feed = feed
      self.filter = filter
      place = Mutex((cursor, false))
    }

    /// No entry with an id up to this is still to come.
    public var cursor: Int64 { place.withLock { $0.cursor } }

    /// Waits for the next entries: at least one, at most `Limits.feedBatch`.
    /// - Throws: `CancellationError` if the task is cancelled or the feed is closed;
    ///   `StorageFailure` if older entries cannot be read. Neither moves the cursor past an entry
    ///   that was not returned.
    public func next() async throws -> [LogEntry] {
      var cursor = place.withLock { place in
        precondition(!place.isReading, "one task at a time reads")
        place.isReading = true
        return place.cursor
      }
      defer { place.withLock { [cursor] in $0 = (cursor, false) } }
      while true {
        try Task.checkCancellation()
        let page = try await feed.lines(after: cursor, limit: Limits.feedBatch, filter)
        cursor = max(cursor, page.end)
        if !page.lines.isEmpty { return page.lines }
        cursor = try await feed.wait(after: cursor, filter)
      }
    }
  }
}

/// Waiting readers, found by what they wait for: an entry wakes the readers that it concerns, and
/// costs the others nothing. Pure, apart from the continuations that it keeps.
struct FeedWaiters {
  typealias Continuation = CheckedContinuation<Int64, any Error>

  struct Woken {
    let continuation: Continuation
    /// No entry up to this id concerns the reader.
    let cursor: Int64
  }

  private struct Waiter {
    let filter: LogFilter
    let cursor: Int64
    let continuation: Continuation
  }

  private var lastID: UInt64 = 0
  /// Readers that have begun to wait and are not in `waiters`.
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

  /// Called once, before `add`.
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

  /// - Returns: the continuation to resume; nil if the reader was woken already or does not wait
  ///   yet.
  mutating func cancel(_ id: UInt64) -> Continuation? {
    if pending.contains(id) { cancelled.insert(id) }
    return remove(id)?.continuation
  }

  mutating func wakeAll() -> [Woken] {
    waiters.keys.sorted().compactMap { remove($0) }.map {
      Woken(continuation: $0.continuation, cursor: $0.cursor)
    }
  }

  /// - Parameter ring: contains the entry already.
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
