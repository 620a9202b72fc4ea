import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// People are told at the commit, at its failure or after 100 ms, whichever is first.
struct TellingTests {
  @Test(arguments: 0..<300)
  func `a press is told when the store answers and at 100 ms at the latest`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bench = CoreBench(.sample(contacts: 3))
    let delay = random.interval(upTo: .milliseconds(200))
    bench.storeBehaviour =
      seed % 3 == 0 ? .silent : seed % 3 == 1 ? .fails(after: delay) : .commits(after: delay)
    let pressed = bench.now
    bench.press(.press(1))
    bench.run(for: .milliseconds(150))
    let expected = seed % 3 == 0 ? bench.policy.tellLatest : min(delay, bench.policy.tellLatest)
    #expect(
      bench.deliveries(.raise).map { $0.at.since(pressed) } == [expected, expected, expected])
  }

  @Test(arguments: 0..<100)
  func `a commit that hangs delays nobody who presses meanwhile`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bench = CoreBench()
    bench.storeBehaviour = seed % 2 == 0 ? .silent : .fails(after: .seconds(5))
    bench.press(.press(1, kind: .booted))
    bench.run(for: random.interval(upTo: .milliseconds(300)))
    let pressed = bench.now
    bench.press(.press(2))
    bench.run(for: .milliseconds(100))
    #expect(bench.deliveries(.raise).count == 2)
    #expect(bench.deliveries(.raise).allSatisfy { $0.at.since(pressed) <= .milliseconds(100) })
  }

  @Test func `a raise that was told before a lost commit has the same keys after the restart`() {
    var bench = CoreBench()
    bench.storeBehaviour = .silent
    bench.press(.press(1))
    bench.run(for: .milliseconds(100))
    let told = bench.deliveries(.raise).map(\.notification.key)
    #expect(told.count == 2)
    bench.storeBehaviour = .commitsAtOnce
    bench.restart()
    #expect(bench.state == .noEmergency)
    bench.press(.press(1))
    #expect(bench.deliveries(.raise).dropFirst(2).map(\.notification.key) == told)
  }

  @Test func `a closing message carries the names that a lost run may have told`() {
    var bench = CoreBench()
    bench.storeBehaviour = .silent
    bench.press(.press(1))
    bench.run(for: .milliseconds(100))
    bench.storeBehaviour = .commitsAtOnce
    bench.restart()
    bench.press(.press(2))
    bench.press(.press(1))
    bench.perform(.disarm)
    #expect(bench.incident?.id == EventRecord.press(2).incident)
    #expect(bench.deliveries(.closing).count == 2)
    for closing in bench.deliveries(.closing) {
      #expect(closing.notification.aliases == [EventRecord.press(1).incident])
    }
  }

  @Test func `attempts back off 1, 2, 4, 8, 16 and then 30 seconds, less up to a fifth`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.otherSinks = .refuses
    let start = bench.now
    bench.press(.press(1))
    bench.run(for: .seconds(100))
    let told = bench.seconds(of: bench.deliveries(.raise), since: start)
    let waits = zip(told.dropFirst(), told).map { $0 - $1 }
    #expect(waits.count >= 7)
    for (wait, longest) in zip(waits, [1, 2, 4, 8, 16, 30, 30, 30.0]) {
      #expect((longest * 0.8...longest).contains(wait))
    }
    #expect(Set(bench.deliveries(.raise).map(\.notification.key)).count == 1)
  }

  @Test func `those who are refused together are not tried again together`() {
    var bench = CoreBench(.sample(contacts: 8))
    bench.otherSinks = .refuses
    let start = bench.now
    bench.press(.press(1))
    bench.run(for: .seconds(1))
    let again = bench.seconds(of: bench.deliveries(.raise), since: start).dropFirst(8)
    #expect(again.count == 8)
    #expect(Set(again).count >= 7)
  }

  @Test(arguments: 1...4)
  func `each way of a contact is tried at once, then they wait for the next round`(ways: Int) {
    var bench = CoreBench(.sample(contacts: 1))
    bench.hand(.ways(["contact-1": (1...ways).map { "way-\($0)" }]))
    bench.otherSinks = .refuses
    let start = bench.now
    bench.press(.press(1))
    bench.run(for: .milliseconds(3_100))
    let told = bench.seconds(of: bench.deliveries(.raise), since: start)
    #expect(told.prefix(ways) == ArraySlice(repeating: 0, count: ways))
    #expect(told.dropFirst(ways).prefix(ways).allSatisfy { (0.8...1).contains($0) })
    #expect(told.dropFirst(2 * ways).prefix(ways).allSatisfy { (2.4...3).contains($0) })
    #expect(told.count == 3 * ways)
  }

  @Test func `after a restart a contact's ways are tried from the first on`() {
    let ways = ["contact-1": ["way-1", "way-2", "way-3"]]
    var bench = CoreBench(.sample(contacts: 1))
    bench.hand(.ways(ways))
    bench.otherSinks = .silent
    bench.press(.press(1))
    bench.restart(telling: ways)
    let attempts = bench.deliveries(.raise).map(\.notification.attempts)
    #expect(attempts.map { ($0 - 1) % 3 } == [0, 0])
    #expect(bench.deliveries(.raise).last?.notification.contact.ways.count == 3)
  }

  @Test func `a sink that never answers is asked again after a minute`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.otherSinks = .silent
    let start = bench.now
    bench.press(.press(1))
    bench.run(for: .seconds(70))
    let told = bench.seconds(of: bench.deliveries(.raise), since: start)
    #expect(told.count == 2)
    #expect((60.8...61).contains(told[1]))
    bench.otherSinks = .acceptsAtOnce
    bench.run(for: .seconds(60))
    #expect(bench.state == .emergencySent)
  }

  @Test func `an acceptance counts however late it comes`() throws {
    var bench = CoreBench(.sample(contacts: 1))
    bench.otherSinks = .accepts(after: .milliseconds(60_500))
    bench.press(.press(1))
    bench.run(for: .milliseconds(60_500))
    #expect(bench.state == .emergencySent)
    bench.run(for: .seconds(61))
    #expect(bench.deliveries(.raise).count == 1)
  }

  @Test func `one contact whose sink hangs delays no other`() {
    var bench = CoreBench(.sample(contacts: 3))
    bench.sinks["contact-1"] = .silent
    bench.sinks["contact-2"] = .refuses
    bench.press(.press(1))
    #expect(bench.state == .emergencySent)
    bench.commitNotes()
    #expect(bench.store.notifications.values.filter { $0.delivery == .delivered }.count == 1)
  }

  @Test func `an old message that nobody takes holds back no new alarm`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1))
    bench.otherSinks = .refuses
    bench.perform(.disarm)
    bench.run(for: .seconds(40))
    let pressed = bench.now
    bench.press(.press(2))
    #expect(bench.deliveries(.raise).last?.at == pressed)
    #expect(bench.deliveries(.raise).count == 2)
  }

  @Test func `a burst of presses is one update beside the raise`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.storeBehaviour = .commits(after: .milliseconds(20))
    for n in 1...64 { bench.press(.press(UInt32(n))) }
    bench.run(for: .seconds(1))
    #expect(bench.deliveries().map(\.notification.kind) == [.raise, .update])
    #expect(bench.deliveries().map(\.notification.sequence) == [1, 64])
    #expect(bench.store.events.count == 64)
  }

  @Test func `messages that nobody takes do not pile up`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.otherSinks = .refuses
    for n in 1...500 {
      bench.press(.press(UInt32(n)))
      bench.run(for: .seconds(1))
    }
    #expect(bench.store.state.notifications.count <= 3)
    bench.otherSinks = .acceptsAtOnce
    bench.run(for: .seconds(31))
    let accepted = bench.store.notifications.values.filter { $0.delivery == .delivered }
    #expect(accepted.map(\.sequence).sorted() == [1, 500])
  }
}
