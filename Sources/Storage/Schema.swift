import GRDB

/// The tables, by migration: a folder that any released version wrote opens.
enum Schema {
  /// - Throws: `StorageFailure` when a newer version has written it.
  static func prepare(_ database: DatabaseQueue, path: String) throws {
    guard try !database.read({ try migrator.hasBeenSuperseded($0) }) else {
      throw StorageFailure(
        "open", path: path, reason: "a newer version has written it", remedy: "use that version")
    }
    try migrator.migrate(database)
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: events, incidents, notifications, track, log") { db in
      try db.execute(
        sql: """
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
          """)
    }
    migrator.registerMigration("2: meanings that are still open") { db in
      try db.execute(sql: "CREATE INDEX event_open ON event (id) WHERE meaning = 'open'")
    }
    return migrator
  }
}
