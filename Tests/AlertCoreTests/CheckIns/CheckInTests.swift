import FobBase
import Testing

@testable import AlertCore
@testable import WireProtocol

/// Check-ins beside the alarm (R90 to R112, G17). The clock of the bench begins on 2025-06-15 at
/// 15:06:40 UTC.
struct CheckInTests {
  static let today = CivilDate(year: 2025, month: 6, day: 15)!

  /// Asked each day at 16:00 UTC, 53 minutes and 20 seconds from the start.
  static func daily(lead: Int = 0, escalates: Bool = true) -> CheckInDraft {
    var draft = CheckInDraft()
    draft.description = "All well?"
    draft.rule = .days(every: 1)
    draft.minute = 16 * 60
    draft.start = today
    draft.lead = lead
    draft.escalates = escalates
    return draft
  }

  static let untilDue = Interval.seconds(53 * 60 + 20)

  /// A guarded keychain whose account protects, with one series.
  func bench(
    _ draft: CheckInDraft = daily(), protects: Bool = true
  ) -> GuardedBench {
    var account = Account.sample(contacts: 1)
    account.isProtecting = protects
    account.zone = "UTC"
    var guarded = GuardedBench(.none, account)
    guarded.bench.hand(.zoneTable(.utc))
    #expect(guarded.bench.answer(to: .checkIn(.add(draft), isProven: true))?.made == 1)
    return guarded
  }

  func names(_ guarded: GuardedBench) -> [AuditEvent.Name] {
    guarded.bench.store.log.map(\.name).filter { $0.rawValue.hasPrefix("checkIn") }
  }

  func state(_ guarded: GuardedBench) -> CheckIn.State? {
    guarded.bench.store.checkIns.checkIns.first?.state
  }

  @Test func `it falls due by the clock on the wall and the light counts it`() {
    var guarded = bench()
    guarded.bench.run(for: Self.untilDue - .seconds(1))
    #expect(guarded.bench.indication?.state == .idle)
    guarded.bench.run(for: .seconds(2))
    #expect(guarded.bench.indication == Indication(state: .due, detail: 1))
    #expect(names(guarded) == [.checkInDue])
  }

  @Test func `one click completes it and the light falls once that is durable`() {
    var guarded = bench()
    guarded.bench.run(for: Self.untilDue + .seconds(1))
    guarded.bench.storeBehaviour = .commits(after: .seconds(2))
    let click = guarded.click()[0]
    #expect(guarded.bench.indication?.state == .due)
    guarded.bench.run(for: .seconds(5))
    #expect(guarded.bench.indication?.state == .idle)
    #expect(guarded.meaning(click) == .checkIn)
    #expect(state(guarded) == .completed)
    guarded.bench.run(for: .minutes(60))
    #expect(guarded.bench.core.status(at: guarded.bench.now).incident == nil)
  }

