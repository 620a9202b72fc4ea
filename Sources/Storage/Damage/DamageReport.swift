import AlertCore
import Foundation

/// The damage that a start found and what it did about it. It is stored as a file beside the
/// damaged ones; while that file is there, the status says so.
public struct DamageReport: Codable, Equatable, Sendable {
  /// In the names of its files, as in "20260115T052700Z".
  public let stamp: String
  /// When the damage was found, µs since 1970.
  public let wall: Int64
  /// The damage, one clause each.
  public var found: [String]
  /// The names of the files that were set aside.
  public var setAside: [String] = []
  /// How many rows were read from the damaged database.
  public var rows = 0
  /// How many more rows came from the backup.
  public var backupRows = 0
  /// When the backup was made, RFC 3339 in UTC; nil if none was used.
  public var backup: String?
  /// An alarm may have been open that cannot be read, and no alarm goes on.
  public var isAlarmInDoubt = false
  /// Rows of check-ins have been lost, which the backup may have made good; nil: none have.
  public var areCheckInsInDoubt: Bool?
  /// The kinds of rows, beside those of the check-ins, of which some have been lost, which the
  /// backup may have made good; nil: none have.
  public var lostKinds: [String]?
  /// Incidents that are open by the rows that are left: people are told once more. Those of other
  /// accounts than the first begin with the account's number and a colon.
  public var raisedAgain: [String] = []

  init(stamp: String, wall: Int64, found: [String]) {
    self.stamp = stamp
    self.wall = wall
    self.found = found
  }

  /// The report as a clause, for the log and the status.
  public var words: String {
    var parts = ["the records were damaged: " + found.prefix(3).joined(separator: "; ")]
    if found.count > 3 { parts[0] += "; and \(found.count - 3) more" }
    parts.append("\(rows) rows were kept")
    if let backup { parts.append("\(backupRows) came from the backup of \(backup)") }
    if isAlarmInDoubt {
      parts.append("an alarm may have been open and cannot be read: ask, and press again")
    }
    if areCheckInsInDoubt == true {
      parts.append("check-ins may be missing, or asked again: look at each series")
    }
    parts += (lostKinds ?? []).compactMap { CompanionKind(rawValue: $0)?.loss }
    if !raisedAgain.isEmpty { parts.append("an open alarm is told once more") }
    return parts.joined(separator: "; ")
  }

  /// What a person can do about it, as a clause.
  public var advice: String {
    let note = StoreFiles.damaged + stamp + ".json"
    return setAside.isEmpty
      ? "read \(note) in the state folder, and remove it when all is well"
      : "the damaged files are kept as \(StoreFiles.damaged)\(stamp)*; read \(note), and move"
        + " them away when all is well"
  }

  static func stamp(_ wall: Int64) -> String {
    Date(timeIntervalSince1970: TimeInterval(wall / 1_000_000)).formatted(.iso8601)
      .filter { !"-:".contains($0) }
  }

  // MARK: Its file

  func write(to files: StoreFiles) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = String(decoding: try encoder.encode(self), as: UTF8.self)
    try files.write(text + "\n", to: files.note(stamp))
  }

  /// The reports whose file is there, oldest first. A file that cannot be read counts as damage,
  /// too.
  static func all(in files: StoreFiles) -> [DamageReport] {
    files.names.compactMap { name in
      guard name.hasPrefix(StoreFiles.damaged), name.hasSuffix(".json") else { return nil }
      let stamp = String(name.dropFirst(StoreFiles.damaged.count).dropLast(".json".count))
      let data = FileManager.default.contents(atPath: files.directory + "/" + name) ?? Data()
      return (try? JSONDecoder().decode(DamageReport.self, from: data))
        ?? DamageReport(stamp: stamp, wall: 0, found: ["\(name) cannot be read"])
    }
  }
}

extension RecordsDamage {
  /// The newest report stands for all; the number of earlier ones is said.
  init?(_ reports: [DamageReport], of account: AccountNumber) {
    guard let last = reports.last else { return nil }
    let others = reports.count > 1 ? " (and \(reports.count - 1) times before)" : ""
    self.init(
      words: last.words + others, advice: last.advice, isAlarmInDoubt: last.isAlarmInDoubt,
      raisedAgain: last.raisedAgain.compactMap { name in
        let parts = name.split(separator: ":")
        let whose = parts.count == 2 ? Int(parts[0]) : AccountNumber.first.rawValue
        return whose == account.rawValue ? parts.last.flatMap { IncidentID(String($0)) } : nil
      })
  }
}
