import FobBase
import Foundation
import SerialIO
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

/// One core decides. Another one takes its store once its beat has stood still for five seconds,
/// and from then on the first can make nothing durable.
@Suite struct PostgresTakeoverTests {
  /// Opens the store from a folder of its own, and counts how often it has stood by.
  ///
  /// Unchecked: a test uses the folder on one thread.
  private final class Standby: @unchecked Sendable {
    let folder: StateFolder
    private let server: PostgresServer
    private let other: PostgresConnection
    private let leaders = Mutex<[String?]>([])
    private let limit: Int

    struct GivenUp: Error {}

    /// - Parameter limit: tenths of a second after which it no longer waits.
    init(_ place: StorePlace, limit: Int = .max) throws {
      folder = try StateFolder()
      server = try #require(place.server)
      other = try place.outside()
      self.limit = limit
    }

    /// The leaders' addresses, one for each turn of waiting.
    var stoodBy: [String?] { leaders.withLock { $0 } }

    func open() throws -> AlertStore {
      try AlertStore(on: server, directory: folder.path) { [self] leader in
        let turns = leaders.withLock { leaders in
          leaders.append(leader)
          return leaders.count
        }
        guard turns < limit else { throw GivenUp() }
        // The server waits, so that the test needs no clock of its own.
        try other.run("SELECT pg_sleep(0.1)")
      }
    }
  }

  @Test
  func `once another core has taken the store over, nothing more is written, and the core hears`()
    throws
  {
    let place = try StorePlace(.postgres)
    let lost = try OneShot<Bool>()
    let store = try AlertStore(
      on: try #require(place.server), directory: place.folder.path, lost: { lost.open(with: true) })
    try store.commit(.ofEveryKind(1))
    #expect(store.isLeading)
    let other = try place.outside()
    try other.run("UPDATE core SET holder = 'another', epoch = epoch + 1, batch = 0")
    let failure = #expect(throws: StorageFailure.self) { try store.commit(.ofEveryKind(2)) }
    #expect(
      failure?.description.contains("another core has taken it over (SQLSTATE FB001)") == true)
    #expect(failure?.remedy == "that one decides, and this one ends")
    #expect(throws: StorageFailure.self) { try store.setAccount(Account(name: "", contacts: [])) }
    #expect(try store.presses().count == 1)
    #expect(try lost.pass())
    #expect(store.serverTrouble == "another core has taken the store over" && !store.isLeading)
  }

  @Test func `a store whose core beats is refused where nobody stands by`() throws {
    let place = try StorePlace(.postgres)
    let store = try place.store()
    let folder = try StateFolder()
    let failure = #expect(throws: StorageFailure.self) {
      try AlertStore(on: try #require(place.server), directory: folder.path)
    }
    #expect(failure?.reason == "another core has it open")
    try store.commit(.ofEveryKind(1))
  }

  @Test func `a core that beats is never taken over; once it lets go, the next one begins at once`()
    throws
  {
    let place = try StorePlace(.postgres)
    var server = try #require(place.server)
    server.address = "https://a.example.org"
    let first = try AlertStore(on: server, directory: place.folder.path)
    try first.commit(.ofEveryKind(1))
    let patient = try Standby(place, limit: 70)
    #expect(throws: Standby.GivenUp.self) { try patient.open() }
    #expect(patient.stoodBy.allSatisfy { $0 == "https://a.example.org" })
    try first.commit(.ofEveryKind(2))
    first.release()
    let next = try Standby(place)
    let second = try next.open()
    #expect(next.stoodBy.isEmpty)
    #expect(try second.commit(.ofEveryKind(3)) == 3...3, "it has what the first has written")
    #expect(throws: StorageFailure.self) { try first.commit(.ofEveryKind(4)) }
    #expect(try second.presses().count == 3)
  }

