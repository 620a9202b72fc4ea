import AlertCore
import CBench
import FobBase
import WireProtocol

/// What check-ins cost the core, in one thread and without I/O: the next date of a series, the
/// minute of an account that waits, and the midnight at which every series falls due.
struct CheckInBenchmark {
  private let series: Int
  private let results: String?
  /// 2026-11-25, 12:00 by UTC.
  private var now = Timestamp(
    boot: 1, instant: Instant(microseconds: 1_000_000), wall: 1_795_608_000_000_000)
  /// New York's until 2029.
  private let zone = ZoneTable(
    first: -18_000,
    transitions: [
      1_772_953_200, 1_793_512_800, 1_805_007_600, 1_825_567_200, 1_836_457_200, 1_857_016_800,
    ].enumerated().map { .init(at: $1, offset: $0 % 2 == 0 ? -14_400 : -18_000) })

  init(_ arguments: Arguments) throws {
    series = try arguments.number("series", default: 10_000)
    results = arguments.optional("results")
  }

  mutating func run() throws {
    let next = nextDate()
    var core = try waitingCore()
    let idle = minutes(of: &core)
    let midnight = try dueAtOnce(&core)
    let rows = [
      ("next date of a series", "µs", next), ("10,000 series wait", "µs/min", idle),
      ("10,000 due at once, all asked", "ms", midnight.all),
      ("10,000 due at once, longest step", "ms", midnight.longest),
    ]
    try Results.add(
      rows.map { Row(name: "check-ins, \($0)", unit: $1, ours: $2, peerName: "") }, of: "check-ins",
      to: results)
  }

  /// One of each kind in turn, at midnight of New York.
  private func recurrence(_ number: Int) -> Recurrence {
    let rules: [Recurrence.Rule] = [
      .days(every: 1), .days(every: 1, times: 6, hoursApart: 4),
      .weeks(every: 1 + number % 3, [.monday, .thursday, .saturday]),
      .months(every: 1, .day(1 + number % 31)), .months(every: 1, .ordinal(.last, .weekdays)),
      .years(every: 1, months: [2, 8], .ordinal(.second, .friday)),
    ]
    return Recurrence(rules[number % rules.count], at: 0, from: CivilDate(day: 20_782))
  }

  /// µs a call: the median over a day's moments, each of all series.
  private func nextDate() -> Double {
    let all = (0..<series).map(recurrence)
    var times: [UInt64] = []
    var found = 0
    for hour in 0..<24 {
      let wall = now.wall + Int64(hour) * 3_600_000_000
      let begun = bench_monotonic()
      for one in all where one.next(after: wall, in: zone) != nil { found += 1 }
      times.append(bench_monotonic() - begun)
    }
    precondition(found == all.count * 24)
    return Double(quantile(0.5, of: times)) / Double(series) / 1_000
  }

  /// With every series; all of them are asked each day at local midnight.
  private mutating func waitingCore() throws -> AlertCore {
    var account = Account(
      name: "Owner",
      contacts: [Contact(id: "contact-1", name: "Contact 1", address: "contact-1@example.org")])
    account.isProtecting = true
    var core = AlertCore(account: account, at: now)
    var output = CoreOutput()
    core.step(.zoneTable(zone), at: now, into: &output)
    for number in 1...series {
      var draft = CheckInDraft()
      draft.description = "Am I well? (\(number))"
      draft.rule = .days(every: 1)
      draft.minute = 0
      draft.start = CivilDate(day: 20_783)
      let command = UserCommand.checkIn(.add(draft), isProven: true)
      core.step(
        .userCommand(RequestID(rawValue: UInt64(number)), command, by: "bench"), at: now,
        into: &output)
      core.settle(&output, at: now)
    }
    guard core.checkIns.series.count == series else {
      throw BenchFailure("\(core.checkIns.series.count) series of \(series) were taken")
    }
    return core
  }

  /// µs of a processor that the wakes of a minute take, over an hour in which nothing falls due.
  private mutating func minutes(of core: inout AlertCore) -> Double {
    let end = now + .minutes(60)
    var output = CoreOutput()
    var spent: UInt64 = 0
    while now.at < end.at {
      let begun = bench_monotonic()
      let wake = core.nextWake(after: now) ?? end
      now = wake.at < end.at ? wake : end
      core.step(.wake, at: now, into: &output)
      spent += bench_monotonic() - begun
      core.settle(&output, at: now)
    }
    return Double(spent) / 60_000
  }

  /// ms of all steps until all are asked, and of the longest, which a press may have to wait for;
  /// the store answers at once.
  private mutating func dueAtOnce(_ core: inout AlertCore) throws -> (all: Double, longest: Double)
  {
    let day: Int64 = 86_400_000_000
    let midnight = (now.wall / day + 1) * day + 18_000_000_000
    now = now + .microseconds(midnight - now.wall)
    let last = now + .minutes(1)
    var output = CoreOutput()
    var times: [UInt64] = []
    while core.checkIns.open.count < series, now.at < last.at {
      let begun = bench_monotonic()
      core.step(.wake, at: now, into: &output)
      let next = core.nextWake(after: now) ?? last
      times.append(bench_monotonic() - begun)
      core.settle(&output, at: now)
      now = next.at > now.at ? next : now + .milliseconds(1)
    }
    guard core.checkIns.open.count == series, let longest = times.max() else {
      throw BenchFailure("\(core.checkIns.open.count) of \(series) were asked within a minute")
    }
    return (Double(times.reduce(0, +)) / 1e6, Double(longest) / 1e6)
  }
}
