import TestSupport
import Testing

@testable import Console

/// What is kept of the bench's events.
struct BenchRingTests {
  /// Against a ring that keeps everything and counts by hand.
  @Test(arguments: 1...20)
  func `a reader sees each event that is kept, once and in order, and how many are not`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    let first = Int64.random(in: 1...1_000_000, using: &generator)
    let (most, bytes) = (
      Int.random(in: 1...700, using: &generator), Int.random(in: 50...4_000, using: &generator)
    )
    var ring = BenchRing(first: first, events: most, bytes: bytes)
    var all: [(json: String, isFrame: Bool)] = []
    for _ in 0..<Int.random(in: 0...2_000, using: &generator) {
      let json = String(repeating: "x", count: Int.random(in: 1...20, using: &generator))
      all.append((json, Bool.random(using: &generator)))
      ring.append("name", json, isFrame: all.last!.isFrame)
    }
    let kept = Self.kept(all.map(\.json), most: most, bytes: bytes)
    #expect(ring.count == kept)
    #expect(ring.last == first + Int64(all.count) - 1)
    let lost = all.count - kept
    let had = Int.random(in: 0...all.count, using: &generator)
    let frames = Bool.random(using: &generator)
    var cursor = first - 1 + Int64(had)
    var seen: [Int64] = []
    while true {
      let page = ring.page(after: cursor, frames: frames, limit: 7)
      let isFirst = cursor == first - 1 + Int64(had)
      #expect(page.lost == (isFirst ? Int64(max(0, lost - had)) : 0))
      #expect(page.events.count <= 7)
      seen += page.events.map(\.id)
      cursor = page.end
      if page.isLast { break }
    }
    #expect(cursor == ring.last)
    let wanted = (max(had, lost)..<all.count).filter { frames || !all[$0].isFrame }
    #expect(seen == wanted.map { first + Int64($0) })
  }

  /// The newest of which all bounds hold; one is kept however long.
  private static func kept(_ all: [String], most: Int, bytes: Int) -> Int {
    var (count, sum) = (0, 0)
    for json in all.reversed() {
      sum += json.utf8.count
      guard count < most, sum <= bytes || count == 0 else { break }
      count += 1
    }
    return count
  }

  @Test func `an id of another process is known for what it is`() {
    let feed = BenchFeed(first: 1_000, events: 10)
    feed.put("a", json: "{}")
    #expect(feed.cursor(resuming: nil) == (1_000, false))
    #expect(feed.cursor(resuming: 999) == (999, false))
    #expect(feed.cursor(resuming: 998) == (999, true))
    #expect(feed.cursor(resuming: 1_001) == (999, true))
  }
}
