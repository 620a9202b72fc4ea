import FobBase
import WireProtocol

/// What people and programs ask for. A refused request changes nothing.
extension CheckIns {
  /// Who asks, and when.
  struct Asker {
    let who: String
    /// The PIN was right, or none is needed.
    let isProven: Bool
    /// The account's keychains; nil: every one.
    let owns: (DeviceID) -> Bool
    let now: Timestamp
  }

  /// - Returns: the id of the series that was made; nil: none was.
  mutating func perform(
    _ command: CheckInCommand, by asker: Asker, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) -> Int? {
    switch command {
    case .add(let draft): return try add(draft, by: asker, &output)
    case .edit(let id, let draft): try edit(id, draft, by: asker, &output)
    case .remove(let id): try remove(id, by: asker, &output)
    case .reactivate(let id, let draft): try reactivate(id, draft, by: asker, &output)
    case .complete(let id, let comment): try complete(id, comment, by: asker, &output)
    case .restore(let id): try restore(id, by: asker, &output)
    case .change(let id, let due, let description, let lead):
      try change(id, due, description, lead, by: asker, &output)
    case .drop(let id): try drop(id, by: asker, &output)
    case .comment(let id, let text):
      guard let index = closed.firstIndex(where: { $0.id == id }) else { throw .unknownCheckIn }
      closed[index].comment = try FieldValidation.comment(text)
      output.changes.checkIns.append(.checkIn(closed[index]))
      note(.checkInChanged, id, by: asker.who, at: asker.now, &output)
    case .settings(let settings):
      if let problem = settings.problem { throw problem }
      self.settings = settings
      output.changes.checkIns.append(.settings(settings))
      output.note(AuditEvent(.checkInSettingsChanged, at: asker.now, by: asker.who))
    case .resetCounts:
      let last = counts.lastSeries
      counts = CheckInCounts()
      (counts.lastSeries, counts.since) = (last, asker.now.wall)
      output.changes.checkIns.append(.counts(counts))
    }
    return nil
  }

  func requirePIN(
    _ escalates: Bool, _ asker: Asker
  ) throws(UserCommand.Refusal) {
    guard asker.isProven || !escalates else { throw .pinNeeded }
  }

  private func known(_ id: Int) throws(UserCommand.Refusal) -> CheckInSeries {
    guard let series = series[id] else { throw .unknownSeries }
    return series
  }

  // MARK: Series

  private mutating func add(
    _ draft: CheckInDraft, by asker: Asker, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) -> Int {
    let made = try made(draft, id: counts.lastSeries + 1, asker.owns, at: asker.now.wall)
    try requirePIN(made.escalates, asker)
    guard series.count < Limits.series else {
      throw .tooMany("series of check-ins", limit: Limits.series)
    }
    counts.lastSeries = made.id
    series[made.id] = made
    output.changes.checkIns += [.series(made), .counts(counts)]
    note(.added, made.id, by: asker, &output)
    expectNext(of: made.id, at: asker.now, &output)
    return made.id
  }

  private mutating func edit(
    _ id: Int, _ draft: CheckInDraft, by asker: Asker, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) {
    let old = try known(id)
    var new = try old.applying(draft, asker.owns, today: today(at: asker.now.wall))
    try requirePIN(old.escalates || new.escalates, asker)
    guard new != old else { throw .unchanged }
    if new.recurrence != old.recurrence {
      new.exceptions = [:]
      try requireDate(of: new, after: asker.now.wall, past: .movedPast)
      new.hasEnded = false
      // The new rule asks what is to come, and nothing that was before; no key is asked twice.
      new.askedUntil = asker.now.wall
    }
    new.changedAt = asker.now.wall
    series[id] = new
    output.changes.checkIns.append(.series(new))
    note(.edited, id, by: asker, &output)
    lookUpAnew(id, ahead: ahead(of: id), at: asker.now, &output)
    tidy()
  }

  private mutating func remove(
    _ id: Int, by asker: Asker, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) {
    let old = try known(id)
    let isOpenEscalating = asked.contains { $0.checkIn.series == id && $0.checkIn.escalates }
    try requirePIN(old.escalates || isOpenEscalating, asker)
    for index in asked.indices where asked[index].checkIn.series == id {
      close(
        index, .removed, .checkInRemoved, who: asker.who, at: asker.now, &output)
    }
    tidy()
    series[id] = nil
    upcoming[id] = nil
    output.changes.checkIns.append(.seriesRemoved(id))
    note(.removed, id, by: asker, &output)
  }

  private mutating func reactivate(
    _ id: Int, _ draft: CheckInDraft, by asker: Asker, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) {
    let old = try known(id)
    guard old.hasEnded else { throw .seriesRuns }
    guard draft.start != nil else { throw .invalid("start", "is needed") }
    var fresh = old
    // An end that has passed ends nothing any more.
    if draft.end == nil { fresh.recurrence.end = nil }
    fresh.exceptions = [:]
    fresh.hasEnded = false
    var new = try fresh.applying(draft, asker.owns, today: today(at: asker.now.wall))
    try requirePIN(old.escalates || new.escalates, asker)
    new.askedUntil = asker.now.wall
    new.changedAt = asker.now.wall
    try requireDate(of: new, after: asker.now.wall)
    series[id] = new
    output.changes.checkIns.append(.series(new))
    note(.reactivated, id, by: asker, &output)
    expectNext(of: id, at: asker.now, &output)
  }

