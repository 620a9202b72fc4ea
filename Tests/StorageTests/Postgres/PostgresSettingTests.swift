import AlertCore
import TestSupport
import Testing

@testable import Storage

/// What a server, a database or a role may have set, and what fob makes of it.
@Suite struct PostgresSettingTests {
  @Test func `no default of a database or a role gets in a core's way`() throws {
    let place = try StorePlace(.postgres)
    let other = try place.outside()
    for setting in [
      "bytea_output = 'escape'", "statement_timeout = '1min'", "client_min_messages = 'error'",
      "standard_conforming_strings = off", "default_transaction_isolation = 'serializable'",
      "synchronous_commit = off",
    ] {
      try other.run(
        """
        DO $do$ BEGIN
          EXECUTE format($$ALTER DATABASE %I SET \(setting)$$, current_database());
        END $do$
        """)
    }
    let store = try place.store()
    try store.commit(.ofEveryKind(1))
    #expect(try store.load().identities.count == 1 && store.presses().count == 1)
    let own = try place.outside()
    for (name, value) in [
      ("bytea_output", "hex"), ("statement_timeout", "0"), ("client_min_messages", "warning"),
      ("standard_conforming_strings", "on"), ("synchronous_commit", "on"),
      ("default_transaction_isolation", "read committed"), ("idle_session_timeout", "0"),
    ] {
      #expect(try own.texts("SELECT current_setting('\(name)')") == [value], "\(name)")
    }
  }

  @Test func `a database that is not in UTF-8 is refused`() throws {
    let cluster = try PostgresCluster.common()
    defer { withExtendedLifetime(cluster) {} }
    let server = try PostgresServer(
      cluster.database("--encoding=SQL_ASCII --template=template0 --locale=C"))
    let folder = try StateFolder()
    let failure = #expect(throws: StorageFailure.self) {
      try AlertStore(on: server, directory: folder.path)
    }
    #expect(failure?.reason == "the database's encoding is SQL_ASCII, and not UTF8")
    #expect(failure?.isOfServer == true, "no folder is to blame")
  }

  @Test func `a database with tables of something else is refused, and stays as it is`() throws {
    let place = try StorePlace(.postgres)
    let other = try place.outside()
    try other.run("CREATE TABLE migration (version text)")
    let failure = #expect(throws: StorageFailure.self) { try place.store() }
    #expect(failure?.reason == "the database has tables of something else, as migration")
    #expect(
      try other.texts("SELECT count(*)::text FROM pg_tables WHERE schemaname = 'public'") == ["1"])
    try other.run("DROP TABLE migration")
    do { try place.store().commit(.ofEveryKind(1)) }
    try other.run("CREATE TABLE migrated (version text)")
    #expect(try place.store().presses().count == 1, "what comes beside it later does not count")
  }

  @Test func `a check of a folder whose rows are on a server reads them there`() throws {
    let place = try StorePlace(.postgres)
    do { try place.store().commit(.ofEveryKind(1)) }
    let check = try StateCheck(directory: place.folder.path)
    #expect(try check.server == #require(place.server).url)
    #expect(check.faults.isEmpty && check.rows > 5, "\(check.faults)")
    try place.outside().run("UPDATE incident SET body = '{}'")
    let faults = try StateCheck(directory: place.folder.path).faults
    #expect(faults.first?.hasPrefix("table incident: ") == true, "\(faults)")
  }

  /// Somebody turns it off while the core runs.
  @Test func `while the server does not flush nothing is durable`() throws {
    let cluster = try PostgresCluster()
    let place = try StorePlace(.postgres, on: cluster)
    let store = try place.store()
    try store.commit(.ofEveryKind(1))
    let other = try place.outside()
    func set(_ value: String) throws {
      try other.run("ALTER SYSTEM SET fsync = \(value)")
      try other.run("SELECT pg_reload_conf()")
      _ = try other.await("SELECT 'x' WHERE current_setting('fsync') = '\(value)'")
    }
    try set("off")
    for _ in 1...2 {
      let failure = #expect(throws: StorageFailure.self) { try store.commit(.ofEveryKind(2)) }
      #expect(failure?.description.contains("fsync") == true, "\(failure?.description ?? "")")
    }
    try set("on")
    #expect(try store.commit(.ofEveryKind(2)) == 2...2)
    #expect(try store.presses().count == 2)
  }
}
