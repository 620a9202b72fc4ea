import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// R52, G4: a closing message to everyone who was, or may have been, told; to nobody else; never
/// before the alarm.
struct ClosingTests {
  @Test func `everyone who was told is told that it is over`() {
    var bench = CoreBench(.sample(contacts: 3))
    bench.press(.press(1))
    bench.perform(.disarm)
    #expect(
      bench.deliveries(.closing).map(\.notification.contact.id)
        == ["contact-1", "contact-2", "contact-3"])
    #expect(bench.deliveries(.closing).allSatisfy { $0.notification.endReason == .disarmed })
    #expect(bench.deliveries(.closing).allSatisfy { $0.notification.sequence == 2 })
  }

  @Test(arguments: [false, true])
  func `each message names those before it, and when they were decided`(isRestarted: Bool) throws {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.run(for: .seconds(5))
    bench.press(.press(2))
    if isRestarted { bench.restart() }
    bench.run(for: .seconds(400))
    bench.perform(.disarm)
    bench.run(for: .seconds(1))
    var decided: [MessageTime] = []
    for notification in bench.deliveries(to: "contact-1").map(\.notification) {
      let before = decided.prefix { $0.sequence < notification.sequence }
      #expect((notification.earlier ?? []) == Array(before), "\(notification.kind)")
      // A start repeats what it may not have told.
      guard before.count == decided.count else { continue }
      decided.append(
        MessageTime(sequence: notification.sequence, wall: notification.decidedAt.wall))
    }
    #expect(decided.map(\.sequence) == [1, 2, 3, 4])
    let id = try #require(bench.deliveries.last?.notification.incident)
    #expect(bench.core.engine.history[id]?.messageTimes == decided)
  }

  @Test func `of many messages the last sixteen are kept`() {
    let now = CoreBench().now
    var incident = Incident(
      IncidentID(EventRecord.press(1).identity), of: keychain, .open(.countdown(ends: now)),
      at: now)
    for number in 1...40 { incident.decided(number, at: now) }
    #expect(incident.messageTimes.map(\.sequence) == Array(25...40))
  }

  @Test func `nobody hears of an alarm that ended before anyone was told`() {
    var bench = CoreBench()
    bench.storeBehaviour = .silent
    bench.press(.press(1))
    bench.run(for: .milliseconds(99))
    bench.perform(.disarm)
    bench.run(for: .minutes(10))
    bench.wakeStore()
    bench.run(for: .minutes(10))
    #expect(bench.deliveries().isEmpty)
  }

  @Test func `a closing message waits for the answer to the alarm`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.otherSinks = .accepts(after: .seconds(20))
    bench.press(.press(1))
    bench.perform(.disarm)
    bench.run(for: .seconds(19))
    #expect(bench.deliveries(.closing).isEmpty)
    bench.run(for: .seconds(1))
    #expect(bench.deliveries(.closing).count == 1)
  }

  @Test func `a refused alarm may have been told: it is not tried again, but closed`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.otherSinks = .refuses
    bench.press(.press(1))
    bench.run(for: .milliseconds(500))
    bench.otherSinks = .acceptsAtOnce
    bench.perform(.disarm)
    bench.run(for: .minutes(2))
    #expect(bench.deliveries().map(\.notification.kind) == [.raise, .closing])
  }

  /// Else the last that they hear is that all is well.
  @Test func `the end of an alarm is not told while people are told of another`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1))
    bench.run(for: .seconds(1))
    bench.otherSinks = .refuses
    bench.perform(.disarm)
    bench.run(for: .seconds(10))
    bench.press(.press(2))
    let refused = bench.deliveries(.closing).count
    bench.otherSinks = .acceptsAtOnce
    bench.run(for: .minutes(2))
    #expect(bench.deliveries(.raise).count >= 2)
    #expect(refused > 0 && bench.deliveries(.closing).count == refused)
    bench.perform(.disarm)
    bench.run(for: .minutes(1))
    let told = bench.deliveries(.closing).dropFirst(refused).map(\.notification.incident)
    #expect(told.count == 2 && told.first == bench.deliveries(.raise).first?.notification.incident)
  }

  @Test func `a closing message is tried until it is accepted, also after a restart`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.press(.press(1))
    bench.otherSinks = .refuses
    bench.perform(.disarm)
    bench.perform(.resume)
    bench.run(for: .minutes(60))
    let key = bench.deliveries(.closing).last?.notification.key
    bench.restart(boot: 2, down: .minutes(60))
    bench.otherSinks = .acceptsAtOnce
    bench.run(for: .seconds(30))
    #expect(bench.deliveries(.closing).last?.notification.key == key)
    #expect(bench.store.state.notifications.isEmpty)
  }

  @Test func `an alarm under way at a kill is not told again after its disarm`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.otherSinks = .silent
    bench.press(.press(1))
    bench.perform(.disarm)
    bench.otherSinks = .acceptsAtOnce
    bench.restart()
    bench.commitNotes()
    #expect(bench.deliveries().map(\.notification.kind) == [.raise, .closing])
    #expect(bench.store.state.notifications.isEmpty)
  }

  @Test(arguments: 0..<12)
  func `a kill between any two effects leaves nobody told and not closed`(_ kill: Int) {
    var bench = CoreBench(.sample(contacts: 2))
    bench.effectsUntilKill = kill
    bench.press(.press(1))
    bench.effectsUntilKill = nil
    bench.press(.press(1))
    bench.perform(.disarm)
    bench.run(for: .seconds(5))
    for contact in bench.account.contacts {
      #expect(bench.deliveries(to: contact.id).last?.notification.kind == .closing)
    }
  }

  @Test func `a disarm as the first input after a kill closes for all who may have been told`() {
    let now = CoreBench().now
    var output = CoreOutput()
    var killed = AlertCore(account: .sample(), at: now)
    killed.step(.event(line, .press(1), happenedAt: nil), at: now, into: &output)
    var store = FakeStore()
    if let batch = output.commit { store.apply(batch.changes) }
    output = CoreOutput()
    killed.step(.committed(1), at: now, into: &output)
    #expect(Self.delivered(output, .raise) == 2)

    // The commit that says who was told does not come about.
    var core = AlertCore(account: .sample(), recovering: store.state, at: now)
    output = CoreOutput()
    core.step(.userCommand(RequestID(rawValue: 1), .disarm), at: now, into: &output)
    core.step(.committed(1), at: now, into: &output)
    #expect(Self.delivered(output, .raise) == 0)
    #expect(Self.delivered(output, .closing) == 2)
  }

  /// A press may have been told by an earlier run, if there was one.
  @Test(arguments: [false, true], [UserCommand.disarm, .cancel])
  func `who cannot have been told hears no end`(isNew: Bool, _ end: UserCommand) {
    let now = CoreBench().now
    var stored = StoredState()
    stored.isNew = isNew
    var account = Account.sample()
    if end == .cancel { account.pinHash = nil }
    var core = AlertCore(account: account, policy: .withCountdown, recovering: stored, at: now)
    var output = CoreOutput()
    core.step(.event(line, .press(1), happenedAt: nil), at: now, into: &output)
    core.step(.userCommand(RequestID(rawValue: 1), end), at: now, into: &output)
    core.step(.committed(1), at: now, into: &output)
    core.step(.wake, at: now + .seconds(1), into: &output)
    #expect(core.state == .emergencyEnded && Self.delivered(output, .raise) == 0)
    #expect(Self.delivered(output, .closing) == (isNew ? 0 : 2))
  }

  @Test func `a claim in mid-alarm is told to those alone who were told of it`() {
    for isNew in [false, true] {
      let now = CoreBench().now
      var stored = StoredState()
      stored.isNew = isNew
      var core = AlertCore(account: .sample(), recovering: stored, at: now)
      var output = CoreOutput()
      core.step(.event(line, .press(1), happenedAt: nil), at: now, into: &output)
      core.step(
        .movedAway(keychain, MoveID(rawValue: 1)), at: now, into: &output)
      core.step(.committed(1), at: now, into: &output)
      core.step(.wake, at: now + .seconds(1), into: &output)
      #expect(Self.delivered(output, .raise) == 0)
      #expect(Self.delivered(output, .closing) == (isNew ? 0 : 2))
    }
  }

  private static func delivered(_ output: CoreOutput, _ kind: Notification.Kind) -> Int {
    output.deliveries.count { $0.kind == kind }
  }
}
