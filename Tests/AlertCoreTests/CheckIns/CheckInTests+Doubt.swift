import FobBase
import Testing

@testable import AlertCore
@testable import WireProtocol

/// Zones and clocks that change, foreign triggers, benches, and thousands at once.
extension CheckInTests {
  @Test func `in another zone it is asked at that zone's time, and nothing before now`() {
    var guarded = bench()
    // 16:00 there was three hours ago.
    guarded.bench.hand(.zoneTable(ZoneTable(first: 4 * 3_600)))
    guarded.bench.run(for: .seconds(1))
    #expect(names(guarded).isEmpty)
    let list = Array(guarded.bench.core.checkIns.list(at: guarded.bench.now.wall))
    #expect(list.first?.id.key.date == CivilDate(day: Self.today.day + 1))
    guarded.bench.hand(.zoneTable(ZoneTable(first: -3_600)))
    guarded.bench.run(for: Self.untilDue + .minutes(60))
    #expect(names(guarded) == [.checkInDue])
    #expect(guarded.bench.core.checkIns.open.first?.key.date == Self.today)
  }

  @Test func `one that another zone has ended is asked where a zone after it has its time ahead`() {
    var once = Self.daily()
    once.rule = .once
    var guarded = bench(once)
    guarded.bench.hand(.zoneTable(ZoneTable(first: 3_600)))
    #expect(guarded.bench.core.checkIns.series[1]?.hasEnded == true)
    guarded.bench.hand(.zoneTable(.utc))
    guarded.bench.run(for: Self.untilDue + .minutes(20) + .seconds(1))
    #expect(state(guarded) == .escalated)
    guarded.bench.hand(.zoneTable(ZoneTable(first: -3_600)))
    #expect(guarded.bench.core.checkIns.series[1]?.hasEnded == true, "none is asked twice")
  }

  @Test func `a trigger from outside with the key of a check-in silences none`() {
    var guarded = bench()
    let key = "1/\(OccurrenceKey(Self.today, minute: 960).text)"
    guarded.bench.perform(.trigger(Trigger(source: .checkIn, device: keychain, key: key)))
    guarded.bench.perform(.disarm)
    guarded.bench.run(for: Self.untilDue + .minutes(20) + .seconds(1))
    #expect(guarded.bench.core.state == .alertCountdown)
    #expect(state(guarded) == .escalated)
  }

  @Test func `a person without a keychain is called for all the same`() {
    var account = Account.sample(contacts: 1)
    account.isProtecting = true
    account.devices = []
    var bench = CoreBench(account)
    bench.hand(.zoneTable(.utc))
    bench.perform(.checkIn(.add(Self.daily()), isProven: true))
    bench.run(for: Self.untilDue + .minutes(23))
    #expect(bench.deliveries.first?.notification.contact.id == "contact-1")
  }

