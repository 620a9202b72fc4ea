import GRDB

/// The tables, by migration: this version opens the folder of any released version.
enum Schema {
  /// How many migrations there are.
  static let version = 6

  /// - Throws: `StorageFailure` when a newer version has written it.
  static func prepare(_ database: any DatabaseWriter, path: String) throws {
    guard try !database.read({ try migrator.hasBeenSuperseded($0) }) else {
      throw StorageFailure(
        "open", path: path, reason: "a newer version has written it", remedy: "use that version")
    }
    try migrator.migrate(database)
  }

  /// The names of the migrations are damaged: some of this version are missing, and unknown ones
  /// are there. No version writes such names.
  static func isGarbled(_ db: Database) throws -> Bool {
    try migrator.hasBeenSuperseded(db) && !migrator.hasCompletedMigrations(db)
  }

  /// How many migrations a database has by their names, which begin with their numbers; all of
  /// this version where damage leaves none.
  static func version(of db: Database) -> Int {
    let names = try? String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")
    return names?.compactMap { Int($0.prefix { $0 != ":" }) }.max() ?? version
  }

  /// For readers, who cannot migrate.
  /// - Throws: `StorageFailure` unless exactly this version's migrations are there.
  static func requirePresent(_ db: Database, path: String) throws {
    guard try !migrator.hasBeenSuperseded(db) else {
      throw StorageFailure(
        "open", path: path, reason: "a newer version has written it", remedy: "use that version")
    }
    guard try migrator.hasCompletedMigrations(db) else {
      throw StorageFailure(
        "open", path: path, reason: "an older version has written it",
        remedy: "let this version's fob bridge open it once")
    }
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: events, incidents, notifications, track, log") { db in
      try db.execute(sql: first)
    }
    migrator.registerMigration("2: meanings that are still open") { db in
      try db.execute(sql: "CREATE INDEX event_open ON event (id) WHERE meaning = 'open'")
    }
    migrator.registerMigration("3: who did it, devices, settings, lists of incidents") { db in
      try db.execute(sql: third)
    }
    // NULL in the entries of earlier versions, which stay as they are: `LegacySentence` reads
    // those.
    migrator.registerMigration("4: facts of the log's lines") { db in
      try db.execute(sql: "ALTER TABLE log ADD COLUMN facts TEXT")
    }
    migrator.registerMigration("5: check-ins") { db in try db.execute(sql: fifth) }
    migrator.registerMigration("6: accounts") { db in try db.execute(sql: sixth) }
    return migrator
  }

  private static let first = """
    CREATE TABLE account (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      body TEXT NOT NULL
    ) STRICT;
    CREATE TABLE event (
      id INTEGER PRIMARY KEY,
      device INTEGER NOT NULL,
      number INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      clock INTEGER NOT NULL,
      nonce INTEGER NOT NULL,
      payload BLOB NOT NULL,
      meaning TEXT NOT NULL,
      incident TEXT,
      received_wall INTEGER NOT NULL,
      happened_at INTEGER,
      UNIQUE (device, number, kind, clock, nonce)
    ) STRICT;
    CREATE INDEX event_incident ON event (incident);
    CREATE TABLE incident (
      id TEXT PRIMARY KEY,
      state TEXT NOT NULL,
      opened_wall INTEGER NOT NULL,
      end_reason TEXT,
      ended_wall INTEGER,
      body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE notification (
      key TEXT PRIMARY KEY,
      incident TEXT NOT NULL,
      delivery TEXT NOT NULL,
      body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX notification_delivery ON notification (delivery);
    CREATE TABLE track (
      id INTEGER PRIMARY KEY,
      incident TEXT NOT NULL,
      wall INTEGER NOT NULL,
      latitude INTEGER NOT NULL,
      longitude INTEGER NOT NULL,
      quality INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE log (
      id INTEGER PRIMARY KEY,
      wall INTEGER NOT NULL,
      name TEXT NOT NULL,
      incident TEXT,
      device TEXT,
      event TEXT,
      contact TEXT,
      detail TEXT
    ) STRICT;
    """

  /// Log entries are only added (R104): row ids grow, and none is used twice. The index finds the
  /// entries of an incident, and whether a device pressed in it.
  private static let third = """
    ALTER TABLE log ADD COLUMN who TEXT;
    ALTER TABLE log ADD COLUMN sink TEXT;
    ALTER TABLE log ADD COLUMN next_wall INTEGER;
    CREATE INDEX log_incident ON log (incident, device) WHERE incident IS NOT NULL;
    \(logKeeps)
    \(logStays)
    CREATE INDEX track_incident ON track (incident);
    CREATE INDEX incident_opened ON incident (opened_wall, id);
    CREATE TABLE incident_list (
      incident TEXT NOT NULL,
      list TEXT NOT NULL CHECK (list IN ('press', 'alias')),
      position INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (incident, list, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE device (
      id INTEGER PRIMARY KEY,
      body TEXT NOT NULL
    ) STRICT;
    CREATE TABLE setting (
      name TEXT PRIMARY KEY,
      value BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// Only the deletion of an account goes round it: an owner may ask that all of theirs goes.
  static let logKeeps = """
    CREATE TRIGGER log_keeps BEFORE DELETE ON log
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

    """

  /// Only the erasure of an account goes round it.
  static let logStays = """
    CREATE TRIGGER log_stays BEFORE UPDATE ON log
    BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
    """

  /// A check-in has one row, whatever is asked again after a restart.
  private static let fifth = """
    CREATE TABLE companion (
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (kind, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE occurrence (
      series INTEGER NOT NULL,
      key TEXT NOT NULL,
      state TEXT NOT NULL,
      due INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (series, key)
    ) STRICT, WITHOUT ROWID;
    """

  /// Every row names its account: the numbered ones by their number (`AccountRows`), the others by
  /// a column. What is there already is the first account's. A delivered message leaves the index
  /// of messages, so that few pages change with it.
  private static let sixth = """
    CREATE TABLE account_6 (
      id INTEGER PRIMARY KEY,
      body TEXT NOT NULL,
      standing TEXT NOT NULL DEFAULT 'active'
        CHECK (standing IN ('active', 'suspended', 'deleted'))
    ) STRICT;
    INSERT INTO account_6 (id, body) SELECT id, body FROM account;
    DROP TABLE account;
    ALTER TABLE account_6 RENAME TO account;
    ALTER TABLE device ADD COLUMN account INTEGER NOT NULL DEFAULT 1;
    CREATE TABLE incident_6 (
      account INTEGER NOT NULL,
      id TEXT NOT NULL,
      state TEXT NOT NULL,
      opened_wall INTEGER NOT NULL,
      end_reason TEXT,
      ended_wall INTEGER,
      body TEXT NOT NULL,
      PRIMARY KEY (account, id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO incident_6
      SELECT 1, id, state, opened_wall, end_reason, ended_wall, body FROM incident;
    DROP TABLE incident;
    ALTER TABLE incident_6 RENAME TO incident;
    CREATE INDEX incident_opened ON incident (account, opened_wall, id);
    CREATE TABLE incident_list_6 (
      account INTEGER NOT NULL,
      incident TEXT NOT NULL,
      list TEXT NOT NULL CHECK (list IN ('press', 'alias')),
      position INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (account, incident, list, position)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO incident_list_6 SELECT 1, incident, list, position, body FROM incident_list;
    DROP TABLE incident_list;
    ALTER TABLE incident_list_6 RENAME TO incident_list;
    CREATE TABLE notification_6 (
      account INTEGER NOT NULL,
      key TEXT NOT NULL,
      incident TEXT NOT NULL,
      delivery TEXT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (account, key)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO notification_6 SELECT 1, key, incident, delivery, body FROM notification;
    DROP TABLE notification;
    ALTER TABLE notification_6 RENAME TO notification;
    CREATE INDEX notification_open ON notification (account)
      WHERE delivery NOT IN ('delivered', 'withdrawn');
    CREATE TABLE companion_6 (
      account INTEGER NOT NULL,
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (account, kind, id)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO companion_6 SELECT 1, kind, id, body FROM companion;
    DROP TABLE companion;
    ALTER TABLE companion_6 RENAME TO companion;
    CREATE TABLE occurrence_6 (
      account INTEGER NOT NULL,
      series INTEGER NOT NULL,
      key TEXT NOT NULL,
      state TEXT NOT NULL,
      due INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (account, series, key)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO occurrence_6 SELECT 1, series, key, state, due, body FROM occurrence;
    DROP TABLE occurrence;
    ALTER TABLE occurrence_6 RENAME TO occurrence;
    """
}
