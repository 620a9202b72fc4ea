import FobBase

/// The core that has the store, as its row `leader` tells of it.
struct PostgresLeader: Equatable {
  /// As in `core`; empty: none has it.
  let holder: String
  /// Of its connections, in the server's list.
  let name: String
  /// Where it answers, for people and bridges; empty where it serves no API.
  let address: String
  /// It counts one more each second.
  let beat: Int64

  /// Nil in a store that nobody has made.
  static func read(by db: any RowSource) throws -> PostgresLeader? {
    try db.rows("SELECT holder, name, address, beat FROM leader").first.map {
      PostgresLeader(
        holder: try $0.text(0), name: try $0.text(1), address: try $0.text(2),
        beat: try $0.number(3))
    }
  }

  /// Of the core of this name, or of one connection of its.
  private static let connections = """
    FROM pg_stat_activity WHERE application_name IN (?1::text, ?1::text || ' beat')
      AND pid <> pg_backend_pid() AND datname = current_database() AND usename = current_user
    """

  /// Whether a commit of a core waits for a standby server: no other core's would end sooner, and
  /// the wait keeps the beat back.
  static func waitsForStandby(_ name: String, _ db: any RowSource) throws -> Bool {
    try !db.texts("SELECT pid::text \(connections) AND wait_event = 'SyncRep'", [.string(name)])
      .isEmpty
  }

  /// Ends its connections: what one of them has under way may hold the store's rows.
  func endConnections(_ db: any RowSource) throws {
    guard !name.isEmpty else { return }
    _ = try db.texts(
      "SELECT pg_terminate_backend(pid)::text \(Self.connections)", [.string(name)])
  }
}
