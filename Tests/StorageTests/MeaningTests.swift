import FobBase
import Storage
import Testing
import WireProtocol

@testable import AlertCore

/// Meaning is durable too: what was open is read again, what became known is written late.
@Suite struct MeaningTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  private static func open(_ record: EventRecord) -> HeardEvent {
    HeardEvent(record, at: .second(3), happenedAt: nil, meaning: .open)
  }

  @Test(arguments: [
    PressDetector.Meaning.alarm, .acknowledge, .checkIn, .slot(1), .slot(5), .noted,
  ])
  func `an open meaning is read again, and the late one that follows it`(
    meaning: PressDetector.Meaning
  ) throws {
    let store = try folder.store()
    let identity = EventRecord.press(1).identity
    var changes = Changes()
    changes.events = [Self.open(.press(1)), Self.open(.press(2))]
    try store.commit(changes)
    #expect(
      try store.load().recent
        == [1, 2].map {
          StoredEvent(record: .press($0), meaning: .open, receivedWall: Timestamp.second(3).wall)
        })
    var late = Changes()
    late.settle(identity, meaning, meaning == .alarm ? IncidentID(identity) : nil)
    #expect(!late.isEmpty)
    try store.commit(late)
    #expect(try store.load().recent.map(\.meaning) == [meaning, .open])
    #expect(
      try store.presses().map(\.incident)
        == [meaning == .alarm ? IncidentID(identity).description : nil, nil])
  }

  @Test func `an event and its late meaning may stand in one batch`() throws {
    let store = try folder.store()
    var changes = Changes()
    changes.events = [Self.open(.press(1))]
    changes.meanings[EventRecord.press(1).identity] = LateMeaning(meaning: .noted, incident: nil)
    try store.commit(changes)
    #expect(try store.load().recent.map(\.meaning) == [.noted])
  }

  @Test func `what is open comes back however old, of the rest the newest`() throws {
    let store = try folder.store()
    var changes = Changes()
    let count = UInt32(Limits.recentEvents) + 10
    changes.events = [Self.open(.press(1))] + (2...count).map { HeardEvent(.press($0)) }
    try store.commit(changes)
    let recent = try store.load().recent
    #expect(recent.count == Limits.recentEvents + 1)
    #expect(recent.first?.record == .press(1))
    #expect(recent.last?.record == .press(count))
  }

  @Test func `a hold whose bridge was killed raises at the next start`() throws {
    let store = try folder.store()
    var policy = Policy()
    policy.profile = .guarded(.none)
    let account = Account(name: "Owner", contacts: [.first])
    var core = AlertCore(account: account, policy: policy, at: .second(1))
    let event = CoreInput.event(LinkID(rawValue: 0), .press(1), happenedAt: nil)
    try Self.perform(event, on: &core, store)
    #expect(try store.incidents().isEmpty)
    var next = AlertCore(
      account: account, policy: policy, recovering: try store.load(), at: .second(9))
    try Self.perform(.wake, on: &next, store)
    #expect(try store.incidents().map(\.id) == [IncidentID(EventRecord.press(1).identity)])
    #expect(try store.load().recent.map(\.meaning) == [.alarm])
  }

  private static func perform(
    _ input: CoreInput, on core: inout AlertCore, _ store: AlertStore
  ) throws {
    var inputs = [input]
    while let input = inputs.popLast() {
      var output = CoreOutput()
      core.step(input, at: .second(input.isWake ? 9 : 3), into: &output)
      if let batch = output.commit {
        try store.commit(batch.changes)
        inputs.append(.committed(batch.number))
      }
    }
  }
}

extension CoreInput {
  fileprivate var isWake: Bool { if case .wake = self { true } else { false } }
}
