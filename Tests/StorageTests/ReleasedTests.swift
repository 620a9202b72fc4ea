import FobBase
import GRDB
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

/// A state folder of every released version opens with all that is in it. `Released/schema-N.sql`
/// is what the code of that version wrote: one incident that was disarmed and resumed from, one
/// that is open; contact 1 takes every message, contact 2 none.
@Suite struct ReleasedTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  static let versions = 1...5

  private static let device = DeviceID.bench(0x0B0B)

  @Test(arguments: versions)
  func `a folder of a released version opens with all that is in it`(version: Int) throws {
    try folder.plant(released: version)
    let before = try folder.outside().read { db in
      try Row.fetchAll(db, sql: "SELECT id, name, incident, device, detail FROM log ORDER BY id")
    }
    let store = try folder.store()
    #expect(try store.account()?.contacts.map(\.address).count == 2)
    #expect(try store.presses().map(\.event) == ["1.2", "1.4", "1.6"])
    #expect(try store.incidents().map(\.state) == [.noEmergency, .emergencySent])
    #expect(try store.incidents().map(\.presses.count) == [1, 2])
    let state = try store.load()
    #expect(state.current?.acknowledgedBy == [])
    #expect(state.current?.aliases.count == 1)
    #expect(state.lastDisarmed?.endReason == .disarmed)
    // It has no clock, so it proves of no press that it is older.
    #expect(state.lastDisarmed?.seenAtDisarm.allSatisfy { $0.clock == nil } == true)
    #expect(state.identities.map(\.number.n) == [1, 2, 3, 4, 5, 6, 7])
    #expect(state.recent.filter { $0.meaning == .alarm }.count == 3)
    #expect(Set(state.notifications.map(\.contact.id)).contains("contact-2"))
    #expect(state.devices.isEmpty)
    #expect(state.checkIns == StoredCheckIns())
    let log = try store.log(after: 0, limit: 1_000)
    #expect(log.count == before.count)
    for (line, row) in zip(log, before) {
      #expect(line.id == row["id"])
      #expect(line.name == row["name"])
      #expect(line.incident == row["incident"])
      #expect(line.device == row["device"])
      #expect(line.detail == row["detail"])
    }
    let open = try #require(state.current?.id)
    let document = try #require(try store.document(of: open))
    #expect(document.presses.map(\.event) == ["1.4", "1.6"])
    #expect(document.notifications.contains { $0.steps.contains { $0.result == "delivered" } })
  }

  @Test(arguments: versions)
  func `the incident that was open goes on, and what was known is known`(version: Int) throws {
    try folder.plant(released: version)
    let store = try folder.store()
    let account = try #require(try store.account())
    let open = try #require(try store.load().current)
    var core = AlertCore(
      account: account, recovering: try store.load(),
      at: Timestamp(
        boot: 2, instant: Instant(microseconds: 5_000_000), wall: 1_768_452_600_000_000))
    let now = Timestamp(
      boot: 2, instant: Instant(microseconds: 6_000_000), wall: 1_768_452_601_000_000)
    var next = EventRecord.press(8, clock: 180_000_000)
    next.identity.deviceID = Self.device
    let (acked, told) = try Self.play(
      [
        .wake, .event(LinkID(rawValue: 0), .press(4, clock: 100_000_000), happenedAt: nil),
        .event(LinkID(rawValue: 0), next, happenedAt: nil),
        .userCommand(RequestID(rawValue: 1), .disarm),
      ], on: &core, store, at: now)
    #expect(acked.map(\.number.n) == [4, 8])
    #expect(told.contains { $0.contact.id == "contact-2" && $0.kind == .closing })
    let incidents = try store.incidents()
    #expect(incidents.map(\.id).last == open.id)
    #expect(incidents.last?.presses.map(\.event) == ["1.4", "1.6", "1.8"])
    #expect(incidents.last?.state == .emergencyEnded)
    #expect(try store.presses().map(\.event) == ["1.2", "1.4", "1.6", "1.8"])
    #expect(try store.load().current?.id == open.id)
  }

  @Test(arguments: versions)
  func `a migrated folder says what a new one does`(version: Int) throws {
    try folder.plant(released: version)
    _ = try folder.store()
    let new = try StateFolder()
    _ = try new.store()
    func shapes(_ folder: StateFolder) throws -> [Row] {
      try folder.outside().read { db in
        try Row.fetchAll(db, sql: "SELECT type, name, sql FROM sqlite_master ORDER BY type, name")
      }
    }
    #expect(try shapes(folder) == shapes(new))
  }

  private static func play(
    _ asked: [CoreInput], on core: inout AlertCore, _ store: AlertStore, at now: Timestamp
  ) throws -> (acks: [EventAck], told: [Notification]) {
    var acks: [EventAck] = []
    var told: [Notification] = []
    var inputs = asked
    while !inputs.isEmpty {
      var output = CoreOutput()
      core.step(inputs.removeFirst(), at: now, into: &output)
      acks += output.acks.map(\.ack)
      if let batch = output.commit {
        try store.commit(batch.changes)
        inputs.insert(.committed(batch.number), at: 0)
      }
      told += output.deliveries
      inputs += output.deliveries.map { .answered(key: $0.key, error: nil) }
    }
    return (acks, told)
  }
}