  @Test func `silence raises a countdown after the limit and then people are told`() {
    var guarded = bench()
    guarded.bench.run(for: Self.untilDue + .minutes(20) - .seconds(1))
    #expect(guarded.bench.core.state == .noEmergency)
    guarded.bench.run(for: .seconds(2))
    #expect(guarded.bench.core.state == .alertCountdown)
    #expect(guarded.bench.deliveries.isEmpty)
    guarded.bench.run(for: .seconds(121))
    #expect(guarded.bench.deliveries.first?.notification.question?.description == "All well?")
    #expect(
      names(guarded) == [
        .checkInDue, .checkInNagged, .checkInNagged, .checkInNagged, .checkInEscalated,
      ])
    #expect(state(guarded) == .escalated)
  }

  @Test func `a click made out of reach counts where exchanges before and after agree on its time`()
  {
    for (offset, isProven): (Int64, Bool) in [(0, true), (5_000_000, false)] {
      var guarded = bench()
      let fit = TimeSync.Fit(
        offset: guarded.start.instant - 5_000_000, reference: 5_000_000, drift: 0,
        uncertainty: 1_000, bootNonce: EventRecord.press(1).identity.bootNonce, since: 0)
      guarded.bench.hand(.clockFit(line, fit, provenAt: 5_000_000))
      guarded.bench.run(for: Self.untilDue - .minutes(1))
      guarded.bench.hand(.linkDown(line, reason: "unplugged"))
      guarded.bench.run(for: .minutes(2))
      let (press, release) = (
        guarded.edge(.pressed, at: guarded.now), guarded.edge(.released, at: guarded.now + 200_000)
      )
      guarded.bench.run(for: .minutes(3))
      guarded.bench.hand(.linkUp(line, .from(keychain)))
      guarded.deliver(press, isFitted: false)
      guarded.deliver(release, isFitted: false)
      guarded.bench.run(for: .seconds(2))
      #expect(state(guarded) == .open)
      var after = fit
      after.offset += offset
      guarded.bench.hand(
        .clockFit(line, after, provenAt: UInt64(guarded.now) + 5_000_000))
      guarded.bench.run(for: .seconds(1))
      #expect(state(guarded) == (isProven ? .completed : .open))
      #expect(guarded.meaning(press) == (isProven ? .checkIn : .noted))
      if isProven {
        let completedAt = guarded.bench.store.checkIns.checkIns[0].completedAt
        #expect(completedAt == guarded.start.wall + Int64(press.identity.clock) - 5_000_000)
      }
    }
  }

  @Test func `a series of one keychain is shown and answered there alone`() {
    var draft = Self.daily()
    draft.device = .some(DeviceID(rawValue: 0x77).text)
    var guarded = bench(draft)
    guarded.bench.run(for: Self.untilDue + .seconds(1))
    #expect(guarded.bench.indication?.state == .idle)
    guarded.click()
    #expect(state(guarded) == .open)
    let other = LinkID(rawValue: 9)
    guarded.bench.hand(.linkUp(other, .from(DeviceID(rawValue: 0x77))))
    #expect(guarded.bench.shown[other] == Indication(state: .due, detail: 1))
    #expect(guarded.bench.shown[line]?.state == .idle)
  }

  @Test func `with protection off nothing is raised and that is told once`() {
    var guarded = bench(protects: false)
    guarded.bench.run(for: Self.untilDue + .minutes(60))
    #expect(guarded.bench.core.state == .noEmergency)
    #expect(names(guarded).count { $0 == .checkInIdle } == 1)
    #expect(guarded.bench.core.status(at: guarded.bench.now).checkIns.raisesNothing)
    #expect(
      guarded.bench.core.status(at: guarded.bench.now).concerns.contains(.checkInsRaiseNothing))
  }

  @Test func `an open alarm covers what falls due and its end by PIN asks anew`() {
    var guarded = bench()
    guarded.bench.run(for: Self.untilDue - .minutes(5))
    guarded.bench.press(guarded.edge(.pressed, at: guarded.now))
    guarded.bench.run(for: .minutes(6))
    #expect(guarded.bench.core.state.isOpen)
    #expect(state(guarded) == .covered)
    #expect(guarded.bench.indication?.state != .due)
    guarded.bench.perform(.disarm)
    #expect(state(guarded) == .open)
    guarded.bench.run(for: .seconds(1))
    #expect(guarded.bench.indication == Indication(state: .due, detail: 1))
    guarded.bench.run(for: .minutes(19))
    #expect(!guarded.bench.core.state.isOpen)
    guarded.bench.run(for: .minutes(1))
    #expect(guarded.bench.core.state == .alertCountdown)
  }

  @Test func `a restart asks nothing twice and forgets nothing`() {
    var guarded = bench()
    guarded.bench.run(for: Self.untilDue + .minutes(1))
    guarded.bench.restart()
    guarded.bench.hand(.zoneTable(.utc))
    guarded.bench.run(for: .seconds(1))
    #expect(names(guarded) == [.checkInDue])
    guarded.bench.run(for: .minutes(18))
    #expect(!guarded.bench.core.state.isOpen)
    guarded.bench.run(for: .minutes(1))
    #expect(guarded.bench.core.state == .alertCountdown)
  }

  @Test func `after days without the core the newest escalates and the others are missed`() {
    var guarded = bench()
    guarded.bench.restart(boot: 2, down: .minutes(3 * 24 * 60 + 120))
    guarded.bench.hand(.zoneTable(.utc))
    guarded.bench.run(for: .seconds(1))
    #expect(guarded.bench.core.state == .alertCountdown)
    #expect(names(guarded).count { $0 == .checkInMissed } == 3)
    #expect(names(guarded).count { $0 == .checkInEscalated } == 1)
  }

  @Test func `a wall clock that is set back delays no alarm`() {
    var guarded = bench()
    guarded.bench.run(for: Self.untilDue + .minutes(1))
    guarded.bench.moveWall(by: .minutes(-600))
    guarded.bench.run(for: .minutes(19) - .seconds(2))
    #expect(!guarded.bench.core.state.isOpen)
    guarded.bench.run(for: .seconds(4))
    #expect(guarded.bench.core.state == .alertCountdown)
    #expect(names(guarded).count { $0 == .checkInDue } == 1)
  }

  @Test func `an alarm locks every change of check-ins`() {
    var guarded = bench()
    guarded.bench.press(guarded.edge(.pressed, at: guarded.now))
    guarded.bench.run(for: .seconds(2))
    for command: CheckInCommand in [
      .add(Self.daily()), .remove(series: 1), .settings(CheckInSettings()), .resetCounts,
      .complete(
        CheckIn.ID(series: 1, key: OccurrenceKey(Self.today, minute: 960)), comment: ""),
    ] {
      #expect(
        guarded.bench.answer(to: .checkIn(command, isProven: true))?.refusal == .locked)
    }
  }

  @Test func `a series that escalates needs the PIN and one that does not needs none`() {
    var guarded = bench()
    #expect(
      guarded.bench.answer(to: .checkIn(.add(Self.daily()), isProven: false))?.refusal
        == .pinNeeded)
    #expect(
      guarded.bench.answer(to: .checkIn(.remove(series: 1), isProven: false))?.refusal
        == .pinNeeded)
    let quiet = Self.daily(escalates: false)
    #expect(guarded.bench.answer(to: .checkIn(.add(quiet), isProven: false))?.made == 2)
  }

  @Test func `what lies in the past is refused by name`() {
    var guarded = bench()
    func refusal(_ change: (inout CheckInDraft) -> Void) -> UserCommand.Refusal? {
      var draft = Self.daily()
      change(&draft)
      return guarded.bench.answer(to: .checkIn(.add(draft), isProven: true))?.refusal
    }
    #expect(refusal { $0.start = CivilDate(day: Self.today.day - 1) } == .startPast)
    #expect(refusal { $0.end = .some(CivilDate(day: Self.today.day - 1)) } == .endPast)
    #expect(
      refusal {
        $0.rule = .once
        $0.minute = 15 * 60
      } == .startPast)
    var edit = CheckInDraft()
    (edit.rule, edit.minute) = (.once, 15 * 60)
    #expect(
      guarded.bench.answer(to: .checkIn(.edit(series: 1, edit), isProven: true))?.refusal
        == .movedPast)
    #expect(refusal { $0.description = " " } == .noDescription)
    #expect(refusal { $0.lead = 40_321 } == .invalid("lead", "is not 0 to 40320 minutes"))
    #expect(guarded.bench.store.checkIns.series.count == 1)
  }

  @Test func `an edited rule asks nothing that lay before the edit`() {
    var guarded = bench()
    guarded.bench.run(for: .minutes(30))
    var edit = CheckInDraft()
    edit.minute = 15 * 60 + 10
    let answer = guarded.bench.answer(to: .checkIn(.edit(series: 1, edit), isProven: true))
    #expect(answer?.refusal == nil)
    guarded.bench.run(for: .minutes(60))
    #expect(names(guarded).isEmpty)
    #expect(guarded.bench.core.state == .noEmergency)
  }

  @Test func `a completed one is restored without its comment and asks again`() {
    var guarded = bench()
    guarded.bench.run(for: Self.untilDue + .seconds(1))
    let id = guarded.bench.core.checkIns.open[0].id
    guarded.bench.perform(.checkIn(.complete(id, comment: "fine"), isProven: false))
    #expect(guarded.bench.store.checkIns.checkIns[0].comment == "fine")
    guarded.bench.perform(.checkIn(.restore(id), isProven: false))
    #expect(state(guarded) == .open)
    #expect(guarded.bench.store.checkIns.checkIns[0].comment == "")
    guarded.bench.run(for: .minutes(21))
    #expect(guarded.bench.core.state == .alertCountdown)
  }

  @Test func `one is moved or taken out and the others stay`() {
    var guarded = bench(Self.daily(escalates: false))
    let list = Array(guarded.bench.core.checkIns.list(at: guarded.bench.now.wall))
    #expect(list.count == 31)
    guarded.bench.perform(
      .checkIn(
        .change(list[1].id, due: list[1].due + 3_600_000_000, description: nil, lead: nil),
        isProven: false))
    guarded.bench.perform(.checkIn(.drop(list[2].id), isProven: false))
    let later = Array(guarded.bench.core.checkIns.list(at: guarded.bench.now.wall))
    #expect(later[1].due == list[1].due + 3_600_000_000)
    #expect(later[2].id == list[3].id)
    #expect(later[0] == list[0])
  }

  @Test func `a series that is over is reactivated`() {
    var draft = Self.daily(escalates: false)
    draft.rule = .once
    var guarded = bench(draft)
    guarded.bench.run(for: Self.untilDue + .seconds(1))
    let id = guarded.bench.core.checkIns.open[0].id
    guarded.bench.perform(.checkIn(.complete(id, comment: ""), isProven: false))
    guarded.bench.run(for: .seconds(1))
    #expect(guarded.bench.store.checkIns.series[0].hasEnded)
    var again = CheckInDraft()
    again.start = CivilDate(day: Self.today.day + 1)
    guarded.bench.perform(.checkIn(.reactivate(series: 1, again), isProven: false))
    #expect(!guarded.bench.store.checkIns.series[0].hasEnded)
    #expect(Array(guarded.bench.core.checkIns.list(at: guarded.bench.now.wall)).count == 1)
  }

  @Test func `of several that nobody answers the newest asks again, and the core rests between`() {
    var draft = Self.daily(escalates: false)
    draft.rule = .days(every: 1, times: 24, hoursApart: 1)
    var guarded = bench(draft)
    guarded.bench.run(for: Self.untilDue + .minutes(150))
    #expect(guarded.bench.core.checkIns.open.map(\.nagged) == [11, 11, 6])
    let wake = guarded.bench.core.nextWake(after: guarded.bench.now)
    #expect(wake.map { $0.at > guarded.bench.now.at } == true)
  }

  @Test func `the history keeps as many as its limit says`() {
    var draft = Self.daily(escalates: false)
    draft.rule = .days(every: 1, times: 24, hoursApart: 1)
    draft.minute = 0
    var guarded = bench(draft)
    var settings = CheckInSettings()
    settings.history = 10
    guarded.bench.perform(.checkIn(.settings(settings), isProven: false))
    for _ in 0..<12 {
      guarded.bench.run(for: .minutes(60))
      let id = guarded.bench.core.checkIns.open[0].id
      guarded.bench.perform(.checkIn(.complete(id, comment: ""), isProven: false))
    }
    guarded.bench.run(for: .minutes(60))
    #expect(guarded.bench.core.checkIns.closed.count == 10)
    #expect(guarded.bench.store.checkIns.checkIns.count == 11)
  }
}
