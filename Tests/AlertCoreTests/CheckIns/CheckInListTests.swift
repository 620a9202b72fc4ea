import FobBase
import TestSupport
import Testing

@testable import AlertCore

/// The list of check-ins (R97, R98, R105, R106), a page of which costs what it shows.
struct CheckInListTests {
  private static let day: Int64 = 86_400_000_000

  /// Series that ask each day at noon, and lists that show a year of each.
  private func daily(_ count: Int) -> (checkIns: CheckIns, wall: Int64) {
    var checkIns = CheckIns()
    let now = Timestamp(
      boot: 1, instant: Instant(microseconds: 0), wall: Int64(CheckInTests.today.day) * Self.day)
    var output = CoreOutput()
    checkIns.set(.utc, at: now, &output)
    checkIns.settings.shown = 366
    for id in 1...count {
      checkIns.series[id] = CheckInSeries(
        id: id, description: "All well?",
        recurrence: Recurrence(.days(every: 1), at: 720, from: CheckInTests.today), lead: 0,
        escalates: true, limit: 20, createdAt: now.wall, changedAt: now.wall,
        askedUntil: now.wall)
      checkIns.expectNext(of: id, at: now, &output)
    }
    return (checkIns, now.wall)
  }

  private func taken(_ list: inout CheckInList, _ count: Int) -> [ListedCheckIn] {
    var rows: [ListedCheckIn] = []
    while rows.count < count, let row = list.next() { rows.append(row) }
    return rows
  }

  @Test func `the first page looks up a date for each row, however many series there are`() {
    let (checkIns, wall) = daily(10_000)
    var list = checkIns.list(at: wall)
    #expect(taken(&list, 1_000).map(\.id.series) == Array(1...1_000))
    #expect(list.lookups <= 1_000)
  }

  @Test(arguments: [1, 30, 360])
  func `a page behind a place looks up a date for each series and row`(_ days: Int64) {
    let (checkIns, wall) = daily(1_000)
    var query = CheckInQuery()
    let noon = wall + Self.day / 2 + (days - 1) * Self.day
    let key = OccurrenceKey(CivilDate(day: CheckInTests.today.day + Int32(days - 1)), minute: 720)
    query.after = (noon, CheckIn.ID(series: 500, key: key))
    var list = checkIns.list(query, at: wall)
    let rows = taken(&list, 100)
    #expect(rows.map(\.id.series) == Array(501...600))
    #expect(rows.allSatisfy { $0.due == noon })
    // 500 at the place itself are passed over.
    #expect(list.lookups <= 1_000 + 500 + 100)
  }

  @Test(arguments: ListedCheckIn.Phase.allCases.filter { $0 != .scheduled })
  func `a list of what is near looks up no date far ahead`(_ phase: ListedCheckIn.Phase) {
    let (checkIns, wall) = daily(1_000)
    var query = CheckInQuery()
    query.phase = phase
    var list = checkIns.list(query, at: wall + Self.day / 2 - 600_000_000)
    #expect(taken(&list, .max).count == (phase == .soon ? 1_000 : 0))
    #expect(list.lookups <= 1_000)
  }

  @Test func `nor does one of what is near of series whose single dates were changed`() {
    var (checkIns, wall) = daily(1_000)
    for id in 1...1_000 {
      let base = wall + 40 * Self.day
      let key = OccurrenceKey(CivilDate(day: CheckInTests.today.day + 40), minute: 720)
      checkIns.series[id]?.exceptions[key.text] = CheckInSeries.Exception(
        base: base, due: base + 60_000_000, description: "All well?", lead: 0)
    }
    var query = CheckInQuery()
    query.phase = .soon
    var list = checkIns.list(query, at: wall)
    #expect(taken(&list, .max).isEmpty && list.lookups == 0)
  }

