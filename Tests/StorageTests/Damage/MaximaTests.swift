import FobBase
import Foundation
import GRDB
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

/// Numbers at their greatest, as damage or another's hand leaves them: nothing traps.
@Suite struct MaximaTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  @Test(arguments: [
    "UPDATE event SET id = 9223372036854775807", "UPDATE track SET id = 9223372036854775807",
    """
    INSERT INTO log (id, wall, name) VALUES (9223372036854775807, 9223372036854775807, 'event')
    """,
    "INSERT INTO log (id, wall, name) VALUES (-9223372036854775808, -9223372036854775808, '')",
  ])
  func `a row with the last number that SQLite has is set aside, and the next has the next`(
    sql: String
  ) throws {
    let last: Int64
    do {
      let store = try folder.store()
      try store.commit(.ofEveryKind(1))
      last = try store.lastLogID()
    }
    try folder.outside().write { db in try db.execute(sql: sql) }
    let store = try folder.store()
    let ids = try #require(try store.commit(.ofEveryKind(2)))
    #expect(ids.lowerBound > last && ids.upperBound <= last + 3)
    #expect(try store.lastLogID() == ids.upperBound)
    _ = try store.log(after: .min, limit: 10)
  }

  @Test func `a store whose numbers run out under it says so and commits nothing`() throws {
    let store = try folder.store()
    try store.database.writeWithoutTransaction { db in
      try db.execute(sql: "INSERT INTO log (id, wall, name) VALUES (4294967295, 0, '')")
    }
    let failure = #expect(throws: StorageFailure.self) { try store.commit(.ofEveryKind(1)) }
    #expect(failure?.reason == "the numbers of table log are used up")
    #expect(try store.presses().isEmpty)
  }

  @Test func `an entry at a place that no list has is written anew`() throws {
    let incident = Incident.full(1)
    do { try folder.store().commit(.of(incidents: [incident])) }
    for place in [Int64.max, .min, -5] {
      try folder.outside().write { db in
        try db.execute(
          sql: "UPDATE incident_list SET position = ? WHERE list = 'press'", arguments: [place])
      }
      let store = try folder.store()
      try store.commit(.of(incidents: [incident]))
      #expect(try store.incidents() == [incident], "\(place)")
    }
  }

  @Test func `an import with numbers beyond all use is refused by its row`() throws {
    try folder.store().commit(.ofEveryKind(1))
    var document = ""
    try StateExport.write(directory: folder.path) { document += $0 }
    let spoilt = document.replacing("[1,1768452439000000", with: "[9223372036854775807,17684524")
    #expect(spoilt != document)
    let target = try StateFolder()
    let refusal = #expect(throws: StorageFailure.self) {
      try StateImport.read(Data(spoilt.utf8), named: "state.json", into: target.path)
    }
    #expect(
      refusal?.reason
        == "table log, row 1: its id is not within 1 to 9007199254740991, or of no account")
  }
}
