import AlertCore
import FobBase
import Testing
import WireProtocol

@testable import Bridge

/// The core's end of a feed, in virtual time.
@Suite struct FeedTableTests {
  private var table = FeedTable()
  private let start = Instant(microseconds: 1_000_000_000)
  private let ack = EventAck(FeedBatchTests.event)

  private mutating func take(
    _ batch: FeedBatch, at now: Instant
  ) throws -> (inputs: [CoreInput], waitsFor: UInt64?) {
    try table.take(batch, batch.checked(), at: now)
  }

  private static func words(_ inputs: [CoreInput]) -> [String] {
    inputs.map { input in
      switch input {
      case .linkUp: "up"
      case .linkDown(_, let reason): "down: \(reason)"
      case .event(_, _, let range): range.map { "event \($0)" } ?? "event"
      case .unavailable: "unavailable"
      default: "other"
      }
    }
  }

  @Test mutating func `a link comes up once, goes down once and comes up anew`() throws {
    #expect(Self.words(try take(FeedBatchTests.batch(), at: start).inputs) == ["up"])
    #expect(Self.words(try take(FeedBatchTests.batch(sequence: 2), at: start).inputs) == [])
    let down = FeedBatchTests.batch(sequence: 3, hello: nil, down: "unplugged")
    #expect(Self.words(try take(down, at: start).inputs) == ["down: unplugged"])
    #expect(Self.words(try take(down, at: start).inputs) == [])
    let anew = FeedBatchTests.batch(sequence: 4, hello: FeedBatchTests.hello(session: 2))
    #expect(Self.words(try take(anew, at: start).inputs) == ["up"])
    let again = FeedBatchTests.batch(
      sequence: 5, hello: FeedBatchTests.hello(session: 3), down: "unplugged")
    #expect(Self.words(try take(again, at: start).inputs) == ["down: unplugged", "up"])
  }

  @Test mutating func `of a batch that comes late, events count and nothing else`() throws {
    _ = try take(FeedBatchTests.batch(sequence: 5), at: start)
    let late = FeedBatchTests.batch(
      [FeedBatchTests.input()], sequence: 4, hello: nil, down: "unplugged")
    #expect(Self.words(try take(late, at: start).inputs) == ["event"])
  }

  @Test mutating func `an answer waits for its commits, and a late ack goes to the stream`() throws
  {
    let (inputs, batch) = try take(FeedBatchTests.batch([FeedBatchTests.input()]), at: start)
    guard case .event(let link, _, _) = try #require(inputs.last) else { return }
    #expect(table.acknowledge(ack, on: link) == .completes(id: try #require(batch), [ack]))
    #expect(
      table.acknowledge(ack, on: link) == .stream(bridge: "0123456789abcdef", line: 0))
    #expect(table.acknowledge(ack, on: LinkID(rawValue: 1)) == .nobody)
  }

  @Test mutating func `a batch whose commits do not come is answered without them`() throws {
    let (_, batch) = try take(FeedBatchTests.batch([FeedBatchTests.input()]), at: start)
    #expect(table.takeOverdue(at: start + .milliseconds(249)).isEmpty)
    let overdue = table.takeOverdue(at: start + .milliseconds(250))
    #expect(overdue.map(\.id) == [try #require(batch)] && overdue[0].acks.isEmpty)
    #expect(table.takeOverdue(at: start + .seconds(9)).isEmpty)
  }

  @Test mutating func `a bridge that is silent for ten seconds has its links taken down`() throws {
    _ = try take(FeedBatchTests.batch(), at: start)
    _ = try take(FeedBatchTests.batch(line: 1, hello: nil), at: start)
    #expect(table.takeSilent(at: start + .milliseconds(9_999)).isEmpty)
    #expect(table.takeSilent(at: start + .seconds(10)).count == 1)
    #expect(table.bridges.isEmpty && table.nextWake == nil)
  }

  @Test mutating func `when an event happened is told by the echo, and not known without`() throws {
    let now = start.microseconds
    let echo = FeedBatch.Echo(clock: now - 3_000_000, held: 2_000_000)
    let inputs = try take(
      FeedBatchTests.batch([FeedBatchTests.input(age: [100, 300])], echo: echo), at: start
    ).inputs
    // Sent between a second ago (and 1000 ppm of two) and now.
    #expect(
      Self.words(inputs).last == "event \(now - 1_002_000 - 300...now - 100)")
    let future = FeedBatch.Echo(clock: now, held: 2_000_000)
    let unknown = try take(
      FeedBatchTests.batch([FeedBatchTests.input(age: [1, 3])], sequence: 2, echo: future),
      at: start
    ).inputs
    #expect(Self.words(unknown).last == "event")
  }

  @Test mutating func `more bridges than it takes are refused, and those it has go on`() throws {
    for n in 0..<FeedTable.mostBridges {
      _ = try take(FeedBatchTests.batch(bridge: Self.name(n)), at: start)
    }
    #expect(throws: FeedRefusal.full) {
      try take(FeedBatchTests.batch(bridge: Self.name(FeedTable.mostBridges)), at: start)
    }
    _ = try take(FeedBatchTests.batch(bridge: Self.name(0), sequence: 2), at: start)
  }

  private static func name(_ n: Int) -> String {
    let digits = String(n, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  @Test mutating func `what a line is to show is remembered for a stream that opens later`() throws
  {
    let (inputs, _) = try take(FeedBatchTests.batch(), at: start)
    guard case .linkUp(let link, _) = try #require(inputs.first) else { return }
    _ = try take(FeedBatchTests.batch(line: 1), at: start)
    let idle = Indication(state: .idle)
    #expect(table.indicate(idle, to: nil).count == 2)
    #expect(table.indicate(Indication(state: .unclaimed), to: [link]).map(\.line) == [0])
    #expect(
      table.shown(by: "0123456789abcdef").map(\.indication.state) == [.unclaimed, .idle])
    #expect(table.shown(by: "ffffffffffffffff").isEmpty)
  }
}
