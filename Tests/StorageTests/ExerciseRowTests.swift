import FobBase
import Foundation
import GRDB
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

@Suite struct ExerciseRowTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  private static var session: ExerciseSession {
    var session = ExerciseSession(
      device: "8000000000000001", by: "button", startedWall: Timestamp.second(10).wall)
    session.seconds = 20
    return session
  }

  private static var rows: [ExerciseChange] {
    var totals = BreathingTotals()
    totals.add(20)
    var settings = ExerciseSettings()
    settings.oneClickBreathes = true
    return [.session(session), .totals(totals), .settings(settings)]
  }

  private static func changes(_ rows: [ExerciseChange]) -> Changes {
    var changes = Changes()
    changes.exercises = rows
    return changes
  }

  @Test func `session, totals and settings come back, as they were last`() throws {
    let store = try folder.store()
    #expect(try store.load().exercises == StoredExercises())
    try store.commit(Self.changes(Self.rows))
    var expected = StoredExercises()
    for row in Self.rows { expected.apply(row) }
    #expect(try store.load().exercises == expected)
    var over = Self.session
    over.end = .click
    over.endedWall = Timestamp.second(31).wall
    try store.commit(Self.changes([.session(over)]))
    expected.session = over
    #expect(try store.load().exercises == expected)
  }

  @Test func `an exported state has the exercises, and opens with them`() throws {
    try folder.store().commit(Self.changes(Self.rows))
    var document = ""
    try StateExport.write(directory: folder.path) { document += $0 }
    let target = try StateFolder()
    try StateImport.read(Data(document.utf8), named: "state.json", into: target.path)
    #expect(try target.store().load().exercises == folder.store().load().exercises)
  }

  @Test func `totals that cannot be are refused, and take no settings along`() throws {
    try folder.store().commit(Self.changes(Self.rows))
    try folder.outside().write { db in
      try db.execute(
        sql: "UPDATE companion SET body = replace(body, '20', '-1') WHERE kind = 'breathing'")
    }
    let exercises = try folder.store().load().exercises
    #expect(exercises.totals == BreathingTotals())
    #expect(exercises.settings.oneClickBreathes)
  }
}
