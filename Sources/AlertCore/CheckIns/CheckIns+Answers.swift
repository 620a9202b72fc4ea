import FobBase
import WireProtocol

/// How check-ins end, and how they are asked anew.
extension CheckIns {
  func index(of id: CheckIn.ID) -> Int? {
    asked.firstIndex { $0.checkIn.id == id && $0.checkIn.state == .open }
  }

  func note(
    _ name: AuditEvent.Name, _ id: CheckIn.ID, by who: String = "core",
    of event: EventIdentity? = nil, at now: Timestamp, _ output: inout CoreOutput
  ) {
    output.note(AuditEvent(name, at: now, by: who, of: event, .checkIn(id)))
  }

  /// Makes an open one final. It leaves `asked` at the next `tidy`.
  mutating func close(
    _ index: Int, _ state: CheckIn.State, _ name: AuditEvent.Name, by incident: IncidentID? = nil,
    who: String = "core", of event: EventIdentity? = nil, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    var checkIn = asked[index].checkIn
    checkIn.incident = incident
    end(&checkIn, state, name, who: who, of: event, at: now, &output)
    asked[index].checkIn = checkIn
    let left = openCount[checkIn.series, default: 1] - 1
    openCount[checkIn.series] = left > 0 ? left : nil
    if !checkIn.isDueTold { countAhead(checkIn.series, -1) }
  }

  mutating func end(
    _ checkIn: inout CheckIn, _ state: CheckIn.State, _ name: AuditEvent.Name,
    who: String = "core", of event: EventIdentity? = nil, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    checkIn.state = state
    checkIn.closedAt = now.wall
    closed.append(checkIn)
    output.changes.checkIns += [.checkIn(checkIn), .counts(counts)]
    note(name, checkIn.id, by: who, of: event, at: now, &output)
  }

  // MARK: Clicks

  /// The open one that a click of this keychain answers.
  /// - Parameters:
  ///   - clicked: when the click was, µs since 1970.
  ///   - isRecent: it was just now; else it answers only what could be answered then.
  func answerable(on device: String, clickedAt clicked: Int64, isRecent: Bool) -> CheckIn? {
    asked.first {
      $0.checkIn.state == .open && $0.checkIn.isAsked(of: device)
        && (isRecent
          ? $0.checkIn.isAnswerable(at: clicked) : $0.checkIn.answerableFrom <= clicked)
    }?.checkIn
  }

  mutating func complete(
    _ id: CheckIn.ID, by click: EventIdentity, clickedAt clicked: Int64, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    guard let index = index(of: id) else { return }
    let answerer = CheckIn.Answerer.click(
      device: click.deviceID.text, event: click.number.text)
    counts.clicked += 1
    complete(index, answerer, at: clicked, who: "button", of: click, at: now, &output)
  }

  mutating func complete(
    _ index: Int, _ answerer: CheckIn.Answerer, at answered: Int64, who: String,
    of click: EventIdentity? = nil, at now: Timestamp, _ output: inout CoreOutput
  ) {
    counts.completed += 1
    asked[index].checkIn.completedAt = answered
    asked[index].checkIn.by = answerer
    let checkIn = asked[index].checkIn
    unproven.append((checkIn.id, checkIn.device, nil))
    close(index, .completed, .checkInCompleted, who: who, of: click, at: now, &output)
    settle(checkIn.series, at: now, &output)
  }

  /// After an open one was closed outside of a pass.
  mutating func settle(_ series: Int, at now: Timestamp, _ output: inout CoreOutput) {
    tidy()
    expectNext(of: series, at: now, &output)
  }

  /// The changes up to now have this decision: lights show what it answers until it is durable.
  mutating func handedOn(_ decision: UInt64) {
    for index in unproven.indices where unproven[index].decision == nil {
      unproven[index].decision = decision
    }
  }

