import FobBase
import Foundation
import SerialIO
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

/// Durable means what the server was told to wait for; no answer that is lost doubles a row, and no
/// core writes once another has taken the store over.
@Suite struct PostgresCommitTests {
  /// The server's process that commits for the core, by what it waits for.
  private static func waiting(_ event: String) -> String {
    """
    SELECT pid::text FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = '\(event)'
      AND application_name NOT LIKE '% beat'
    """
  }

  /// Commits on a thread of its own, as the core does.
  private static func commit(_ changes: Changes, to store: AlertStore) throws -> OneShot<Bool> {
    let end = try OneShot<Bool>()
    BlockingThread.run(named: "commit") {
      end.open(with: (try? store.commit(changes)) != nil)
    }
    return end
  }

  @Test func `a batch whose connection is cut before its end is sent once more`() throws {
    let place = try StorePlace(.postgres)
    let store = try place.store()
    try store.commit(.ofEveryKind(1))
    let other = try place.outside()
    try other.run("BEGIN")
    try other.run("LOCK TABLE log")
    let end = try Self.commit(.ofEveryKind(2), to: store)
    for _ in 0..<2 {
      let pid = try other.await(Self.waiting("relation"))
      try other.run("SELECT pg_terminate_backend(\(pid), 5000)")
      if try other.texts("SELECT 'x' FROM pg_locks WHERE pid = \(pid)").isEmpty { break }
    }
    try other.run("COMMIT")
    #expect(try end.pass())
    #expect(try store.lastLogID() == 2)
    #expect(try store.presses().count == 2)
    #expect(try store.commit(.ofEveryKind(3)) == 3...3)
  }

  /// The server has a standby to wait for that never comes.
  @Test(arguments: ["pg_cancel_backend(%)", "pg_terminate_backend(%, 5000)"])
  func `a commit that no longer waits for its standby is durable once another has waited`(
    interruption: String
  ) throws {
    let cluster = try PostgresCluster()
    let place = try StorePlace(.postgres, on: cluster)
    let store = try place.store()
    try store.commit(.ofEveryKind(1))
    let other = try place.outside()
    try other.waitForStandbys("nobody")
    let end = try Self.commit(.ofEveryKind(2), to: store)
    let pid = try other.await(Self.waiting("SyncRep"))
    try other.run("SELECT \(interruption.replacing("%", with: pid))")
    let next = try other.await(Self.waiting("SyncRep") + " AND pid <> \(pid)")
    #expect(next != pid, "it asks by another connection, and waits again")
    #expect(try other.texts("SELECT (MAX(id))::text FROM log") == ["2"])
    try other.run("SET synchronous_commit = local")
    try other.run("ALTER SYSTEM RESET synchronous_standby_names")
    try other.run("SELECT pg_reload_conf()")
    #expect(try end.pass())
    #expect(try store.lastLogID() == 2, "no row is doubled")
    #expect(try store.commit(.ofEveryKind(3)) == 3...3)
  }

  @Test(
    arguments: [
      ("", 1), (" ", 1), ("a", 2), ("*", 2), ("a, b", 2), ("FIRST 1 (a, b)", 2), ("any 2 (*)", 3),
      (" ANY  3 (a, \"b (\", c)", 4), ("2 (a, b, c)", 3), ("first", 2), ("\"first 3 (\"", 2),
      ("FIRST 0 (a)", 2), ("FIRST 99999999999999999999 (a)", 2),
    ])
  func `what a commit waits for is read out of the server's setting`(names: String, servers: Int) {
    #expect(PostgresQuorum.servers(names) == servers)
  }

