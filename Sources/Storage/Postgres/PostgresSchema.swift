import FobBase

/// The tables of a PostgreSQL database, by migration. They have the columns of `StateTable`; texts
/// are compared by their bytes, as SQLite does.
enum PostgresSchema {
  /// "fob", for advisory locks.
  private static let lock = 0x66_6F62
  private static let migrations: [(name: String, statements: [String])] = [
    ("accounts, events, incidents, messages, log", first),
    ("one core decides, and others stand by", second),
  ]

  /// Brings an empty database, or that of an older version, to this version. Cores that start at
  /// once do so one after the other.
  /// - Throws: `StorageFailure` when a newer version has written it, or somebody else.
  static func prepare(_ connection: PostgresConnection, path: String) throws {
    let db = PostgresSnapshot(connection: connection)
    _ = try db.rows("SELECT pg_advisory_lock(\(lock))")
    defer { _ = try? db.rows("SELECT pg_advisory_unlock(\(lock))") }
    let isMade =
      try db.texts(
        """
        SELECT (to_regclass('migration') IS NOT NULL
          AND to_regprocedure('fence(bigint, bigint)') IS NOT NULL)::text
        """, []) == ["true"]
    if !isMade { try requireEmpty(db, path: path) }
    let done = isMade ? try version(db) : 0
    try requireNotNewer(done, path: path)
    for (index, migration) in migrations.enumerated().dropFirst(Int(done)) {
      let statements = migration.statements.map { PostgresCommand(sql: $0) }
      let row = PostgresCommand(
        sql: "INSERT INTO migration (number, name) VALUES (?, ?)",
        values: [.number(index + 1), .string(migration.name)])
      try connection.transaction(statements + [row])
    }
  }

  /// Tables beside fob's may be of a program that takes its for its own. Those of extensions do not
  /// count.
  private static func requireEmpty(_ db: PostgresSnapshot, path: String) throws {
    let tables = try db.texts(
      """
      SELECT oid::regclass::text FROM pg_class
      WHERE relkind IN ('r', 'p') AND relpersistence <> 't'
        AND relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')
        AND NOT EXISTS (SELECT FROM pg_depend
          WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
      ORDER BY 1 LIMIT 1
      """, [])
    guard let table = tables.first else { return }
    throw StorageFailure.ofServer(
      "use", path: path, reason: "the database has tables of something else, as \(table)",
      remedy: "make an empty one: createdb")
  }

  /// For readers, who cannot migrate.
  /// - Throws: `StorageFailure` unless exactly this version's migrations are there.
  static func requirePresent(_ db: any RowSource, path: String) throws {
    let done: Int64
    do {
      done = try version(db)
    } catch PostgresError.refused("42P01", _) {
      throw StorageFailure.ofServer(
        "read", path: path, reason: "no state is there",
        remedy: "name the database that fob core keeps its state in")
    }
    try requireNotNewer(done, path: path)
    guard done == migrations.count else {
      throw StorageFailure.ofServer(
        "open", path: path, reason: "an older version has written it",
        remedy: "let this version's fob core open it once")
    }
  }

  private static func version(_ db: any RowSource) throws -> Int64 {
    try db.number("SELECT MAX(number) FROM migration") ?? 0
  }

  private static func requireNotNewer(_ version: Int64, path: String) throws {
    guard version <= migrations.count else {
      throw StorageFailure.ofServer(
        "open", path: path, reason: "a newer version has written it", remedy: "use that version")
    }
  }

  /// `leader` has one row, too: who has the store, and a beat that counts on while it lives. It is
  /// not in `core`, whose row a batch holds until its standbys have it.
  private static let second = [
    """
    CREATE TABLE leader (
      one boolean PRIMARY KEY DEFAULT true CHECK (one),
      holder text NOT NULL, name text NOT NULL, address text NOT NULL, beat bigint NOT NULL)
    """,
    "INSERT INTO leader (holder, name, address, beat) VALUES ('', '', '', 0)",
  ]

