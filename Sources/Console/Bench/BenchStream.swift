import FobBase
import Hummingbird
import NIOCore

/// The bench as it goes on, to one client: each event once and in order, from where the client
/// says; what is no longer there is told as a gap.
enum BenchStream {
  private struct Gap: Encodable {
    let lost: Int64
    /// The events asked for were those of an earlier process.
    var restarted: Bool?
  }

  static func open(_ call: Call, _ feed: BenchFeed) throws(Problem) -> Response {
    let wantsFrames = call.query["wire"] == "1"
    let (cursor, isForeign) = feed.cursor(resuming: call.resumedID)
    return try ServedStream.response(call) { outlet in
      let (reader, wakes) = feed.join(frames: wantsFrames)
      defer { feed.leave(reader) }
      try await outlet.write(greeting(feed, after: cursor, isForeign))
      try await pass(feed, after: cursor, frames: wantsFrames, wakes, to: outlet)
    }
  }

  /// An id without an event, so that a client that loses the line before anything happens resumes
  /// here.
  private static func greeting(
    _ feed: BenchFeed, after cursor: Int64, _ isForeign: Bool
  ) -> ByteBuffer {
    var text = EventText.retry
    text.writeString("id: \(cursor)\n\n")
    if isForeign {
      text.writeImmutableBuffer(
        EventText.event("gap", id: cursor, Gap(lost: 0, restarted: true)))
    }
    return text
  }

  private static func pass(
    _ feed: BenchFeed, after start: Int64, frames: Bool, _ wakes: AsyncStream<Void>,
    to outlet: ServedStream.Outlet
  ) async throws {
    var cursor = start
    var wake = wakes.makeAsyncIterator()
    while true {
      let page = feed.page(after: cursor, frames: frames)
      if let text = text(of: page) { try await outlet.write(text) }
      cursor = page.end
      guard page.isLast else { continue }
      guard await wake.next() != nil else { throw CancellationError() }
    }
  }

  private static func text(of page: BenchFeed.Page) -> ByteBuffer? {
    guard page.lost > 0 || !page.events.isEmpty else { return nil }
    var text = ByteBuffer()
    if page.lost > 0 {
      text.writeImmutableBuffer(
        EventText.event("gap", id: page.lostUntil, Gap(lost: page.lost)))
    }
    for event in page.events {
      text.writeString("id: \(event.id)\nevent: \(event.name)\ndata: \(event.json)\n\n")
    }
    return text
  }
}
