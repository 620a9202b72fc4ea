import FobBase
import WireProtocol

/// Remembers the check-ins of one host: what was asked for, what its disk holds, and what was told
/// of them. It expands plans by itself, and goes by the host's wall clock, as people do.
struct CheckInWitness: Sendable {
  typealias Row = Batch.CheckInRow

  /// For so long a decision may wait for the disk.
  static let longestWait = Interval.minutes(2)

  let index: Int
  private(set) var series: [Int: Series] = [:]
  private(set) var rows: [CheckInName: Row] = [:]
  /// Plans that anybody has asked for, and what the wall clock showed then.
  private var asked: [(plan: SeriesPlan, since: Asking)] = []
  /// New series that nobody has refused and no disk has.
  var pending: [(plan: SeriesPlan, wall: Int64)] = []
  /// What the plans in a commit replace: those asked, too, until that commit came.
  private var overtaken: [Int: [SeriesPlan]] = [:]
  private(set) var zones = ZoneRecord()
  /// This run has one.
  private var hasZone = false
  /// The host's wall clock, µs since 1970, as it was at some time.
  private var clock: (wall: Int64, at: Instant)?
  /// Earlier settings of it that were ahead, and until when they counted.
  private var ahead: [(offset: Int64, until: Instant)] = []
  /// What this run has closed, whether or not the disk knows.
  private var closed: Set<CheckInName> = []
  private var completed: Set<CheckInName> = []
  /// When the core told that they are due, or asked them anew, and what the wall clock showed.
  private var told: [CheckInName: Asking] = [:]
  /// How often somebody wanted them asked again, and how many of those times the disk does not
  /// have.
  private var restored: [CheckInName: (asked: Int, waiting: Int)] = [:]
  /// How many presses of that keychain and number have come: more than one of a keychain that lies.
  private var clicks: [String: Int] = [:]
  /// The incidents that check-ins have raised, in any run.
  private(set) var raised: [UInt64: CheckInName] = [:]
  /// When the silence of each open row must have raised an alarm.
  var duties: [CheckInName: Instant] = [:]
  /// The same of what has no row yet, for each series.
  var owed: [Int: (at: Instant, due: Int64)] = [:]
  private(set) var isRunning = false
  private(set) var startedAt = Instant.longAgo
  private var stoppedAt = Instant.longAgo
  /// When a series was last written, as a position in the order of the host's observations.
  var seriesOrder = 0

  init(_ index: Int) { self.index = index }

  // MARK: Clocks

  func wall(at now: Instant) -> Int64 { clock.map { $0.wall + (now - $0.at).microseconds } ?? 0 }

  /// The latest that the wall clock has shown while a decision of now may have been made.
  func latestWall(at now: Instant) -> Int64 {
    ahead.reduce(wall(at: now)) { latest, setting in
      guard now - setting.until <= Self.longestWait else { return latest }
      return max(latest, setting.offset + setting.until.microseconds)
    }
  }

  /// The wall clock shows this from now on.
  mutating func clockSet(to wall: Int64, at now: Instant) {
    let before = self.wall(at: now)
    if clock != nil, wall < before {
      ahead.append((before - now.microseconds, now))
    }
    clock = (wall, now)
    for id in series.keys where wall < before { series[id]?.since = nil }
    guard isRunning else { return }
    for name in duties.keys {
      guard let row = rows[name] else { continue }
      let byWall = max(now + Rules.clockLook, now + .microseconds(row.runsOut - wall))
      duties[name] = bootClockEnds(row).map { min($0, byWall) } ?? byWall
    }
    weighOwed(at: now, atLeast: now + Rules.clockLook)
  }

  /// It is due: from now on it also runs out by the boot clock, so that a wall clock that is set
  /// back delays no alarm.
  mutating func startClock(of name: CheckInName, isAnew: Bool, at now: Instant) {
    told[name] = Asking(at: now, wall: wall(at: now), isAnew: isAnew)
  }

  func isTold(_ name: CheckInName) -> Bool { told[name] != nil }
  func askedAnew(_ name: CheckInName) -> Asking? { told[name].flatMap { $0.isAnew ? $0 : nil } }
  func wallWhenTold(_ name: CheckInName) -> Int64? { told[name]?.wall }

