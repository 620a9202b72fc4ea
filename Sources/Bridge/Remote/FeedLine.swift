import AlertCore
import FobBase
import Foundation
import WireProtocol

/// What waits of one keychain's line to be posted to a core on another host: one batch is under
/// way at a time. Pure. What was under way when a post failed is let go of, since the keychain
/// keeps its events and sends them again; how the link is, is said with the next.
struct FeedLine: Sendable {
  private enum Waiting: Sendable {
    case event(EventRecord, happenedAt: ClosedRange<Int64>?)
    case barePress(EventIdentity)

    var identity: EventIdentity {
      switch self {
      case .event(let record, _): record.identity
      case .barePress(let identity): identity
      }
    }
  }

  /// A keychain has fewer that are not acked.
  static let mostEvents = 128
  static let retryAfter = Interval.seconds(1)

  let line: Int
  private var hello: Hello?
  /// Why the link was down since the core heard of it last.
  private var down: String?
  /// Why the line cannot be opened.
  private var trouble: String?
  private var isLinkSaid = true
  private var events: [Waiting] = []
  private var heartbeat: Heartbeat?
  private var position: PositionFix?
  private var sequence: Int64 = 0
  /// Frames of the keychain were missed: said by a number that no batch has.
  private var hasMissed = false
  private var saying: (hello: Hello?, down: String?, trouble: String?)?
  private var retryAt: Instant?

  init(line: Int) { self.line = line }

  /// - Returns: false when there was no room for an event: the keychain sends it again.
  mutating func take(_ input: CoreInput) -> Bool {
    switch input {
    case .linkUp(_, let hello):
      self.hello = hello
      trouble = nil
      isLinkSaid = false
    case .linkDown(_, let reason):
      hello = nil
      down = Self.short(reason)
      isLinkSaid = false
    case .event(_, let record, let happenedAt):
      return take(.event(record, happenedAt: happenedAt))
    case .barePress(_, let identity): return take(.barePress(identity))
    case .missed: hasMissed = true
    case .heartbeat(_, let beat): heartbeat = beat
    case .position(_, let fix): position = fix
    case .unavailable(_, let reason):
      guard trouble != Self.short(reason) else { return true }
      trouble = Self.short(reason)
      isLinkSaid = false
    case .committed, .commitFailed, .answered, .verb, .pinRefused, .ways, .zone, .damage,
      .refreshed,
      .clockMoved, .wake:
      break
    }
    return true
  }

  private mutating func take(_ event: Waiting) -> Bool {
    guard !events.contains(where: { $0.identity == event.identity }) else { return true }
    guard events.count < Self.mostEvents else { return false }
    events.append(event)
    return true
  }

  /// The next batch, when none is under way and there is something to say. An event does not wait
  /// for the retry of what failed before it.
  mutating func next(
    bridge: String, echo: FeedBatch.Echo?, at now: Instant
  ) -> FeedBatch? {
    let isDue = retryAt.map { now >= $0 } ?? true
    guard saying == nil, !events.isEmpty || isDue,
      !events.isEmpty || !isLinkSaid || heartbeat != nil || position != nil
    else { return nil }
    sequence += hasMissed ? 2 : 1
    hasMissed = false
    retryAt = nil
    saying = (hello, down, trouble)
    defer {
      events = []
      heartbeat = nil
      position = nil
    }
    var inputs = events.map { Self.input($0, at: now) }
    if let heartbeat {
      inputs.append(FeedBatch.Input(kind: .heartbeat, payload: heartbeat.data, age: nil))
    }
    if let position {
      inputs.append(FeedBatch.Input(kind: .position, payload: position.data, age: nil))
    }
    return FeedBatch(
      bridge: bridge, line: line, sequence: sequence, echo: echo, down: down, trouble: trouble,
      hello: hello?.data, inputs: inputs)
  }

  /// A reason as it fits into a batch: at most four bytes a letter.
  private static func short(_ reason: String) -> String {
    String(String.UnicodeScalarView(reason.unicodeScalars.prefix(FeedBatch.longestReason / 4)))
  }

  private static func input(_ event: Waiting, at now: Instant) -> FeedBatch.Input {
    switch event {
    case .event(let record, let happenedAt):
      let age = happenedAt.map {
        [now.microseconds &- $0.upperBound, now.microseconds &- $0.lowerBound]
      }
      return FeedBatch.Input(kind: .event, payload: record.data, age: age)
    case .barePress(let identity):
      return FeedBatch.Input(
        kind: .barePress, payload: EventRecord(identity).data.prefix(EventIdentity.size), age: nil)
    }
  }

  /// The batch under way was answered.
  mutating func succeeded() {
    guard let said = saying else { return }
    saying = nil
    if said.down == down { down = nil }
    isLinkSaid = said.hello == hello && down == nil && said.trouble == trouble
  }

  mutating func failed(at now: Instant) {
    saying = nil
    isLinkSaid = false
    retryAt = now + Self.retryAfter
  }

  /// When `next` is worth a call though nothing new has come.
  var nextWake: Instant? { saying == nil && !isLinkSaid ? retryAt : nil }
}
