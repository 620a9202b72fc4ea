import FobBase
import WireProtocol

/// The check-ins beside the alarm: no press waits for them, and an open alarm ends what they ask.
extension AlertCore {
  private var mayRaise: Bool { engine.account.isActive && engine.account.isProtecting }

  private var alarmContext: AlarmContext {
    let open = engine.open.map { ($0.id, $0.isBench, $0.isUnclaimed) }
    return AlarmContext(open: open, mayRaise: mayRaise, device: raisingDevice, room: .max)
  }

  /// How many lines the store takes without losing one; a store that fails is not waited for.
  private func room(at now: Timestamp) -> Int {
    commitQueue.trouble(within: policy.commitWithin, at: now) != nil
      ? .max : Limits.pendingAudit / 4 - commitQueue.waitingLines
  }

  /// The account's keychain that was heard last, a live one before a bench's. Without any, people
  /// are told all the same, or a bench's test channels are. A bench's that was claimed and never
  /// heard is none: to claim needs no PIN, and real people would not be told.
  private var raisingDevice: DeviceID {
    let claimed = engine.account.devices?.compactMap(DeviceID.init(text:)) ?? []
    let known = Set(claimed.filter { !$0.isBench }).union(book.entries.keys).filter(engine.owns)
    func rank(_ device: DeviceID) -> (Int, Int64, DeviceID) {
      (device.isBench ? 0 : 1, book.entries[device]?.heardAt?.instant ?? .min, device)
    }
    let last = known.max { rank($0) < rank($1) }
    return last ?? (policy.isBench ? .bench(0) : DeviceID(rawValue: 0))
  }

  func checkInStatus(at now: Timestamp) -> CheckInStatus {
    checkIns.status(
      mayRaise: mayRaise, countdown: policy.triggerCountdown.microseconds, at: now.wall)
  }

  // MARK: Time

  /// Asks what is due, and raises the alarm for what ran out.
  mutating func passCheckIns(at now: Timestamp, _ output: inout CoreOutput) {
    guard checkIns.isDue(at: now) else { return }
    var context = alarmContext
    context.room = room(at: now)
    let ranOut = checkIns.pass(context, at: now, &output)
    let liveFirst =
      ranOut.filter { !context.device(of: $0).isBench }
      + ranOut.filter { context.device(of: $0).isBench }
    if let first = liveFirst.first { escalate(first, liveFirst, context, at: now, &output) }
    checkIns.trim(keeping: engine.open?.id, &output)
    checkIns.reckon(mayRaise: mayRaise, at: now)
  }

  /// The first raises the alarm, unless one is open; the others are added to it.
  private mutating func escalate(
    _ first: CheckIn, _ ranOut: [CheckIn], _ context: AlarmContext, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    var rest = ranOut
    var raised: CheckIn.ID?
    if context.cover(of: first) == nil {
      guard let incident = raise(first, on: context.device(of: first), at: now, &output) else {
        return
      }
      raised = first.id
      checkIns.ranOut([first], into: incident, raising: raised, at: now, &output)
      rest.removeFirst()
    }
    // One of a bench's is covered by any alarm; a live one by no bench's: it is next to raise.
    let open = alarmContext
    rest = rest.filter { open.cover(of: $0) != nil }
    guard !rest.isEmpty, let incident = open.open?.incident else { return }
    for checkIn in rest {
      output.note(
        AuditEvent(
          .triggerAdded, at: now, device: context.device(of: checkIn), .trigger(.checkIn)), incident
      )
    }
    checkIns.ranOut(rest, into: incident, raising: nil, at: now, &output)
  }

  /// A trigger from outside may have had its key: then it takes the next round's.
  private mutating func raise(
    _ unanswered: CheckIn, on device: DeviceID, at now: Timestamp, _ output: inout CoreOutput
  ) -> IncidentID? {
    var checkIn = unanswered
    for _ in 0...2 * Limits.seenTriggers {
      let trigger = Trigger(unanswered: checkIn, on: device)
      if let incident = engine.raise(trigger, at: now, &output) { return incident }
      checkIn.round += 1
    }
    return nil
  }

  // MARK: Requests

