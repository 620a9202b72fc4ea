import AlertCore

/// The row numbers of one account in the tables `event`, `track` and `log`: a range of its own, so
/// that its rows lie side by side, in their order, and no index has to find them. People and
/// programs see a row's number within the account, counted from 1.
struct AccountRows {
  let account: AccountNumber
  private static let bits = 32
  /// The greatest number within an account.
  static let last: Int64 = 1 << bits - 1
  /// The greatest id of a row.
  static let lastID = AccountRows(account: .last).ids.upperBound

  private var base: Int64 { Int64(account.rawValue - 1) << Self.bits }

  /// All ids of the account's rows.
  var ids: ClosedRange<Int64> { base + 1...base + Self.last }

  /// The id of a row; for a number outside 0 to `last`, of the nearest within.
  func id(_ number: Int64) -> Int64 { base + min(max(number, 0), Self.last) }

  /// The number of a row within its account.
  static func number(of id: Int64) -> Int64 { id & last }

  /// The account of a row; nil if no account has such rows.
  static func account(of id: Int64) -> AccountNumber? {
    guard id >= 0, number(of: id) > 0 else { return nil }
    return AccountNumber(Int(id >> bits) + 1)
  }

  /// As `number(of:)`, of the column `id`, in SQL.
  static let number = "id & \(last) AS id"

  /// As `account(of:)`, of the column `id`, in SQL.
  static let account = "(id >> \(bits)) + 1"
}

/// The tables whose rows are numbered within their account.
enum NumberedTable: String, CaseIterable { case event, track, log }
