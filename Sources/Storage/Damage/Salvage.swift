import AlertCore
import FobBase
import Foundation
import GRDB
import SerialIO

/// Builds a new database from the rows of a damaged one that can be read, and from those that only
/// the backup has. The damaged database is set aside unchanged.
struct Salvage {
  private let files: StoreFiles
  private var report: DamageReport
  /// Rows that say whether an alarm is open have been lost.
  private var isAlarmLost = false
  private var areIncidentsLost = false
  /// The tables whose rows are missing in part; the backup may have them.
  private var holes: Set<String> = []
  /// The kinds of table `companion` whose rows are missing in part.
  private var lostKinds: Set<CompanionKind> = []
  /// Reading ends here; the rows read by then are used.
  private let latest = BootClock.now() + .seconds(20)

  init(_ files: StoreFiles, _ found: [String]) {
    self.files = files
    let wall = WallClock.now()
    var stamp = DamageReport.stamp(wall)
    while files.names.contains(where: { $0.contains(stamp) }) { stamp += "x" }
    report = DamageReport(stamp: stamp, wall: wall, found: found)
  }

  /// Puts the salvaged database in place of the damaged one.
  /// - Parameter losesAll: nothing tells which rows the database had.
  mutating func run(losesAll: Bool) throws -> DamageReport {
    if losesAll { loseAll() }
    files.remove(files.part)
    try StoreOpening.make(files.part)
    let target = try StoreOpening.building(files.part)
    try target.inTransaction { db in
      try readDatabase(into: db)
      try readBackup(into: db)
      if areIncidentsLost {
        report.raisedAgain += try IncidentSalvage(db, report.wall).raise()
      }
      // Nobody can tell who has been told since: in doubt people are told twice.
      let open = try Self.open(db)
      report.raisedAgain += open.subtracting(report.raisedAgain).sorted()
      report.isAlarmInDoubt = isAlarmLost && open.isEmpty
      let others = lostKinds.filter { $0.loss != nil }
      if holes.contains("occurrence") || others.count < lostKinds.count {
        report.areCheckInsInDoubt = true
      }
      if !others.isEmpty { report.lostKinds = others.map(\.rawValue).sorted() }
      let facts = Facts(.failure(report.words))
      try db.execute(
        sql: "INSERT INTO log (wall, name, detail, facts) VALUES (?, ?, ?, ?)",
        arguments: [
          report.wall, AuditEvent.Name.recordsDamaged.rawValue, facts.words,
          StoredFacts(facts).json,
        ])
      return .commit
    }
    try target.close()
    report.setAside = try ["", "-wal", "-shm"].filter {
      try StoreFiles.exists(files.database + $0)
    }.map { StoreFiles.damaged + report.stamp + $0 }
    try files.flush(files.part)
    try report.write(to: files)
    try files.rename(files.part, to: files.salvaged(report.stamp))
    try files.flush()
    try files.settle()
    unlink(files.suspect)
    return report
  }

  // MARK: The two sources

  private mutating func readDatabase(into target: Database) throws {
    let isThere = try StoreFiles.size(of: files.database) ?? 0 > 0
    guard try isThere || files.makeBlank() else { return }
    defer { files.remove(files.blank) }
    do {
      try reading(isThere ? files.database : files.blank) { salvage, source in
        let schema = Schema.version(of: source)
        for table in StateTable.all {
          let loss = try salvage.copy(table, source, into: target)
          // An older version did not have it.
          let isLater = loss?.clause == Self.missing && table.schema > schema
          if let loss, !isLater { salvage.lost(table, loss) }
        }
      }
    } catch is NothingReadable {
      loseAll()
    }
  }

  private mutating func loseAll() {
    isAlarmLost = true
    areIncidentsLost = true
    holes = Set(StateTable.all.map(\.name))
    lostKinds = Set(CompanionKind.allCases)
  }

