import FobBase
public import Storage
import Synchronization

/// What is committed, to many readers: each gets the lines that it asked for, all of them, once and
/// in their order, whenever it comes and however slow it is.
///
/// The newest lines are in memory; who is further behind reads from the store. A reader that keeps
/// up sleeps until a line concerns it. One that does not only has an old cursor: nothing is kept
/// for it.
public final class EventFeed: Sendable {
  private struct State {
    var ring: FeedRing
    var waiters = FeedWaiters()
    var isClosed = false

    /// Takes lines off the front of `lines`.
    /// - Returns: an incident that must be known before the next; nil when all are taken.
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

  /// - Throws: `StorageFailure`.
  public convenience init(store: AlertStore) throws {
    try self.init(store: store, capacity: Limits.feedLines)
  }

  /// - Parameter capacity: lines kept in memory.
  init(store: AlertStore, capacity: Int) throws {
    self.store = store
    state = Mutex(State(ring: FeedRing(capacity: capacity, last: try store.lastLogID())))
  }

  /// Lines that are committed, in their order and without a gap; called by one thread, the
  /// commit's.
  public func publish(_ lines: [LogEntry]) {
    var rest = lines[...]
    var woken: [FeedWaiters.Woken] = []
    while let incident = state.withLock({ $0.add(&rest, &woken) }) {
      // Seldom: the first line here of an incident. The store has all of these lines already.
      let known = try? store.devices(of: incident)
      state.withLock { state in
        if let known {
          state.ring.learn(incident, known)
        } else {
          // Whom a line concerns is not known: so all look into the store, and hear why it fails.
          state.ring.clear(before: rest.last!.id + 1)
          woken += state.waiters.wakeAll()
          rest = []
        }
      }
    }
    for reader in woken { reader.continuation.resume(returning: reader.cursor) }
  }

  /// - Parameters:
  ///   - after: the id of the last line that was had, 0 for all; nil: from now on.
  ///   - filter: which lines; all by default.
  public func reader(after: Int64?, matching filter: LogFilter = LogFilter()) -> Reader {
    Reader(self, after: after ?? state.withLock { $0.ring.last }, filter)
  }

  /// Ends the wait of every reader, for good.
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

  /// Waits until a line above `cursor` is of concern.
  /// - Returns: a cursor, at least the given one, below that line.
  func wait(after cursor: Int64, _ filter: LogFilter) async throws -> Int64 {
    let id = state.withLock { $0.waiters.newID() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Int64, CancellationError>? in
          if state.isClosed || state.waiters.isCancelled(id) {
            return .failure(CancellationError())
          }
          // Something came since it was looked for.
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
