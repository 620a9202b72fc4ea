import GRDB
import TestSupport
import Testing

@testable import AlertCore
@testable import Storage

/// Series of check-ins and what was asked, on the disk (R90 to R112).
@Suite struct CheckInRowTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  private func changes(_ checkIns: CheckInChange...) -> Changes {
    var changes = Changes()
    changes.checkIns = checkIns
    return changes
  }

  @Test func `where nobody has made a series there is none, and settings are the defaults`() throws
  {
    #expect(try folder.store().load().checkIns == StoredCheckIns())
  }

  @Test func `each row comes back in every field, as it was last`() throws {
    let store = try folder.store()
    try store.commit(
      changes(
        .series(.sample(2, "before")), .checkIn(.sample(.open, of: 2)),
        .settings(CheckInSettings()), .counts(CheckInCounts())))
    let closed = CheckIn.State.allCases.enumerated().map { place, state in
      CheckIn.sample(state, of: 2, "20261125T090\(place)")
    }
    var last = changes(
      .series(.sample(10)), .series(.sample(2)), .settings(.sample), .counts(.sample))
    last.checkIns += closed.map { .checkIn($0) }
    try store.commit(last)
    let found = try store.load().checkIns
    #expect(found.series == [.sample(2), .sample(10)])
    #expect(found.checkIns == closed)
    #expect(found.settings == .sample)
    #expect(found.counts == .sample)
  }

  @Test func `of a row that a batch changes more than once the last change is kept`() throws {
    let store = try folder.store()
    let id = CheckIn.sample(.open).id
    try store.commit(
      changes(
        .series(.sample(1, "first")), .seriesRemoved(1), .series(.sample(1, "last")),
        .series(.sample(2)), .seriesRemoved(2), .checkInRemoved(id), .checkIn(.sample(.open)),
        .settings(CheckInSettings()), .checkIn(.sample(.completed)), .settings(.sample)))
    let found = try store.load().checkIns
    #expect(found.series == [.sample(1, "last")])
    #expect(found.checkIns == [.sample(.completed)])
    #expect(found.settings == .sample)
    try store.commit(changes(.checkIn(.sample(.open)), .checkInRemoved(id), .seriesRemoved(1)))
    #expect(try store.load().checkIns.series.isEmpty)
    #expect(try store.load().checkIns.checkIns.isEmpty)
  }

  @Test func `however changes of rows follow each other, the disk has the last of each`() throws {
    var random = SeededGenerator(seed: 23)
    let store = try folder.store()
    var series: [Int: CheckInSeries] = [:]
    var asked: [CheckIn.ID: CheckIn] = [:]
    for _ in 0..<60 {
      var batch = Changes()
      for _ in 0..<3 { batch.checkIns += CheckInChange.random(&random) }
      for change in batch.checkIns {
        switch change {
        case .series(let one): series[one.id] = one
        case .seriesRemoved(let id): series[id] = nil
        case .checkIn(let one): asked[one.id] = one
        case .checkInRemoved(let id): asked[id] = nil
        case .settings, .counts: break
        }
      }
      try store.commit(batch)
    }
    let found = try store.load().checkIns
    #expect(Dictionary(uniqueKeysWithValues: found.series.map { ($0.id, $0) }) == series)
    #expect(Dictionary(uniqueKeysWithValues: found.checkIns.map { ($0.id, $0) }) == asked)
  }

  @Test func `a check-in has one row for ever, whoever writes it`() throws {
    let store = try folder.store()
    try store.commit(changes(.checkIn(.sample(.completed))))
    #expect(throws: DatabaseError.self) {
      try folder.outside().write { db in
        try db.execute(
          sql: """
            INSERT INTO occurrence SELECT account, series, key, 'open', due, body FROM occurrence
            """)
      }
    }
  }

  @Test func `what was decided of a check-in and its log entry are on the disk both or not at all`()
    throws
  {
    let store = try folder.store()
    try store.commit(changes(.checkIn(.sample(.open))))
    try store.database.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER refuse BEFORE INSERT ON log BEGIN SELECT RAISE(ABORT, 'refused'); END
          """)
    }
    var batch = changes(.checkIn(.sample(.escalated)), .settings(.sample))
    batch.log = [
      AuditEvent(.checkInEscalated, at: .second(9), .checkIn(CheckIn.sample(.open).id))
    ]
    #expect(throws: StorageFailure.self) { try store.commit(batch) }
    #expect(try store.load().checkIns.checkIns == [.sample(.open)])
    #expect(try store.load().checkIns.settings == CheckInSettings())
    try store.database.write { db in try db.execute(sql: "DROP TRIGGER refuse") }
    try store.commit(batch)
    #expect(try store.load().checkIns.checkIns == [.sample(.escalated)])
    let line = try #require(try store.log(after: 0, limit: 9).first)
    #expect(line.facts?.json == #"{"type":"checkIn","series":1,"key":"20261125T0900"}"#)
    #expect(line.facts?.read == batch.log[0].facts)
  }

  @Test func `words of the owner are in no log entry`() throws {
    let store = try folder.store()
    var batch = changes(.series(.sample(1)), .checkIn(.sample(.completed)))
    batch.log = [
      AuditEvent(.seriesChanged, at: .second(9), .series(1, .added)),
      AuditEvent(.checkInCompleted, at: .second(9), .checkIn(CheckIn.sample(.open).id)),
    ]
    try store.commit(batch)
    for line in try store.log(after: 0, limit: 9) {
      let told = String(decoding: line.json(), as: UTF8.self)
      #expect(!told.contains("well") && !told.contains("late"), "\(told)")
    }
  }

  @Test func `what an alarm asks in vain is kept with it and its messages, in both stored forms`()
    throws
  {
    let store = try folder.store()
    let incident = Incident.full(1)
    let notification = Notification.sample(.due, of: incident)
    #expect(notification.question == .sample)
    try store.commit(.of(incidents: [incident], notifications: [notification]))
    #expect(try store.incidents() == [incident])
    #expect(try store.load().notifications == [notification])
  }
}
