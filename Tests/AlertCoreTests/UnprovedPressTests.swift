import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// Open to help: a press in the name of a paired keychain is heard from anybody (PROTOCOL.md, 15).
struct UnprovedPressTests {
  private func unproved(_ n: UInt32) -> CoreInput {
    .unprovedPress(line, EventRecord.press(n).identity)
  }

  /// The core has a key for the keychain.
  private func paired() -> CoreBench {
    var bench = CoreBench()
    bench.hand(.paired([keychain]))
    return bench
  }

  private func proofs(_ bench: CoreBench) -> [Bool?]? { bench.incident?.presses.map(\.isProved) }

  @Test func `a press that is not proved raises at once, and the log says that it is not`() {
    var bench = CoreBench()
    bench.hand(unproved(1))
    #expect(bench.happened(.incidentOpened).count == 1)
    #expect(bench.store.entries(of: EventRecord.press(1).identity) == 1)
    let said = bench.happened(.pressUnproved)
    #expect(said.map(\.event) == ["1.1"])
    #expect(said.first?.incident != nil)
  }

  @Test func `the copy with its proof is told once, and raises nothing again`() {
    var bench = paired()
    bench.hand(unproved(1))
    for _ in 0..<3 { bench.press(.press(1)) }
    #expect(bench.happened(.incidentOpened).count == 1)
    #expect(bench.happened(.pressProved).map(\.event) == ["1.1"])
    #expect(bench.store.entries(of: EventRecord.press(1).identity) == 1)
  }

  @Test func `a press that came with its proof is never doubted for a copy without`() {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.hand(unproved(1))
    #expect(bench.happened(.pressUnproved).isEmpty)
    #expect(bench.happened(.pressProved).isEmpty)
  }

  @Test func `an entry says whether its press is proved, and nothing where it is not paired`() {
    var bench = CoreBench()
    bench.press(.press(1))
    #expect(proofs(bench) == [nil])
    bench.hand(.paired([keychain]))
    bench.press(.press(2))
    bench.hand(unproved(3))
    bench.press(.press(4, device: otherKeychain))
    #expect(proofs(bench) == [nil, true, false, nil])
  }

  @Test func `the proof of a press makes its entry proved, in the store, too, and its place known`()
  {
    var bench = paired()
    bench.hand(unproved(1))
    #expect(proofs(bench) == [false])
    bench.press(EventRecord.press(1).located(5, age: 0))
    bench.run(for: .seconds(1))
    #expect(proofs(bench) == [true])
    let stored = bench.store.incidents[EventRecord.press(1).incident]
    #expect(stored == bench.incident)
    bench.press(.press(2))
    #expect(bench.deliveries.last?.notification.position?.latitude == 5)
  }

  @Test func `a press whose proof comes after a restart, or after the end, is proved then`() {
    var bench = paired()
    bench.hand(unproved(1))
    bench.hand(unproved(2))
    bench.restart()
    bench.hand(.paired([keychain]))
    bench.press(.press(1))
    #expect(proofs(bench) == [true, false])
    #expect(bench.happened(.pressProved).map(\.event) == ["1.1"])
    bench.perform(.disarm)
    bench.press(.press(2))
    #expect(proofs(bench) == [true, true])
    #expect(bench.happened(.pressProved).last?.incident == EventRecord.press(1).incident)
  }

  @Test func `a press under the number of a made-up one does not prove that one`() {
    var bench = paired()
    bench.hand(.unprovedPress(line, EventRecord.press(1, clock: 7).identity))
    for _ in 0..<2 { bench.press(.press(1)) }
    #expect(proofs(bench) == [false, true])
    #expect(bench.happened(.pressProved).isEmpty)
  }

  @Test func `a press of which only the frozen part can be read is not proved`() {
    var bench = paired()
    bench.hand(.barePress(line, EventRecord.press(2).identity))
    #expect(proofs(bench) == [false])
    #expect(bench.happened(.pressUnproved).map(\.event) == ["1.2"])
  }

  /// What Contact 1 was told: whether nothing is proved, and how many presses are not.
  private func told(_ bench: CoreBench) -> [String] {
    bench.deliveries.map(\.notification).filter { $0.contact.id == "contact-1" }.map {
      let context = $0.context
      return "\($0.kind.rawValue)\(context.isUnproved ? " unproved" : "")"
        + (context.unprovedPresses.map { " \($0)" } ?? "")
    }
  }

  @Test func `people are told that nothing is proved, or how many presses beside a proved one`() {
    var bench = paired()
    bench.hand(unproved(1))
    #expect(told(bench) == ["raise unproved"])
    bench.press(.press(2))
    #expect(told(bench).last == "update 1")
    bench.hand(unproved(3))
    bench.run(for: .minutes(1))
    #expect(told(bench).last == "update 2")
    // One press of it is proved, so the alarm is.
    bench.run(for: .minutes(5))
    #expect(told(bench).last == "again")
  }

