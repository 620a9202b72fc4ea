import AlertCore
import FobBase
import Testing
import WireProtocol

/// A press provably earlier than a disarm by PIN joins that incident; where it cannot be proved,
/// and after any other end, it opens a new one (protocol, Presses).
struct LatePressTests {
  private static func disarmed(after records: EventRecord...) -> CoreBench {
    var bench = CoreBench()
    for record in records { bench.press(record) }
    bench.run(for: .seconds(10))
    bench.perform(.disarm)
    return bench
  }

  private func expectJoined(_ bench: CoreBench, _ record: EventRecord, to first: EventRecord) {
    #expect(!bench.state.isOpen)
    #expect(bench.deliveries(.raise).count == 2)
    #expect(bench.deliveries(.update).isEmpty)
    #expect(bench.isAcked(record))
    #expect(bench.store.incidents(listing: record.identity).map(\.id) == [first.incident])
  }

  @Test func `by a lower number in the same boot`() {
    var bench = Self.disarmed(after: .press(5))
    bench.press(.press(3))
    expectJoined(bench, .press(3), to: .press(5))
    bench.press(.press(6))
    #expect(bench.state == .emergencySent)
  }

  @Test func `also after a resume, which stays one`() {
    var bench = Self.disarmed(after: .press(5))
    bench.perform(.resume)
    bench.press(.press(3))
    expectJoined(bench, .press(3), to: .press(5))
    bench.restart()
    #expect(bench.state == .noEmergency)
    bench.press(.press(4))
    expectJoined(bench, .press(4), to: .press(5))
  }

  @Test func `an entry that joined before the resume outlives it`() {
    var bench = Self.disarmed(after: .press(5))
    bench.press(.press(3))
    bench.perform(.resume)
    expectJoined(bench, .press(3), to: .press(5))
  }

  @Test func `by numbers that were committed before a restart`() {
    var bench = CoreBench()
    bench.press(.press(5))
    bench.commitNotes()
    bench.restart()
    bench.perform(.disarm)
    bench.press(.press(3))
    expectJoined(bench, .press(3), to: .press(5))
  }

  @Test func `by the fitted clock, when its whole range is more than a second before the disarm`() {
    var bench = Self.disarmed(after: .press(1))
    let latest = bench.now.instant - 1_000_000
    bench.run(for: .seconds(1))
    bench.press(.press(9), happenedAt: latest - 900_000...latest - 1)
    expectJoined(bench, .press(9), to: .press(1))
    bench.press(.press(10), happenedAt: latest - 900_000...latest)
    #expect(bench.state == .emergencySent)
    #expect(bench.store.incidents.count == 2)
  }

  @Test func `a number of another boot, device or nonce proves nothing`() {
    for record: EventRecord in [
      .press(3, boot: 2), .press(3, boot: 0), .press(3, device: otherKeychain),
      .press(3, nonce: 99),
    ] {
      var bench = Self.disarmed(after: .press(5))
      bench.press(record)
      #expect(bench.state == .emergencySent)
      #expect(bench.incident?.id == record.incident)
    }
  }

  @Test func `a clock of another boot of the host proves nothing`() {
    var bench = Self.disarmed(after: .press(1))
    bench.restart(boot: 2)
    bench.press(.press(9), happenedAt: 0...1)
    #expect(bench.state == .emergencySent)
  }

  @Test func `after an end that was no disarm a lower number opens an incident`() {
    var bench = CoreBench()
    bench.press(.press(5))
    bench.run(for: .minutes(31))
    #expect(bench.incident?.endReason == .trackingOver)
    bench.press(.press(3))
    #expect(bench.incident?.id == EventRecord.press(3).incident)
    #expect(bench.state == .emergencySent)
  }

  @Test func `while an incident is open an earlier press is an entry of it and is told`() {
    var bench = Self.disarmed(after: .press(5))
    bench.press(.press(6))
    bench.press(.press(3))
    #expect(
      bench.store.incidents(listing: EventRecord.press(3).identity).map(\.id)
        == [EventRecord.press(6).incident])
    #expect(bench.deliveries(.update).count == 2)
  }
}