  mutating func committed(upTo decision: UInt64) {
    unproven.removeAll { $0.decision.map { $0 <= decision } ?? false }
  }

  // MARK: Alarms

  /// Their silence raised this incident, or was added to it.
  mutating func ranOut(
    _ checkIns: [CheckIn], into incident: IncidentID, raising raised: CheckIn.ID?,
    at now: Timestamp, _ output: inout CoreOutput
  ) {
    let ids = Set(checkIns.map(\.id))
    for index in asked.indices
    where asked[index].checkIn.state == .open && ids.contains(asked[index].checkIn.id) {
      if asked[index].checkIn.id == raised {
        counts.escalated += 1
        close(index, .escalated, .checkInEscalated, by: incident, at: now, &output)
      } else {
        close(index, .covered, .checkInCovered, by: incident, at: now, &output)
      }
    }
    tidy()
    for id in Set(checkIns.map(\.series)).sorted() { expectNext(of: id, at: now, &output) }
  }

  /// An incident was ended by the owner: what it covered is asked anew, with its full limit.
  mutating func askAnew(
    coveredBy incident: IncidentID, at now: Timestamp, _ output: inout CoreOutput
  ) {
    for index in closed.indices.reversed()
    where closed[index].state == .covered && closed[index].incident == incident {
      let checkIn = closed.remove(at: index)
      reopen(checkIn, by: "core", at: now, &output)
    }
    tidy()
  }

  /// A final one asks again, with its full limit from now.
  mutating func reopen(
    _ checkIn: CheckIn, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) {
    var checkIn = checkIn
    checkIn.state = .open
    checkIn.round += 1
    checkIn.runsOut = max(checkIn.due, now.wall).after(minutes: checkIn.limit)
    (checkIn.completedAt, checkIn.by, checkIn.incident, checkIn.closedAt) = (nil, nil, nil, nil)
    checkIn.comment = ""
    checkIn.isIdleTold = false
    checkIn.isDueTold = checkIn.due <= now.wall
    asked.append(Asked(checkIn: checkIn))
    openCount[checkIn.series, default: 0] += 1
    if checkIn.isDueTold {
      startClocks(asked.count - 1, at: now)
    } else {
      countAhead(checkIn.series, 1)
    }
    expectNext(of: checkIn.series, at: now, &output)
    output.changes.checkIns.append(.checkIn(checkIn))
    note(.checkInRestored, checkIn.id, by: who, at: now, &output)
  }

  // MARK: Room

  /// Drops the oldest of the history (R103), but nothing that an open incident covers.
  mutating func trim(keeping incident: IncidentID?, _ output: inout CoreOutput) {
    var surplus = closed.count - settings.history
    guard surplus > 0 else { return }
    closed.removeAll { checkIn in
      guard surplus > 0, incident == nil || checkIn.incident != incident else { return false }
      surplus -= 1
      known.remove(checkIn.id)
      output.changes.checkIns.append(.checkInRemoved(checkIn.id))
      return true
    }
  }

  // MARK: Restart

  mutating func recover(_ stored: StoredCheckIns, at now: Timestamp) {
    series = Dictionary(stored.series.map { ($0.id, $0) }) { $1 }
    (settings, counts) = (stored.settings, stored.counts)
    counts.lastSeries = max(
      counts.lastSeries, series.keys.max() ?? 0, stored.checkIns.map(\.series).max() ?? 0)
    for checkIn in stored.checkIns {
      known.insert(checkIn.id)
      guard checkIn.state == .open else {
        closed.append(checkIn)
        continue
      }
      asked.append(Asked(checkIn: checkIn))
      openCount[checkIn.series, default: 0] += 1
      if checkIn.isDueTold {
        startClocks(asked.count - 1, at: now)
      } else {
        countAhead(checkIn.series, 1)
      }
    }
    closed.sort { ($0.closedAt ?? 0, $0.due) < ($1.closedAt ?? 0, $1.due) }
    tidy()
    touch(at: now)
  }

