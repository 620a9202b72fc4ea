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
  /// Incidents that are open by the rows that are left.
  private var raisedAgain: [StoredIncident] = []
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
        raisedAgain += try IncidentSalvage(db, report.wall).raise()
      }
      // Nobody can tell who has been told since: in doubt people are told twice.
      let open = try Self.open(db)
      raisedAgain += open.subtracting(raisedAgain).sorted()
      report.raisedAgain = raisedAgain.map(\.text)
      report.isAlarmInDoubt = isAlarmLost && open.isEmpty
      let others = lostKinds.filter { $0.loss != nil }
      if holes.contains("occurrence") || others.count < lostKinds.count {
        report.areCheckInsInDoubt = true
      }
      if !others.isEmpty { report.lostKinds = others.map(\.rawValue).sorted() }
      let facts = Facts(.failure(report.words))
      try db.execute(
        sql: """
          INSERT INTO log (id, wall, name, detail, facts) VALUES (
            (SELECT IFNULL(MAX(id), 0) + 1 FROM log WHERE id <= ?), ?, ?, ?, ?)
          """,
        arguments: [
          AccountRows(account: .first).ids.upperBound, report.wall,
          AuditEvent.Name.recordsDamaged.rawValue, facts.words,
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
    raisedAgain = try raised.filter { try !salvage.forget($0) }
  }

  /// A check-in of the backup asks no more if its series has been removed since.
  private static func forgetRemovedSeries(_ db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM occurrence WHERE state = ? AND NOT EXISTS (
          SELECT 1 FROM companion WHERE companion.account = occurrence.account AND kind = ?
            AND id = CAST(series AS TEXT))
        """,
      arguments: [CheckIn.State.open.rawValue, CompanionKind.series.rawValue])
  }

  private static func open(_ db: Database) throws -> Set<StoredIncident> {
    try Set(
      StoredIncident.fetchAll(
        db,
        sql: """
          SELECT account, id FROM incident WHERE state NOT IN ('NO_EMERGENCY', 'EMERGENCY_ENDED')
          """))
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
        let kind = row.dropFirst().first.flatMap(String.fromDatabaseValue)
          .flatMap { CompanionKind(rawValue: $0) }
        kinds.formUnion(kind.map { [$0] } ?? CompanionKind.allCases)
      } else {
        try statement.execute(arguments: StatementArguments(row))
        copied += target.changesCount
      }
    }
    guard var salvage else { return Loss(clause: Self.missing) }
    if table.isNumbered {
      try salvage.readNumbered()
    } else {
      try salvage.readNamed(
        try keys(in: table, target), indexes: Self.indexes[table.name] ?? [])
    }
    report.rows += copied
    if salvage.hasHoles { return Loss(clause: "cannot be read in part") }
    return unfit.first.map { reason in
      let count = unfit.count == 1 ? "a row" : "\(unfit.count) rows"
      return Loss(clause: "has \(count) that cannot be used: \(reason)", kinds: kinds)
    }
  }

  private static let missing = "is not there"

  /// As they are, and as schemas before the sixth had them.
  private static let indexes = [
    "incident": [
      "SELECT account, id FROM incident INDEXED BY incident_opened ORDER BY account, opened_wall",
      "SELECT 1, id FROM incident INDEXED BY incident_opened ORDER BY opened_wall",
    ],
    "notification": [
      """
      SELECT account, key FROM notification INDEXED BY notification_open
      WHERE delivery NOT IN ('delivered', 'withdrawn') ORDER BY account
      """,
      "SELECT 1, key FROM notification INDEXED BY notification_delivery ORDER BY delivery",
    ],
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
    let sought: [[String]]
    switch table.name {
    case "incident", "incident_list":
      return try StoredIncident.fetchAll(
        target,
        sql: """
          SELECT \(AccountRows.account) AS account, incident AS id FROM event
          WHERE incident IS NOT NULL UNION SELECT account, id FROM incident
          """
      ).map { ["\($0.account)", $0.id] }
    case "companion":
      sought =
        CompanionKind.allCases.filter { $0 != .series }.map { [$0.rawValue] }
        + (1...Self.soughtSeries).map { [CompanionKind.series.rawValue, "\($0)"] }
    case "occurrence": sought = (1...Self.soughtSeries).map { ["\($0)"] }
    default: return []
    }
    let accounts = try Int.fetchAll(target, sql: "SELECT id FROM account UNION SELECT 1")
    return accounts.flatMap { account in sought.map { ["\(account)"] + $0 } }
  }
}

/// The name of an incident, as rows have it.
struct StoredIncident: Hashable, Comparable, Decodable, FetchableRecord {
  let account: Int
  let id: String

  /// As a report on damage names it: of another account than the first with its number.
  var text: String { account == AccountNumber.first.rawValue ? id : "\(account):\(id)" }

  static func < (one: Self, other: Self) -> Bool {
    (one.account, one.id) < (other.account, other.id)
  }
}
