import AlertCore
import FobBase
import WireProtocol

/// A finger on one keychain, and the core in profile `guarded` that hears of it. Times are
/// microseconds since the start, on the keychain's clock and, exactly fitted, on the host's.
struct GuardedBench {
  var bench: CoreBench
  let start: Timestamp
  private(set) var number: UInt32 = 1

  init(
    _ slots: PanicSlots = .none, _ account: Account = .sample(contacts: 1),
    countdown: Interval = .zero
  ) {
    var policy = Policy.ofManyLines
    policy.profile = .guarded(slots)
    policy.buttonCountdown = countdown
    bench = CoreBench(account, policy)
    start = bench.now
    bench.hand(.linkUp(line, .from(keychain)))
    bench.press(.press(1, kind: .booted))
  }

  var now: Int64 { bench.now.since(start).microseconds }

  /// The next edge, by number.
  mutating func edge(_ kind: EventKind, at: Int64) -> EventRecord {
    number += 1
    return .press(number, kind: kind, clock: 5_000_000 + UInt64(at))
  }

  func happened(_ record: EventRecord) -> ClosedRange<Int64> {
    let at = start.instant + Int64(record.identity.clock) - 5_000_000
    return at...at
  }

  mutating func deliver(_ record: EventRecord, isFitted: Bool = true) {
    bench.press(record, happenedAt: isFitted ? happened(record) : nil)
  }

  /// Each edge is heard as it happens: presses at even places, releases at odd ones.
  @discardableResult
  mutating func play(_ times: [Int64], isFitted: Bool = true) -> [EventRecord] {
    let began = now
    return times.enumerated().map { index, at in
      bench.run(until: start + .microseconds(began + at))
      let record = edge(index % 2 == 0 ? .pressed : .released, at: began + at)
      deliver(record, isFitted: isFitted)
      return record
    }
  }

  /// Clicks of 0.2 s, 0.2 s apart, and the time until they are read.
  @discardableResult
  mutating func click(_ count: Int = 1, isFitted: Bool = true) -> [EventRecord] {
    let records = play(
      (0..<Int64(count)).flatMap { [$0 * 400_000, $0 * 400_000 + 200_000] }, isFitted: isFitted)
    bench.run(for: .seconds(1))
    return records
  }

  func meaning(_ record: EventRecord) -> PressDetector.Meaning? {
    bench.store.meaning(of: record.identity)
  }
}