  mutating func perform(
    _ command: CheckInCommand, isProven: Bool, by who: String, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> (refusal: UserCommand.Refusal?, series: Int?) {
    let account = engine.account
    guard account.exists else { return (.noAccount, nil) }
    guard account.isLoggedIn else { return (.notLoggedIn, nil) }
    guard !engine.isLocked || isUncovered(command) else { return (.locked, nil) }
    let asker = CheckIns.Asker(
      who: who, isProven: isProven || !account.asksForPIN,
      owns: { [engine] in engine.owns($0) }, now: now)
    do throws(UserCommand.Refusal) {
      let made = try checkIns.perform(command, by: asker, &output)
      checkIns.touch(at: now)
      return (nil, made)
    } catch {
      return (error, nil)
    }
  }

  /// An answer to a check-in that the open alarm does not cover, as a bench's covers no live one.
  private func isUncovered(_ command: CheckInCommand) -> Bool {
    guard case .complete(let id, _) = command,
      let checkIn = checkIns.asked.first(where: { $0.checkIn.id == id })?.checkIn
    else { return false }
    return alarmContext.cover(of: checkIn) == nil
  }

  /// The owner has ended an incident: what it covered is asked anew.
  mutating func askCheckInsAnew(
    after ended: IncidentID, at now: Timestamp, _ output: inout CoreOutput
  ) {
    checkIns.askAnew(coveredBy: ended, at: now, &output)
    checkIns.touch(at: now)
  }

  // MARK: Clicks

  /// Whether a gesture is one click that answers a check-in, and answers it. One that came long
  /// after it was made answers what could be answered then, once its time is proven.
  mutating func answersCheckIn(
    _ press: HeardEvent, _ verdict: PressDetector.Verdict, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> Bool {
    let isRecent = verdict.meaning == .acknowledge
    let isLate = verdict.meaning == .noted && verdict.cause == .lateClicks(1)
    guard isRecent || isLate, engine.owns(press.identity.deviceID) else { return false }
    if answers(press, isRecent: isRecent, at: now, &output) { return true }
    if isLate, press.happenedAt == nil { checkIns.clicks.wait(for: press) }
    return false
  }

  /// With an alarm open the click speaks to that.
  private mutating func answers(
    _ press: HeardEvent, isRecent: Bool, at now: Timestamp, _ output: inout CoreOutput
  ) -> Bool {
    guard !speaksToAlarm(press) else { return false }
    let proven = checkIns.clicks.date(press)
    guard let clicked = proven ?? (isRecent ? press.receivedAt.instant : nil) else { return false }
    return completes(press, clickedAt: clicked, isRecent: isRecent, at: now, &output)
  }

  /// A click of this keychain speaks to the open alarm.
  func speaksToAlarm(_ press: HeardEvent) -> Bool {
    guard let open = engine.open, !open.isUnclaimed else { return false }
    return engine.mayTouch(press.identity, open)
      && open.isBench == press.identity.deviceID.isBench
  }

  private mutating func completes(
    _ press: HeardEvent, clickedAt clicked: Int64, isRecent: Bool, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> Bool {
    let device = press.identity.deviceID
    let age = now.instant.since(clicked)
    guard age >= 0,
      let checkIn = checkIns.answerable(
        on: device.text, clickedAt: now.wall.since(age), isRecent: isRecent),
      !device.isBench || alarmContext.device(of: checkIn).isBench
    else { return false }
    checkIns.complete(
      checkIn.id, by: press.identity, clickedAt: now.wall.since(age), at: now, &output)
    checkIns.touch(at: now)
    return true
  }

  /// A keychain's clock is proven again: clicks that waited for it can be dated.
  mutating func learn(
    _ fit: TimeSync.Fit, provenAt: UInt64, on link: LinkID, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    guard let device = book.device(on: link), engine.owns(device) else { return }
    checkIns.clicks.learn(fit, provenAt: provenAt, of: device)
    for press in checkIns.clicks.take(of: device)
    where answers(press, isRecent: false, at: now, &output) {
      output.changes.settle(press.identity, .checkIn, nil)
      let reading = Reason.Reading(meaning: .checkIn, cause: .lateClicks(1), isAgeUnknown: false)
      output.note(AuditEvent(.pressDecoded, at: now, of: press.identity, .reading(reading)))
    }
  }
}

extension Trigger {
  fileprivate init(unanswered checkIn: CheckIn, on device: DeviceID) {
    let round = checkIn.round == 0 ? "" : "/\(checkIn.round)"
    self.init(
      source: .checkIn, device: device, key: "\(checkIn.series)/\(checkIn.key.text)\(round)",
      question: UnansweredCheckIn(description: checkIn.description, due: checkIn.due))
  }
}
