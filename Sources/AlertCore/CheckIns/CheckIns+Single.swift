import FobBase
import WireProtocol

/// Requests about single check-ins: answering, restoring, moving and taking out.
extension CheckIns {
  mutating func complete(
    _ id: CheckIn.ID, _ comment: String, by asker: Asker, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) {
    let comment = try FieldValidation.comment(comment)
    let now = asker.now
    guard let index = index(of: id) else {
      guard !closed.contains(where: { $0.id == id }) else { throw .checkInClosed }
      _ = try date(of: id)
      throw .tooEarly
    }
    guard asked[index].checkIn.isAnswerable(at: now.wall) else { throw .tooEarly }
    asked[index].checkIn.comment = comment
    complete(index, .person(asker.who), at: now.wall, who: asker.who, at: now, &output)
  }

  /// The series has no such date any more.
  private mutating func leaveOut(_ date: Upcoming, of id: Int, _ output: inout CoreOutput) {
    let exception = CheckInSeries.Exception(
      base: date.base, isRemoved: true, due: date.due, description: date.description,
      lead: date.lead)
    update(id, &output) { $0.exceptions[date.key.text] = exception }
    upcoming[id] = nil
  }

  /// A date to come.
  private func date(
    of id: CheckIn.ID
  ) throws(UserCommand.Refusal) -> (CheckInSeries, Upcoming) {
    guard let series = series[id.series] else { throw .unknownSeries }
    guard let zone, !known.contains(id), let next = series.date(id.key, in: zone) else {
      throw .unknownCheckIn
    }
    return (series, next)
  }

  mutating func restore(
    _ id: CheckIn.ID, by asker: Asker, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) {
    guard let index = closed.firstIndex(where: { $0.id == id }) else { throw .unknownCheckIn }
    guard closed[index].state == .completed else { throw .checkInClosed }
    guard series[id.series] != nil else { throw .unknownSeries }
    let checkIn = closed.remove(at: index)
    unproven.removeAll { $0.id == id }
    update(id.series, &output) { $0.hasEnded = false }
    reopen(checkIn, by: asker.who, at: asker.now, &output)
    tidy()
  }

  mutating func change(
    _ id: CheckIn.ID, _ due: Int64?, _ description: String?, _ lead: Int?, by asker: Asker,
    _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) {
    let now = asker.now
    guard let series = series[id.series] else { throw .unknownSeries }
    try requirePIN(series.escalates || isOpenEscalating(id), asker)
    let description = try description.map { text throws(UserCommand.Refusal) in
      try FieldValidation.description(text)
    }
    let lead = try lead.map { minutes throws(UserCommand.Refusal) in
      try FieldValidation.lead(minutes)
    }
    if let due {
      // 100 years.
      guard due > now.wall else { throw .movedPast }
      guard due < now.wall.after(minutes: 100 * 366 * 1_440) else {
        throw .invalid("due", "is too far ahead")
      }
    }
    guard series.exceptions[id.key.text] != nil || series.hasRoom else { throw Self.noRoom }
    var exception: CheckInSeries.Exception
    let index = index(of: id)
    if let index {
      let old = asked[index].checkIn
      exception = CheckInSeries.Exception(
        base: series.exceptions[id.key.text]?.base ?? old.due, due: old.due,
        description: old.description,
        lead: old.lead)
    } else {
      guard !closed.contains(where: { $0.id == id }) else { throw .checkInClosed }
      let (_, next) = try date(of: id)
      exception = CheckInSeries.Exception(
        base: next.base, due: next.due, description: next.description, lead: next.lead)
    }
    exception.due = due ?? exception.due
    exception.description = description ?? exception.description
    exception.lead = lead ?? exception.lead
    if let index, exception.due.before(minutes: exception.lead) <= now.wall {
      change(index, to: exception, isMoved: due != nil, &output)
    } else {
      if let index { forget(index, &output) }
      update(id.series, &output) { $0.exceptions[id.key.text] = exception }
    }
    note(.checkInChanged, id, by: asker.who, at: now, &output)
    expectNext(of: id.series, at: now, &output)
  }

  /// Changes one that stays open. One that is moved falls due again, with its full limit.
  private mutating func change(
    _ index: Int, to exception: CheckInSeries.Exception, isMoved: Bool,
    _ output: inout CoreOutput
  ) {
    var changed = asked[index].checkIn
    changed.description = exception.description
    changed.due = exception.due
    changed.lead = exception.lead
    changed.answerableFrom = CheckIn.answerableFrom(
      exception.due, lead: exception.lead, escalates: changed.escalates)
    changed.isException = true
    if isMoved {
      changed.runsOut = changed.due.after(minutes: changed.limit)
      if changed.isDueTold { countAhead(changed.series, 1) }
      (changed.isDueTold, changed.isIdleTold) = (false, false)
      (asked[index].runsOutAt, asked[index].nagAt) = (nil, nil)
    }
    asked[index].checkIn = changed
    output.changes.checkIns.append(.checkIn(changed))
    tidy()
  }

  mutating func drop(
    _ id: CheckIn.ID, by asker: Asker, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) {
    guard let series = series[id.series] else { throw .unknownSeries }
    try requirePIN(series.escalates || isOpenEscalating(id), asker)
    if let index = index(of: id) {
      close(index, .removed, .checkInRemoved, who: asker.who, at: asker.now, &output)
    } else {
      guard !closed.contains(where: { $0.id == id }) else { throw .checkInClosed }
      let (_, next) = try date(of: id)
      guard series.hasRoom else { throw Self.noRoom }
      leaveOut(next, of: id.series, &output)
      var checkIn = CheckIn(next, of: series)
      known.insert(id)
      end(&checkIn, .removed, .checkInRemoved, who: asker.who, at: asker.now, &output)
    }
    settle(id.series, at: asker.now, &output)
  }

  /// An open one may raise an alarm also where its series does so no more.
  private func isOpenEscalating(_ id: CheckIn.ID) -> Bool {
    index(of: id).map { asked[$0].checkIn.escalates } ?? false
  }

  private static let noRoom = UserCommand.Refusal.tooMany(
    "changed check-ins of a series", limit: Limits.checkInExceptions)
}

extension CheckInSeries {
  fileprivate var hasRoom: Bool { exceptions.count < Limits.checkInExceptions }

  /// The date of that name, if it is still to be asked.
  fileprivate func date(_ key: OccurrenceKey, in zone: borrowing ZoneTable) -> CheckIns.Upcoming? {
    if let exception = exceptions[key.text] {
      return exception.isRemoved || exception.isAsked ? nil : CheckIns.Upcoming(key, exception)
    }
    guard let moment = recurrence.occurrence(key, in: zone), moment.due > askedUntil else {
      return nil
    }
    return CheckIns.Upcoming(moment, of: self)
  }
}
