import AlertCore
import FobBase
import Testing
import WireProtocol

/// Profile `guarded` in the core: the commit first, meaning when it is known, and what follows.
struct GuardedTests {
  @Test func `an edge is committed and acked at once, whatever it comes to mean`() {
    var guarded = GuardedBench()
    let press = guarded.play([0])[0]
    #expect(guarded.bench.isAcked(press))
    #expect(guarded.meaning(press) == .open)
    #expect(guarded.bench.state == .noEmergency)
    #expect(guarded.bench.deliveries().isEmpty)
  }

  @Test func `a hold raises at 1.5 s and not before, its entry is the press`() {
    var guarded = GuardedBench()
    let press = guarded.play([0])[0]
    guarded.bench.run(for: .microseconds(1_499_999))
    #expect(guarded.bench.state == .noEmergency)
    guarded.bench.run(for: .microseconds(1))
    #expect(guarded.bench.state == .emergencySent)
    #expect(guarded.meaning(press) == .alarm)
    #expect(guarded.bench.store.incident(of: press.identity) == press.incident)
    #expect(guarded.bench.store.incidents(listing: press.identity).map(\.id) == [press.incident])
    #expect(guarded.bench.deliveries(.raise).count == 1)
  }

  @Test(arguments: [
    ([0, 499_999], false), ([0, 500_000], true), ([0, 499_999, 899_999, 900_000], true),
    ([0, 1_499_999], true), ([0, 1_500_000], true),
  ])
  func `the boundary of a click is 0.5 s`(_ times: [Int64], isAlarm: Bool) {
    var guarded = GuardedBench()
    guarded.play(times)
    guarded.bench.run(for: .seconds(2))
    #expect(guarded.bench.state == (isAlarm ? .emergencySent : .noEmergency))
  }

  @Test func `a hold released before 1.5 s raises at its release`() {
    var guarded = GuardedBench()
    guarded.play([0, 500_000])
    #expect(guarded.bench.state == .emergencySent)
    #expect(guarded.now == 500_000)
  }

  @Test(arguments: [400_000, 400_001] as [Int64])
  func `the boundary of a gap is 0.4 s`(_ gap: Int64) {
    var guarded = GuardedBench(PanicSlots([1, 2])!)
    let records = guarded.play([0, 100_000, 200_000, 300_000, 300_000 + gap, 400_000 + gap])
    guarded.bench.run(for: .seconds(1))
    let isOneGesture = gap == 400_000
    #expect(guarded.meaning(records[0]) == .slot(isOneGesture ? 2 : 1))
    #expect(guarded.meaning(records[4]) == (isOneGesture ? .slot(2) : .acknowledge))
    #expect(guarded.bench.happened(.slotRequested).count == 1)
  }

  @Test func `one click with nothing open is recorded and alarms nobody`() {
    var guarded = GuardedBench()
    let records = guarded.click()
    #expect(guarded.meaning(records[0]) == .acknowledge)
    #expect(guarded.meaning(records[1]) == .noted)
    #expect(guarded.bench.store.incidents.isEmpty)
    #expect(guarded.bench.deliveries().isEmpty)
  }

  @Test func `one click while an alarm runs silences it, is its entry, and ends nothing`() {
    var guarded = GuardedBench()
    guarded.play([0, 600_000])
    #expect(guarded.bench.indication?.sounder == true)
    guarded.bench.run(for: .seconds(5))
    guarded.bench.perform(.acknowledge("contact-1"))
    let click = guarded.click()[0]
    #expect(guarded.bench.indication?.sounder == false)
    #expect(guarded.bench.state == .emergencySent)
    #expect(guarded.bench.incident?.isAcknowledged == true)
    #expect(guarded.bench.incident?.presses.count == 2)
    #expect(guarded.bench.store.incident(of: click.identity) == guarded.bench.incident?.id)
    #expect(guarded.bench.deliveries(.update).isEmpty)
    #expect(guarded.bench.happened(.silenced).count == 1)
  }

  @Test func `a click of a bench keychain does not quieten a live alarm`() {
    var guarded = GuardedBench()
    guarded.play([0, 600_000])
    let bench = DeviceID.bench(7)
    for (n, kind) in [EventKind.pressed, .released].enumerated() {
      let record = EventRecord.press(
        UInt32(n + 1), device: bench, kind: kind, clock: 5_600_000 + UInt64(n) * 100_000)
      guarded.bench.press(record, happenedAt: guarded.happened(record))
    }
    guarded.bench.run(for: .seconds(1))
    #expect(guarded.bench.indication?.sounder == true)
  }

  @Test func `G18: a click leaves a countdown running, a hold ends it`() {
    var guarded = GuardedBench(.none, .sample(contacts: 1), countdown: .seconds(120))
    guarded.play([0, 600_000])
    #expect(guarded.bench.state == .alertCountdown)
    guarded.bench.run(for: .seconds(1))
    guarded.click()
    #expect(guarded.bench.state == .alertCountdown)
    guarded.play([0, 600_000])
    #expect(guarded.bench.state == .emergencySent)
  }

  @Test func `G18: a hold in an open incident is told and undoes an acknowledgement`() {
    var guarded = GuardedBench()
    guarded.play([0, 600_000])
    guarded.bench.perform(.acknowledge("contact-1"))
    guarded.bench.run(for: .seconds(5))
    guarded.play([0, 600_000])
    #expect(guarded.bench.incident?.isAcknowledged == false)
    #expect(guarded.bench.deliveries(.update).count == 1)
  }