  @Test(arguments: 0..<UInt64(Soak.isOn ? 4_000 : 8))
  func `pages of any size are together what the dates of all series are`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var guarded = drawn(by: &random)
    guarded.bench.run(for: .minutes(.random(in: 0...3_000, using: &random)))
    let (checkIns, wall) = (guarded.bench.core.checkIns, guarded.bench.now.wall)
    for isOverview in [false, true] {
      for phase in [nil] + ListedCheckIn.Phase.allCases {
        var query = CheckInQuery()
        query.isOverview = isOverview
        query.phase = phase
        if Bool.random(using: &random) { query.isWanted = { !$0.hasSuffix("2") } }
        let all = checkIns.expanded(isOverview: isOverview, at: wall).filter {
          (phase == nil || $0.phase == phase) && query.isWanted?($0.description) ?? true
        }
        var paged: [ListedCheckIn] = []
        while true {
          let size = Int.random(in: 1...40, using: &random)
          let page = Array(checkIns.list(query, at: wall).prefix(size))
          paged += page
          guard page.count == size, let last = page.last else { break }
          query.after = (last.due, last.id)
        }
        #expect(paged == all, "overview \(isOverview), phase \(String(describing: phase))")
      }
    }
  }

  /// Up to six series of any rule, of which some dates are moved, renamed or taken out.
  private func drawn(by random: inout SeededGenerator) -> GuardedBench {
    var account = Account.sample(contacts: 1)
    account.zone = "UTC"
    var guarded = GuardedBench(.none, account)
    guarded.bench.hand(.zoneTable(.drawn(by: &random)))
    var settings = CheckInSettings()
    settings.shown = Int.random(in: 1...70, using: &random)
    guarded.bench.perform(.checkIn(.settings(settings), isProven: true))
    for number in 1...Int.random(in: 1...6, using: &random) {
      var draft = CheckInDraft()
      draft.description = "Series \(number)"
      draft.rule = .drawn(by: &random)
      draft.minute = Int.random(in: 0..<1_440, using: &random)
      draft.start = CivilDate(
        day: CheckInTests.today.day + Int32.random(in: 1...40, using: &random))
      draft.lead = Bool.random(using: &random) ? 0 : Int.random(in: 0...40_320, using: &random)
      draft.escalates = Bool.random(using: &random)
      guarded.bench.perform(.checkIn(.add(draft), isProven: true))
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      guarded.bench.run(for: .minutes(.random(in: 0...2_000, using: &random)))
      let wall = guarded.bench.now.wall
      let all = guarded.bench.core.checkIns.expanded(isOverview: false, at: wall)
      guard let one = all.randomElement(using: &random) else { continue }
      let due = max(wall + 60_000_000, one.due + .random(in: -4...4, using: &random) * Self.day)
      let change: CheckInCommand =
        Int.random(in: 0..<4, using: &random) == 0
        ? .drop(one.id)
        : .change(
          one.id, due: Bool.random(using: &random) ? due : nil, description: "Moved 2",
          lead: .random(in: 0...3_000, using: &random))
      guarded.bench.perform(.checkIn(change, isProven: true))
    }
    return guarded
  }
}

extension CheckIns {
  /// All rows of a list at once, as the requirement has them.
  fileprivate func expanded(isOverview: Bool, at wall: Int64) -> [ListedCheckIn] {
    var listed: [ListedCheckIn] = []
    var count: [Int: Int] = [:]
    for checkIn in open where !isOverview || count[checkIn.series] == nil {
      count[checkIn.series, default: 0] += 1
      listed.append(ListedCheckIn(checkIn, isOpen: true, at: wall))
    }
    for (id, series) in series where !series.hasEnded {
      let left = (isOverview ? 1 : settings.shown) - count[id, default: 0]
      guard left > 0 else { continue }
      for next in dates(of: series, count: left) {
        listed.append(ListedCheckIn(CheckIn(next, of: series), isOpen: false, at: wall))
      }
    }
    return listed.sorted { ($0.due, $0.id.series, $0.id.key) < ($1.due, $1.id.series, $1.id.key) }
  }
}
