import FobBase
import TestSupport
import Testing

@testable import AlertCore

/// Rows of check-ins that wait for a store that fails.
struct MergedRowTests {
  @Test(arguments: 0..<UInt64(100))
  func `merged changes have each row once, and leave what all of them in turn leave`(_ seed: UInt64)
  {
    var random = SeededGenerator(seed: seed)
    var parts: [Changes] = []
    var inTurn = StoredCheckIns()
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      var changes = Changes()
      changes.checkIns = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Self.change(by: &random)
      }
      for change in changes.checkIns { inTurn.apply(change) }
      parts.append(changes)
    }
    let merged = Changes.merged(parts).checkIns
    var atOnce = StoredCheckIns()
    for change in merged { atOnce.apply(change) }
    #expect(atOnce == inTurn)
    // Three series, nine check-ins, the settings and the counts.
    #expect(merged.count <= 14)
    // However it is cut, as by a store that fails now and then.
    let cut = Int.random(in: 0...parts.count, using: &random)
    #expect(Changes.merged([.merged(Array(parts[..<cut]))] + parts[cut...]).checkIns == merged)
  }

  @Test func `a store that fails for days holds the rows of a check-in once`() {
    var queue = CommitQueue()
    let now = Timestamp(boot: 1, instant: Instant(microseconds: 0), wall: 0)
    for number in 0..<10 * Limits.pendingAudit {
      var changes = Changes()
      changes.checkIns = [.checkIn(Self.checkIn(nagged: number)), .counts(CheckInCounts())]
      queue.take(changes, at: now)
    }
    #expect(queue.waiting.reduce(0) { $0 + $1.checkIns.count } <= 2 * Limits.pendingAudit + 2)
  }

  private static func checkIn(
    series: Int = 1, minute: Int = 540, nagged: Int
  ) -> CheckIn {
    var checkIn = CheckIn(
      series: series, key: OccurrenceKey(CheckInTests.today, minute: minute),
      description: "All well?", due: 0, answerableFrom: 0, escalates: true, runsOut: 0, limit: 20,
      lead: 0)
    checkIn.nagged = nagged
    return checkIn
  }

  /// Of few rows, so that they meet.
  private static func change(by random: inout SeededGenerator) -> CheckInChange {
    let number = Int.random(in: 0..<1_000, using: &random)
    let checkIn = checkIn(
      series: .random(in: 1...3, using: &random), minute: .random(in: 0...2, using: &random),
      nagged: number)
    var (settings, counts) = (CheckInSettings(), CheckInCounts())
    (settings.history, counts.asked) = (number, number)
    let series = CheckInSeries(
      id: checkIn.series, description: "All well?",
      recurrence: Recurrence(.days(every: 1), at: 540, from: CheckInTests.today), lead: 0,
      escalates: true, limit: 20, createdAt: 0, changedAt: Int64(number), askedUntil: 0)
    let changes: [CheckInChange] = [
      .series(series), .seriesRemoved(series.id), .checkIn(checkIn), .checkInRemoved(checkIn.id),
      .settings(settings), .counts(counts),
    ]
    return changes[Int.random(in: 0..<6, using: &random)]
  }
}