  /// Somebody, or Patroni, changes the setting while the core runs.
  @Test func `with fewer servers than are wanted nothing is durable, and nothing is doubled later`()
    throws
  {
    let cluster = try PostgresCluster()
    let place = try StorePlace(.postgres, on: cluster)
    let folder = try StateFolder()
    let other = try place.outside()
    try cluster.startStandby()
    _ = try other.await("SELECT 'x' FROM pg_stat_replication WHERE state = 'streaming'")
    try other.run("SET synchronous_commit = local")
    var server = try #require(place.server)
    server.quorum = 2
    let refusal = #expect(throws: StorageFailure.self) {
      try AlertStore(on: server, directory: folder.path)
    }
    #expect(refusal?.reason.contains("and 2 servers are wanted") == true)
    try other.waitForStandbys("pg_receivewal")
    let told = Mutex<[String]>([])
    let store = try AlertStore(
      on: server, directory: folder.path, told: { words in told.withLock { $0.append(words) } })
    try store.commit(.ofEveryKind(1))
    try other.waitForStandbys("")
    for _ in 1...2 {
      let failure = #expect(throws: StorageFailure.self) { try store.commit(.ofEveryKind(2)) }
      #expect(failure?.isOfServer == true)
    }
    try other.waitForStandbys("pg_receivewal")
    #expect(try store.commit(.ofEveryKind(2)) == 2...2)
    #expect(try store.lastLogID() == 2 && store.presses().count == 2)
    let durability = told.withLock { $0.compactMap { $0.split(separator: "acked is ").last } }
    #expect(durability == [2, 1, 2].map { PostgresQuorum.words($0)[...] })
  }

  @Test func `while the server is away each batch fails, and is taken once it is back`() throws {
    let cluster = try PostgresCluster()
    let place = try StorePlace(.postgres, on: cluster)
    let store = try place.store()
    try store.commit(.ofEveryKind(1))
    try cluster.stop()
    let failure = #expect(throws: StorageFailure.self) { try store.commit(.ofEveryKind(2)) }
    #expect(failure?.isOfServer == true && failure?.remedy != nil)
    #expect(throws: StorageFailure.self) { try store.presses() }
    try cluster.start()
    #expect(try store.commit(.ofEveryKind(2)) == 2...2)
    #expect(try store.presses().count == 2)
  }

  /// A trigger of the server counts what it is told to insert, also where that is there already.
  @Test func `the presses of an alarm are sent once, and all of them on another connection`()
    throws
  {
    let place = try StorePlace(.postgres)
    let store = try place.store()
    let other = try place.outside()
    try other.run("CREATE SEQUENCE told")
    try other.run(
      """
      CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM nextval('told'); RETURN NEW; END $$
      """)
    try other.run(
      "CREATE TRIGGER told BEFORE INSERT ON incident_list FOR EACH ROW EXECUTE FUNCTION tell()")
    var incident = Incident.sample(1, .emergencyEnded, openedAt: 10, ended: .trackingOver)
    func commit(presses: ClosedRange<UInt32>, from moves: [Move] = []) throws -> Int {
      incident.presses = presses.map {
        PressEntry(of: EventRecord.press($0).identity, receivedAt: .second(10), covers: 1)
      }
      var changes = Changes.of(incidents: [incident])
      changes.moves = moves
      try other.run("SELECT setval('told', 1)")
      try store.commit(changes)
      let told = try other.texts("SELECT (last_value - 1)::text FROM told")
      let stored = try other.texts("SELECT body FROM incident_list ORDER BY position")
      #expect(stored.count == presses.count)
      return try #require(told.first.flatMap { Int($0) })
    }
    #expect(try commit(presses: 1...5) == 5)
    #expect(try commit(presses: 1...5) == 0)
    #expect(try commit(presses: 1...7) == 2)
    try other.run(
      """
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
    #expect(try commit(presses: 1...8) == 8)
    let move = Move(id: nil, incident: incident.id, pending: [])
    #expect(try commit(presses: 3...8, from: [move]) == 6)
    #expect(try commit(presses: 3...9) == 1)
  }

  @Test func `a retry begins with what its lost batch has written, and writes only the rest`() {
    var lost = Changes.ofEveryKind(1)
    lost.log.append(.sample)
    var retry = lost
    retry.log.append(.sample)
    let written = WrittenBatch(lost, ids: 5...6)
    #expect(written.entries(in: retry) == 2 && written.positions(in: retry) == 1)
    retry.log.removeFirst(2)
    #expect(written.entries(in: retry) == 0, "the core has dropped its oldest entries")
  }

  @Test func `a batch is one round trip`() throws {
    let place = try StorePlace(.postgres)
    let store = try place.store()
    try store.commit(.ofEveryKind(1))
    let other = try place.outside()
    // A statement that is not prepared yet goes out with the rest, too.
    try store.commit(.ofEveryKind(2))
    let began = BootClock.now()
    for n in 3...202 as ClosedRange<UInt32> { try store.commit(.ofEveryKind(n)) }
    let each = (BootClock.now() - began).microseconds / 200
    let counted = try other.texts("SELECT (batch)::text FROM core")
    #expect(counted == ["202"], "\(each) µs each")
  }

  @Test func `of several hosts the one that answers is taken`() throws {
    let place = try StorePlace(.postgres)
    let url = try #require(place.server).url
    let several = url.replacing("host=", with: "host=/nonexistent,")
    let store = try AlertStore(on: PostgresServer(several), directory: place.folder.path)
    #expect(try store.commit(.ofEveryKind(1)) == 1...1)
  }

  @Test(arguments: [
    ("postgres://fob:secret@/x", "it has a password, which other users can see"),
    ("postgres://fob@/x?nothing=1", "invalid URI query parameter: \"nothing\""),
    ("mysql://fob@/x", "it does not begin with postgres://"),
  ])
  func `a URL that cannot be used is refused, without the password that it has`(
    url: String, words: String
  ) throws {
    let failure = #expect(throws: StorageFailure.self) { try PostgresServer(url) }
    #expect(failure?.reason == words)
    #expect(failure?.description.contains("secret") == false)
  }

  @Test func `a database of a newer version is refused`() throws {
    let place = try StorePlace(.postgres)
    do { _ = try place.store() }
    let other = try place.outside()
    try other.run("INSERT INTO migration (number, name) VALUES (1000, 'later')")
    for open in [{ _ = try place.store() }, { _ = try place.exported() }] as [() throws -> Void] {
      let failure = #expect(throws: StorageFailure.self) { try open() }
      #expect(failure?.reason == "a newer version has written it")
    }
  }
}
