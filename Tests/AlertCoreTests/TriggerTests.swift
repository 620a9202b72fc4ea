import AlertCore
import FobBase
import Testing
import WireProtocol

/// G18, G20 and R41 to R43: a fall or an overdue check-in begins the countdown.
struct TriggerTests {
  private static func trigger(
    _ key: String = "1", _ source: Trigger.Source = .fall, of device: DeviceID = keychain
  ) -> UserCommand {
    .trigger(Trigger(source: source, device: device, key: key))
  }

  private static func triggered() -> CoreBench {
    var bench = CoreBench(.protecting)
    #expect(bench.answer(to: trigger())?.refusal == nil)
    return bench
  }

  @Test(arguments: Trigger.Source.allCases)
  func `G20, R41, R43: 120 s and then the alarm goes out by itself`(_ source: Trigger.Source) {
    var bench = CoreBench(.protecting)
    let start = bench.now
    #expect(bench.answer(to: Self.trigger("1", source))?.state == .alertCountdown)
    #expect(bench.incident?.trigger == source && bench.incident?.sounder == true)
    #expect(bench.incident?.countdownEnds == start + .seconds(120))
    bench.run(for: .milliseconds(119_900))
    #expect(bench.state == .alertCountdown && bench.deliveries().isEmpty)
    bench.run(for: .milliseconds(100))
    #expect(bench.state == .emergencySent)
    #expect(bench.deliveries(.raise).map(\.at) == [start + .seconds(120), start + .seconds(120)])
  }

  @Test func `R42: the PIN stops it, and nothing is sent`() {
    var bench = Self.triggered()
    bench.run(for: .milliseconds(119_999))
    #expect(bench.answer(to: .cancel)?.refusal == .pinNeeded)
    #expect(bench.answer(to: .disarm)?.refusal == nil)
    bench.run(for: .minutes(60))
    #expect(bench.state == .emergencyEnded && bench.deliveries().isEmpty)
  }

  @Test
  func `the same trigger again opens nothing: not now, not after its end, not after a restart`() {
    var bench = Self.triggered()
    let ends = bench.incident?.countdownEnds
    bench.run(for: .seconds(60))
    #expect(bench.answer(to: Self.trigger())?.refusal == nil)
    #expect(bench.incident?.countdownEnds == ends)
    bench.restart()
    #expect(bench.answer(to: Self.trigger())?.refusal == nil)
    bench.perform(.disarm)
    #expect(bench.answer(to: Self.trigger())?.state == .emergencyEnded)
    bench.perform(.resume)
    #expect(bench.answer(to: Self.trigger())?.state == .noEmergency)
    bench.restart(boot: 2, down: .minutes(5))
    #expect(bench.answer(to: Self.trigger())?.state == .noEmergency)
    #expect(bench.store.incidents.count == 1)
    #expect(bench.answer(to: Self.trigger("2"))?.state == .alertCountdown)
    #expect(bench.store.incidents.count == 2)
  }

  @Test func `G18: while an incident is open no new countdown begins`() {
    var bench = Self.triggered()
    bench.run(for: .seconds(119))
    #expect(bench.answer(to: Self.trigger("2", .checkIn))?.refusal == nil)
    #expect(bench.happened(.triggerAdded).map(\.detail) == ["checkIn"])
    bench.run(for: .seconds(1))
    #expect(bench.state == .emergencySent)
    bench.perform(.acknowledge("contact-1"))
    #expect(bench.answer(to: Self.trigger("3"))?.state == .emergencySent)
    #expect(bench.incident?.isAcknowledged == true)
    #expect(bench.deliveries().count == 2 && bench.store.incidents.count == 1)
  }

  @Test func `G18: a press in the countdown ends it at once`() {
    var bench = Self.triggered()
    bench.run(for: .seconds(5))
    let pressed = bench.now
    bench.press(.press(1))
    #expect(bench.state == .emergencySent)
    #expect(bench.deliveries(.raise).map(\.at) == [pressed, pressed])
    #expect(bench.store.incidents.count == 1)
  }

  @Test func `R48: where protection is not started no trigger counts, and a press does`() {
    var bench = CoreBench(.complete())
    #expect(bench.answer(to: Self.trigger())?.refusal == .notProtecting)
    #expect(bench.state == .noEmergency)
    #expect(bench.change(.startProtection) == nil)
    #expect(bench.answer(to: Self.trigger())?.refusal == nil, "a refused one may come again")
    #expect(bench.state == .alertCountdown)
    var unprotected = CoreBench(.complete())
    unprotected.press(.press(1))
    #expect(unprotected.state == .emergencySent)
  }

  @Test func `a trigger of a keychain that is unclaimed is refused`() {
    for account in [Account.none, .loggedOut] {
      var bench = CoreBench(account)
      #expect(bench.answer(to: Self.trigger())?.refusal == .unownedDevice)
    }
    var bench = CoreBench(.protecting)
    #expect(bench.answer(to: Self.trigger(of: otherKeychain))?.refusal == .unownedDevice)
    #expect(bench.store.incidents.isEmpty)
  }

  @Test func `the newest triggers are known, and no more of them than the limit`() {
    var bench = CoreBench(.protecting)
    let count = Limits.seenTriggers + 1
    for n in 1...count {
      bench.perform(Self.trigger("\(n)"))
      bench.perform(.disarm)
      bench.run(for: .seconds(1))
    }
    #expect(bench.store.incidents.count == count)
    for n in 2...count { bench.perform(Self.trigger("\(n)")) }
    #expect(!bench.state.isOpen && bench.store.incidents.count == count)
  }

  @Test func `the light says accepted once the trigger is durable`() {
    var bench = CoreBench(.protecting)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.storeBehaviour = .silent
    bench.perform(Self.trigger())
    bench.run(for: .seconds(121))
    #expect(bench.state == .emergencySent && bench.shown[line]?.state == .sending)
    bench.wakeStore()
    bench.run(for: .seconds(1))
    #expect(bench.shown[line]?.state == .accepted)
  }

  @Test func `a countdown of a trigger goes on over a restart`() {
    var bench = Self.triggered()
    bench.run(for: .seconds(100))
    bench.restart(boot: 2, down: .seconds(10))
    bench.run(for: .milliseconds(9_999))
    #expect(bench.state == .alertCountdown)
    bench.run(for: .milliseconds(1))
    #expect(bench.state == .emergencySent)
  }
}
