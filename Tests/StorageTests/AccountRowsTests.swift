import FobBase
import Foundation
import GRDB
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

/// Several accounts in one file: each reads and writes as if it were alone there.
@Suite struct AccountRowsTests {
  @Test(arguments: 1...(Soak.isOn ? 200 : 4) as ClosedRange<UInt64>)
  func `an account among others reads what it reads alone`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try StateFolder()
    let shared = try folder.store()
    let numbers = [1, 2, 3, 1 << 21].compactMap { AccountNumber($0) }
    let alone = try numbers.map { _ in try StateFolder() }
    let stores = try alone.map { try $0.store() }
    for _ in 0..<30 {
      // As the commit thread has them: of each account at most one batch.
      let due = numbers.indices.filter { _ in Bool.random(using: &random) }
      guard !due.isEmpty else { continue }
      let batches = due.map { index in
        AlertStore.Batch(
          store: shared.store(of: numbers[index]),
          changes: .random(of: .bench(UInt32(index + 1)), &random))
      }
      for (index, (batch, end)) in zip(due, zip(batches, AlertStore.commit(batches))) {
        #expect(try end.get() == (try stores[index].commit(batch.changes)))
      }
    }
    for (number, store) in zip(numbers, stores) {
      try Self.expectSame(shared.store(of: number), store)
    }
  }

  @Test func `a batch that cannot be written keeps no other account's from the disk`() throws {
    let folder = try StateFolder()
    let first = try folder.store()
    let second = first.store(of: try #require(AccountNumber(2)))
    try folder.outside().write { db in
      try db.execute(
        sql: "INSERT INTO log (id, wall, name) VALUES (?, 0, '')",
        arguments: [second.rows.ids.upperBound])
    }
    let ends = AlertStore.commit([
      AlertStore.Batch(store: second, changes: .of(log: [.sample])),
      AlertStore.Batch(store: first, changes: .of(log: [.sample])),
    ])
    #expect(throws: StorageFailure.self) { try ends[0].get() }
    #expect(try ends[1].get() == 1...1)
    #expect(try first.lastLogID() == 1)
  }

  @Test func `the two sides of a move are written together or not at all`() throws {
    let folder = try StateFolder()
    let first = try folder.store()
    let stores = [first] + [2, 3].compactMap { AccountNumber($0) }.map { first.store(of: $0) }
    var incident = Incident.full(1)
    try first.commit(.of(incidents: [incident]))
    incident.presses = []
    func batches() -> [AlertStore.Batch] {
      let sides = [incident, .full(2)].map { incident in
        var changes = Changes.of(incidents: [incident])
        changes.track = [TrackPoint(incident: incident.id, at: .second(1), position: .sample)]
        changes.moves = [Move(id: MoveID(rawValue: 7), incident: incident.id, pending: [])]
        return changes
      }
      return zip(stores, sides + [.of(log: [.sample])]).map {
        AlertStore.Batch(store: $0, changes: $1)
      }
    }
    // The second side cannot be written: its track has no number left.
    let last = stores[1].rows.ids.upperBound
    try folder.outside().write { db in
      try db.execute(sql: "INSERT INTO track VALUES (?, '', 0, 0, 0, 0)", arguments: [last])
    }
    let ends = AlertStore.commit(batches())
    for end in ends.prefix(2) { #expect(throws: StorageFailure.self) { try end.get() } }
    #expect(try ends[2].get() == 1...1)
    #expect(try first.incidents().map(\.presses.count) == [1])
    #expect(try stores[1].incidents().isEmpty)
    try folder.outside().write { db in
      try db.execute(sql: "DELETE FROM track WHERE id = ?", arguments: [last])
    }
    for end in AlertStore.commit(batches()) { _ = try end.get() }
    #expect(try first.incidents().map(\.presses.count) == [0])
    #expect(try stores[1].incidents().map(\.presses.count) == [1])
  }

  @Test func `an account reads what others have heard of its keychains, before its own`() throws {
    let folder = try StateFolder()
    let first = try folder.store()
    let second = first.store(of: try #require(AccountNumber(2)))
    let (other, own) = (EventRecord.press(1), EventRecord.press(2))
    try first.commit(.of([other]))
    try second.commit(.of([own]))
    #expect(try second.heardByOthers(from: other.identity.deviceID) == [other.identity])
    #expect(try second.heardByOthers(from: .bench(99)).isEmpty)
    #expect(try second.load().identities == [own.identity])
    try second.setAccount(
      Account(name: "Owner", contacts: [], devices: [other.identity.deviceID.text]))
    #expect(try second.load().identities == [other, own].map(\.identity))
    #expect(try first.load().identities == [other.identity])
    #expect(try first.keychainsOfAll() == [other.identity.deviceID])
  }

  @Test func `an erased account leaves the others whole`() throws {
    let folder = try StateFolder()
    let first = try folder.store()
    let second = first.store(of: try #require(AccountNumber(2)))
    let alone = try StateFolder()
    let other = try alone.store()
    for store in [second, other] { try store.commit(.ofEveryKind(2)) }
    try first.commit(.of([.press(9)], incidents: [.full(1)], log: [.sample]))
    var erasure = Changes()
    erasure.erasesAccount = true
    try first.commit(erasure)
    try Self.expectSame(second, other)
    #expect(try first.load().checkIns == StoredCheckIns())
  }

  @Test(arguments: 1...(Soak.isOn ? 50 : 2) as ClosedRange<UInt64>)
  func `an account is exported as if it were alone, and deleted without another's rows`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try StateFolder()
    let numbers = [1, 2, 3].compactMap { AccountNumber($0) }
    let shared = try folder.store()
    let alone = try numbers.map { _ in try StateFolder() }
    let stores = try alone.map { try $0.store() }
    for (index, (number, store)) in zip(numbers, stores).enumerated() {
      let account = Account(name: "Owner \(number)", contacts: [.first])
      for store in [shared.store(of: number), store] { try store.setAccount(account) }
      for _ in 0..<20 {
        let changes = Changes.random(of: .bench(UInt32(index + 1)), &random)
        for store in [shared.store(of: number), store] { try store.commit(changes) }
      }
    }
    func exported(_ number: AccountNumber) throws -> String {
      var text = ""
      try shared.store(of: number).export { text += $0 }
      return text
    }
    let expected = try alone.map { folder in
      var text = ""
      try StateExport.write(directory: folder.path) { text += $0 }
      return text
    }
    #expect(try numbers.map(exported) == expected)
    try shared.store(of: numbers[1]).delete()
    #expect(try [exported(numbers[0]), exported(numbers[2])] == [expected[0], expected[2]])
    #expect(throws: StorageFailure.self) {
      try StateExport.write(directory: folder.path, account: numbers[1]) { _ in }
    }
    #expect(try shared.accounts() == [numbers[0], numbers[2]])
  }

  @Test func `how an account stands is kept, whatever its owner changes`() throws {
    let folder = try StateFolder()
    let second = try #require(AccountNumber(2))
    do {
      let store = try folder.store().store(of: second)
      #expect(try store.standing() == nil)
      try store.setAccount(Account(name: "Owner", contacts: []))
      try store.suspend(true)
      try store.setAccount(Account(name: "Owner 2", contacts: []))
    }
    let store = try folder.store().store(of: second)
    #expect(try store.standing() == .suspended)
    try store.suspend(false)
    #expect(try store.standing() == .active)
  }

  @Test func `the accounts that owners have made are told in order`() throws {
    let folder = try StateFolder()
    let store = try folder.store()
    #expect(try store.accounts().isEmpty)
    for number in [7, 1, 300] {
      let account = try #require(AccountNumber(number))
      try store.store(of: account).setAccount(Account(name: "Owner \(number)", contacts: []))
    }
    #expect(try store.accounts().map(\.rawValue) == [1, 7, 300])
    #expect(try store.account()?.name == "Owner 1")
    let last = store.store(of: try #require(AccountNumber(300)))
    #expect(try last.account()?.name == "Owner 300")
  }

  @Test func `a number is an account's from 1 to two millions`() {
    #expect(AccountNumber(0) == nil)
    #expect(AccountNumber(AccountNumber.last.rawValue) == .last)
    #expect(AccountNumber(AccountNumber.last.rawValue + 1) == nil)
    #expect(AccountRows(account: .last).ids.upperBound == (1 << 53) - 1)
    #expect(AccountRows.account(of: AccountRows(account: .last).ids.lowerBound) == .last)
    for id in [0, -1, 1 << 32, 1 << 53, .max] as [Int64] {
      #expect(AccountRows.account(of: id) == nil)
    }
  }

  static func expectSame(
    _ one: AlertStore, _ other: AlertStore, at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try one.presses() == other.presses(), sourceLocation: location)
    #expect(try one.incidents() == other.incidents(), sourceLocation: location)
    #expect(
      try one.incidents(limit: 2) == other.incidents(limit: 2), sourceLocation: location)
    for filter in LogFilter.some {
      #expect(
        try one.log(LogSearch(filter, after: 3, limit: 500))
          == other.log(LogSearch(filter, after: 3, limit: 500)), sourceLocation: location)
    }
    for incident in try other.incidents() {
      #expect(
        try one.document(of: incident.id)?.json() == other.document(of: incident.id)?.json(),
        sourceLocation: location)
    }
    let (state, expected) = (try one.load(), try other.load())
    #expect(state.current == expected.current, sourceLocation: location)
    #expect(state.identities == expected.identities, sourceLocation: location)
    #expect(state.recent == expected.recent, sourceLocation: location)
    #expect(
      state.notifications.map(\.key).sorted() == expected.notifications.map(\.key).sorted(),
      sourceLocation: location)
    #expect(state.checkIns == expected.checkIns, sourceLocation: location)
  }
}

extension Changes {
  /// Of few incidents and series, so that accounts have the same ones.
  static func random(
    of device: DeviceID, _ random: inout SeededGenerator
  ) -> Changes {
    let n = UInt32.random(in: 1...5, using: &random)
    var changes = Changes.ofEveryKind(n)
    changes.events = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      var record = EventRecord.random(&random)
      record.identity.deviceID = device
      record.identity.rawKind = EventKind.pressed.rawValue
      return HeardEvent(record, of: IncidentID(EventRecord.press(n).identity))
    }
    changes.log = (0..<Int.random(in: 0...4, using: &random)).map { _ in .random(&random) }
    return changes
  }
}
