import FobBase
import WireProtocol

/// What a host says of check-ins, and the alarms that it raises by them.
extension CheckInWitness {
  /// The core told its watchers of a check-in.
  mutating func said(
    _ word: CheckInWord, _ name: CheckInName, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    switch word {
    case .due, .nagged:
      let broken = whyNotDue(name, at: now)
      if word == .due { startClock(of: name, isAnew: false, at: now) }
      guard let broken else { return }
      violationLog.accuse(
        broken, at: now, "host \(index + 1) tells that \(name.text) is \(word.rawValue)")
    case .completed:
      if isCompleted(name) {
        violationLog.accuse(
          .checkInDoubled, at: now, "host \(index + 1) completes \(name.text) a second time")
      }
      close(name, isCompleted: true, at: now)
    case .closed: close(name, isCompleted: false, at: now)
    case .restored:
      reopen(name)
      // One that is not due yet is told once it is, and runs out from there.
      let isAhead = rows[name].map { $0.due > wall(at: now) } ?? false
      if !isAhead { startClock(of: name, isAnew: true, at: now) }
      // It has its full limit again, which its next row says.
      duties[name] = nil
    }
  }

  private func whyNotDue(_ name: CheckInName, at now: Instant) -> Violation.Rule? {
    if rows[name]?.state == .completed, !isRestored(name) { return .completionLost }
    if isTold(name) { return nil }
    let latest = latestWall(at: now)
    if let row = rows[name], row.state == .open, row.due <= latest { return nil }
    return dues(of: name, near: latest, at: now).contains { $0.due <= latest }
      ? nil : .checkInUnasked
  }

  // MARK: The light

  /// The host says that so many can be answered.
  func indicated(due count: Int, at now: Instant, _ violationLog: inout ViolationLog) {
    guard count > 0 else { return }
    let most = mostDue(at: now)
    guard count > most else { return }
    violationLog.accuse(
      rows.values.contains { $0.state == .completed } ? .completionLost : .checkInUnasked, at: now,
      "host \(index + 1) says that \(count) can be answered, and no more than \(most) can")
  }

  /// How many may be open by now, whether or not the disk knows.
  private func mostDue(at now: Instant) -> Int {
    let latest = latestWall(at: now)
    let rows = rows.values.count { row in
      row.state == .open || row.state == .covered || isRestored(row.name)
    }
    return rows + waiting(until: latest, at: now).count
  }

  /// What plans have asked by then, of which the disk knows nothing.
  private func waiting(until latest: Int64, at now: Instant) -> Set<CheckInName> {
    var found: Set<CheckInName> = []
    let zones = zones.recent(at: now)
    for (id, known) in series {
      let isSettled = known.before.map { startedAt < $0.since } ?? true
      let before = known.recentBefore(at: now) ?? known.owedFrom
      for plan in known.plans {
        for zone in zones {
          let from = zone == self.zones.last && isSettled ? known.owedFrom : before
          let moments = plan.moments(
            from: min(from, latest), through: latest + plan.early, in: zone)
          found.formUnion(moments.map { CheckInName(series: id, key: $0.key) })
        }
      }
    }
    for (index, (plan, wall)) in pending.enumerated() {
      for zone in zones {
        let moments = plan.moments(
          from: min(wall, latest), through: latest + plan.early, in: zone)
        found.formUnion(moments.map { CheckInName(series: -1 - index, key: $0.key) })
      }
    }
    return found.filter { rows[$0] == nil }
  }

  // MARK: Alarms

  /// The silence of a check-in raises an alarm.
  /// - Parameter isOnDisk: whether the disk has an incident.
  mutating func raises(
    _ incident: UInt64, by name: CheckInName?, at now: Instant, isOnDisk: (UInt64) -> Bool,
    _ violationLog: inout ViolationLog
  ) {
    guard let name else {
      return violationLog.accuse(
        .checkInInvented, at: now,
        "host \(index + 1) raised \(incident.incident), and no check-in did")
    }
    let others = raised.filter { $0.value == name && $0.key != incident && isOnDisk($0.key) }
    let why = whyNoAlarm(name, at: now)
    note(incident, by: name)
    if !others.isEmpty {
      violationLog.accuse(
        .checkInDoubled, at: now, "host \(index + 1) raised a second alarm by \(name.text)")
    } else if let why {
      violationLog.accuse(
        .checkInInvented, at: now,
        "host \(index + 1) raised \(incident.incident) by \(name.text), \(why)")
    }
  }

