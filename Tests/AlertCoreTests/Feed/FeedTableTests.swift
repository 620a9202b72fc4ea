import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// The core's end of a feed, in virtual time.
@Suite struct FeedTableTests {
  private var table = FeedTable()
  private let start = Instant(microseconds: 1_000_000_000)
  private let ack = EventAck(FeedSample.event)
  private static let bridge = BridgeRun(holder: "token", name: "0123456789abcdef")

  private mutating func take(
    _ batch: CheckedFeed, of holder: String = "token", at now: Instant
  ) throws -> (inputs: [CoreInput], waitsFor: UInt64?) {
    try table.take(batch, of: holder, at: now)
  }

  private static func words(_ inputs: [CoreInput]) -> [String] {
    inputs.map { input in
      switch input {
      case .linkUp: "up"
      case .linkDown(_, let reason): "down: \(reason)"
      case .event(_, _, let range): range.map { "event \($0)" } ?? "event"
      case .unavailable: "unavailable"
      case .missed: "missed"
      default: "other"
      }
    }
  }

  @Test mutating func `a link comes up once, goes down once and comes up anew`() throws {
    #expect(Self.words(try take(FeedSample.batch(), at: start).inputs) == ["up"])
    #expect(Self.words(try take(FeedSample.batch(sequence: 2), at: start).inputs) == [])
    let down = FeedSample.batch(sequence: 3, hello: nil, down: "unplugged")
    #expect(Self.words(try take(down, at: start).inputs) == ["down: unplugged"])
    #expect(Self.words(try take(down, at: start).inputs) == [])
    let anew = FeedSample.batch(sequence: 4, hello: FeedSample.hello(session: 2))
    #expect(Self.words(try take(anew, at: start).inputs) == ["up"])
    let again = FeedSample.batch(
      sequence: 5, hello: FeedSample.hello(session: 3), down: "unplugged")
    #expect(Self.words(try take(again, at: start).inputs) == ["down: unplugged", "up"])
  }

  @Test mutating func `a bridge that comes under ever new names has the link of the one that went`()
    throws
  {
    var links: Set<LinkID> = []
    for n in 10..<99 {
      let now = start + .seconds(Int64(n) * 10)
      _ = table.takeSilent(at: now)
      let batch = FeedSample.batch(bridge: "0123456789abcd\(n)")
      for case .linkUp(let link, _) in try take(batch, at: now).inputs { links.insert(link) }
    }
    #expect(links.count == 1)
    guard
      case .linkUp(let link, _)? = try take(
        FeedSample.batch(), of: "another token", at: start + .seconds(9_999)
      ).inputs.first
    else { return }
    #expect(!links.contains(link))
  }

  @Test mutating func `a number that no batch has says that something was missed`() throws {
    _ = try take(FeedSample.batch(), at: start)
    #expect(Self.words(try take(FeedSample.batch(sequence: 3), at: start).inputs) == ["missed"])
    let last = FeedSample.batch(sequence: .max)
    #expect(Self.words(try take(last, at: start).inputs) == ["missed"])
    let other = FeedSample.batch(line: 1, sequence: .max)
    #expect(Self.words(try take(other, at: start).inputs) == ["up"])
  }

  @Test mutating func `of a batch that comes late, events count and nothing else`() throws {
    _ = try take(FeedSample.batch(sequence: 5), at: start)
    let late = FeedSample.batch(
      [FeedSample.input()], sequence: 4, hello: nil, down: "unplugged")
    #expect(Self.words(try take(late, at: start).inputs) == ["event"])
  }

