import FobBase
import WireProtocol

/// The alarm beside the check-ins, at one moment.
struct AlarmContext: Sendable {
  var open: (incident: IncidentID, isBench: Bool, isUnclaimed: Bool)?
  /// What runs out raises an alarm: somebody is logged in, and protection is on.
  var mayRaise: Bool
  /// The keychain whose position contacts would be told, where a series names none.
  var device: DeviceID
  /// How many check-ins may be told of now: the log must keep up. The first that runs out needs no
  /// room.
  var room: Int

  func device(of checkIn: CheckIn) -> DeviceID {
    checkIn.device.flatMap(DeviceID.init(text:)) ?? device
  }

  /// The open incident, unless it gives way to the alarm of this check-in.
  func cover(of checkIn: CheckIn) -> IncidentID? {
    guard let open else { return nil }
    let isSame = open.isBench == device(of: checkIn).isBench
    return (isSame ? open.isUnclaimed : open.isBench) ? nil : open.incident
  }
}

/// What time brings about.
extension CheckIns {
  /// How many missed ones of a series one catch-up writes down.
  private static let missedAtOnce = 24
  /// How many open ones a series may have; the oldest is missed then.
  private static let openAtOnce = 32

  /// Asks what is to be asked, tells what falls due, and asks again. What finds no room waits for
  /// the next pass.
  /// - Returns: what ran out, and is to raise an alarm or be added to it.
  mutating func pass(
    _ alarm: AlarmContext, at now: Timestamp, _ output: inout CoreOutput
  ) -> [CheckIn] {
    var room = alarm.room
    isBehind = false
    lookBack(at: now, &output)
    while room > 0 {
      let opening = upcoming.filter { asksAt($0.key, $0.value) <= now.wall }.keys.sorted()
      for id in opening.prefix(room) { open(id, at: now, &output) }
      room -= opening.count
      tellDue(alarm, &room, at: now, &output)
      if opening.isEmpty { break }
    }
    let ranOut = takeRanOut(alarm, &room, at: now, &output)
    nag(except: Set(ranOut.map(\.id)), &room, at: now, &output)
    isBehind = room <= 0
    tidy()
    return ranOut
  }

  /// After the wall clock was set back: a series that has asked for times far ahead asks for those
  /// before them. What was asked is known, and not asked again.
  private mutating func lookBack(at now: Timestamp, _ output: inout CoreOutput) {
    defer { passedAt = now.wall }
    guard now.wall < passedAt.before(minutes: 1) else { return }
    for id in series.keys.sorted() {
      guard let old = series[id], old.askedUntil > now.wall.after(minutes: old.lead + 1_440) else {
        continue
      }
      if let ahead = ahead(of: id), !ahead.isException, let index = index(of: ahead.id) {
        forget(index, &output)
      }
      update(id, &output) {
        $0.askedUntil = now.wall
        $0.hasEnded = false
      }
      expectNext(of: id, at: now, &output)
    }
  }

  /// Drops what is no longer open, and keeps the order.
  mutating func tidy() {
    asked.removeAll { $0.checkIn.state != .open }
    asked.sort { ($0.checkIn.due, $0.checkIn.series) < ($1.checkIn.due, $1.checkIn.series) }
  }

  // MARK: Asking

  /// Opens the next one of a series. Where several have fallen due, the newest is asked and the
  /// others are missed.
  private mutating func open(_ id: Int, at now: Timestamp, _ output: inout CoreOutput) {
    guard var next = upcoming.removeValue(forKey: id), var series = series[id] else { return }
    series.take(next)
    if next.due <= now.wall {
      var passed: [Upcoming] = []
      while let later = self.next(of: series, skippingTo: passed.count < 64 ? nil : now.wall),
        later.due <= now.wall
      {
        passed.append(next)
        series.take(later)
        next = later
      }
      counts.missed += passed.count
      for missed in passed.suffix(Self.missedAtOnce) {
        var checkIn = CheckIn(missed, of: series)
        known.insert(checkIn.id)
        end(&checkIn, .missed, .checkInMissed, at: now, &output)
      }
    }
    let checkIn = CheckIn(next, of: series)
    known.insert(checkIn.id)
    asked.append(Asked(checkIn: checkIn))
    openCount[id, default: 0] += 1
    countAhead(id, 1)
    self.series[id] = series
    output.changes.checkIns += [.series(series), .checkIn(checkIn)]
    if next.lead > 0 { note(.checkInAsked, checkIn.id, at: now, &output) }
    expectNext(of: id, at: now, &output)
  }

  /// Looks up what a series asks next; without any it has ended.
  mutating func expectNext(of id: Int, at now: Timestamp, _ output: inout CoreOutput) {
    upcoming[id] = nil
    guard zone != nil, let series = series[id], !series.hasEnded else { return }
    if let next = next(of: series, isDueFirst: isAhead(id)) {
      upcoming[id] = next
    } else if openCount[id] == nil {
      update(id, &output) { $0.hasEnded = true }
      output.note(AuditEvent(.seriesChanged, at: now, by: "core", .series(id, .ended)))
    }
  }