  @Test func `an alarm of which nothing is proved is told again as one that is not`() {
    var bench = paired()
    bench.hand(unproved(1))
    bench.run(for: .minutes(5))
    #expect(bench.deliveries.last?.notification.kind == .again)
    #expect(bench.deliveries.last?.notification.context.isUnproved == true)
  }

  @Test
  func `of presses that are not proved people hear at once, then once a minute, with a count`() {
    var bench = paired()
    for n in 1...30 as ClosedRange<UInt32> {
      bench.hand(unproved(100 + n))
      bench.run(for: .seconds(5))
    }
    bench.run(for: .seconds(35))
    #expect(
      told(bench)
        == ["raise unproved", "update unproved 12", "update unproved 24", "update unproved 30"])
  }

  @Test func `a proved press among them is told at once, whatever was owed`() {
    var bench = paired()
    for n in 1...9 as ClosedRange<UInt32> { bench.hand(unproved(100 + n)) }
    bench.press(.press(1))
    #expect(told(bench) == ["raise unproved", "update 9"])
    bench.hand(unproved(200))
    bench.press(.press(2))
    #expect(told(bench).last == "update 10")
  }

  @Test func `the proof of a press that waits to be told tells it at once`() {
    var bench = paired()
    bench.hand(unproved(1))
    bench.hand(unproved(2))
    bench.run(for: .seconds(2))
    bench.press(.press(2))
    bench.run(for: .milliseconds(1))
    #expect(told(bench) == ["raise unproved", "update 1"])
  }

  @Test func `made-up presses of another keychain move neither the place nor the owner's turn`() {
    var bench = paired()
    bench.hand(.paired([keychain, otherKeychain]))
    bench.hand(.unprovedPress(line, EventRecord.press(9, device: otherKeychain).identity))
    bench.press(EventRecord.press(1).located(5, age: 0))
    bench.hand(.unprovedPress(line, EventRecord.press(10, device: otherKeychain).identity))
    #expect(bench.incident?.device == keychain.rawValue)
    #expect(bench.incident?.isOfSeveralKeychains == false)
    bench.run(for: .seconds(1))
    bench.press(.press(2))
    let last = bench.deliveries.last?.notification
    #expect(last?.kind == .update && last?.sequence == 3)
    #expect(last?.position?.latitude == 5)
  }

  @Test func `what is owed of presses that are not proved is told after a restart`() {
    var bench = paired()
    for n in 1...9 as ClosedRange<UInt32> { bench.hand(unproved(100 + n)) }
    bench.run(for: .seconds(1))
    bench.restart()
    bench.run(for: .minutes(1))
    let told = bench.deliveries.last { $0.notification.kind == .update }?.notification
    #expect(told?.context.unprovedPresses == 9)
  }

  @Test func `presses that are not proved leave half of an incident's room to the proved ones`() {
    var bench = paired()
    for n in 1...UInt32(Limits.incidentPresses) {
      bench.hand(unproved(1_000 + n))
      bench.run(for: .seconds(10))
    }
    #expect(bench.incident?.presses.count == Limits.incidentPresses / 2)
    #expect(bench.incident?.furtherPresses == Limits.incidentPresses / 2)
    bench.press(.press(1))
    #expect(bench.incident?.presses.last?.isProved == true)
  }

  @Test func `made-up presses raise no doubt of the keychain's clock or numbers`() {
    var keychain = KeychainBench.linked()
    keychain.bench.hand(.paired([AlertCoreTests.keychain]))
    let next = EventRecord.press(keychain.next.n, clock: 1 << 60, nonce: keychain.nonce)
    keychain.bench.hand(.unprovedPress(line, next.identity))
    keychain.run(for: .seconds(1))
    keychain.press()
    keychain.run(for: .seconds(20))
    #expect(keychain.doubts.isEmpty)
    #expect(keychain.bench.happened(.numberReused).count == 1)
  }

  @Test func `a made-up press under the number of a click does not make that an alarm`() {
    var guarded = GuardedBench(.none)
    guarded.bench.hand(.paired([keychain]))
    let forged = EventRecord.press(guarded.number + 1, clock: 7)
    guarded.bench.hand(.unprovedPress(line, forged.identity))
    let click = guarded.play([100_000, 200_000])
    guarded.bench.run(for: .seconds(2))
    #expect(guarded.meaning(click[0]) == .acknowledge)
  }

  @Test func `a flood of presses that are not proved keeps no proved one waiting`() {
    var bench = CoreBench()
    for n in 1...10_000 as ClosedRange<UInt32> {
      bench.hand(unproved(1_000_000 + n))
      bench.run(for: .microseconds(417))
    }
    let press = EventRecord.press(1)
    bench.press(press)
    #expect(bench.isAcked(press))
    #expect(bench.store.events.count < 1_000)
  }
}