  @Test func `a core that commits nothing hears of its loss by its beat`() throws {
    let place = try StorePlace(.postgres)
    let lost = try OneShot<Bool>()
    let store = try AlertStore(
      on: try #require(place.server), directory: place.folder.path, lost: { lost.open(with: true) })
    try place.outside().run("UPDATE leader SET holder = 'another'")
    #expect(try lost.pass())
    #expect(!store.isLeading)
  }

  @Test func `cores that start at once make an empty database's tables one after the other`() throws
  {
    let place = try StorePlace(.postgres)
    let server = try #require(place.server)
    let ends = try (1...4).map { _ in
      let end = try OneShot<String>()
      BlockingThread.run(named: "start") {
        do {
          try PostgresSchema.prepare(server.connect(), path: server.url)
          end.open(with: "")
        } catch {
          end.open(with: "\(error)")
        }
      }
      return end
    }
    for end in ends { #expect(try end.pass() == "") }
  }

  /// As a core that was killed leaves it: its name stays, and a batch of its is under way.
  private static func killed(_ place: StorePlace) throws -> PostgresConnection {
    do { try place.store().commit(.ofEveryKind(1)) }
    let name = try PostgresHolder(of: StoreFiles(directory: place.folder.path)).name
    try place.outside().run(
      "UPDATE leader SET holder = 'killed', name = '\(name)', beat = beat + 1")
    let left = try #require(place.server).connect(as: name)
    try left.run("BEGIN")
    try left.run("UPDATE core SET epoch = epoch")
    return left
  }

  @Test func `a killed core starts again at once in its own folder, and ends what it has left`()
    throws
  {
    let place = try StorePlace(.postgres)
    let left = try Self.killed(place)
    let store = try place.store()
    #expect(throws: PostgresError.self) { try left.run("COMMIT") }
    #expect(try store.commit(.ofEveryKind(2)) == 2...2)
  }

  @Test func `another core takes the store of a killed one, and ends what it has left`() throws {
    let place = try StorePlace(.postgres)
    let left = try Self.killed(place)
    let standby = try Standby(place)
    let store = try standby.open()
    #expect(standby.stoodBy.count > 20, "five seconds are no moment")
    #expect(throws: PostgresError.self) { try left.run("COMMIT") }
    #expect(try store.commit(.ofEveryKind(2)) == 2...2)
  }

  /// The beat waits as well, and a takeover's commit would.
  @Test func `a core whose commit waits for a standby server is not taken over`() throws {
    let cluster = try PostgresCluster()
    let place = try StorePlace(.postgres, on: cluster)
    let left = try Self.killed(place)
    let other = try place.outside()
    try other.run("SET synchronous_commit = local")
    try other.waitForStandbys("nobody")
    let end = try OneShot<Bool>()
    BlockingThread.run(named: "commit") {
      end.open(with: (try? left.run("COMMIT")) != nil)
    }
    _ = try other.await("SELECT 'x' FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    let patient = try Standby(place, limit: 70)
    #expect(throws: Standby.GivenUp.self) { try patient.open() }
    try other.run("ALTER SYSTEM RESET synchronous_standby_names")
    try other.run("SELECT pg_reload_conf()")
    _ = try end.pass()
    let standby = try Standby(place)
    #expect(try standby.open().commit(.ofEveryKind(2)) == 2...2)
  }

  @Test func `of two cores that stand by one takes the store, and the other goes on waiting`()
    throws
  {
    let place = try StorePlace(.postgres)
    _ = try Self.killed(place)
    let both = try [Standby(place, limit: 150), Standby(place, limit: 150)]
    let ends = try both.map { standby in
      let end = try OneShot<AlertStore?>()
      BlockingThread.run(named: "standby") { end.open(with: try? standby.open()) }
      return end
    }
    let stores = try ends.compactMap { try $0.pass() }
    #expect(stores.count == 1)
    #expect(try stores.first?.commit(.ofEveryKind(2)) == 2...2)
  }
}