  /// The account's zone, or more of it: dates that are not due yet are looked up anew. What another
  /// zone would have asked before now was never to be asked; a series that ended by that goes on.
  mutating func set(_ zone: ZoneTable, at now: Timestamp, _ output: inout CoreOutput) {
    guard zone != self.zone else { return }
    let isFirst = self.zone == nil
    self.zone = zone
    let ahead = Dictionary(
      asked.lazy.map(\.checkIn).filter { !$0.isDueTold }.map { ($0.series, $0) }
    ) { $1 }
    for id in series.keys.sorted() {
      if !isFirst, upcoming[id].map({ $0.due > now.wall }) ?? true {
        update(id, &output) { $0.askedUntil = max($0.askedUntil, now.wall) }
      }
      if let ended = series[id], ended.hasEnded, next(of: ended) != nil {
        update(id, &output) { $0.hasEnded = false }
      }
      lookUpAnew(id, ahead: ahead[id], at: now, &output)
    }
    tidy()
    touch(at: now)
  }

  /// Looks up the dates of a series again. An open one that is not due stays where a person has
  /// moved it, or the series still has it.
  mutating func lookUpAnew(
    _ id: Int, ahead: CheckIn?, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard zone != nil, var anew = series[id], !anew.hasEnded else { return }
    // One that has fallen due while nobody looked stays asked.
    if let ahead, ahead.isException, ahead.due > now.wall {
      adopt(anew, ahead.id, &output)
    } else if let ahead, ahead.due > now.wall {
      anew.askedUntil = min(anew.askedUntil, now.wall)
      let next = next(of: anew, except: ahead.id)
      if let next, CheckIn(next, of: anew).isSame(as: ahead) {
        return expectNext(of: id, at: now, &output)
      }
      if let index = index(of: ahead.id) { forget(index, &output) }
      update(id, &output) { $0 = anew }
    }
    expectNext(of: id, at: now, &output)
  }

  /// One that a person has moved stays there, and is otherwise as its series now says.
  private mutating func adopt(
    _ series: CheckInSeries, _ id: CheckIn.ID, _ output: inout CoreOutput
  ) {
    guard let index = index(of: id) else { return }
    var checkIn = asked[index].checkIn
    (checkIn.escalates, checkIn.limit) = (series.escalates, series.limit)
    checkIn.device = series.device
    checkIn.runsOut = checkIn.due.after(minutes: series.limit)
    checkIn.answerableFrom = CheckIn.answerableFrom(
      checkIn.due, lead: checkIn.lead, escalates: series.escalates)
    guard checkIn != asked[index].checkIn else { return }
    asked[index].checkIn = checkIn
    output.changes.checkIns.append(.checkIn(checkIn))
  }

  /// The open one of a series that is not due yet.
  func ahead(of series: Int) -> CheckIn? { asked.first { $0.isAhead(of: series) }?.checkIn }

  /// An open one becomes a mere date of its series again.
  mutating func forget(_ index: Int, _ output: inout CoreOutput) {
    let checkIn = asked.remove(at: index).checkIn
    known.remove(checkIn.id)
    if !checkIn.isDueTold { countAhead(checkIn.series, -1) }
    let left = openCount[checkIn.series, default: 1] - 1
    openCount[checkIn.series] = left > 0 ? left : nil
    output.changes.checkIns.append(.checkInRemoved(checkIn.id))
  }
}

extension CheckIns.Asked {
  /// It is open and not due yet.
  func isAhead(of series: Int) -> Bool {
    checkIn.series == series && checkIn.state == .open && !checkIn.isDueTold
  }
}

extension CheckIn {
  fileprivate func isSame(as other: CheckIn) -> Bool {
    key == other.key && due == other.due && answerableFrom == other.answerableFrom
      && description == other.description && escalates == other.escalates
      && limit == other.limit && device == other.device
  }
}
