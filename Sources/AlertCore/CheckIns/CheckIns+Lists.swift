/// What people and programs read. These cost as much as they show: call them on a copy, outside of
/// the core's lock.
extension CheckIns {
  /// The open ones, and of each series as many dates to come as the settings show, together at
  /// least one (R105, R106): the oldest first.
  /// - Parameters:
  ///   - query: which of them.
  ///   - wall: now, µs since 1970.
  public func list(_ query: CheckInQuery = CheckInQuery(), at wall: Int64) -> CheckInList {
    CheckInList(self, query, at: wall)
  }

  /// The dates of a draft, at most `count`, as if it were added now; for the editor's preview.
  /// - Throws: the refusal that adding it would get.
  public func preview(
    _ draft: CheckInDraft, count: Int = 31, at wall: Int64
  ) throws(UserCommand.Refusal) -> [Recurrence.Occurrence] {
    let series = try made(draft, id: 0, { _ in true }, at: wall)
    return dates(of: series, count: count).map { Recurrence.Occurrence(key: $0.key, due: $0.due) }
  }

  /// The dates of a series that are still to be asked, in the order in which they fall due.
  func dates(of series: CheckInSeries, count: Int) -> [Upcoming] {
    var series = series
    var dates: [Upcoming] = []
    while dates.count < count, let next = next(of: series, isDueFirst: true) {
      series.take(next)
      dates.append(next)
    }
    return dates.sorted { ($0.due, $0.key) < ($1.due, $1.key) }
  }

  /// How they stand, for the status. It costs a pass over what is open.
  /// - Parameters:
  ///   - mayRaise: what runs out raises an alarm.
  ///   - countdown: before people are called.
  func status(mayRaise: Bool, countdown: Int64, at wall: Int64) -> CheckInStatus {
    func calledAt(_ checkIn: CheckIn) -> Int64? {
      guard checkIn.escalates, mayRaise else { return nil }
      let (sum, overflow) = checkIn.runsOut.addingReportingOverflow(countdown)
      return overflow ? nil : sum
    }
    let overdue = asked.count { $0.checkIn.due <= wall }
    let next = asked.first { $0.checkIn.isAnswerable(at: wall) }?.checkIn
    return CheckInStatus(
      series: running, inTime: asked.count - overdue, overdue: overdue,
      next: next.map {
        CheckInStatus.Next(
          series: $0.series, key: $0.key, description: $0.description, due: $0.due,
          calledAt: calledAt($0))
      },
      calledAt: asked.lazy.compactMap { calledAt($0.checkIn) }.min(),
      raisesNothing: !mayRaise && series.values.contains { $0.escalates && !$0.hasEnded })
  }

  private var running: Int { series.values.count { !$0.hasEnded } }
}

extension ListedCheckIn {
  init(_ checkIn: CheckIn, isOpen: Bool, at wall: Int64) {
    id = checkIn.id
    description = checkIn.description
    due = checkIn.due
    answerableFrom = checkIn.answerableFrom
    escalates = checkIn.escalates
    runsOut = checkIn.escalates ? checkIn.runsOut : nil
    device = checkIn.device
    let late = wall.since(checkIn.due)
    let step: Int64 = 20 * 60_000_000
    phase =
      switch late {
      case step...: .late
      case 0...: .overdue
      case _ where isOpen: .inTime
      case (-step)...: .soon
      default: .scheduled
      }
  }
}
