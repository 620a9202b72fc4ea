import FobBase
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

@Suite struct RecoveryTests {
  private let folder: StateFolder
  private let store: AlertStore

  init() throws {
    folder = try StateFolder()
    store = try folder.store()
  }

  @Test func `an empty store recovers to nothing`() throws {
    let state = try store.load()
    #expect(state.current == nil)
    #expect(state.lastDisarmed == nil)
    #expect(state.notifications.isEmpty)
    #expect(state.identities.isEmpty)
  }

  @Test(arguments: EmergencyState.allCases)
  func `the current incident is the newest that nobody has resumed from`(
    state: EmergencyState
  ) throws {
    let older = Incident.sample(1, .emergencyEnded, openedAt: 10, ended: .cancelled)
    let newer = Incident.sample(2, state, openedAt: 20)
    let resumed = Incident.sample(3, .noEmergency, openedAt: 30, ended: .disarmed)
    try store.commit(.of(incidents: [newer, older, resumed]))
    #expect(try store.load().current == (state == .noEmergency ? older : newer))
  }

  @Test func `the incident disarmed last is known, whatever has been opened since`() throws {
    let disarmed = Incident.sample(1, .noEmergency, openedAt: 10, ended: .disarmed)
    let again = Incident.sample(2, .noEmergency, openedAt: 200, ended: .disarmed)
    let cancelled = Incident.sample(3, .noEmergency, openedAt: 300, ended: .cancelled)
    let open = Incident.sample(4, .emergencySent, openedAt: 400)
    try store.commit(.of(incidents: [disarmed, again, cancelled, open]))
    #expect(try store.load().lastDisarmed == again)
  }

  @Test(arguments: [
    (Notification.Delivery.held, true), (.due, true), (.underWay, true), (.delivered, false),
    (.withdrawn, false),
  ])
  func `only messages that are not over come back`(
    delivery: Notification.Delivery, comesBack: Bool
  ) throws {
    let notification = Notification.sample(delivery, of: .full(1))
    try store.commit(.of(notifications: [notification]))
    #expect(try store.load().notifications == (comesBack ? [notification] : []))
  }

  @Test func `identities come back oldest first`() throws {
    var random = SeededGenerator(seed: 3)
    var identities: [EventIdentity] = []
    for _ in 0..<20 {
      let records = (0..<20).map { _ in EventRecord.random(&random) }
      identities += records.map(\.identity)
      try store.commit(.of(records))
    }
    #expect(try store.load().identities == identities)
  }

  @Test func `a core that recovers acks a committed event again and enters it no more`() throws {
    let line = LinkID(rawValue: 0)
    let account = Account(name: "Owner", contacts: [.first])
    var core = AlertCore(account: account, at: .second(1))
    try perform(.event(line, .press(1), happenedAt: nil), on: &core)
    var next = AlertCore(account: account, recovering: try store.load(), at: .second(2))
    let acks = try perform(.event(line, .press(1), happenedAt: nil), on: &next)
    #expect(acks == [EventAck(EventRecord.press(1).identity)])
    #expect(try store.presses().map(\.event) == ["1.1"])
    #expect(try store.incidents().map(\.presses.count) == [1])
    #expect(try store.load().current?.state == .emergencySending)
  }

  /// - Returns: the acks that came of it.
  @discardableResult
  private func perform(_ input: CoreInput, on core: inout AlertCore) throws -> [EventAck] {
    var acks: [EventAck] = []
    var inputs = [input]
    while let input = inputs.popLast() {
      var output = CoreOutput()
      core.step(input, at: .second(3), into: &output)
      acks += output.acks.map(\.ack)
      if let batch = output.commit {
        try store.commit(batch.changes)
        inputs.append(.committed(batch.number))
      }
    }
    return acks
  }
}