  @Test func `clicks for no configured slot raise, all of them entries and told once`() {
    var guarded = GuardedBench(PanicSlots([5])!)
    guarded.play([0, 100_000, 200_000, 900_000])
    #expect(guarded.bench.state == .emergencySent)
    #expect(guarded.bench.incident?.presses.count == 2)
    #expect(guarded.bench.deliveries(.raise).count == 1)
    #expect(guarded.bench.deliveries(.update).isEmpty)
  }

  @Test(arguments: 1...5)
  func `a slot's clicks are recorded as asked for, nothing is sent, nothing claims it`(_ slot: Int)
  {
    var guarded = GuardedBench(PanicSlots([slot])!)
    let clicks = guarded.click(slot + 1)
    #expect(guarded.meaning(clicks[0]) == .slot(UInt8(slot)))
    #expect(guarded.bench.happened(.slotRequested).count == 1)
    #expect(guarded.bench.happened(.slotRequested)[0].detail?.contains("NOT sent") == true)
    #expect(guarded.bench.deliveries().isEmpty)
    #expect(guarded.bench.state == .noEmergency)
  }

  @Test func `frantic pressing goes on being told, and is never read as a click`() {
    var guarded = GuardedBench(PanicSlots([1, 2, 3, 4, 5])!)
    let clicks = guarded.click(12)
    let presses = clicks.filter { $0.identity.kind == .pressed }
    #expect(presses.allSatisfy { guarded.meaning($0) == .alarm })
    #expect(guarded.bench.indication?.sounder == true)
    #expect(guarded.bench.happened(.slotRequested).isEmpty)
  }

  @Test func `a gesture that has raised goes on meaning alarm, whatever comes late of it`() {
    var guarded = GuardedBench(PanicSlots([1])!)
    guarded.play([0, 200_000])
    guarded.bench.hand(.linkDown(line, reason: "test"))
    guarded.bench.run(for: .seconds(1))
    #expect(guarded.bench.state == .emergencySent)
    let late = [guarded.edge(.pressed, at: 400_000), guarded.edge(.released, at: 500_000)]
    for edge in late { guarded.deliver(edge) }
    guarded.bench.run(for: .seconds(2))
    #expect(guarded.meaning(late[0]) == .alarm)
    #expect(guarded.bench.happened(.slotRequested).isEmpty)
  }

  @Test func `a click of unknown age is recorded and not acted on`() {
    var guarded = GuardedBench()
    guarded.play([0, 600_000])
    guarded.bench.run(for: .seconds(1))
    let click = guarded.click(isFitted: false)[0]
    #expect(guarded.meaning(click) == .noted)
    #expect(guarded.bench.indication?.sounder == true)
  }

  @Test func `a press of an earlier boot without its release raises, marked age unknown`() {
    var guarded = GuardedBench()
    var press = EventRecord.press(9, boot: 0)
    press.flags.insert(.replayed)
    guarded.deliver(press, isFitted: false)
    guarded.bench.run(for: .milliseconds(1_500))
    #expect(guarded.bench.state == .emergencySent)
    #expect(guarded.bench.incident?.presses.first?.isAgeUnknown == true)
    #expect(guarded.bench.happened(.pressDecoded)[0].detail?.hasSuffix("age unknown") == true)
  }

  @Test func `a press of which only the frozen part came raises at once`() {
    var guarded = GuardedBench()
    guarded.bench.hand(.barePress(line, guarded.edge(.pressed, at: 0).identity))
    #expect(guarded.bench.state == .emergencySent)
  }

  @Test func `a clock that puts a press into the future delays no alarm`() {
    var guarded = GuardedBench()
    let future = guarded.start.instant + 3_600_000_000
    guarded.bench.press(guarded.edge(.pressed, at: 0), happenedAt: future...future)
    guarded.bench.run(for: .milliseconds(1_500))
    #expect(guarded.bench.state == .emergencySent)
  }

  @Test func `accepted is not shown while a press of open meaning is not durable`() {
    var guarded = GuardedBench()
    guarded.play([0, 600_000])
    #expect(guarded.bench.indication?.state == .accepted)
    guarded.bench.run(for: .seconds(2))
    guarded.bench.storeBehaviour = .commits(after: .milliseconds(300))
    guarded.play([0])
    #expect(guarded.bench.indication?.state == .sending)
    guarded.bench.run(for: .milliseconds(300))
    #expect(guarded.bench.indication?.state == .accepted)
  }

  @Test func `profile literal takes what guarded left open for what it says: a press`() {
    var guarded = GuardedBench()
    let press = guarded.play([0])[0]
    var core = AlertCore(
      account: .sample(), recovering: guarded.bench.store.state, at: guarded.bench.now)
    var output = CoreOutput()
    let wake = core.nextWake(after: guarded.bench.now)
    #expect(wake == guarded.bench.now)
    core.step(.wake, at: guarded.bench.now, into: &output)
    #expect(core.status(at: guarded.bench.now).incident?.id == press.incident)
  }

  @Test func `slots are numbered 1 to 5`() {
    #expect(PanicSlots([1, 3, 5])?.numbers == [1, 3, 5])
    #expect(PanicSlots([0]) == nil)
    #expect(PanicSlots([6]) == nil)
    #expect(PanicSlots(rawValue: 0xFF).numbers == [1, 2, 3, 4, 5])
    for raw in ["open", "alarm", "acknowledge", "slot 1", "slot 5", "noted"] {
      #expect(PressDetector.Meaning(rawValue: raw)?.rawValue == raw)
    }
    for raw in ["slot 0", "slot 6", "slot", ""] {
      #expect(PressDetector.Meaning(rawValue: raw) == nil)
    }
  }
}
