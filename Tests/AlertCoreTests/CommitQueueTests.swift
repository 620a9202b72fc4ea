import AlertCore
import FobBase
import Testing
import WireProtocol

/// What the device may forget, and when (protocol, Events 4 and 5).
struct CommitQueueTests {
  @Test func `an event is acked after its commit and not before`() {
    var bench = CoreBench()
    bench.storeBehaviour = .commits(after: .milliseconds(40))
    bench.press(.press(1))
    bench.run(for: .milliseconds(39))
    #expect(bench.acks.isEmpty)
    bench.run(for: .milliseconds(1))
    #expect(bench.ackCount(.press(1)) == 1)
  }

  @Test func `a duplicate of a pending event is not acked, one of a committed event is`() {
    var bench = CoreBench()
    bench.storeBehaviour = .commits(after: .seconds(1))
    bench.press(.press(1))
    bench.press(.press(1))
    #expect(bench.acks.isEmpty)
    bench.run(for: .seconds(1))
    #expect(bench.ackCount(.press(1)) == 1)
    bench.press(.press(1))
    #expect(bench.ackCount(.press(1)) == 2)
    #expect(bench.store.entries(of: EventRecord.press(1).identity) == 1)
    #expect(bench.deliveries(.raise).count == 2)
    #expect(bench.deliveries(.update).isEmpty)
  }

  @Test func `that a message was handed out and accepted is one commit, 20 ms later`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1))
    #expect(bench.auditEvents.contains { $0.name == .delivered })
    let commits = bench.commits
    bench.run(for: .milliseconds(19))
    #expect(bench.commits == commits)
    #expect(bench.store.notifications.values.map(\.delivery) == [.held])
    bench.run(for: .milliseconds(1))
    #expect(bench.commits == commits + 1)
    #expect(bench.store.notifications.values.map(\.delivery) == [.delivered])
  }

  @Test func `a press takes with it what nobody waits for`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1))
    let commits = bench.commits
    bench.run(for: .milliseconds(5))
    bench.otherSinks = .silent
    bench.press(.press(2))
    #expect(bench.commits == commits + 1)
    #expect(bench.ackCount(.press(2)) == 1)
    #expect(bench.store.notifications.values.contains { $0.delivery == .delivered })
  }

  @Test func `a question is answered by a commit at once, and with all that waits`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1))
    #expect(bench.answer(to: .silence)?.isDurable == true)
    #expect(bench.store.notifications.values.map(\.delivery) == [.delivered])
  }

  @Test func `a message that time makes due is told at once, too`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1))
    bench.run(for: .minutes(5))
    #expect(bench.deliveries(.again).map(\.at) == [bench.now])
  }

  @Test func `the ack goes to the line on which the event came last`() {
    var core = AlertCore(account: .sample(), at: CoreBench().now)
    var output = CoreOutput()
    let record = EventRecord.press(1)
    let now = CoreBench().now
    core.step(.event(line, record, happenedAt: nil), at: now, into: &output)
    let other = LinkID(rawValue: 7)
    core.step(.event(other, record, happenedAt: nil), at: now, into: &output)
    output = CoreOutput()
    core.step(.committed(1), at: now, into: &output)
    #expect(output.acks.map(\.link) == [other])
  }

  @Test func `a press of which only the frozen part came alarms, and its full form is no news`() {
    var bench = CoreBench()
    bench.hand(.barePress(line, EventRecord.press(1).identity))
    bench.press(.press(1))
    #expect(bench.state == .emergencySent)
    #expect(bench.store.entries(of: EventRecord.press(1).identity) == 1)
    #expect(bench.deliveries().count == 2)
  }

  @Test(arguments: [
    EventRecord.press(1, clock: 5), .press(1, nonce: 5), .press(1, kind: .fault),
  ])
  func `the same number with another identity is a new event and a fault`(_ other: EventRecord) {
    var bench = CoreBench()
    bench.press(.press(1))
    #expect(bench.happened(.numberReused).isEmpty)
    bench.press(other)
    #expect(bench.happened(.numberReused).count == 1)
    #expect(bench.store.events.count == 2)
    #expect(bench.isAcked(other))
    bench.restart()
    bench.press(other)
    #expect(bench.happened(.numberReused).count == 1)
    #expect(bench.store.events.count == 2)
  }

  @Test func `a merged event is one entry that stands for its presses`() {
    var bench = CoreBench()
    var merged = EventRecord.press(70)
    merged.flags = .merged
    merged.firstCovered = EventNumber(boot: 1, n: 64)
    merged.covered = 7
    bench.press(merged)
    #expect(bench.store.events.count == 1)
    #expect(bench.incident?.presses.map(\.covers) == [7])
    #expect(bench.deliveries(.raise).count == 2)
  }

  @Test func `other events are recorded and alarm nobody`() {
    var bench = CoreBench()
    for (index, kind) in [EventKind.released, .booted, .batteryLow, .fault].enumerated() {
      bench.press(.press(UInt32(index + 1), kind: kind))
    }
    var unknown = EventRecord.press(9)
    unknown.identity.rawKind = 200
    bench.press(unknown)
    #expect(bench.store.events.count == 5)
    #expect(bench.store.events.allSatisfy { $0.meaning == .noted && $0.incident == nil })
    #expect(bench.acks.count == 5)
    #expect(bench.state == .noEmergency)
    #expect(bench.deliveries().isEmpty)
  }

  @Test func `presses of one incident beyond the limit are counted`() {
    var bench = CoreBench(.sample(), .ofManyLines)
    for n in 1...UInt32(Limits.incidentPresses + 9) { bench.press(.press(n)) }
    #expect(bench.incident?.presses.count == Limits.incidentPresses)
    #expect(bench.incident?.furtherPresses == 9)
    #expect(bench.store.events.count == Limits.incidentPresses + 9)
  }
}
