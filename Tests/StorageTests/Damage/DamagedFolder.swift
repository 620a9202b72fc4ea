import FobBase
import Foundation
import GRDB
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

/// A state folder with an open alarm and some history, closed, and what tells whether all of it is
/// still there.
struct DamagedFolder {
  let folder: StateFolder
  let open: Incident
  let before: Contents

  /// What nobody may lose without a word.
  struct Contents: Equatable {
    let account: Account?
    let presses: [StoredPress]
    let incidents: [Incident]
    let lines: [LogEntry]
    let current: IncidentID?
    let unsent: Set<String>
    let checkIns: StoredCheckIns

    init(_ store: AlertStore) throws {
      account = try store.account()
      presses = try store.presses()
      incidents = try store.incidents()
      lines = try store.log(after: 0, limit: 10_000).filter { $0.name != "recordsDamaged" }
      let state = try store.load()
      current = state.current?.id
      unsent = Set(state.notifications.map(\.key))
      checkIns = state.checkIns
    }
  }

  /// - Parameter backsUp: in the middle of the history, before the alarm that is open.
  init(backsUp: Bool = false, rounds: UInt32 = 60) throws {
    folder = try StateFolder()
    let store = try folder.store()
    try store.setAccount(Account(name: "Owner", contacts: [.first], pinHash: "$6$"))
    for n in 1...rounds {
      if backsUp, n == rounds / 2 { #expect(store.backUp(within: .seconds(30)) == .made) }
      let incident = Incident.sample(n, .noEmergency, openedAt: Int64(n), ended: .trackingOver)
      var changes = Changes.of(
        [.press(n)], incidents: [incident], notifications: [.sample(.delivered, of: incident)],
        log: Self.lines(
          of: incident, Transition(from: .emergencyEnded, to: .noEmergency)))
      changes.events[0] = HeardEvent(.press(n), of: incident.id)
      changes.devices[.bench(n % 7)] = DeviceRecord(batteryPercent: UInt8(n))
      changes.track = [TrackPoint(incident: incident.id, at: .second(18), position: .sample)]
      changes.checkIns = [
        .series(.sample(Int(n))), .checkIn(.sample(.completed, of: Int(n))), .settings(.sample),
        .counts(.sample),
      ]
      try store.commit(changes)
    }
    var open = Incident.sample(1_000, .emergencySent, openedAt: 10_000)
    open.presses = [
      PressEntry(of: EventRecord.press(1_000).identity, receivedAt: .second(10_000), covers: 1)
    ]
    open.messages = 1
    self.open = open
    var changes = Changes.of(
      [.press(1_000)], incidents: [open], notifications: [.sample(.due, of: open)],
      log: Self.lines(of: open, Transition(from: .emergencySending, to: .emergencySent)))
    changes.events[0] = HeardEvent(.press(1_000), of: open.id)
    changes.checkIns = [.checkIn(.sample(.open, of: 1_000))]
    try store.commit(changes)
    before = try Contents(store)
  }

  private static func lines(of incident: Incident, _ change: Transition) -> [AuditEvent] {
    var line = AuditEvent(.stateChanged, at: incident.openedAt, .became(change))
    line.incident = incident.id
    return [line, .sample]
  }

  /// Writes over the file from `offset` on.
  func overwrite(_ name: String = "/fob.sqlite", at offset: Int, with bytes: [UInt8]) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: folder.path + name))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: bytes)
    try file.close()
  }

  func cut(_ name: String = "/fob.sqlite", to length: UInt64) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: folder.path + name))
    try file.truncate(atOffset: length)
    try file.close()
  }

  /// The store starts, nothing was lost without a word, and a press is committed and found again.
  /// - Returns: what was found damaged.
  @discardableResult
  func expectSurvival(_ comment: Comment) throws -> DamageReport? {
    let report: DamageReport?
    do {
      let store = try folder.store()
      report = store.found
      let after = try Contents(store)
      if report == nil {
        #expect(after == before, comment)
      } else {
        let isWhole = after.checkIns == before.checkIns
        #expect(isWhole || report?.areCheckInsInDoubt == true, comment)
        let damage = try #require(try store.damage(), comment)
        #expect(try store.load().damage == damage)
        // The alarm goes on, or somebody is told that it may.
        #expect(after.current == open.id || damage.isAlarmInDoubt, comment)
        #expect(
          try store.log(after: 0, limit: 10_000).contains { $0.name == "recordsDamaged" }, comment)
      }
      try store.commit(.ofEveryKind(5_000))
      #expect(try store.presses().contains { $0.event == "1.5000" }, comment)
    }
    let again = try folder.store()
    #expect(again.found == nil, "what was mended stays so: \(comment)")
    #expect(try (again.damage() == nil) == (report == nil), comment)
    #expect(try again.presses().contains { $0.event == "1.5000" }, comment)
    return report
  }
}
