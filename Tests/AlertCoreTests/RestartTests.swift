import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// R36: an alarm outlives the process and the host's reboot; so do its timers.
struct RestartTests {
  /// When each state came and each message went out, µs since the start.
  private struct History: Equatable {
    var states: [String] = []
    var messages: [String] = []

    init(_ bench: CoreBench, since start: Timestamp) {
      for change in bench.happened(.stateChanged) {
        states.append("\(change.detail ?? "") at \(change.at.since(start).microseconds)")
      }
      for delivery in bench.deliveries {
        messages.append(
          "\(delivery.notification.key) at \(delivery.at.since(start).microseconds)")
      }
    }
  }

  @Test(arguments: 0..<(Soak.isOn ? 100 : 30))
  func `in the same boot every timer fires when it would have`(_ seed: UInt64) {
    func history(restarts: Bool) -> History {
      var random = SeededGenerator(seed: seed)
      var bench = CoreBench(.sample(), .withCountdown)
      let start = bench.now
      bench.press(.press(1))
      for _ in 0..<12 {
        let span = random.interval(upTo: .minutes(5))
        guard bench.now.since(start) + span < .minutes(40) else { break }
        bench.run(for: span)
        if restarts { bench.restart() }
      }
      bench.run(until: start + .minutes(40))
      return History(bench, since: start)
    }
    #expect(history(restarts: true) == history(restarts: false))
  }

  @Test(arguments: 0..<100)
  func `after a reboot what elapsed is the wall clock's difference`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bench = CoreBench(.sample(), .withCountdown)
    let start = bench.now
    bench.press(.press(1))
    bench.run(for: random.interval(upTo: .seconds(100)))
    bench.restart(boot: 2, down: random.interval(upTo: .seconds(15)))
    let left = Interval.microseconds(start.wall + 120_000_000 - bench.now.wall)
    bench.run(for: left - .milliseconds(100))
    #expect(bench.state == .alertCountdown, "R41")
    bench.run(for: .milliseconds(100))
    #expect(bench.state == .emergencySent)
    let sent = bench.now
    bench.run(for: random.interval(upTo: .minutes(29)))
    bench.restart(boot: 3, down: random.interval(upTo: .seconds(55)))
    bench.run(for: .microseconds(sent.wall + 1_799_900_000 - bench.now.wall))
    #expect(bench.state == .emergencySent, "R45")
    bench.run(for: .milliseconds(100))
    #expect(bench.state == .emergencyEnded)
  }

  @Test func `R37: the next message comes 5 minutes after the last across a reboot`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1))
    bench.run(for: .minutes(2))
    bench.restart(boot: 2, down: .minutes(1))
    bench.run(for: .milliseconds(119_999))
    #expect(bench.deliveries(.again).isEmpty)
    bench.run(for: .milliseconds(1))
    #expect(bench.deliveries(.again).count == 1)
  }

  @Test func `a countdown that ran out while the host was down goes out at once`() {
    var bench = CoreBench(.sample(), .withCountdown)
    bench.press(.press(1))
    bench.restart(boot: 2, down: .minutes(10))
    #expect(bench.state == .emergencySent)
  }

  @Test func `where the wall clock went back, the countdown is over at once`() {
    var bench = CoreBench(.sample(), .withCountdown)
    bench.press(.press(1))
    bench.run(for: .seconds(5))
    bench.restart(boot: 2, down: .minutes(-10))
    #expect(bench.state == .emergencySent)
  }

  @Test(arguments: [-5, -10, -60])
  func `where the wall clock went back, tracking starts again`(_ minutes: Int64) {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.run(for: .minutes(29))
    bench.restart(boot: 2, down: .minutes(minutes))
    bench.run(for: .milliseconds(30 * 60_000 - 1))
    #expect(bench.state == .emergencySent)
    bench.run(for: .milliseconds(1))
    #expect(bench.state == .emergencyEnded)
  }

  @Test func `FAILED comes 15 minutes after the countdown across a reboot too`() {
    var bench = CoreBench()
    bench.otherSinks = .refuses
    bench.press(.press(1))
    bench.run(for: .minutes(5))
    bench.restart(boot: 2, down: .minutes(5))
    bench.run(for: .seconds(299))
    #expect(bench.state == .emergencySending)
    bench.run(for: .seconds(1))
    #expect(bench.state == .emergencySendingFailed)
  }

  @Test func `undelivered messages go out at once after a restart`() {
    var bench = CoreBench()
    bench.otherSinks = .refuses
    bench.press(.press(1))
    bench.run(for: .minutes(10))
    bench.otherSinks = .acceptsAtOnce
    let before = bench.deliveries(.raise)
    bench.restart()
    let after = bench.deliveries(.raise).dropFirst(before.count)
    #expect(after.map(\.at) == [bench.now, bench.now])
    #expect(Set(after.map(\.notification.key)) == Set(before.map(\.notification.key)))
    #expect(bench.state == .emergencySent)
    #expect(bench.store.log.contains { $0.name == .recovered })
  }

  @Test func `an acknowledgement and a silence outlive a restart`() {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.perform(.acknowledge("contact-1"))
    bench.perform(.silence)
    bench.restart()
    #expect(bench.indication?.state == .acknowledged)
    #expect(bench.indication?.sounder == false)
    bench.run(for: .minutes(20))
    #expect(bench.deliveries(.again).isEmpty)
  }

  @Test func `a message after a restart carries the last position that is known`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.hand(.linkUp(line, .from(keychain)))
    bench.press(.press(1))
    bench.hand(.position(line, .good(77)))
    bench.commitNotes()
    bench.restart()
    bench.run(for: .minutes(5))
    #expect(bench.deliveries(.again).last?.notification.position?.latitude == 77)
  }

  @Test func `an ended incident stays ended over a restart, and a resumed one resumed`() {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.perform(.disarm)
    bench.restart()
    #expect(bench.state == .emergencyEnded)
    bench.perform(.resume)
    bench.restart()
    #expect(bench.state == .noEmergency)
  }
}
