import AlertCore
import GRDB

/// The tables of a state folder, as an exported document has them: rows in the order of their key,
/// values in the order of these columns.
struct StateTable {
  enum Kind { case integer, text, blob }

  struct Column {
    let name: String
    let kind: Kind
    let mayBeNull: Bool
    /// The first schema that has it.
    let schema: Int

    /// Its value in rows of an older schema, all of which are of one active account.
    var absent: DatabaseValue {
      if mayBeNull { return .null }
      return kind == .integer
        ? AccountNumber.first.rawValue.databaseValue : AccountStanding.active.rawValue.databaseValue
    }
  }

  let name: String
  let columns: [Column]
  /// How many of the first columns make the key.
  let keyLength: Int
  /// The first schema that has it.
  let schema: Int
  /// Rows of it are removed, too: one that is missing may be gone by a person's will.
  let mayShrink: Bool

  /// Columns as in "id:i body:t happened_at:i? facts:t?:4": name, kind, `?` if it may be null,
  /// schema.
  private init(
    _ name: String, _ columns: String, keyLength: Int = 1, schema: Int = 1, mayShrink: Bool = false
  ) {
    self.name = name
    self.keyLength = keyLength
    self.schema = schema
    self.mayShrink = mayShrink
    self.columns = columns.split(separator: " ").map { word in
      let parts = word.split(separator: ":")
      let kind: Kind = parts[1].first == "i" ? .integer : parts[1].first == "t" ? .text : .blob
      return Column(
        name: String(parts[0]), kind: kind, mayBeNull: parts[1].last == "?",
        schema: parts.count > 2 ? Int(parts[2])! : 0)
    }
  }

  static let all = [
    StateTable("account", "id:i body:t standing:t:6"),
    StateTable("device", "id:i body:t account:i:6", schema: 3),
    StateTable("setting", "name:t value:b", schema: 3),
    StateTable(
      "event",
      """
      id:i device:i number:i kind:i clock:i nonce:i payload:b meaning:t incident:t? \
      received_wall:i happened_at:i?
      """),
    StateTable(
      "incident", "account:i:6 id:t state:t opened_wall:i end_reason:t? ended_wall:i? body:t",
      keyLength: 2),
    StateTable(
      "incident_list", "account:i:6 incident:t list:t position:i body:t", keyLength: 4, schema: 3),
    StateTable("notification", "account:i:6 key:t incident:t delivery:t body:t", keyLength: 2),
    StateTable("track", "id:i incident:t wall:i latitude:i longitude:i quality:i"),
    StateTable(
      "log",
      """
      id:i wall:i name:t incident:t? device:t? event:t? contact:t? who:t? sink:t? next_wall:i? \
      detail:t? facts:t?:4
      """),
    StateTable(
      "companion", "account:i:6 kind:t id:t body:t", keyLength: 3, schema: 5, mayShrink: true),
    StateTable(
      "occurrence", "account:i:6 series:i key:t state:t due:i body:t", keyLength: 3, schema: 5,
      mayShrink: true),
  ]

  func columns(ofSchema schema: Int) -> [Column] { columns.filter { $0.schema <= schema } }

  /// Its rows have numbers, and nothing else is their key.
  var isNumbered: Bool { keyLength == 1 && columns[0].kind == .integer }

  var columnNames: String { columns.map(\.name).joined(separator: ", ") }

  var selection: String { "SELECT \(columnNames) FROM \(name) ORDER BY \(key)" }

  /// The rows of one account, numbered as if it were the first and alone.
  func selection(of account: AccountNumber) -> String? {
    guard let rows = rows(of: account) else { return nil }
    let values = columns.map { column in
      switch (name, column.name) {
      case (_, "account"), ("account", "id"): "\(AccountNumber.first)"
      case ("account", "standing"): "'\(AccountStanding.active.rawValue)'"
      case (_, "id") where NumberedTable(rawValue: name) != nil: AccountRows.number
      default: column.name
      }
    }
    return "SELECT \(values.joined(separator: ", ")) FROM \(name) WHERE \(rows) ORDER BY \(key)"
  }

  /// The condition that holds for the rows of one account; nil: the table has none of any.
  func rows(of account: AccountNumber) -> String? {
    if NumberedTable(rawValue: name) != nil {
      let ids = AccountRows(account: account).ids
      return "id BETWEEN \(ids.lowerBound) AND \(ids.upperBound)"
    }
    if name == "account" { return "id = \(account)" }
    return columns.contains { $0.name == "account" } ? "account = \(account)" : nil
  }

  private var key: String { columns.prefix(keyLength).map(\.name).joined(separator: ", ") }

  /// An insertion that leaves rows alone that are there already.
  var insertionOfNew: String {
    insertion.replacing("INSERT", with: "INSERT OR IGNORE", maxReplacements: 1)
  }

  var insertion: String {
    let values = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(name) (\(columnNames)) VALUES (\(values))"
  }
}
