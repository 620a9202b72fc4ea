import Foundation
import GRDB
import SerialIO
import Storage
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

@Suite struct OpeningTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  @Test func `a store is new in the run that has made it, until it has something`() throws {
    let scratch = try ScratchDirectory()
    do {
      let store = try AlertStore(directory: scratch.path("state"))
      #expect(try store.load().isNew)
      try store.commit(.ofEveryKind(1))
      #expect(try !store.load().isNew)
    }
    let empty = try ScratchDirectory()
    for isNew in [true, false] {
      #expect(try AlertStore(directory: empty.path("state")).load().isNew == isNew)
    }
    try FileManager.default.removeItem(atPath: empty.path("state/fob.sqlite"))
    let lost = try AlertStore(directory: empty.path("state"))
    #expect(try lost.found != nil && !lost.load().isNew, "what was there is gone")
  }

  @Test func `synchronous is FULL when read back, and the journal a write-ahead log`() throws {
    let store = try folder.store()
    #expect(try store.synchronous() == 2)
    let journal = try folder.outside().read { db in
      try String.fetchOne(db, sql: "PRAGMA journal_mode")
    }
    #expect(journal == "wal")
  }

  @Test func `folder and files are their owner's alone, the logs beside the file as well`() throws {
    let store = try folder.store()
    try store.commit(.ofEveryKind(1))
    #expect(try folder.mode() == 0o700)
    for name in ["/fob.sqlite", "/fob.sqlite-wal", "/fob.sqlite-shm", "/lock"] {
      #expect(try folder.mode(of: name) == 0o600, "\(name)")
    }
  }

  @Test func `a second opener of the folder is refused by the holder's process id`() throws {
    let store = try folder.store()
    let refusal = #expect(throws: IOFailure.self) { try folder.store() }
    #expect(
      refusal?.description == "cannot lock \(folder.path): it is in use by process \(getpid())")
    try store.commit(.ofEveryKind(1))
    #expect(try store.load().identities.count == 1)
  }

  @Test func `a store opens again after its end with all that was in it`() throws {
    do {
      let store = try folder.store()
      try store.commit(.ofEveryKind(1))
      try store.setAccount(Account(name: "Owner", contacts: [.first]))
    }
    let store = try folder.store()
    #expect(try store.synchronous() == 2)
    #expect(try store.account() == Account(name: "Owner", contacts: [.first]))
    #expect(try store.incidents() == [.full(1)])
    #expect(try store.load().identities == [EventRecord.merged(1).identity])
  }

  @Test func `the account is kept as it was set last`() throws {
    let store = try folder.store()
    #expect(try store.account() == nil)
    try store.setAccount(Account(name: "Owner", contacts: []))
    let changed = Account(
      name: "Owner", possessive: "her", zone: "America/New_York", contacts: [.first],
      pinHash: "$6$", places: [Place(name: "the market", latitude: .min, longitude: .max)])
    try store.setAccount(changed)
    #expect(try store.account() == changed)
  }

  @Test func `what cannot be opened is refused by name, with a hint`() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file, withIntermediateDirectories: true)
    let refusal = #expect(throws: StorageFailure.self) { try folder.store() }
    let text = try #require(refusal?.description)
    #expect(text.hasPrefix("cannot open \(folder.file): "))
    #expect(text.hasSuffix("; make the folder and what is in it writable for this user"))
  }

  @Test func `a folder that cannot be made is refused by name`() throws {
    try folder.plant(Data())
    let refusal = #expect(throws: StorageFailure.self) {
      try AlertStore(directory: folder.file + "/state")
    }
    #expect(refusal?.path == folder.file + "/state")
  }

  @Test func `a store that a newer version has written is refused and left alone`() throws {
    _ = try folder.store()
    try folder.outside().write { db in
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('2: what is to come')")
    }
    let refusal = #expect(throws: StorageFailure.self) { try folder.store() }
    #expect(
      refusal?.description
        == "cannot open \(folder.file): a newer version has written it; use that version")
  }
}
