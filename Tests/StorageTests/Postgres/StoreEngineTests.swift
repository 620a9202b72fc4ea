import FobBase
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

/// What a store promises, whatever it is kept by. SQLite's own tests say what is right; here each
/// engine gives the same answers, to the byte.
@Suite struct StoreEngineTests {
  @Test(arguments: EngineKind.allCases, 1...2 as ClosedRange<UInt64>)
  func `each engine keeps what a core decides, and reads it as SQLite does`(
    kind: EngineKind, seed: UInt64
  ) throws {
    let (place, expected) = (try StorePlace(kind), try StorePlace(.sqlite))
    var state: StoredState?
    do {
      let store = try place.store()
      try RealState.fill([store, expected.store()], seed: seed)
      state = try store.load()
    }
    #expect(try place.exported() == expected.exported())
    let (one, other) = (try place.store(), try expected.store())
    try AccountRowsTests.expectSame(one, other)
    #expect(try one.account() == other.account())
    #expect(try one.load().devices == other.load().devices)
    #expect(try one.load().current == state?.current, "the same once it is opened again")
    let next = try other.commit(.ofEveryKind(1_000))
    #expect(try one.commit(.ofEveryKind(1_000)) == next)
  }

  @Test(arguments: EngineKind.allCases, EngineKind.allCases)
  func `an account moves from one engine to another, and back, without a byte changed`(
    from: EngineKind, to: EngineKind
  ) throws {
    let (source, target, home) = (
      try StorePlace(from), try StorePlace(to), try StorePlace(from)
    )
    try RealState.fill([source.store()], seed: 7)
    let document = try source.exported()
    #expect(try target.import(document) > 100)
    #expect(try target.exported() == document)
    try home.import(try target.exported())
    #expect(try home.exported() == document)
    let (old, new) = (try source.store(), try target.store())
    let next = try old.commit(.ofEveryKind(1_000))
    #expect(try new.commit(.ofEveryKind(1_000)) == next)
  }

  @Test(arguments: EngineKind.allCases)
  func `where there is state nothing is imported`(kind: EngineKind) throws {
    let (source, target) = (try StorePlace(.sqlite), try StorePlace(kind))
    try source.store().commit(.ofEveryKind(1))
    try target.store().commit(.ofEveryKind(2))
    let before = try target.exported()
    let failure = #expect(throws: StorageFailure.self) { try target.import(source.exported()) }
    #expect(failure?.reason == "there is state already, in table event")
    #expect(try target.exported() == before)
  }

  @Test(arguments: EngineKind.allCases)
  func `where there is no state there is no export`(kind: EngineKind) throws {
    let place = try StorePlace(kind)
    let failure = #expect(throws: StorageFailure.self) { try place.exported() }
    #expect(failure?.reason == "no state is there")
  }

  @Test(arguments: EngineKind.allCases)
  func `an account among others reads what it reads alone`(kind: EngineKind) throws {
    var random = SeededGenerator(seed: 3)
    let place = try StorePlace(kind)
    let shared = try place.store()
    let numbers = [1, 2, 1 << 21].compactMap { AccountNumber($0) }
    let alone = try numbers.map { _ in try StorePlace(.sqlite) }
    let stores = try alone.map { try $0.store() }
    for _ in 0..<20 {
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
      try AccountRowsTests.expectSame(shared.store(of: number), store)
    }
    #expect(try shared.heardByOthers(from: .bench(2)) == stores[1].load().identities.suffix(100))
    #expect(try shared.keychainsOfAll() == [.bench(1), .bench(2), .bench(3)])
  }