  private func note(
    _ change: Reason.SeriesChange, _ id: Int, by asker: Asker, _ output: inout CoreOutput
  ) {
    output.note(AuditEvent(.seriesChanged, at: asker.now, by: asker.who, .series(id, change)))
  }

  /// A new series; nothing of it falls due before now.
  func made(
    _ draft: CheckInDraft, id: Int, _ owns: (DeviceID) -> Bool, at wall: Int64
  ) throws(UserCommand.Refusal) -> CheckInSeries {
    guard draft.description != nil else { throw .noDescription }
    guard let rule = draft.rule else { throw .invalid("rule", "is needed") }
    guard let minute = draft.minute else { throw .invalid("time", "is needed") }
    guard let start = draft.start else { throw .invalid("start", "is needed") }
    let blank = CheckInSeries(
      id: id, description: "", recurrence: Recurrence(rule, at: minute, from: start), lead: 0,
      escalates: true, limit: 20, createdAt: wall, changedAt: wall, askedUntil: wall)
    let today = today(at: wall)
    guard start >= today else { throw .startPast }
    let made = try blank.applying(draft, owns, today: today)
    try requireDate(of: made, after: wall)
    return made
  }

  /// R108: what is to be asked must lie ahead.
  /// - Parameter past: the refusal of a single date that lies in the past.
  private func requireDate(
    of series: CheckInSeries, after wall: Int64, past: UserCommand.Refusal = .startPast
  ) throws(UserCommand.Refusal) {
    guard let date = series.recurrence.next(after: wall, in: zone ?? .utc) else {
      if let end = series.recurrence.end, end <= today(at: wall) { throw .endPast }
      if series.recurrence.rule == .once { throw past }
      throw .invalid("rule", "has no date to come")
    }
    var ahead = series
    ahead.askedUntil = max(ahead.askedUntil, wall)
    guard zone != nil, next(of: ahead) == nil else { return }
    throw .invalid("start", "\(date.key.date.text) was asked already, and nothing follows it")
  }

  func today(at wall: Int64) -> CivilDate { (zone ?? .utc).date(at: wall) }
}

extension CheckInSeries {
  /// With what a draft gives.
  fileprivate func applying(
    _ draft: CheckInDraft, _ owns: (DeviceID) -> Bool, today: CivilDate
  ) throws(UserCommand.Refusal) -> CheckInSeries {
    var new = self
    if let text = draft.description { new.description = try FieldValidation.description(text) }
    if let rule = draft.rule { new.recurrence.rule = rule }
    if let minute = draft.minute { new.recurrence.minute = minute }
    if let start = draft.start, start != recurrence.start {
      guard start >= today else { throw .startPast }
      new.recurrence.start = start
    }
    if let end = draft.end { new.recurrence.end = end }
    if let end = new.recurrence.end, end != recurrence.end || draft.start != nil {
      guard end >= today, end >= new.recurrence.start else { throw .endPast }
    }
    if let problem = new.recurrence.refusal() { throw problem }
    if let lead = draft.lead { new.lead = try FieldValidation.lead(lead) }
    if let escalates = draft.escalates { new.escalates = escalates }
    if let limit = draft.limit {
      guard (5...1_440).contains(limit) else { throw .invalid("limit", "is not 5 to 1440 minutes") }
      new.limit = limit
    }
    if let device = draft.device {
      if let device {
        guard let id = DeviceID(text: device), owns(id) else { throw .unknownDevice }
        new.device = id.text
      } else {
        new.device = nil
      }
    }
    return new
  }
}

extension CheckInSettings {
  /// The first field that is out of its range; nil: none is.
  fileprivate var problem: UserCommand.Refusal? {
    for (field, value, range) in [
      ("nagEvery", nagEvery, 1...60), ("shown", shown, 1...366), ("history", history, 10...10_000),
      ("logShown", logShown, 10...10_000),
    ] where !range.contains(value) {
      return .invalid(field, "is not \(range.lowerBound) to \(range.upperBound)")
    }
    return nil
  }
}

extension FieldValidation {
  static func description(_ text: String) throws(UserCommand.Refusal) -> String {
    do throws(UserCommand.Refusal) {
      return try name(text, "description", limit: 160)
    } catch {
      if case .invalid(_, "is empty") = error { throw .noDescription }
      throw error
    }
  }

  /// 0 to 500 bytes; line breaks are kept.
  static func comment(_ text: String) throws(UserCommand.Refusal) -> String {
    guard text.utf8.count <= 500 else { throw .invalid("comment", "has more than 500 bytes") }
    guard !text.unicodeScalars.contains(where: { isControl($0) && $0 != "\n" }) else {
      throw .invalid("comment", "has a control character")
    }
    return text
  }

  static func lead(_ minutes: Int) throws(UserCommand.Refusal) -> Int {
    guard (0...40_320).contains(minutes) else {
      throw .invalid("lead", "is not 0 to 40320 minutes")
    }
    return minutes
  }
}
