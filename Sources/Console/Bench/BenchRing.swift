/// The newest events of the bench, as many as fit in both of its bounds. Pure.
struct BenchRing {
  /// The id of the first event that ever was.
  let origin: Int64
  private let maxEvents: Int
  private let maxBytes: Int
  /// Without a gap in their ids, from `head` on.
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

  /// Of the oldest event here; one above `last` where there is none.
  private var first: Int64 { last + 1 - Int64(count) }

  mutating func append(_ name: String, _ json: String, isFrame: Bool) {
    last += 1
    events.append(BenchFeed.Event(id: last, name: name, json: json, isFrame: isFrame))
    bytes += json.utf8.count
    while count > maxEvents || bytes > maxBytes && count > 1 {
      bytes -= events[head].json.utf8.count
      head += 1
    }
    // Taken out together, so that each costs little.
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
