import FobBase
public import Storage
import Synchronization

extension EventFeed {
  /// One reader with a cursor of its own; for one task at a time.
  public final class Reader: Sendable {
    private let feed: EventFeed
    private let filter: LogFilter
    private let place: Mutex<(cursor: Int64, isReading: Bool)>

    init(_ feed: EventFeed, after cursor: Int64, _ filter: LogFilter) {
      self.feed = feed
      self.filter = filter
      place = Mutex((cursor, false))
    }

    /// No line at or below this is still to come.
    public var cursor: Int64 { place.withLock { $0.cursor } }

    /// The next lines, at least one, at most `Limits.feedBatch`; waits for the first.
    /// - Throws: `CancellationError` when the task is cancelled or the feed is closed;
    ///   `StorageFailure` when older lines cannot be read. Neither moves the cursor past a line
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