  /// A wall clock that was set back before it was told delays that by no more than the limit.
  func bootClockEnds(_ name: CheckInName, runsOut: Int64, limit: Int64) -> Instant? {
    told[name].map { $0.at + .microseconds(min(max(0, runsOut - $0.wall), limit)) }
  }

  private func bootClockEnds(_ row: Row) -> Instant? {
    bootClockEnds(row.name, runsOut: row.runsOut, limit: row.runsOut - row.due)
  }

  /// The shortest limit that may count for it, µs.
  func limit(of row: Row) -> Int64 {
    let planned = plans(of: row.name.series).map { Int64($0.limit) * 60_000_000 }.min()
    return min(planned ?? .max, row.runsOut - row.due)
  }

  mutating func handIn(_ zone: Zone, at now: Instant) {
    if zones.last != zone {
      // What by the new zone has fallen due before is not asked, but by a core that has just
      // started, which knows no other.
      for (id, known) in series where hasZone {
        series[id]?.before = (known.recentBefore(at: now) ?? known.owedFrom, now)
        settle(id, through: wall(at: now))
      }
      zones.handIn(zone, at: now)
    }
    hasZone = true
    weighOwed(at: now, atLeast: now + Rules.startUp)
  }

  // MARK: Life of the host

  mutating func started(at now: Instant) {
    isRunning = true
    startedAt = now
    hasZone = false
    closed = []
    completed = []
    told = [:]
    for (name, row) in rows where row.state == .open {
      if row.isDue { told[name] = Asking(at: now, wall: wall(at: now)) }
      let byWall = now + .microseconds(row.runsOut - wall(at: now))
      let ends = bootClockEnds(row).map { min($0, byWall) } ?? byWall
      if row.escalates { duties[name] = max(ends, now + Rules.startUp) }
    }
    for (id, known) in series where known.recentBefore(at: stoppedAt) != nil {
      series[id]?.before?.since = now
    }
    weighOwed(at: now, atLeast: now + Rules.startUp)
  }

  mutating func stopped(at now: Instant) {
    isRunning = false
    stoppedAt = now
    owed = [:]
    pending = []
    for id in series.keys {
      guard let stored = series[id]?.stored else {
        series[id] = nil
        continue
      }
      series[id]?.plans.removeAll { $0 != stored }
    }
  }

  /// A disk that lied has only this.
  mutating func found(_ found: Batch, at now: Instant) {
    rows = Dictionary(found.checkIns.map { ($0.name, $0) }) { $1 }
    duties = [:]
    series = [:]
    for (id, plan) in found.series {
      let since = asked.last { $0.plan == plan }?.since.wall
      series[id] = Series(plans: [plan], stored: plan, owedFrom: since ?? latestWall(at: now))
    }
  }

  // MARK: What is asked for

  mutating func asked(_ userRequest: UserRequest, at now: Instant) {
    switch userRequest {
    case .addSeries(let plan):
      asked.append((plan, Asking(at: now, wall: wall(at: now))))
      pending.append((plan, wall(at: now)))
    case .editSeries(let id, let plan):
      asked.append((plan, Asking(at: now, wall: wall(at: now))))
      series[id]?.plans.append(plan)
      owed[id] = nil
    case .removeSeries(let id): owed[id] = nil
    case .restore(let name):
      restored[name, default: (0, 0)].asked += 1
      restored[name, default: (0, 0)].waiting += 1
    default: break
    }
  }

  /// What was asked for is not done.
  mutating func refused(_ userRequest: UserRequest, at now: Instant) {
    if case .editSeries(let id, let plan) = userRequest, let known = series[id],
      let last = known.plans.lastIndex(of: plan), last > 0 || known.stored == nil
    {
      series[id]?.plans.remove(at: last)
    }
    if case .addSeries(let plan) = userRequest { forgetPending(plan) }
    weighOwed(at: now, atLeast: now + Rules.startUp)
  }