  /// `core` has one row: who holds the store, the epoch that the holder's connection has, and the
  /// last batch that it committed. Each batch begins with `fence`, which fails once another
  /// connection has a later epoch, and holds the row until its end.
  private static let first =
    [
      "migration (number bigint PRIMARY KEY, name text NOT NULL)",
      """
      account (
        id bigint PRIMARY KEY, body text NOT NULL, standing text NOT NULL DEFAULT 'active')
      """,
    ].map { "CREATE TABLE \($0)" } + [
      """
      CREATE TABLE core (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        holder text NOT NULL, epoch bigint NOT NULL, batch bigint NOT NULL)
      """,
      "INSERT INTO core (holder, epoch, batch) VALUES ('', 0, 0)",
      """
      CREATE FUNCTION fence(bigint, bigint) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE core SET batch = $2 WHERE epoch = $1;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'another core has taken it over' USING ERRCODE = 'FB001';
        END IF;
      END $$
      """,
      "CREATE TABLE device (id bigint PRIMARY KEY, body text NOT NULL, account bigint NOT NULL)",
      "CREATE TABLE setting (name text COLLATE \"C\" PRIMARY KEY, value bytea NOT NULL)",
      """
      CREATE TABLE event (
        id bigint PRIMARY KEY, device bigint NOT NULL, number bigint NOT NULL,
        kind bigint NOT NULL, clock bigint NOT NULL, nonce bigint NOT NULL, payload bytea NOT NULL,
        meaning text NOT NULL, incident text COLLATE "C", received_wall bigint NOT NULL,
        happened_at bigint, UNIQUE (device, number, kind, clock, nonce))
      """,
      "CREATE INDEX event_incident ON event (incident)",
      "CREATE INDEX event_open ON event (id) WHERE meaning = 'open'",
      """
      CREATE TABLE incident (
        account bigint NOT NULL, id text COLLATE "C" NOT NULL, state text NOT NULL,
        opened_wall bigint NOT NULL, end_reason text, ended_wall bigint, body text NOT NULL,
        PRIMARY KEY (account, id))
      """,
      "CREATE INDEX incident_opened ON incident (account, opened_wall, id)",
      """
      CREATE TABLE incident_list (
        account bigint NOT NULL, incident text COLLATE "C" NOT NULL, list text COLLATE "C" NOT NULL,
        position bigint NOT NULL, body text NOT NULL,
        PRIMARY KEY (account, incident, list, position))
      """,
      """
      CREATE TABLE notification (
        account bigint NOT NULL, key text COLLATE "C" NOT NULL, incident text NOT NULL,
        delivery text NOT NULL, body text NOT NULL, PRIMARY KEY (account, key))
      """,
      """
      CREATE INDEX notification_open ON notification (account)
        WHERE delivery NOT IN ('delivered', 'withdrawn')
      """,
      """
      CREATE TABLE track (
        id bigint PRIMARY KEY, incident text COLLATE "C" NOT NULL, wall bigint NOT NULL,
        latitude bigint NOT NULL, longitude bigint NOT NULL, quality bigint NOT NULL)
      """,
      "CREATE INDEX track_incident ON track (incident)",
      """
      CREATE TABLE log (
        id bigint PRIMARY KEY, wall bigint NOT NULL, name text COLLATE "C" NOT NULL,
        incident text COLLATE "C", device text COLLATE "C", event text COLLATE "C",
        contact text COLLATE "C", who text COLLATE "C", sink text COLLATE "C", next_wall bigint,
        detail text COLLATE "C", facts text)
      """,
      "CREATE INDEX log_incident ON log (incident, device) WHERE incident IS NOT NULL",
      """
      CREATE FUNCTION log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF current_setting('fob.log', true) IS DISTINCT FROM 'open' THEN
          RAISE EXCEPTION 'the log is append-only';
        END IF;
        RETURN COALESCE(NEW, OLD);
      END $$
      """,
      """
      CREATE TRIGGER log_stays BEFORE UPDATE OR DELETE ON log
        FOR EACH ROW EXECUTE FUNCTION log_stays()
      """,
      """
      CREATE TABLE companion (
        account bigint NOT NULL, kind text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
        body text NOT NULL, PRIMARY KEY (account, kind, id))
      """,
      """
      CREATE TABLE occurrence (
        account bigint NOT NULL, series bigint NOT NULL, key text COLLATE "C" NOT NULL,
        state text NOT NULL, due bigint NOT NULL, body text NOT NULL,
        PRIMARY KEY (account, series, key))
      """,
    ]
}

extension PostgresConnection {
  /// All of it or nothing, in one round trip; durable when it returns.
  /// - Parameters:
  ///   - following: asked behind the end.
  ///   - patience, goesOn: as of `exchange`.
  ///   - read: gets the rows of all commands, in order.
  /// - Throws: as `exchange`.
  func transaction(
    _ commands: [PostgresCommand], following: [PostgresCommand] = [],
    patience: Interval = .seconds(10), _ read: (StoredRow) throws -> Void = { _ in },
    goesOn: (() -> Bool)? = nil
  ) throws {
    do {
      try exchange(
        [PostgresCommand(sql: "BEGIN")] + commands + [PostgresCommand(sql: "COMMIT")] + following,
        patience: patience, read, goesOn: goesOn)
    } catch let refusal as PostgresError {
      // The first error is thrown, whatever becomes of this.
      if case .refused = refusal { try? exchange([PostgresCommand(sql: "ROLLBACK")]) }
      throw refusal
    }
  }
}
