import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// Many keychains at one bridge elsewhere: who floods harms himself alone, and a stolen token has
/// its bound.
struct LineReserveTests {
  private var table = FeedTable()
  private let start = Instant(microseconds: 1_000_000_000)
  private var sequence: Int64 = 0
  private var number: UInt32 = 0

  /// A line brings so many new events.
  /// - Returns: those that its core hears.
  private mutating func bring(
    _ count: Int = 1, _ kind: EventKind = .pressed, on line: Int,
    bridge: String = "0123456789abcdef", at now: Instant
  ) throws -> [CoreInput] {
    let device = DeviceID(rawValue: 1 << 63 | UInt64(line))
    let events = (0..<count).map { _ in
      number += 1
      return CheckedFeed.Input.event(.press(number, device: device, kind: kind), age: nil)
    }
    sequence += 1
    let batch = FeedSample.batch(events, bridge: bridge, line: line, sequence: sequence)
    return try table.take(batch, of: "token", at: now).inputs.filter(\.isEvent)
  }

  /// Keychains of neighbours use up all that they and their bridge's token may bring.
  private mutating func flood(
    from lines: Range<Int> = 1..<9, bridge: String = "0123456789abcdef", at now: Instant
  ) throws {
    for line in lines { _ = try bring(256, on: line, bridge: bridge, at: now) }
    for line in lines {
      let isHeld = try bring(on: line, bridge: bridge, at: now).isEmpty
      #expect(isHeld, "it stays on the keychain")
    }
  }

  @Test mutating func `while neighbours flood, what a quiet line brings passes at once`() throws {
    for second in stride(from: Int64(0), to: 600, by: 20) {
      let now = start + .seconds(second)
      try flood(at: now)
      #expect(try bring(on: 0, at: now).count == 1)
      #expect(try bring(1, .released, on: 0, at: now).count == 1)
    }
  }

  @Test mutating func `all that a keychain has stored passes at once under a flood`() throws {
    try flood(at: start)
    #expect(try bring(Limits.deviceEvents, on: 0, at: start).count == Limits.deviceEvents)
    #expect(try bring(on: 0, at: start).isEmpty)
  }

  @Test mutating func `what was held back passes when the flood is over`() throws {
    try flood(at: start)
    let later = start + FeedTable.holderPace.longest
    for line in 1..<9 { #expect(try bring(64, on: line, at: later).count == 64) }
  }

  @Test mutating func `no other events of its own line keep a press waiting`() throws {
    try flood(at: start)
    _ = try bring(256, .fault, on: 0, at: start)
    #expect(try bring(1, .fault, on: 0, at: start).isEmpty)
    #expect(try bring(on: 0, at: start).count == 1)
  }

  @Test func `no stranger on its wire keeps a press waiting that is proved`() {
    let feed = SealedFeed.linked()
    for batch in UInt32(0)..<16 {
      let presses = (0..<256).map { EventRecord.press(1_000 + batch * 256 + $0) }
      feed.post(presses.map { .event($0, age: nil) })
    }
    feed.say(EventRecord.press(1))
    #expect(feed.heard.last == "event 1.1 some time")
  }

  /// The links of the run before are given out again.
  @Test mutating func `after a restart no line has the limits that a neighbour has used up`() throws
  {
    let first = try bring(on: 0, at: start)
    try flood(at: start)
    let later = start + FeedTable.silentAfter
    _ = table.takeSilent(at: later)
    let name = "fedcba9876543210"
    let again = try bring(on: 0, bridge: name, at: later)
    #expect(first.map(\.eventLink) == again.map(\.eventLink))
    try flood(bridge: name, at: later)
    #expect(try bring(on: 0, bridge: name, at: later).count == 1)
  }

  @Test mutating func `what a stolen token brings has a bound, however many lines it opens`() throws
  {
    let minutes = 10
    var taken = 0
    for minute in 0..<minutes {
      for line in 0..<FeedTable.maxLinesOfHolder {
        let now = start + .minutes(Int64(minute)) + .milliseconds(Int64(line))
        taken += try bring(32, on: line, at: now).count
      }
    }
    let token = Int(FeedTable.holderPace.burst) * (minutes + 1)
    let lines = FeedTable.maxLinesOfHolder * (Limits.deviceEvents + 3 * minutes)
    #expect(taken <= token + lines, "\(taken)")
  }
}

extension CoreInput {
  fileprivate var eventLink: LinkID? {
    if case .event(let link, _, _) = self { link } else { nil }
  }

  fileprivate var isEvent: Bool { eventLink != nil }
}