  private mutating func forgetPending(_ plan: SeriesPlan) {
    guard let index = pending.firstIndex(where: { $0.plan == plan }) else { return }
    pending.remove(at: index)
  }

  /// The plans that may be in force, of a series that may be on no disk yet.
  private func plans(of id: Int) -> [SeriesPlan] {
    series[id].map { $0.plans + overtaken[id, default: []] } ?? asked.map(\.plan)
  }

  /// When that check-in falls due, by each plan and zone that may count.
  func dues(
    of name: CheckInName, near wall: Int64, at now: Instant
  ) -> [(due: Int64, plan: SeriesPlan)] {
    let day: Int64 = 86_400_000_000
    let zones = zones.recent(at: now)
    return plans(of: name.series).flatMap { plan in
      zones.flatMap { zone in
        plan.moments(from: wall - 3 * day, through: wall + 3 * day, in: zone)
          .filter { $0.key == name.key }.map { ($0.due, plan) }
      }
    }
  }

  // MARK: What this run has closed

  mutating func hear(_ press: EventIdentity) {
    clicks["\(press.deviceID.text)/\(press.number.text)", default: 0] += 1
  }

  func isClosed(_ name: CheckInName) -> Bool { closed.contains(name) }
  func isRestored(_ name: CheckInName) -> Bool { (restored[name]?.waiting ?? 0) > 0 }
  func wasEverRestored(_ name: CheckInName) -> Bool { restored[name] != nil }

  /// Whether it is completed, by this run or on the disk.
  func isCompleted(_ name: CheckInName) -> Bool {
    (completed.contains(name) || rows[name]?.state == .completed) && !isRestored(name)
  }

  mutating func close(_ name: CheckInName, isCompleted: Bool, at now: Instant) {
    closed.insert(name)
    if isCompleted { completed.insert(name) }
    weighOwed(at: now, atLeast: now + Rules.atOnce)
  }

  mutating func reopen(_ name: CheckInName) {
    closed.remove(name)
    completed.remove(name)
  }

  mutating func note(_ incident: UInt64, by name: CheckInName) {
    raised[incident] = name
    closed.insert(name)
  }

  mutating func settle(_ id: Int, through due: Int64) {
    guard let known = series[id] else { return }
    series[id]?.owedFrom = max(known.owedFrom, due)
  }

  // MARK: What the disk holds

  mutating func stored(
    _ batch: Batch, isCovered: Bool, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    for (id, plan) in batch.series { store(id, plan, at: now, &violationLog) }
    for id in batch.removedSeries {
      series[id]?.stored = nil
      owed[id] = nil
    }
    for name in batch.forgottenCheckIns {
      rows[name] = nil
      duties[name] = nil
      guard var known = series[name.series] else { continue }
      known.owedFrom = min(known.owedFrom, wall(at: now))
      series[name.series] = known
    }
    for row in batch.checkIns { store(row, isCovered: isCovered, at: now, &violationLog) }
    overtaken = [:]
    if !batch.checkIns.isEmpty || !batch.series.isEmpty {
      weighOwed(at: now, atLeast: now + Rules.atOnce)
    }
  }

  private mutating func store(
    _ id: Int, _ plan: SeriesPlan, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    guard let since = asked.last(where: { $0.plan == plan })?.since else {
      return violationLog.accuse(
        .checkInUnasked, at: now,
        "host \(index + 1) stored a plan for series \(id) that nobody has asked for")
    }
    guard var known = series[id] else {
      forgetPending(plan)
      // It may have been edited before it was on any disk.
      overtaken[id] = asked.filter { now - $0.since.at <= Self.longestWait }.map(\.plan)
      series[id] = Series(plans: [plan], stored: plan, owedFrom: since.wall, since: since)
      return
    }
    guard known.stored != plan else { return }
    let isSameRule = known.stored.map { plan.fallsDue(as: $0) } ?? false
    overtaken[id] = known.plans
    let newer = known.plans.lastIndex(of: plan).map { Array(known.plans[$0...]) } ?? [plan]
    known.plans = (known.stored.map { [$0] } ?? []) + newer
    known.stored = plan
    known.owedFrom = since.wall
    if !isSameRule { known.since = since }
    series[id] = known
  }

