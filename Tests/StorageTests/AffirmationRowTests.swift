import FobBase
import Foundation
import TestSupport
import Testing

@testable import AlertCore
@testable import Storage

@Suite struct AffirmationRowTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  private static let settings = AffirmationSettings(
    current: 2, last: 7, schedule: AffirmationSchedule(.weekly, on: .friday, hour: 9, minute: 5))
  private static let rows: [AffirmationChange] = [
    .line(Affirmation(id: 2, text: "I am here.")), .line(Affirmation(id: 7, text: "Ça ira.")),
    .settings(settings),
  ]

  private static func changes(_ rows: [AffirmationChange]) -> Changes {
    var changes = Changes()
    changes.affirmations = rows
    return changes
  }

  @Test func `affirmations come back in every field, as they were last`() throws {
    let store = try folder.store()
    #expect(try store.load().affirmations == StoredAffirmations(), "an older folder has none")
    try store.commit(Self.changes(Self.rows + [.lineRemoved(7)]))
    let stored = try store.load().affirmations
    #expect(stored.lines == [Affirmation(id: 2, text: "I am here.")])
    #expect(stored.settings == Self.settings)
  }

  @Test func `an exported state has the affirmations, and opens with them`() throws {
    try folder.store().commit(Self.changes(Self.rows))
    var document = ""
    try StateExport.write(directory: folder.path) { document += $0 }
    let target = try StateFolder()
    try StateImport.read(Data(document.utf8), named: "state.json", into: target.path)
    #expect(try target.store().load().affirmations == folder.store().load().affirmations)
  }

  @Test func `an affirmation of another row is refused, and so is a schedule without its hour`()
    throws
  {
    let line = try JSON.encode(Affirmation(id: 2, text: "I am here."))
    #expect(throws: CheckInRow.Mismatch.self) {
      try CheckInRow(kind: "affirmation", id: "3", body: line)
    }
    let wrong = AffirmationSettings(
      current: 2, last: 7, schedule: AffirmationSchedule(.daily, minute: 5))
    #expect(throws: CheckInRow.Mismatch.self) {
      try CheckInRow(kind: "affirmations", id: "", body: try JSON.encode(wrong))
    }
  }
}