  @Test
  func `ten thousand that fall due at one moment are told in turns that the log keeps up with`() {
    var checkIns = CheckIns()
    var output = CoreOutput()
    let now = Timestamp(boot: 1, instant: Instant(microseconds: 0), wall: 1_750_000_000_000_000)
    checkIns.set(.utc, at: now, &output)
    let asker = CheckIns.Asker(who: "test", isProven: true, owns: { _ in true }, now: now)
    for _ in 0..<Limits.series {
      _ = try? checkIns.perform(.add(Self.daily()), by: asker, &output)
    }
    checkIns.reckon(mayRaise: true, at: now)
    #expect(checkIns.series.count == Limits.series)
    #expect(
      (try? checkIns.perform(.add(Self.daily()), by: asker, &output)) == nil, "no more than that")
    #expect(checkIns.nextWake(after: now) == now + .minutes(1))
    let due = now + Self.untilDue
    #expect(!checkIns.isDue(at: due + .microseconds(-1)))
    let alarm = AlarmContext(
      open: nil, mayRaise: true, device: keychain, room: Limits.pendingAudit / 4)
    var turns = 0
    repeat {
      output = CoreOutput()
      _ = checkIns.pass(alarm, at: due, &output)
      checkIns.reckon(mayRaise: true, at: due)
      #expect(output.changes.log.count <= Limits.pendingAudit / 4)
      turns += 1
    } while checkIns.isBehind
    #expect(checkIns.open.count == Limits.series)
    #expect(turns < 40)
    let ranOut = checkIns.pass(alarm, at: due + .minutes(20), &output)
    #expect((1...alarm.room).contains(ranOut.count))
    #expect(checkIns.isBehind)
  }

  @Test func `a bench's alarm neither stands for a live one nor keeps a click from its check-in`() {
    var account = Account.sample(contacts: 1)
    account.isProtecting = true
    var guarded = GuardedBench(.none, account)
    guarded.bench.hand(.zoneTable(.utc))
    let emulated = LinkID(rawValue: 9)
    guarded.bench.hand(.linkUp(emulated, .from(.bench(7))))
    var ofBench = Self.daily()
    ofBench.device = .some(DeviceID.bench(7).text)
    guarded.bench.perform(.checkIn(.add(ofBench), isProven: true))
    guarded.bench.perform(.checkIn(.add(Self.daily()), isProven: true))
    guarded.bench.run(for: Self.untilDue + .minutes(20) + .seconds(1))
    let incident = guarded.bench.core.status(at: guarded.bench.now).incident
    #expect(incident?.isBench == false)
    #expect(guarded.bench.store.checkIns.checkIns.first { $0.series == 2 }?.state == .escalated)
    #expect(guarded.bench.store.checkIns.checkIns.first { $0.series == 1 }?.state == .covered)
  }

  @Test func `a stranger's open press keeps no click of the owner from the check-in`() {
    var account = Account.sample(contacts: 1)
    account.isProtecting = true
    account.devices = [keychain.text]
    var guarded = GuardedBench(.none, account)
    guarded.bench.hand(.zoneTable(.utc))
    guarded.bench.perform(.checkIn(.add(Self.daily()), isProven: true))
    let other = LinkID(rawValue: 9)
    guarded.bench.hand(.linkUp(other, .from(otherKeychain)))
    guarded.bench.hand(
      .event(other, .press(1, device: otherKeychain, kind: .pressed), happenedAt: nil))
    guarded.bench.run(for: Self.untilDue + .seconds(1))
    #expect(guarded.bench.incident?.isUnclaimed == true)
    #expect(guarded.bench.indication == Indication(state: .due, detail: 1))
    let click = guarded.click()[0]
    #expect(guarded.meaning(click) == .checkIn)
    #expect(state(guarded) == .completed)
  }

  @Test
  func `without a keychain a core of benches raises a bench's alarm and any other a live one`() {
    for isBench in [false, true] {
      var account = Account.sample(contacts: 1)
      account.isProtecting = true
      account.devices = []
      var policy = Policy()
      policy.isBench = isBench
      var bench = CoreBench(account, policy)
      bench.hand(.zoneTable(.utc))
      bench.perform(.checkIn(.add(Self.daily()), isProven: true))
      bench.run(for: Self.untilDue + .minutes(21))
      #expect(bench.core.status(at: bench.now).incident?.isBench == isBench)
    }
  }

  @Test func `a keychain that was never heard is live, and raises before a bench's that was`() {
    var account = Account.sample(contacts: 1)
    account.isProtecting = true
    account.devices = [keychain.text, DeviceID.bench(7).text]
    var bench = CoreBench(account)
    bench.hand(.zoneTable(.utc))
    bench.hand(.linkUp(line, .from(.bench(7))))
    bench.perform(.checkIn(.add(Self.daily()), isProven: true))
    bench.run(for: Self.untilDue + .minutes(21))
    let incident = bench.core.status(at: bench.now).incident
    #expect(incident?.isBench == false && incident?.device == keychain.rawValue)
  }

  @Test func `a start with a clock that was set back delays no alarm, and a click still answers`() {
    for answers in [false, true] {
      var guarded = bench()
      guarded.bench.run(for: Self.untilDue + .minutes(3))
      guarded.bench.restart(boot: 2, down: .minutes(-24 * 60))
      guarded.bench.hand(.zoneTable(.utc))
      guarded.bench.run(for: .minutes(1))
      #expect(guarded.bench.core.status(at: guarded.bench.now).checkIns.next != nil)
      let id = guarded.bench.core.checkIns.open[0].id
      if answers {
        let command = CheckInCommand.complete(id, comment: "")
        #expect(guarded.bench.answer(to: .checkIn(command, isProven: false))?.refusal == nil)
      }
      guarded.bench.run(for: .minutes(20))
      #expect(guarded.bench.core.state == (answers ? .noEmergency : .alertCountdown))
    }
  }

  @Test func `a clock that was years ahead for a while silences no series`() {
    var guarded = bench()
    guarded.bench.restart(boot: 2, down: .minutes(10 * 365 * 24 * 60))
    guarded.bench.hand(.zoneTable(.utc))
    guarded.bench.run(for: .seconds(1))
    guarded.bench.perform(.disarm)
    guarded.bench.restart(boot: 3, down: .minutes(-10 * 365 * 24 * 60))
    guarded.bench.hand(.zoneTable(.utc))
    guarded.bench.run(for: .seconds(1))
    let list = Array(guarded.bench.core.checkIns.list(at: guarded.bench.now.wall))
    #expect(list.contains { $0.due < guarded.bench.now.wall + 2 * 86_400_000_000 })
  }

  @Test func `none is answered before its lead`() {
    var guarded = bench(Self.daily(escalates: false))
    let list = Array(guarded.bench.core.checkIns.list(at: guarded.bench.now.wall))
    for one in list.prefix(3) {
      let command = CheckInCommand.complete(one.id, comment: "")
      #expect(guarded.bench.answer(to: .checkIn(command, isProven: true))?.refusal == .tooEarly)
    }
  }

  @Test func `a late click answers no check-in that could not be answered when it was made`() {
    var guarded = bench()
    let fit = TimeSync.Fit(
      offset: guarded.start.instant - 5_000_000, reference: 5_000_000, drift: 0,
      uncertainty: 1_000, bootNonce: EventRecord.press(1).identity.bootNonce, since: 0)
    guarded.bench.hand(.clockFit(line, fit, provenAt: 5_000_000))
    guarded.bench.hand(.linkDown(line, reason: "unplugged"))
    guarded.bench.run(for: .minutes(10))
    let press = guarded.edge(.pressed, at: guarded.now)
    let release = guarded.edge(.released, at: guarded.now + 200_000)
    guarded.bench.run(for: .minutes(45))
    #expect(guarded.bench.core.checkIns.open.first?.isDueTold == true)
    guarded.bench.hand(.linkUp(line, .from(keychain)))
    guarded.deliver(press, isFitted: false)
    guarded.deliver(release, isFitted: false)
    guarded.bench.hand(.clockFit(line, fit, provenAt: UInt64(guarded.now) + 5_000_000))
    guarded.bench.run(for: .seconds(2))
    #expect(state(guarded) == .open)
    #expect(guarded.meaning(press) == .noted)
  }
}
