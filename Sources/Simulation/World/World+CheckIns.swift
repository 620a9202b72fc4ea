import AlertCore
import FobBase
import Judge

/// Check-ins: what people ask for, what the core says of them, and the zone, which the bridge hands
/// in.
extension World {
  func perform(_ action: CheckInAction, _ host: SimulatedHost) {
    guard let run = host.run else { return }
    let checkIns = run.core.checkIns
    let ids = checkIns.series.keys.sorted()
    switch action {
    case .add(let plan): ask(.addSeries(plan), host)
    case .edit(let place, let plan):
      guard !ids.isEmpty else { return }
      ask(.editSeries(ids[place % ids.count], plan), host)
    case .remove(let place):
      guard !ids.isEmpty else { return }
      ask(.removeSeries(ids[place % ids.count]), host)
    case .complete:
      guard let first = checkIns.open.first else { return }
      ask(.complete(CheckInName(first.id)), host)
    case .restore:
      guard let last = checkIns.closed.last(where: { $0.state == .completed }) else { return }
      ask(.restore(CheckInName(last.id)), host)
    }
  }

  /// The bridge hands in the zone at each start, and where it changes.
  func handInZone(_ host: SimulatedHost) {
    guard let zone = host.zone, let run = host.run else { return }
    see(.zone(host: host.index, zone))
    handle(.zoneTable(ZoneTable(zone)), run, host)
    arm(run, host)
  }

  func tellWallClock(_ host: SimulatedHost) {
    guard host.zone != nil else { return }
    see(.wallClock(host: host.index, host.timestamp(at: now).wall))
  }

  func tellCheckIn(_ auditEvent: AuditEvent, _ host: SimulatedHost) {
    guard case .checkIn(let id)? = auditEvent.facts?.reason,
      let word = CheckInWord(auditEvent.name)
    else { return }
    see(.checkInSaid(host: host.index, word, CheckInName(id)))
  }

  /// Names the incident that a check-in opens, before anything is said of it.
  func nameRaised(_ run: HostRun, _ host: SimulatedHost) {
    for opened in run.output.events where opened.name == .incidentOpened {
      guard case .trigger(.checkIn)? = opened.facts?.reason, let incident = opened.incident else {
        continue
      }
      let checkIns = run.core.checkIns
      let by = (checkIns.open + checkIns.closed).first { $0.incident == incident }
      see(.raised(host: host.index, incident: incident.wire, by: by.map { CheckInName($0.id) }))
    }
  }
}

extension CheckInWord {
  init?(_ name: AuditEvent.Name) {
    switch name {
    case .checkInDue: self = .due
    case .checkInNagged: self = .nagged
    case .checkInCompleted: self = .completed
    case .checkInEscalated, .checkInCovered, .checkInMissed, .checkInRemoved: self = .closed
    case .checkInRestored: self = .restored
    default: return nil
    }
  }
}

extension CheckInName {
  init(_ id: CheckIn.ID) { self.init(series: id.series, key: id.key.text) }

  var id: CheckIn.ID? {
    OccurrenceKey(text: key).map { CheckIn.ID(series: series, key: $0) }
  }
}

extension CheckInCommand {
  /// Nil for a request about something else.
  init?(_ userRequest: UserRequest) {
    switch userRequest {
    case .addSeries(let plan): self = .add(CheckInDraft(plan))
    case .editSeries(let id, let plan): self = .edit(series: id, CheckInDraft(plan))
    case .removeSeries(let id): self = .remove(series: id)
    case .complete(let name):
      guard let id = name.id else { return nil }
      self = .complete(id, comment: "")
    case .restore(let name):
      guard let id = name.id else { return nil }
      self = .restore(id)
    default: return nil
    }
  }
}

extension CheckInDraft {
  init(_ plan: SeriesPlan) {
    self.init()
    description = "Are you well?"
    rule =
      switch plan.rule {
      case .once: .once
      case .days(let every, let times, let hours):
        .days(every: every, times: times, hoursApart: hours)
      }
    minute = plan.minute
    start = CivilDate(day: Int32(plan.start))
    end = .some(nil)
    lead = plan.lead
    escalates = plan.escalates
    limit = plan.limit
    device = .some(plan.device?.text)
  }
}

extension SeriesPlan {
  /// Nil for a rule that no world asks for.
  init?(_ series: CheckInSeries) {
    let rule: Rule
    switch series.recurrence.rule {
    case .once: rule = .once
    case .days(let every, let times, let hours):
      rule = .days(every: every, times: times, hoursApart: hours)
    default: return nil
    }
    self.init(
      rule, minute: series.recurrence.minute, start: Int(series.recurrence.start.day),
      lead: series.lead, escalates: series.escalates, limit: series.limit,
      device: series.device.flatMap { DeviceID(text: $0) })
  }
}

extension ZoneTable {
  init(_ zone: Zone) {
    self.init(
      first: Int32(zone.first),
      transitions: zone.changes.map { Transition(at: $0.at, offset: Int32($0.ahead)) })
  }
}

extension Batch {
  /// All that a disk holds of what stands beside the alarm.
  init(companionsOf tables: Tables) {
    self.init()
    let (checkIns, messages) = (tables.checkIns, tables.messages)
    add(tables.reviews.reviews.map { .review($0) })
    add(tables.exercises)
    add(checkIns.series.map { .series($0) } + checkIns.checkIns.map { .checkIn($0) })
    add(messages.slots.map { .slot($0) } + messages.sends.map { .send($0) })
  }

  mutating func add(_ changes: [CheckInChange]) {
    for change in changes {
      switch change {
      case .series(let changed):
        series.removeAll { $0.id == changed.id }
        if let plan = SeriesPlan(changed) { series.append((changed.id, plan)) }
      case .seriesRemoved(let id):
        series.removeAll { $0.id == id }
        removedSeries.append(id)
      case .checkIn(let checkIn): checkIns.append(CheckInRow(checkIn))
      case .checkInRemoved(let id):
        checkIns.removeAll { $0.name == CheckInName(id) }
        forgottenCheckIns.append(CheckInName(id))
      case .settings, .counts: break
      }
    }
  }
}

extension Batch.CheckInRow {
  init(_ checkIn: CheckIn) {
    var click: String?
    if case .click(let device, let event)? = checkIn.by { click = "\(device)/\(event)" }
    self.init(
      CheckInName(checkIn.id), State(rawValue: checkIn.state.rawValue)!, due: checkIn.due,
      escalates: checkIn.escalates, runsOut: checkIn.runsOut, completedAt: checkIn.completedAt,
      by: click, incident: checkIn.incident?.wire, isDue: checkIn.isDueTold)
  }
}
