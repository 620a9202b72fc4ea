import SerialIO
import Synchronization

/// Passes the bench's events to many clients. The newest events are in a bounded ring: a client
/// that reconnects in time misses nothing.
///
/// Ids grow by one. They begin at the wall clock's time, so that an id of an earlier process is
/// recognized.
public final class BenchFeed: Sendable {
  struct Event: Sendable {
    let id: Int64
    let name: String
    /// One line of JSON.
    let json: String
    /// A frame of the wire: only for clients that ask for frames.
    let isFrame: Bool
  }

  /// The result of one look into the ring.
  struct Page: Sendable {
    /// How many events above the cursor had left the ring; frames that the client did not ask for
    /// count, too.
    var lost: Int64 = 0
    /// The id of the last lost event.
    var lostUntil: Int64 = 0
    var events: [Event] = []
    /// No event up to this id is still to come.
    var end: Int64
    /// There is no event above `end` now.
    var isLast = true
  }

  private struct Reader {
    let id: UInt64
    let wantsFrames: Bool
    let wake: AsyncStream<Void>.Continuation
  }

  private struct State {
    var ring: BenchRing
    var readers: [Reader] = []
    var lastReader: UInt64 = 0
  }

  /// The most events of one write to a client.
  static let batch = 256

  private let state: Mutex<State>
  private let frameReaders = Atomic(0)

  /// A ring with the console's limits.
  public convenience init() {
    self.init(first: WallClock.now(), events: ConsoleLimits.benchEvents)
  }

  /// - Parameters:
  ///   - first: the id of the first event.
  ///   - events: how many are kept.
  init(first: Int64, events: Int, bytes: Int = ConsoleLimits.benchBytes) {
    state = Mutex(State(ring: BenchRing(first: first, events: events, bytes: bytes)))
  }

  /// Some client asks for frames: otherwise none need be decoded.
  public var wantsFrames: Bool { frameReaders.load(ordering: .relaxed) > 0 }

  /// The id of the newest event; a client that asks for the events after it misses nothing.
  public var last: Int64 { state.withLock { $0.ring.last } }

  /// Adds an event, from any thread; never waits for a client.
  /// - Parameters:
  ///   - name: of the server-sent event.
  ///   - json: an object on one line.
  ///   - isFrame: the event is only for clients that ask for frames.
  public func put(_ name: String, json: String, isFrame: Bool = false) {
    let woken = state.withLock { state in
      state.ring.append(name, json, isFrame: isFrame)
      return state.readers.filter { $0.wantsFrames || !isFrame }.map(\.wake)
    }
    for wake in woken { wake.yield() }
  }

  // MARK: For streams

  /// Where a client resumes after the event `asked`.
  /// - Returns: a cursor, and whether the id was another process's, whose events are gone.
  func cursor(resuming asked: Int64?) -> (cursor: Int64, isForeign: Bool) {
    state.withLock { state in
      guard let asked else { return (state.ring.last, false) }
      let isForeign = !(state.ring.origin - 1...state.ring.last).contains(asked)
      return (isForeign ? state.ring.origin - 1 : asked, isForeign)
    }
  }

  func page(after cursor: Int64, frames: Bool) -> Page {
    state.withLock { $0.ring.page(after: cursor, frames: frames, limit: Self.batch) }
  }

  /// - Returns: a sequence with an element whenever there may be something new, until `leave`.
  func join(frames: Bool) -> (id: UInt64, wakes: AsyncStream<Void>) {
    let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    if frames { frameReaders.add(1, ordering: .relaxed) }
    return state.withLock { state in
      state.lastReader += 1
      state.readers.append(Reader(id: state.lastReader, wantsFrames: frames, wake: wake))
      return (state.lastReader, wakes)
    }
  }

  func leave(_ id: UInt64) {
    let left = state.withLock { state in
      let index = state.readers.firstIndex { $0.id == id }
      return index.map { state.readers.remove(at: $0) }
    }
    guard let left else { return }
    if left.wantsFrames { frameReaders.subtract(1, ordering: .relaxed) }
    left.wake.finish()
  }
}

/// The newest events of the bench, as many as both bounds allow. Pure.
struct BenchRing {
  /// The id of the first event of this process.
  let origin: Int64
  private let maxEvents: Int
  private let maxBytes: Int
  /// The events from `head` on; their ids have no gap.
  private var events: [BenchFeed.Event] = []
  private var head = 0
  private var bytes = 0
  private(set) var last: Int64

  init(first: Int64, events: Int, bytes: Int) {
    origin = first
    last = first - 1
    maxEvents = events
    maxBytes = bytes
  }

  var count: Int { events.count - head }

  /// The id of the oldest event here; `last` + 1 if there is none.
  private var first: Int64 { last + 1 - Int64(count) }

  mutating func append(_ name: String, _ json: String, isFrame: Bool) {
    last += 1
    events.append(BenchFeed.Event(id: last, name: name, json: json, isFrame: isFrame))
    bytes += json.utf8.count
    while count > maxEvents || bytes > maxBytes && count > 1 {
      bytes -= events[head].json.utf8.count
      head += 1
    }
    // Removed together, so that each removal costs little.
    if head >= 256, head * 2 >= events.count {
      events.removeFirst(head)
      head = 0
    }
  }

  func page(after cursor: Int64, frames: Bool, limit: Int) -> BenchFeed.Page {
    var page = BenchFeed.Page(end: max(cursor, first - 1))
    if cursor < first - 1 { (page.lost, page.lostUntil) = (first - 1 - cursor, first - 1) }
    while page.end < last {
      guard page.events.count < limit else {
        page.isLast = false
        break
      }
      page.end += 1
      let event = events[head + Int(page.end - first)]
      if frames || !event.isFrame { page.events.append(event) }
    }
    return page
  }
}