  private mutating func store(
    _ row: Row, isCovered: Bool, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    let name = row.name
    let before = rows[name]
    if let broken = change(from: before, to: row, isCovered: isCovered, at: now) {
      violationLog.accuse(broken.0, at: now, "host \(index + 1) \(broken.1) \(name.text)")
    }
    rows[name] = row
    if let incident = row.incident, row.state == .escalated { raised[incident] = name }
    settle(name.series, through: row.due)
    if isAnew(row, after: before) { restored[name]?.waiting -= 1 }
    if row.state != .open { told[name] = nil }
    guard row.state == .open, row.escalates else {
      duties[name] = nil
      return
    }
    guard before?.state != .open || before?.runsOut != row.runsOut || duties[name] == nil else {
      return
    }
    let byWall = now + .microseconds(row.runsOut - wall(at: now))
    duties[name] = max(now + Rules.atOnce, bootClockEnds(row).map { min($0, byWall) } ?? byWall)
  }

  /// It was completed and has been asked anew, even where the disk has only what came of that.
  private func isAnew(_ row: Row, after before: Row?) -> Bool {
    guard let before, before.state == .completed else { return false }
    return (row.state, row.by) != (.completed, before.by) || row.completedAt != before.completedAt
  }

  /// The rule that a new row breaks, and how.
  private func change(
    from before: Row?, to row: Row, isCovered: Bool, at now: Instant
  ) -> (Violation.Rule, String)? {
    switch (before?.state, row.state) {
    case (nil, _):
      let dues = dues(of: row.name, near: row.due, at: now)
      let plans = dues.filter { $0.due == row.due }.map(\.plan)
      guard let plan = plans.max(by: { $0.lead < $1.lead }),
        let limit = plans.map(\.limit).min()
      else { return (.checkInUnasked, "asks by no plan") }
      if row.state == .open, latestWall(at: now) < row.due - Int64(plan.lead) * 60_000_000 {
        return (.checkInUnasked, "asks too early")
      }
      if row.state == .open, let since = series[row.name.series]?.since, row.due < since.wall,
        told[row.name].map({ $0.at >= since.at }) ?? true
      {
        return (.checkInUnasked, "asks what fell due before its plan,")
      }
      if row.escalates, row.runsOut < row.due + Int64(limit) * 60_000_000 {
        return (.checkInInvented, "lets too soon run out")
      }
    case (.completed?, .open):
      if !isRestored(row.name) { return (.completionLost, "asks again") }
    case (.escalated?, .open), (.missed?, .open), (.removed?, .open):
      return (.checkInUnasked, "asks again")
    case (.completed?, .completed):
      if isAnew(row, after: before), !isRestored(row.name) {
        return (.checkInDoubled, "completes twice")
      }
    case (.escalated?, .escalated):
      guard before?.incident == row.incident else { return (.checkInDoubled, "raises twice for") }
    default: break
    }
    return closing(row, before, isCovered: isCovered, at: now)
  }

  private func closing(
    _ row: Row, _ before: Row?, isCovered: Bool, at now: Instant
  ) -> (Violation.Rule, String)? {
    guard before?.state != row.state else { return nil }
    switch row.state {
    case .covered where !isCovered:
      return (.checkInForgotten, "takes for covered, without an alarm,")
    case .missed where row.escalates && !hasNewer(row, at: now):
      return (.checkInForgotten, "takes for missed, and asks no newer one than")
    case .completed:
      guard let click = row.by else { return nil }
      let uses = rows.values.count { $0.name != row.name && $0.by == click }
      return uses >= clicks[click, default: 1]
        ? (.checkInDoubled, "completes by a click that was used before") : nil
    default: return nil
    }
  }

  /// Whether a newer one of its series could be answered by now.
  private func hasNewer(_ row: Row, at now: Instant) -> Bool {
    let latest = latestWall(at: now)
    return plans(of: row.name.series).contains { plan in
      zones.recent(at: now).contains { zone in
        !plan.moments(from: row.due + 1, through: latest + plan.early, in: zone).isEmpty
      }
    }
  }
}
