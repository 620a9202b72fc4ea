import Foundation

/// One comparison: a figure of ours against a peer's.
struct Row: Codable {
  let name: String
  let unit: String
  let ours: Double
  var peerName: String
  /// Nil where the peer was not there.
  var peer: Double?
  /// Marks the peer that the bar is on, where a job has several.
  var bar: Bar?

  /// Of ours / peer. The limit that counts stands with all others, in Benchmarks/Python/bars.py.
  struct Bar: Codable {
    let atMost: Double
  }

  var ratio: Double? { peer.map { ours / $0 } }

  var columns: [String] {
    func text(_ value: Double?, _ form: String) -> String {
      value.map { String(format: form, $0) } ?? "–"
    }
    return [
      name, text(ours, "%.1f") + " " + unit, peerName, text(peer, "%.1f"),
      text(ratio, "%.2f"),
    ]
  }
}

/// The rows of parts in a JSON file, replaced part by part: Benchmarks/Python/results.py makes the
/// table of all of them.
struct Results {
  let path: String
  private var rows: [String: [Row]] = [:]

  init(path: String) throws {
    self.path = path
    guard let data = FileManager.default.contents(atPath: path) else { return }
    rows = try JSONDecoder().decode([String: [Row]].self, from: data)
  }

  /// Prints the rows and keeps them.
  static func add(_ rows: [Row], of part: String, to path: String?) throws {
    printTable(rows)
    guard let path else { return }
    var results = try Results(path: path)
    results.rows[part] = rows
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(results.rows).write(to: URL(fileURLWithPath: path))
  }

  private static func printTable(_ rows: [Row]) {
    let heads = ["what", "ours", "peer", "peer's", "ratio"]
    let lines = [heads, heads.map { _ in "---" }] + rows.map(\.columns)
    let widths = heads.indices.map { column in lines.map { $0[column].count }.max()! }
    for line in lines {
      let cells = zip(line, widths).map { cell, width in
        cell + String(repeating: cell == "---" ? "-" : " ", count: width - cell.count)
      }
      print("| " + cells.joined(separator: " | ") + " |")
    }
  }
}