  private mutating func readBackup(into target: Database) throws {
    guard !holes.isEmpty, try StoreFiles.size(of: files.backup) ?? 0 > 0 else { return }
    let before = report.rows
    let open = try Self.open(target)
    do {
      try reading(files.backup) { salvage, source in
        // A row that somebody has removed does not come back because of another table.
        for table in StateTable.all where !table.mayShrink || salvage.holes.contains(table.name) {
          _ = try salvage.copy(table, source, into: target)
        }
      }
    } catch is NothingReadable {
      report.found.append("fob.sqlite.backup cannot be read")
    }
    if holes.contains("occurrence"), !holes.contains("companion") {
      try Self.forgetRemovedSeries(target)
    }
    report.backupRows = report.rows - before
    report.rows = before
    guard report.backupRows > 0 else { return }
    let made = try? FileManager.default.attributesOfItem(atPath: files.backup)[.modificationDate]
    report.backup = (made as? Date)?.formatted(.iso8601) ?? "an unknown time"
    let raised = try Self.open(target).subtracting(open).sorted()
    let salvage = IncidentSalvage(target, report.wall)
    report.raisedAgain = try raised.filter { try !salvage.forget($0) }
  }

  /// A check-in of the backup asks no more if its series has been removed since.
  private static func forgetRemovedSeries(_ db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM occurrence WHERE state = ? AND NOT EXISTS
          (SELECT 1 FROM companion WHERE kind = ? AND id = CAST(series AS TEXT))
        """,
      arguments: [CheckIn.State.open.rawValue, CompanionKind.series.rawValue])
  }

  private static func open(_ db: Database) throws -> Set<String> {
    try String.fetchSet(
      db, sql: "SELECT id FROM incident WHERE state NOT IN ('NO_EMERGENCY', 'EMERGENCY_ENDED')")
  }

  private struct NothingReadable: Error {}

  private mutating func reading(
    _ path: String, _ body: (inout Salvage, Database) throws -> Void
  ) throws {
    var configuration = Configuration()
    configuration.readonly = true
    guard let source = try? DatabaseQueue(path: path, configuration: configuration) else {
      throw NothingReadable()
    }
    try source.inDatabase { db in
      // The file may lie about itself: cells are checked, and its schema is not trusted.
      try? db.execute(sql: "PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF")
      guard (try? db.tableExists("log")) == true else { throw NothingReadable() }
      try body(&self, db)
    }
  }

  // MARK: One table

  /// What of a table was not read.
  private struct Loss {
    let clause: String
    /// Of table `companion`: the kinds of its rows.
    var kinds = Set(CompanionKind.allCases)
  }

  /// - Returns: the loss; nil if the table was read in full.
  private mutating func copy(
    _ table: StateTable, _ source: Database, into target: Database
  ) throws -> Loss? {
    let statement = try target.makeStatement(sql: table.insertionOfNew)
    var copied = 0
    var unfit: [String] = []
    var kinds: Set<CompanionKind> = []
    let salvage = RowSalvage(table, of: source, until: latest) { row in
      if let reason = RowCheck.misfit(of: row, in: table) {
        unfit.append(reason)
        let kind = row.first.flatMap(String.fromDatabaseValue)
          .flatMap { CompanionKind(rawValue: $0) }
        kinds.formUnion(kind.map { [$0] } ?? CompanionKind.allCases)
      } else {
        try statement.execute(arguments: StatementArguments(row))
        copied += target.changesCount
      }
    }
    guard var salvage else { return Loss(clause: Self.missing) }
    if table.keyLength == 1, table.columns[0].kind == .integer {
      try salvage.readNumbered()
    } else {
      try salvage.readNamed(try keys(in: table, target), index: Self.indexes[table.name])
    }
    report.rows += copied
    if salvage.hasHoles { return Loss(clause: "cannot be read in part") }
    return unfit.first.map { reason in
      let count = unfit.count == 1 ? "a row" : "\(unfit.count) rows"
      return Loss(clause: "has \(count) that cannot be used: \(reason)", kinds: kinds)
    }
  }

  private static let missing = "is not there"

  private static let indexes = [
    "incident": (name: "incident_opened", column: "opened_wall"),
    "notification": (name: "notification_delivery", column: "delivery"),
  ]

  private mutating func lost(_ table: StateTable, _ loss: Loss) {
    report.found.append("table \(table.name) \(loss.clause)")
    if table.name == "companion" { lostKinds.formUnion(loss.kinds) }
    holes.insert(table.name)
    if ["event", "incident", "incident_list", "notification"].contains(table.name) {
      isAlarmLost = true
    }
    if table.name == "incident" { areIncidentsLost = true }
  }

  /// How many series of check-ins are looked for by their number.
  private static let soughtSeries = 5_000

  /// The keys, or their first columns, of rows that this table may have: other rows mention them,
  /// or they are counted from 1.
  private func keys(in table: StateTable, _ target: Database) throws -> [[String]] {
    switch table.name {
    case "incident", "incident_list":
      try String.fetchAll(
        target,
        sql: """
          SELECT incident FROM event WHERE incident IS NOT NULL UNION SELECT id FROM incident
          """
      ).map { [$0] }
    case "companion":
      CompanionKind.allCases.filter { $0 != .series }.map { [$0.rawValue] }
        + (1...Self.soughtSeries).map { [CompanionKind.series.rawValue, "\($0)"] }
    case "occurrence": (1...Self.soughtSeries).map { ["\($0)"] }
    default: []
    }
  }
}

/// Makes incidents anew whose rows are lost, from presses, messages and log entries that name them.
struct IncidentSalvage {
  private let db: Database
  private let now: Int64

  init(_ db: Database, _ now: Int64) {
    self.db = db
    self.now = now
  }

  /// - Returns: the names of incidents that are open or may be: at most one, the newest.
  func raise() throws -> [String] {
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT incident, MIN(wall) AS opened FROM (
          SELECT incident, received_wall AS wall FROM event WHERE incident IS NOT NULL
          UNION ALL SELECT incident, wall FROM log WHERE incident IS NOT NULL)
        WHERE incident NOT IN (SELECT id FROM incident)
        GROUP BY incident ORDER BY opened DESC
        """)
    var raised: [String] = []
    for (index, name) in names.enumerated() {
      guard let id = IncidentID(name) else { continue }
      let state = try lastState(of: name)
      // Without a log entry that says so, only the newest incident is taken to be open.
      let mayBeOpen = try index == 0 && isNewest(name)
      let isOpen = state?.isOpen ?? mayBeOpen
      let incident = Incident(
        salvaged: id, isOpen: isOpen && raised.isEmpty,
        openedWall: try opened(name), messages: try messages(of: name))
      if incident.state.isOpen { raised.append(name) }
      try db.execute(
        sql: "INSERT INTO incident (id, state, opened_wall, body) VALUES (?, ?, ?, ?)",
        arguments: [
          name, incident.state.rawValue, incident.openedAt.wall, try JSON.encode(incident),
        ])
    }
    return raised
  }

  /// Removes an incident that is open in the backup if the log says that it is over.
  func forget(_ name: String) throws -> Bool {
    guard let state = try lastState(of: name), !state.isOpen else { return false }
    try db.execute(sql: "DELETE FROM incident WHERE id = ?", arguments: [name])
    return true
  }

  /// The state that the last log entry about it names; nil if there is none.
  private func lastState(of name: String) throws -> EmergencyState? {
    let line = try Row.fetchOne(
      db,
      sql: """
        SELECT \(LogQuery.columns) FROM log WHERE incident = ? AND name = ? ORDER BY id DESC LIMIT 1
        """, arguments: [name, AuditEvent.Name.stateChanged.rawValue]
    ).map { try LogEntry($0) }
    guard case .became(let transition)? = line?.facts?.read?.reason else { return nil }
    return transition.to
  }

  private func isNewest(_ name: String) throws -> Bool {
    let newest = try Int64.fetchOne(db, sql: "SELECT MAX(opened_wall) FROM incident") ?? .min
    return try opened(name) >= newest
  }

  private func opened(_ name: String) throws -> Int64 {
    try Int64.fetchOne(
      db,
      sql: """
        SELECT MIN(wall) FROM (
          SELECT received_wall AS wall FROM event WHERE incident = ?1
          UNION ALL SELECT wall FROM log WHERE incident = ?1)
        """, arguments: [name]) ?? now
  }

  /// The greatest sequence number of its known messages.
  private func messages(of name: String) throws -> Int {
    let keys = try String.fetchAll(
      db, sql: "SELECT key FROM notification WHERE key >= ? AND key < ?",
      arguments: ["\(name)/", "\(name)0"])
    return keys.compactMap { $0.split(separator: "/").last.flatMap { Int($0) } }.max() ?? 0
  }
}
