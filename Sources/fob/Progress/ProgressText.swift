import FobBase
import Simulation

/// How far a long work is, in one row of text: done of how many, how fast, and how long it takes
/// yet. The rate is that of the last half minute; where nothing is known, nothing is said of it.
struct ProgressText {
  /// What is counted, as in "schedules".
  let noun: String
  /// How many there are; nil: as many as can be done until `ends`.
  let total: Int?
  /// When it ends, whatever is done by then; nil: when all is done.
  let ends: Instant?

  /// The rate is that of so much time at most.
  private static let span = Interval.seconds(30)
  /// How many readings are kept of it.
  private static let most = 64
  /// At most four rows a second.
  private static let pause = Interval.milliseconds(250)

  private var readings: [Reading]
  private var next: Instant

  private struct Reading {
    let at: Instant
    let done: Int
  }

  init(_ noun: String, of total: Int? = nil, ends: Instant? = nil, at now: Instant) {
    self.noun = noun
    self.total = total
    self.ends = ends
    readings = [Reading(at: now, done: 0)]
    next = now + Self.pause
  }

  /// Whether a row is due again.
  func isDue(at now: Instant) -> Bool { now >= next }

  /// - Parameter done: since the beginning; it does not fall.
  mutating func row(done: Int, at now: Instant) -> String {
    next = now + Self.pause
    if let last = readings.last, last.at + .microseconds(Self.span.microseconds / 32) <= now {
      readings.append(Reading(at: now, done: done))
    }
    while readings.count > Self.most || readings.count > 1 && readings[1].at + Self.span <= now {
      readings.removeFirst()
    }
    return
      ([counted(done)]
      + [rate(done, now).map { Self.rateWords($0) }, left(done, now)]
      .compactMap(\.self)).joined(separator: ", ")
  }

  private func counted(_ done: Int) -> String {
    guard let total else { return "\(NumberText.grouped(done)) \(noun)" }
    let share = total > 0 ? " (\(Int(Double(min(done, total)) / Double(total) * 100)) %)" : ""
    return "\(NumberText.grouped(done)) of \(NumberText.grouped(total)) \(noun)\(share)"
  }

  /// A second; nil where nothing was done yet.
  private func rate(_ done: Int, _ now: Instant) -> Double? {
    guard let first = readings.first, now > first.at, done > first.done else { return nil }
    return Double(done - first.done) / (Double((now - first.at).microseconds) / 1e6)
  }

  private func left(_ done: Int, _ now: Instant) -> String? {
    if let ends { return now < ends ? Self.words(ends - now) + " left" : "ending" }
    guard let total, let rate = rate(done, now) else { return nil }
    let seconds = Double(max(0, total - done)) / rate
    return Self.words(.microseconds(Int64(min(seconds, 1e9) * 1e6))) + " left"
  }

  private static func rateWords(_ rate: Double) -> String {
    switch rate {
    case 10...: "\(NumberText.grouped(Int(min(rate.rounded(), 1e15))))/s"
    case 0.1...: "\(tenths(rate))/s"
    default: "\(tenths(rate * 60))/min"
    }
  }

  private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  /// One whole unit, rounded up: it does not end before it says so.
  private static func words(_ interval: Interval) -> String {
    let seconds = max(0, (interval.microseconds + 999_999) / 1_000_000)
    switch seconds {
    case ..<100: return "\(seconds) s"
    case ..<6_000: return "\((seconds + 59) / 60) min"
    default: return "\((seconds + 3_599) / 3_600) h"
    }
  }
}
