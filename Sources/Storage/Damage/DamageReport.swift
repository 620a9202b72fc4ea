import AlertCore
import Foundation

/// What a start found damaged, and what it did about it: the file that it leaves beside the
/// damaged ones. As long as that file is there the core says so in its status.
public struct DamageReport: Codable, Equatable, Sendable {
  /// Of its files, as in "20260115T052700Z".
  public let stamp: String
  /// µs since 1970.
  public let wall: Int64
  /// What was found, a clause each.
  public var found: [String]
  /// The names of the files that were set aside.
  public var setAside: [String] = []
  /// Rows that were read, and those that only the backup had.
  public var rows = 0
  public var backupRows = 0
  /// When the backup was made; nil where none was used.
  public var backup: String?
  /// An alarm may have been open that cannot be read, and none goes on.
  public var isAlarmInDoubt = false
  /// Incidents that are open by what is left of them: people are told once more.
  public var raisedAgain: [String] = []

  init(stamp: String, wall: Int64, found: [String]) {
    self.stamp = stamp
    self.wall = wall
    self.found = found
  }

  /// For the log and the status: a clause.
  public var words: String {
    var parts = ["the records were damaged: " + found.prefix(3).joined(separator: "; ")]
    if found.count > 3 { parts[0] += "; and \(found.count - 3) more" }
    parts.append("\(rows) rows were kept")
    if let backup { parts.append("\(backupRows) came from the backup of \(backup)") }
    if isAlarmInDoubt {
      parts.append("an alarm may have been open and cannot be read: ask, and press again")
    }
    if !raisedAgain.isEmpty { parts.append("an open alarm is told once more") }
    return parts.joined(separator: "; ")
  }

  /// What a person can do.
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

  /// Those whose file is there, oldest first. One that cannot be read is damage, too.
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
  /// The newest speaks for all.
  init?(_ reports: [DamageReport]) {
    guard let last = reports.last else { return nil }
    let others = reports.count > 1 ? " (and \(reports.count - 1) times before)" : ""
    self.init(
      words: last.words + others, advice: last.advice, isAlarmInDoubt: last.isAlarmInDoubt,
      raisedAgain: last.raisedAgain.compactMap { IncidentID($0) })
  }
}
