import AlertCore
import FobBase
import GRDB
import WireProtocol

import struct Foundation.Data

/// Checks whether a core can start from a row. A row that holds a whole value in its body must have
/// the same facts in its other columns.
enum RowCheck {
  /// - Throws: `StateDocument.ImportMismatch` with the first row that does not fit.
  static func all(_ tables: [[[DatabaseValue]]]) throws {
    for (table, rows) in zip(StateTable.all, tables) {
      for (index, values) in rows.enumerated() {
        if let reason = misfit(of: values, in: table) ?? misfit(ofFactsIn: values, of: table) {
          throw StateDocument.ImportMismatch((table, index), reason)
        }
      }
    }
  }

  /// Why a core cannot start from this row; nil if it can.
  static func misfit(of values: [DatabaseValue], in table: StateTable) -> String? {
    let row = Dictionary(uniqueKeysWithValues: zip(table.columns.map(\.name), values))
    do {
      return try misfit(ofAccountIn: row) ?? misfit(of: row, in: table.name)
    } catch let error as DecodingError {
      return "its body cannot be read: \(words(error))"
    } catch let error as CheckInRow.Mismatch {
      return error.reason
    } catch {
      return "it cannot be read: \(error)"
    }
  }

  /// Checks facts at an import alone. The store itself never reads them, and a salvage has no time
  /// to read those of every entry.
  private static func misfit(ofFactsIn values: [DatabaseValue], of table: StateTable) -> String? {
    guard let place = table.columns.firstIndex(where: { $0.name == "facts" }),
      let text = String.fromDatabaseValue(values[place])
    else { return nil }
    return StoredFacts(json: text).read == nil ? "its facts cannot be read" : nil
  }

  private typealias Values = [String: DatabaseValue]

  private static func misfit(of row: Values, in table: String) throws -> String? {
    switch table {
    case "account":
      let _: Account = try body(of: row)
      return row.number("id").flatMap { AccountNumber(Int($0)) } == nil
        ? "its id is not within 1 to \(AccountNumber.last)" : nil
    case "device":
      let _: DeviceRecord = try body(of: row)
      return nil
    case "event": return misfit(ofID: row) ?? misfit(ofEvent: row)
    case "incident":
      let incident: Incident = try body(of: row)
      return row.text("id") == incident.id.description
        && row.text("state") == incident.state.rawValue ? nil : "its body is of another incident"
    case "incident_list": return try misfit(ofEntry: row)
    case "notification":
      let notification: Notification = try body(of: row)
      return row.text("key") == notification.key
        && row.text("delivery") == notification.delivery.rawValue
        ? nil : "its body is of another notification"
    case "track":
      let isInRange =
        row.number("latitude").flatMap { Int32(exactly: $0) } != nil
        && row.number("longitude").flatMap { Int32(exactly: $0) } != nil
        && row.number("quality").flatMap { UInt8(exactly: $0) } != nil
      return isInRange ? misfit(ofID: row) : "it is no position"
    case "log": return misfit(ofID: row)
    case "companion":
      _ = try CheckInRow(
        kind: row.text("kind") ?? "", id: row.text("id") ?? "", body: row.text("body") ?? "")
      return nil
    case "occurrence":
      _ = try CheckInRow.checkIn(
        series: row.number("series") ?? 0, key: row.text("key") ?? "",
        state: row.text("state") ?? "", due: row.number("due") ?? 0, body: row.text("body") ?? "")
      return nil
    default: return nil
    }
  }

  private static func misfit(ofAccountIn row: Values) -> String? {
    guard let account = row["account"].flatMap(Int64.fromDatabaseValue) else { return nil }
    return AccountNumber(Int(account)) == nil
      ? "its account is not within 1 to \(AccountNumber.last)" : nil
  }

  private static func misfit(ofID row: Values) -> String? {
    AccountRows.account(of: row.number("id") ?? 0) == nil
      ? "its id is not within 1 to \(AccountRows.lastID), or of no account" : nil
  }

  private static func misfit(ofEntry row: Values) throws -> String? {
    switch row.text("list").flatMap({ IncidentList(rawValue: $0) }) {
    case .press: let _: PressEntry = try body(of: row)
    case .alias: let _: IncidentID = try body(of: row)
    case nil: return "list is neither press nor alias"
    }
    return (0..<Int64(Limits.incidentEntries)).contains(row.number("position") ?? -1)
      ? nil : "its position is not within 0 to \(Limits.incidentEntries - 1)"
  }

  private static func misfit(ofEvent row: Values) -> String? {
    guard let payload = Data.fromDatabaseValue(row["payload"]!), payload.count >= EventRecord.size,
      let record = payload.withUnsafeBytes({ EventRecord($0) })
    else { return "its payload is no event" }
    let identity = record.identity
    let isSame =
      row.number("device") == Int64(bitPattern: identity.deviceID.rawValue)
      && row.number("number") == Int64(bitPattern: identity.number.rawValue)
      && row.number("kind") == Int64(identity.rawKind)
      && row.number("clock") == Int64(bitPattern: identity.clock)
      && row.number("nonce") == Int64(identity.bootNonce)
    return isSame ? nil : "its payload is of another event"
  }

  private static func body<T: Decodable>(of row: Values) throws -> T {
    try JSON.decode(row.text("body") ?? "")
  }

  static func words(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, _): "\(key.stringValue) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? "it is not JSON of its kind"
        : "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is not of its kind"
    @unknown default: "it is not of its kind"
    }
  }
}

extension [String: DatabaseValue] {
  fileprivate func number(_ name: String) -> Int64? { self[name].flatMap(Int64.fromDatabaseValue) }
  fileprivate func text(_ name: String) -> String? { self[name].flatMap(String.fromDatabaseValue) }
}
