import AlertCore
import FobBase
import Testing
import WireProtocol

/// A run that was killed may have told people of a press before its commit: by the press's own
/// name, which nobody knows any more. All of this was found by the seeded world (`fob simulate`).
struct EarlierRunTests {
  /// Told uncommitted, and then killed: the store has nothing of it.
  private static func toldAndKilled(_ n: UInt32) -> (CoreBench, madeAt: Int64) {
    var bench = CoreBench(.sample(contacts: 1))
    bench.hand(.linkUp(line, .from(keychain)))
    bench.storeBehaviour = .silent
    let madeAt = bench.now.instant
    bench.press(.press(n))
    bench.run(for: .milliseconds(200))
    #expect(bench.deliveries(.raise).count == 1)
    bench.restart(down: .seconds(1))
    bench.storeBehaviour = .commitsAtOnce
    return (bench, madeAt)
  }

  @Test func `raised again and ended before anybody is told again, everyone is told of the end`() {
    var (bench, madeAt) = Self.toldAndKilled(1)
    bench.storeBehaviour = .silent
    bench.press(.press(1), happenedAt: madeAt...madeAt)
    bench.perform(.disarm)
    bench.wakeStore()
    bench.run(for: .seconds(1))
    #expect(bench.deliveries(.raise).count == 1, "by the run that was killed")
    #expect(
      bench.deliveries(.closing).map(\.notification.incident) == [EventRecord.press(1).incident])
  }

  @Test func `nobody is told of the end of a press of this run that was not told`() {
    var bench = CoreBench(.sample(contacts: 1), .withCountdown)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.run(for: .seconds(1))
    bench.press(.press(1))
    bench.perform(.disarm)
    bench.run(for: .seconds(5))
    #expect(bench.deliveries().isEmpty)
  }

  @Test
  func `a press that ends a countdown again, in a run that ends it before telling, is closed`() {
    var bench = CoreBench(.sample(contacts: 1), .withCountdown)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.press(.press(1))
    bench.run(for: .seconds(1))
    bench.storeBehaviour = .silent
    let madeAt = bench.now.instant
    bench.press(.press(2))
    bench.run(for: .milliseconds(200))
    #expect(bench.deliveries(.raise).count == 1)
    bench.restart(down: .seconds(1))
    bench.press(.press(2), happenedAt: madeAt...madeAt)
    bench.perform(.disarm)
    bench.wakeStore()
    bench.run(for: .seconds(1))
    #expect(bench.deliveries(.closing).count == 1)
  }

  @Test func `a countdown that went on behind the last commit was told, perhaps, and is closed`() {
    var bench = CoreBench(.sample(contacts: 1), .withCountdown)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.press(.press(1))
    bench.run(for: .seconds(1))
    bench.storeBehaviour = .silent
    bench.run(for: .minutes(2))
    #expect(bench.deliveries(.raise).count == 1)
    bench.restart(down: .zero - .seconds(100))
    bench.storeBehaviour = .commitsAtOnce
    bench.perform(.disarm)
    bench.run(for: .seconds(1))
    #expect(bench.deliveries(.closing).count == 1)
  }

  @Test func `a press that joins what is over is closed by its own name`() {
    var keychain = KeychainBench.linked()
    keychain.bench.storeBehaviour = .silent
    let lost = keychain.make()
    keychain.deliver()
    keychain.run(for: .milliseconds(200))
    #expect(keychain.told(.raise).count == 1)
    keychain.restart()
    keychain.bench.storeBehaviour = .commitsAtOnce
    keychain.keep(lost)
    keychain.link()
    keychain.beat()
    keychain.make(.batteryLow)
    keychain.hear(keychain.takeKept(at: 1))
    let press = keychain.press()
    keychain.disarm()
    keychain.deliver()
    keychain.run(for: .seconds(1))
    #expect(keychain.setAside == 1)
    let last = keychain.told(.closing).last
    #expect(last?.incident == press.incident)
    #expect(last?.aliases.contains(lost.incident) == true)
  }

  @Test(arguments: [true, false])
  func `in guarded a click of before this run is closed by its own name, one of this run is not`(
    _ isOlder: Bool
  ) {
    var guarded = GuardedBench()
    var held = guarded.edge(.pressed, at: 0)
    held.flags = .atBoot
    guarded.deliver(held)
    guarded.deliver(guarded.edge(.released, at: 50_000))
    guarded.bench.run(for: .seconds(2))
    let press = guarded.edge(.pressed, at: 2_000_000)
    let release = guarded.edge(.released, at: 2_200_000)
    let late: Int64 = isOlder ? 3_000_000 : 0
    for record in [press, release] {
      let at = guarded.happened(record).lowerBound - late
      guarded.bench.press(record, happenedAt: at...at)
    }
    guarded.bench.run(for: .seconds(2))
    guarded.bench.perform(.disarm)
    guarded.bench.run(for: .seconds(1))
    let aliases = guarded.bench.deliveries(.closing).last?.notification.aliases
    #expect(aliases?.contains(press.incident) == isOlder)
  }

  @Test func `a wall clock that went back does so once, not again at each later reboot`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1))
    bench.run(for: .minutes(10))
    bench.restart(boot: 2, down: .zero - .minutes(60))
    #expect(bench.state == .emergencySent)
    bench.run(for: .minutes(20))
    bench.restart(boot: 3, down: .seconds(1))
    bench.run(for: .minutes(9))
    #expect(bench.state == .emergencySent)
    bench.run(for: .minutes(2))
    #expect(bench.state == .emergencyEnded)
  }
}