  /// Changes a series and its row.
  mutating func update(
    _ id: Int, _ output: inout CoreOutput, _ change: (inout CheckInSeries) -> Void
  ) {
    guard var series = series[id] else { return }
    change(&series)
    self.series[id] = series
    output.changes.checkIns.append(.series(series))
  }

  /// - Parameter wall: skips to the last dates before this time; nil: skips none.
  private func next(of series: CheckInSeries, skippingTo wall: Int64?) -> Upcoming? {
    guard let zone else { return nil }
    var series = series
    if let wall {
      var days = 1
      func isEmpty() -> Bool {
        let moment = series.recurrence.next(after: wall.before(minutes: days * 1_440), in: zone)
        return moment.map { $0.due > wall } ?? true
      }
      while days < 1_024, isEmpty() { days *= 2 }
      series.askedUntil = max(series.askedUntil, wall.before(minutes: days * 1_440))
    }
    return next(of: series)
  }

  /// - Parameters:
  ///   - ignored: an open one that does not count as asked.
  ///   - isDueFirst: of all to come the one that falls due first; else the one that is asked first.
  func next(
    of series: CheckInSeries, except ignored: CheckIn.ID? = nil, isDueFirst: Bool = false
  ) -> Upcoming? {
    guard let zone else { return nil }
    return series.next(in: zone, isDueFirst: isDueFirst) {
      let id = CheckIn.ID(series: series.id, key: $0)
      return id != ignored && known.contains(id)
    }
  }

  // MARK: Falling due

  private mutating func tellDue(
    _ alarm: AlarmContext, _ room: inout Int, at now: Timestamp, _ output: inout CoreOutput
  ) {
    var due: Set<Int> = []
    for index in asked.indices
    where !asked[index].checkIn.isDueTold && asked[index].checkIn.due <= now.wall && room > 0 {
      room -= 1
      asked[index].checkIn.isDueTold = true
      counts.asked += 1
      due.insert(asked[index].checkIn.series)
      countAhead(asked[index].checkIn.series, -1)
      note(.checkInDue, asked[index].checkIn.id, at: now, &output)
      if let incident = alarm.cover(of: asked[index].checkIn) {
        close(index, .covered, .checkInCovered, by: incident, at: now, &output)
      } else {
        startClocks(index, at: now)
        output.changes.checkIns.append(.checkIn(asked[index].checkIn))
      }
    }
    guard !due.isEmpty else { return }
    output.changes.checkIns.append(.counts(counts))
    for id in due.sorted() {
      missOldest(of: id, at: now, &output)
      expectNext(of: id, at: now, &output)
    }
  }

  /// From now on it runs out by the clock of this boot as well.
  mutating func startClocks(_ index: Int, at now: Timestamp) {
    // A wall clock that was set back in between delays no alarm by more than the limit.
    let limit = Int64(asked[index].checkIn.limit) * 60_000_000
    let left = min(max(0, asked[index].checkIn.runsOut.since(now.wall)), limit)
    asked[index].runsOutAt = (now + .microseconds(left)).at
    asked[index].nagAt = (now + .minutes(Int64(settings.nagEvery))).at
  }

  private mutating func missOldest(of id: Int, at now: Timestamp, _ output: inout CoreOutput) {
    guard let count = openCount[id], count > Self.openAtOnce,
      let index = oldest(of: id, where: { _ in true })
    else { return }
    let missed = asked[index]
    counts.missed += 1
    close(index, .missed, .checkInMissed, at: now, &output)
    // The silence that it has seen goes on in the next one: no alarm comes later for it.
    guard missed.checkIn.escalates,
      let heir = oldest(of: id, where: { $0.escalates && $0.isDueTold })
    else { return }
    asked[heir].checkIn.runsOut = min(asked[heir].checkIn.runsOut, missed.checkIn.runsOut)
    asked[heir].runsOutAt = .earlier(asked[heir].runsOutAt, missed.runsOutAt)
    output.changes.checkIns.append(.checkIn(asked[heir].checkIn))
  }

  /// The open one of a series that fell due first, of those that are meant.
  private func oldest(of series: Int, where isMeant: (CheckIn) -> Bool) -> Int? {
    asked.indices.filter {
      let checkIn = asked[$0].checkIn
      return checkIn.series == series && checkIn.state == .open && isMeant(checkIn)
    }.min { asked[$0].checkIn.due < asked[$1].checkIn.due }
  }

  // MARK: Running out

