import FobBase
import WireProtocol

/// Requests about single check-ins: answering, restoring, moving and taking out.
extension CheckIns {
  mutating func complete(
    _ id: CheckIn.ID, _ comment: String, by asker: Asker, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) {
    let comment = try FieldValidation.comment(comment)
    let now = asker.now
    let index = try openedIndex(of: id, by: asker, &output)
    if asked[index].checkIn.escalates, asked[index].checkIn.answerableFrom > now.wall {
      throw .tooEarly
    }
    asked[index].checkIn.comment = comment
    complete(index, .person(asker.who), at: now.wall, who: asker.who, at: now, &output)
  }

  /// The open one; one that is a mere date of a series that raises no alarm is opened for it.
  private mutating func openedIndex(
    of id: CheckIn.ID, by asker: Asker, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) -> Int {
    if let index = index(of: id) { return index }
    guard !closed.contains(where: { $0.id == id }) else { throw .checkInClosed }
    let (series, next) = try date(of: id)
    guard !series.escalates else { throw .tooEarly }
    guard series.hasRoom else { throw Self.noRoom }
    self.series[series.id]!.exceptions[id.key.text] = CheckInSeries.Exception(
      base: next.base, isRemoved: true, due: next.due, description: next.description,
      lead: next.lead)
    upcoming[series.id] = nil
    known.insert(id)
    asked.append(Asked(checkIn: CheckIn(next, of: series)))
    openCount[series.id, default: 0] += 1
    output.changes.checkIns.append(.series(self.series[series.id]!))
    return asked.count - 1
  }

  /// A date to come, among those that lists show.
  private func date(
    of id: CheckIn.ID
  ) throws(UserCommand.Refusal) -> (CheckInSeries, Upcoming) {
    guard let series = series[id.series] else { throw .unknownSeries }
    guard let next = dates(of: series, count: 366).first(where: { $0.key == id.key }) else {
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
    let lead = Int(checkIn.due.since(checkIn.answerableFrom) / 60_000_000)
    let isAhead = checkIn.due.before(minutes: lead) > asker.now.wall
    if isAhead, series[id.series]!.exceptions[id.key.text] != nil {
      series[id.series]!.exceptions[id.key.text]!.isRemoved = false
      known.remove(id)
      output.changes.checkIns += [.checkInRemoved(id), .series(series[id.series]!)]
      note(.checkInRestored, id, by: asker.who, at: asker.now, &output)
      lookUpAnew(id.series, ahead: ahead(of: id.series), at: asker.now, &output)
      return
    }
    series[id.series]!.hasEnded = false
    output.changes.checkIns.append(.series(series[id.series]!))
    reopen(checkIn, by: asker.who, at: asker.now, &output)
    tidy()
  }

  mutating func change(
    _ id: CheckIn.ID, _ due: Int64?, _ description: String?, _ lead: Int?, by asker: Asker,
    _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) {
    let now = asker.now
    guard let series = series[id.series] else { throw .unknownSeries }
    guard asker.isProven || !series.escalates else { throw .pinNeeded }
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
    if let index = index(of: id) {
      let old = asked[index].checkIn
      let base = series.exceptions[id.key.text]?.base ?? old.due
      forget(index, &output)
      self.series[id.series]!.exceptions[id.key.text] = CheckInSeries.Exception(
        base: base, due: due ?? old.due, description: description ?? old.description,
        lead: lead ?? Int(old.due.since(old.answerableFrom) / 60_000_000))
    } else {
      guard !closed.contains(where: { $0.id == id }) else { throw .checkInClosed }
      let (_, next) = try date(of: id)
      self.series[id.series]!.exceptions[id.key.text] = CheckInSeries.Exception(
        base: next.base, due: due ?? next.due, description: description ?? next.description,
        lead: lead ?? next.lead)
    }
    output.changes.checkIns.append(.series(self.series[id.series]!))
    note(.checkInChanged, id, by: asker.who, at: now, &output)
    expectNext(of: id.series, at: now, &output)
  }

  mutating func drop(
    _ id: CheckIn.ID, by asker: Asker, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) {
    guard let series = series[id.series] else { throw .unknownSeries }
    guard asker.isProven || !series.escalates else { throw .pinNeeded }
    if let index = index(of: id) {
      close(index, .removed, .checkInRemoved, who: asker.who, at: asker.now, &output)
    } else {
      guard !closed.contains(where: { $0.id == id }) else { throw .checkInClosed }
      let (_, next) = try date(of: id)
      guard series.hasRoom else { throw Self.noRoom }
      self.series[id.series]!.exceptions[id.key.text] = CheckInSeries.Exception(
        base: next.base, isRemoved: true, due: next.due, description: next.description,
        lead: next.lead)
      var checkIn = CheckIn(next, of: series)
      known.insert(id)
      end(&checkIn, .removed, .checkInRemoved, who: asker.who, at: asker.now, &output)
      output.changes.checkIns.append(.series(self.series[id.series]!))
      upcoming[id.series] = nil
    }
    settle(id.series, at: asker.now, &output)
  }

  private static let noRoom = UserCommand.Refusal.tooMany(
    "changed check-ins of a series", limit: Limits.checkInExceptions)
}

extension CheckInSeries {
  fileprivate var hasRoom: Bool { exceptions.count < Limits.checkInExceptions }
}