  @Test(arguments: EngineKind.allCases)
  func `the log is searched the same`(kind: EngineKind) throws {
    var random = SeededGenerator(seed: 4)
    let (place, expected) = (try StorePlace(kind), try StorePlace(.sqlite))
    let stores = [try place.store(), try expected.store()]
    for _ in 0..<8 {
      var changes = Changes.ofEveryKind(1)
      changes.log = (0..<25).map { _ in .random(&random) }
      for store in stores { try store.commit(changes) }
    }
    let search = LogSearch(limit: 30)
    var searches = LogFilter.some.map { LogSearch($0, after: 5, limit: 30) }
    for text in ["ALERT", "alert_", "%", "é", "\\", "PRESS"] {
      searches.append(search)
      searches[searches.count - 1].text = text
    }
    for edit in [
      { $0.before = 40 }, { $0.name = "pressAdded" }, { $0.contact = "contact-1" },
      { $0.since = Timestamp.second(300).wall }, { $0.until = Timestamp.second(300).wall },
      { $0.limit = -1 },
    ] as [(inout LogSearch) -> Void] {
      searches.append(search)
      edit(&searches[searches.count - 1])
    }
    for search in searches {
      #expect(try stores[0].log(search) == stores[1].log(search), "\(search)")
    }
    for incident in LogFilter.some.compactMap(\.incident) {
      #expect(try stores[0].devices(of: incident) == stores[1].devices(of: incident))
    }
    #expect(try stores[0].presses(after: 0, limit: 1).rows == stores[1].presses())
  }

  @Test(arguments: EngineKind.allCases)
  func `an erased account leaves the same rows, and none that it entered`(kind: EngineKind) throws {
    let (place, expected) = (try StorePlace(kind), try StorePlace(.sqlite))
    let before = try (1...5 as ClosedRange<UInt32>).map { try ErasureTests.changes($0) }
    let others = Changes.ofEveryKind(9)
    for place in [place, expected] {
      let store = try place.store()
      for changes in before { try store.commit(changes) }
      try store.store(of: try #require(AccountNumber(2))).commit(others)
      try store.commit(ErasureTests.erasure)
      #expect(store.removeErased() == nil)
    }
    let document = try place.exported()
    #expect(!document.contains(ErasureTests.word))
    #expect(try document == expected.exported())
  }

  @Test(arguments: EngineKind.allCases)
  func `a text may have any character`(kind: EngineKind) throws {
    let (place, target) = (try StorePlace(kind), try StorePlace(.sqlite))
    var changes = Changes.ofEveryKind(1)
    var line = AuditEvent.sample
    line.who = "a\u{0}\u{1}0\u{1F511}\\\"'?$1\u{7F}"
    changes.log = [line]
    let store = try place.store()
    try store.commit(changes)
    #expect(try store.log(after: 0, limit: 1).first?.who == line.who)
    try target.import(try place.exported())
    #expect(try target.exported() == place.exported())
  }

  @Test(arguments: EngineKind.allCases)
  func `a batch that cannot be written leaves nothing, and keeps no other from the disk`(
    kind: EngineKind
  ) throws {
    let place = try StorePlace(kind)
    let store = try place.store()
    let second = store.store(of: try #require(AccountNumber(2)))
    try store.engine.write { db in
      try db.writeRow(
        "INSERT INTO log (id, wall, name) VALUES (?, 0, '')", [.integer(second.rows.ids.upperBound)]
      )
    }
    let ends = AlertStore.commit([
      AlertStore.Batch(store: second, changes: .ofEveryKind(1)),
      AlertStore.Batch(store: store, changes: .ofEveryKind(2)),
    ])
    let failure = #expect(throws: StorageFailure.self) { try ends[0].get() }
    #expect(failure?.reason == "the numbers of table log are used up")
    #expect(try ends[1].get() == 1...1)
    #expect(try second.presses().isEmpty && second.incidents().isEmpty)
    #expect(try store.commit(.ofEveryKind(3)) == 2...2)
  }

  @Test(arguments: EngineKind.allCases)
  func `the log is append-only but for erasure and deletion`(kind: EngineKind) throws {
    let place = try StorePlace(kind)
    let store = try place.store()
    try store.commit(.ofEveryKind(1))
    for sql in ["UPDATE log SET who = 'x'", "DELETE FROM log"] {
      let failure = #expect(throws: StorageFailure.self) {
        try store.writing("change") { try $0.writeRow(sql, []) }
      }
      #expect(failure?.reason.contains("the log is append-only") == true)
    }
    let second = store.store(of: try #require(AccountNumber(2)))
    try second.setAccount(Account(name: "Owner", contacts: []))
    try second.commit(.ofEveryKind(2))
    try second.suspend(true)
    #expect(try second.standing() == .suspended)
    try second.delete()
    #expect(try second.lastLogID() == 0 && second.standing() == .deleted)
    #expect(try store.lastLogID() == 1)
    #expect(try store.nextAccount() == AccountNumber(3))
  }
}