  /// Of one series the newest raises the alarm; the older ones are missed.
  private mutating func takeRanOut(
    _ alarm: AlarmContext, _ room: inout Int, at now: Timestamp, _ output: inout CoreOutput
  ) -> [CheckIn] {
    func hasRunOut(_ asked: Asked) -> Bool {
      asked.checkIn.state == .open && asked.checkIn.escalates && asked.checkIn.isDueTold
        && (asked.checkIn.runsOut <= now.wall || asked.runsOutAt.map { $0 <= now.at } ?? false)
    }
    let all = asked.filter(hasRunOut).map(\.checkIn).sorted { $0.due < $1.due }
    guard !all.isEmpty else { return [] }
    guard alarm.mayRaise else {
      for index in asked.indices where hasRunOut(asked[index]) {
        guard !asked[index].checkIn.isIdleTold, room > 0 else { continue }
        room -= 1
        asked[index].checkIn.isIdleTold = true
        output.changes.checkIns.append(.checkIn(asked[index].checkIn))
        note(.checkInIdle, asked[index].checkIn.id, at: now, &output)
      }
      return []
    }
    var newest: [Int: CheckIn] = [:]
    for checkIn in all { newest[checkIn.series] = checkIn }
    for index in asked.indices where hasRunOut(asked[index]) && room > 0 {
      let checkIn = asked[index].checkIn
      guard newest[checkIn.series]?.id != checkIn.id else { continue }
      room -= 1
      counts.missed += 1
      close(index, .missed, .checkInMissed, at: now, &output)
    }
    let raising = all.filter { newest[$0.series]?.id == $0.id }.prefix(max(1, room))
    room -= raising.count
    return Array(raising)
  }

  // MARK: Asking again

  private mutating func nag(
    except ranOut: Set<CheckIn.ID>, _ room: inout Int, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    // Of one series the newest asks again: one that is ignored for days fills no log.
    var newest: [Int: CheckIn] = [:]
    for asked in asked where asked.nagAt != nil { newest[asked.checkIn.series] = asked.checkIn }
    for index in asked.indices where room > 0 {
      guard asked[index].checkIn.state == .open, let nagAt = asked[index].nagAt, nagAt <= now.at,
        !ranOut.contains(asked[index].checkIn.id)
      else { continue }
      // Also of one that keeps silent: a time that is over would call for the next pass at once.
      asked[index].nagAt = (now + .minutes(Int64(settings.nagEvery))).at
      guard newest[asked[index].checkIn.series]?.id == asked[index].checkIn.id else { continue }
      room -= 1
      asked[index].checkIn.nagged += 1
      output.changes.checkIns.append(.checkIn(asked[index].checkIn))
      note(.checkInNagged, asked[index].checkIn.id, at: now, &output)
    }
  }
}

extension CheckIn {
  init(_ next: CheckIns.Upcoming, of series: CheckInSeries) {
    self.series = series.id
    key = next.key
    description = next.description
    due = next.due
    escalates = series.escalates
    limit = series.limit
    runsOut = next.due.after(minutes: series.limit)
    device = series.device
    isException = next.isException
    lead = next.lead
    answerableFrom = Self.answerableFrom(next.due, lead: next.lead, escalates: series.escalates)
  }

  /// A check-in that raises an alarm is answered at most an hour ahead: no click in a pocket
  /// answers tomorrow's.
  static func answerableFrom(_ due: Int64, lead: Int, escalates: Bool) -> Int64 {
    due.before(minutes: escalates ? min(lead, 60) : lead)
  }
}

extension CheckIns.Upcoming {
  init(_ moment: Recurrence.Occurrence, of series: CheckInSeries) {
    (key, base, due, isException) = (moment.key, moment.due, moment.due, false)
    (description, lead) = (series.description, series.lead)
  }

  init(_ key: OccurrenceKey, _ exception: CheckInSeries.Exception) {
    (self.key, base, due, isException) = (key, exception.base, exception.due, true)
    (description, lead) = (exception.description, exception.lead)
  }
}

extension CheckInSeries {
  /// The date that is to be asked next, or that falls due next; nil: there is none.
  func next(
    in zone: borrowing ZoneTable, isDueFirst: Bool, _ isKnown: (OccurrenceKey) -> Bool
  ) -> CheckIns.Upcoming? {
    func place(_ date: CheckIns.Upcoming) -> Int64 { isDueFirst ? date.due : date.opensAt }
    var earliest: CheckIns.Upcoming?
    for (key, exception) in exceptions where !exception.isRemoved && !exception.isAsked {
      guard let key = OccurrenceKey(text: key), !isKnown(key) else { continue }
      let next = CheckIns.Upcoming(key, exception)
      if earliest.map({ (place($0), $0.key) > (place(next), key) }) ?? true { earliest = next }
    }
    var after = askedUntil
    while let moment = recurrence.next(after: after, in: zone) {
      after = moment.due
      if !exceptions.isEmpty, exceptions[moment.key.text] != nil { continue }
      guard !isKnown(moment.key) else { continue }
      let next = CheckIns.Upcoming(moment, of: self)
      if let earliest, place(earliest) <= place(next) { return earliest }
      return next
    }
    return earliest
  }

  /// A date is asked: it does not come again.
  mutating func take(_ next: CheckIns.Upcoming) {
    if next.isException {
      exceptions[next.key.text]?.isAsked = true
    } else {
      askedUntil = max(askedUntil, next.base)
    }
    if !exceptions.isEmpty {
      let until = askedUntil
      exceptions = exceptions.filter { _, exception in
        exception.base > until || !(exception.isRemoved || exception.isAsked)
      }
    }
  }
}