  @Test mutating func `an answer waits for its commits, and a late ack goes to the stream`() throws
  {
    let (inputs, batch) = try take(FeedSample.batch([FeedSample.input()]), at: start)
    guard case .event(let link, _, _) = try #require(inputs.last) else { return }
    let sending = Indication(incident: 7, state: .sending)
    _ = table.indicate(sending, to: [link])
    let answer = FeedTable.Answer(
      id: try #require(batch), acks: [ack], shown: FeedSignal.Shown(0, sending))
    #expect(table.acknowledge(ack, on: link) == .completes(answer), "with the light as it is")
    #expect(
      table.acknowledge(ack, on: link) == .stream(bridge: Self.bridge, line: 0))
    #expect(table.acknowledge(ack, on: LinkID(rawValue: 1)) == .nobody)
  }

  @Test mutating func `a batch whose commits do not come is answered without them`() throws {
    let (_, batch) = try take(FeedSample.batch([FeedSample.input()]), at: start)
    #expect(table.takeOverdue(at: start + .milliseconds(249)).isEmpty)
    let overdue = table.takeOverdue(at: start + .milliseconds(250))
    #expect(overdue.map(\.id) == [try #require(batch)] && overdue[0].acks.isEmpty)
    #expect(table.takeOverdue(at: start + .seconds(9)).isEmpty)
  }

  @Test mutating func `a bridge that is silent for ten seconds has its links taken down`() throws {
    _ = try take(FeedSample.batch(), at: start)
    _ = try take(FeedSample.batch(line: 1, hello: nil), at: start)
    #expect(table.takeSilent(at: start + .milliseconds(9_999)).of.isEmpty)
    let (inputs, silent) = table.takeSilent(at: start + .seconds(10))
    #expect(Self.words(inputs) == ["down: nothing heard of its bridge for 10 s"])
    #expect(silent == [Self.bridge])
    #expect(table.bridges.isEmpty && table.nextWake == nil)
    _ = try take(FeedSample.batch(hello: nil), at: start)
    #expect(table.takeSilent(at: start + .seconds(10)).of.isEmpty, "no device is told anything old")
  }

  /// Its keychain is away, and may come back while nothing of it arrives.
  @Test mutating func `a silent bridge that was told a light is said to be silent, linked or not`()
    throws
  {
    _ = try take(FeedSample.batch(), at: start)
    _ = table.indicate(Indication(state: .accepted), to: nil)
    _ = try take(FeedSample.batch(sequence: 2, hello: nil), at: start)
    #expect(table.takeSilent(at: start + .seconds(10)).of == [Self.bridge])
  }

  @Test mutating func `a batch tells the next deadline where it has made that earlier`() throws {
    let quiet = FeedSample.batch()
    _ = try take(quiet, at: start)
    #expect(table.nextWake(after: quiet, of: "token") == table.nextWake)
    let pressed = FeedSample.batch([FeedSample.input()], line: 1)
    _ = try take(pressed, at: start + .seconds(1))
    #expect(table.nextWake(after: pressed, of: "token") == start + .milliseconds(1_250))
    #expect(table.nextWake == start + .milliseconds(1_250))
  }