  private func whyNoAlarm(_ name: CheckInName, at now: Instant) -> String? {
    let latest = latestWall(at: now) + Rules.tolerance.microseconds
    if let row = rows[name] {
      // Asked anew since, of which the disk does not know yet: with its full limit.
      if row.state == .completed || row.state == .covered, !isClosed(name),
        let anew = wallWhenTold(name) ?? (isRestored(name) ? row.due : nil)
      {
        let limit = Rules.leastLimit.microseconds
        return hasRunOut(name, max(row.due, anew) + limit, limit, latest, at: now)
          ? nil : "which has just been asked anew"
      }
      switch row.state {
      case .completed: return "which is completed"
      case .missed, .removed, .covered: return "which is over"
      case .escalated: return nil
      case .open: break
      }
      guard row.escalates else { return "which raises none" }
      return hasRunOut(name, row.runsOut, limit(of: row), latest, at: now)
        ? nil : "which has not run out"
    }
    let isDue = dues(of: name, near: latest, at: now).contains { due, plan in
      let limit = Int64(plan.limit) * 60_000_000
      return plan.escalates && hasRunOut(name, due + limit, limit, latest, at: now)
    }
    return isDue ? nil : "which no plan asks, or which has not run out"
  }

  private func hasRunOut(
    _ name: CheckInName, _ runsOut: Int64, _ limit: Int64, _ latest: Int64, at now: Instant
  ) -> Bool {
    let ends = bootClockEnds(name, runsOut: runsOut, limit: limit)
    return runsOut <= latest || ends.map { $0 <= now + Rules.tolerance } ?? false
  }

  // MARK: What is owed

  /// Alarms can be raised again: what ran out meanwhile raises one now.
  mutating func freed(at now: Instant) {
    guard isRunning else { return }
    for (name, row) in rows where row.state == .open && row.escalates && duties[name] == nil {
      duties[name] = now + .microseconds(max(100_000, row.runsOut - wall(at: now)))
    }
    weighOwed(at: now, atLeast: now + Rules.atOnce)
  }

  /// When the next silence must have raised an alarm; nil: nothing is owed.
  var deadline: Instant? {
    guard isRunning else { return nil }
    let first = duties.values.min()
    guard let due = owed.values.map(\.at).min() else { return first.map { $0 + Rules.grace } }
    return min(first ?? due, due) + Rules.grace
  }

  /// - Parameter isBlocked: nothing can be raised now, or could be a moment ago.
  mutating func check(
    at now: Instant, isBlocked: Bool, _ violationLog: inout ViolationLog
  ) {
    guard isRunning else { return }
    for (name, duty) in duties.sorted(by: { $0.value < $1.value })
    where duty + Rules.grace < now {
      duties[name] = nil
      guard !isBlocked, !isClosed(name) else { continue }
      violationLog.accuse(
        .checkInForgotten, at: duty + Rules.grace,
        "host \(index + 1) raises no alarm by \(name.text), which nobody has answered")
    }
    for (id, duty) in owed.sorted(by: { $0.key < $1.key }) where duty.at + Rules.grace < now {
      pay(id, duty.due, at: now, isBlocked: isBlocked, &violationLog)
    }
  }

  private mutating func pay(
    _ id: Int, _ due: Int64, at now: Instant, isBlocked: Bool, _ violationLog: inout ViolationLog
  ) {
    owed[id] = nil
    guard let newest = newestOwed(id, at: now), newest.due == due, !isBlocked else {
      if isBlocked { settle(id, through: due) }
      return weighOwed(at: now, atLeast: now)
    }
    settle(id, through: due)
    violationLog.accuse(
      .checkInForgotten, at: now,
      "host \(index + 1) never asks check-in \(id)/\(newest.key), and raises no alarm by it")
    weighOwed(at: now, atLeast: now)
  }

  /// The newest that can be answered and has no row, else the next one.
  private func newestOwed(_ id: Int, at now: Instant) -> PlannedMoment? {
    guard let known = series[id], let plan = known.stored, plan.escalates,
      known.plans.last == plan, let zone = zones.last
    else { return nil }
    let wall = wall(at: now)
    let waiting = plan.moments(
      from: known.owedFrom + 1, through: max(wall, known.owedFrom) + 100_000_000_000, in: zone
    ).filter { moment in
      let name = CheckInName(series: id, key: moment.key)
      return rows[name] == nil && !isClosed(name)
    }
    return waiting.last { $0.due - plan.early <= wall } ?? waiting.first
  }

  /// Reckons anew when what has no row must have raised an alarm.
  mutating func weighOwed(at now: Instant, atLeast least: Instant) {
    owed = [:]
    guard isRunning else { return }
    for (id, known) in series {
      guard let plan = known.stored, let next = newestOwed(id, at: now) else { continue }
      let limit = Int64(plan.limit) * 60_000_000
      let byWall = now + .microseconds(next.due + limit - wall(at: now))
      // Asked anew it has its full limit, also where the disk has no row of it yet.
      let anew = askedAnew(CheckInName(series: id, key: next.key))
      let runsOut = anew.map { $0.at + .microseconds(limit) } ?? byWall
      owed[id] = (max(least, runsOut), next.due)
    }
  }
}

/// What a core tells of one check-in.
public enum CheckInWord: String, Sendable {
  /// It has fallen due.
  case due
  /// It is asked again.
  case nagged
  case completed
  /// It escalated, or is covered, missed or removed.
  case closed
  case restored
}
