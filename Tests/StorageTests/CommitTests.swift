import Foundation
import GRDB
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

@Suite struct CommitTests {
  private let folder: StateFolder
  private let store: AlertStore

  init() throws {
    folder = try StateFolder()
    store = try folder.store()
  }

  @Test func `an event's payload is kept byte for byte, the tail of a MERGED one as well`() throws {
    var random = SeededGenerator(seed: 2)
    let records = [.press(1), .merged(2)] + (0..<200).map { _ in EventRecord.random(&random) }
    try store.commit(.of(records))
    let payloads = try folder.outside().read { db in
      try Data.fetchAll(db, sql: "SELECT payload FROM event ORDER BY id")
    }
    let kept = payloads.map { $0.withUnsafeBytes { EventRecord($0) } }
    #expect(kept == records)
  }

  @Test func `an event's row says what it meant, of which incident, and when`() throws {
    let incident = IncidentID(EventRecord.press(1).identity)
    var changes = Changes()
    changes.events = [
      HeardEvent(
        .press(1), at: .second(3), happenedAt: -8 ... -2, meaning: .alarm, of: incident),
      HeardEvent(.press(2)),
    ]
    try store.commit(changes)
    let rows = try folder.outside().read { db in
      try Row.fetchAll(
        db, sql: "SELECT meaning, incident, received_wall, happened_at FROM event ORDER BY id")
    }
    #expect(
      rows == [
        [
          "meaning": "alarm", "incident": incident.description,
          "received_wall": Timestamp.second(3).wall, "happened_at": -5,
        ],
        [
          "meaning": "noted", "incident": nil, "received_wall": Timestamp.second(3).wall,
          "happened_at": nil,
        ],
      ])
    #expect(
      try store.presses() == [
        StoredPress(device: "8000000000000b0b", event: "1.1", incident: incident.description),
        StoredPress(device: "8000000000000b0b", event: "1.2", incident: nil),
      ])
  }

  @Test func `incidents and notifications come back in every field, as they were last`() throws {
    let incident = Incident.full(1)
    let notification = Notification.sample(.underWay, of: incident)
    try store.commit(.of(incidents: [.sample(1, .emergencySending, openedAt: 10)]))
    try store.commit(
      .of(incidents: [incident], notifications: [.sample(.held, of: incident)]))
    try store.commit(.of(notifications: [notification]))
    #expect(try store.incidents() == [incident])
    #expect(try store.load().notifications == [notification])
  }

  /// R55, R104.
  @Test func `track points and log lines are added, never replaced`() throws {
    try store.commit(.ofEveryKind(1))
    try store.commit(.ofEveryKind(1))
    let (track, log) = try folder.outside().read { db in
      (
        try Row.fetchAll(
          db, sql: "SELECT incident, wall, latitude, longitude, quality FROM track"),
        try Row.fetchAll(
          db, sql: "SELECT wall, name, incident, device, event, contact, detail FROM log")
      )
    }
    let incident = IncidentID(EventRecord.press(1).identity).description
    #expect(
      track
        == [Row](
          repeating: [
            "incident": incident, "wall": Position.sample.wall, "latitude": 514_778_000,
            "longitude": -15_000, "quality": 2,
          ], count: 2))
    #expect(
      log
        == [Row](
          repeating: [
            "wall": Timestamp.second(19).wall, "name": "delivered", "incident": incident,
            "device": "8000000000000b0b", "event": "1.1", "contact": "contact-1",
            "detail": "raise 1",
          ], count: 2))
  }

  @Test func `an event that comes again keeps its one row, and its first meaning`() throws {
    try store.commit(.ofEveryKind(1))
    try store.commit(.of([.press(2), .merged(1), .press(2)]))
    #expect(try store.presses().map(\.event) == ["1.1", "1.2"])
    var again = EventRecord.press(2)
    again.flags.insert(.replayed)
    again.millivolts = 3_000
    try store.commit(.of([again]))
    #expect(try store.presses().count == 2, "only the frozen part is the identity")
  }

  @Test func `the same number with another clock, boot nonce or kind is another event`() throws {
    var release = EventRecord.press(1)
    release.identity.rawKind = EventKind.released.rawValue
    let records = [
      .press(1), .press(1, clock: 8_000_000), .press(1, nonce: 1), release,
    ]
    try store.commit(.of(records))
    #expect(try store.load().identities == records.map(\.identity))
  }

  @Test func `a batch that fails on the way leaves nothing of itself`() throws {
    try store.commit(.ofEveryKind(1))
    // The log is written last: by then all the rest of the batch is in the transaction.
    try refuseLog(true)
    let failure = #expect(throws: StorageFailure.self) { try store.commit(.ofEveryKind(2)) }
    #expect(failure?.reason == "the log is full")
    #expect(failure?.path == folder.file)
    #expect(try store.incidents() == [.full(1)])
    #expect(try store.presses().count == 1)
    #expect(try store.load().notifications.count == 1)
  }

  @Test func `after a failure the same batch is taken as soon as the cause is gone`() throws {
    try refuseLog(true)
    for _ in 0..<3 {
      #expect(throws: StorageFailure.self) { try store.commit(.ofEveryKind(2)) }
    }
    try refuseLog(false)
    try store.commit(.ofEveryKind(2))
    try store.commit(.ofEveryKind(3))
    #expect(try store.presses().map(\.event) == ["1.2", "1.3"])
  }

  @Test func `a full disk is a failure that says so and heals, not the process's end`() async {
    await #expect(processExitsWith: .success) {
      let folder = try StateFolder()
      let store = try folder.store()
      try store.commit(.ofEveryKind(1))
      try FileSizeLimit.set(to: 200_000)
      var taken: UInt32 = 1
      let failure = #expect(throws: StorageFailure.self) {
        while taken < 10_000 {
          try store.commit(.ofEveryKind(taken + 1))
          taken += 1
        }
      }
      #expect(failure?.remedy == "free some space on that disk, or mend it")
      #expect(try store.presses().count == Int(taken))
      try FileSizeLimit.lift()
      try store.commit(.ofEveryKind(taken + 1))
      #expect(try store.presses().count == Int(taken) + 1)
    }
  }

  private func refuseLog(_ refuses: Bool) throws {
    try folder.outside().write { db in
      try db.execute(
        sql: refuses
          ? """
          CREATE TRIGGER refuse BEFORE INSERT ON log
          BEGIN SELECT RAISE(ABORT, 'the log is full'); END
          """ : "DROP TRIGGER refuse")
    }
  }
}