  @Test mutating func `when an event happened is told by the echo, and not known without`() throws {
    let now = start.microseconds
    let echo = FeedEcho(clock: now - 3_000_000, held: 2_000_000)
    let inputs = try take(
      FeedSample.batch([FeedSample.input(age: 100...300)], echo: echo), at: start
    ).inputs
    // Sent between a second ago (and 1000 ppm of two) and now.
    #expect(
      Self.words(inputs).last == "event \(now - 1_002_000 - 300...now - 100)")
    let future = FeedEcho(clock: now, held: 2_000_000)
    let unknown = try take(
      FeedSample.batch([FeedSample.input(age: 1...3)], sequence: 2, echo: future),
      at: start
    ).inputs
    #expect(Self.words(unknown).last == "event")
  }

  @Test mutating func `more bridges than it takes are refused, and those it has go on`() throws {
    for n in 0..<FeedTable.maxBridges {
      _ = try take(
        FeedSample.batch(bridge: Self.name(n)), of: "token \(n / FeedTable.maxBridgesOfHolder)",
        at: start)
    }
    #expect(throws: FeedRefusal.full) {
      try take(
        FeedSample.batch(bridge: Self.name(FeedTable.maxBridges)), of: "another", at: start)
    }
    _ = try take(FeedSample.batch(bridge: Self.name(0), sequence: 2), of: "token 0", at: start)
  }

  /// A run that was killed is silent for ten seconds before it is forgotten otherwise.
  @Test mutating func `a bridge that is started again has room beside the run that has left`()
    throws
  {
    for line in 0..<FeedTable.maxLinesOfHolder {
      _ = try take(FeedSample.batch(bridge: Self.name(1), line: line), at: start)
    }
    let next = FeedSample.batch(bridge: Self.name(2))
    #expect(throws: FeedRefusal.full) { try take(next, at: start) }
    let run = BridgeRun(holder: "token", name: Self.name(1))
    table.stream(of: run, isOpen: false)
    table.stream(of: run, isOpen: true)
    #expect(throws: FeedRefusal.full) { try take(next, at: start) }
    table.stream(of: run, isOpen: false)
    let words = Self.words(try take(next, at: start).inputs)
    let downs = Array(repeating: "down: its bridge has ended", count: FeedTable.maxLinesOfHolder)
    #expect(words == downs + ["up"])
  }

  @Test mutating func `a token that was stolen keeps no other's bridge out`() throws {
    for n in 0..<FeedTable.maxBridgesOfHolder {
      _ = try take(FeedSample.batch(bridge: Self.name(n)), of: "stolen", at: start)
    }
    #expect(throws: FeedRefusal.full) {
      try take(FeedSample.batch(bridge: Self.name(99)), of: "stolen", at: start)
    }
    _ = try take(FeedSample.batch(bridge: Self.name(99)), at: start)
  }

  /// Each line would have a pace of its own, and a stolen token as many lines as it has names for.
  @Test mutating func `a token's events are paced together, however it names its bridges`() throws {
    var taken = 0
    for n in 0..<8_192 {
      let at = start + .milliseconds(Int64(n))
      let batch = FeedSample.batch(
        [FeedSample.input()], bridge: Self.name(n), line: n % 16)
      taken += try take(batch, of: "stolen", at: at).inputs.count { $0.isEvent }
      _ = table.takeSilent(at: at + FeedTable.silentAfter)
    }
    #expect((1_024...2_048).contains(taken), "\(taken)")
    let honest = try take(
      FeedSample.batch([FeedSample.input()]), at: start + .seconds(9)
    ).inputs
    #expect(honest.contains { $0.isEvent })
  }

  @Test mutating func `nobody speaks for a bridge by another's token`() throws {
    _ = try take(FeedSample.batch(), at: start)
    let down = FeedSample.batch(sequence: 2, hello: nil, down: "unplugged")
    #expect(Self.words(try take(down, of: "stolen", at: start).inputs) == [])
    #expect(Self.words(try take(down, at: start).inputs) == ["down: unplugged"])
  }

  private static func name(_ n: Int) -> String {
    let digits = String(n, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  @Test mutating func `what a line is to show is remembered for a stream that opens later`() throws
  {
    let (inputs, _) = try take(FeedSample.batch(), at: start)
    guard case .linkUp(let link, _) = try #require(inputs.first) else { return }
    _ = try take(FeedSample.batch(line: 1), at: start)
    let idle = Indication(state: .idle)
    #expect(table.indicate(idle, to: nil).count == 2)
    #expect(table.indicate(Indication(state: .unclaimed), to: [link]).map(\.line) == [0])
    #expect(
      table.shown(by: Self.bridge).map(\.indication.state) == [.unclaimed, .idle])
    #expect(table.shown(by: BridgeRun(holder: "another", name: Self.bridge.name)).isEmpty)
  }
}

extension CoreInput {
  fileprivate var isEvent: Bool {
    if case .event = self { true } else { false }
  }
}
