import Bridge

/// The stages of one press as a table, and the sums that Benchmarks/README.md publishes.
struct StageTable {
  let stages: PressStages

  var lines: [String] {
    let rows = [
      Row("debounce", "first edge → stored by the firmware", stages.edge, stages.stored),
      Row("frame", "stored → frame written", stages.stored, stages.written),
      Row("wire", "frame written → read by the bridge", stages.written, stages.read, crosses: true),
      Row("decide", "read → engine decided", stages.read, stages.decided),
      Row("durable", "decided → on disk", stages.decided, stages.durable),
      Row("ack", "on disk → acked at the keychain", stages.durable, stages.acked, crosses: true),
    ]
    let sums = [
      Row("", "press → decided", stages.edge, stages.decided, crosses: true),
      Row("", "press → durable", stages.edge, stages.durable, crosses: true),
      Row("", "press → acked at the keychain", stages.edge, stages.acked),
      Row("", "press → light says accepted", stages.edge, stages.lit),
    ]
    return ["stages of press \(stages.event) (clock of the keychain: \(uncertainty))"]
      + rows.map(line) + ["  " + String(repeating: "─", count: 60)] + sums.map(line)
  }

  /// One duration, from a stamp to a later one.
  private struct Row {
    let name: String
    let what: String
    /// µs; nil where a stamp is missing.
    let duration: Int64?
    /// One stamp is on the keychain's clock and the other on the host's.
    let crosses: Bool

    init(_ name: String, _ what: String, _ from: Int64?, _ to: Int64?, crosses: Bool = false) {
      self.name = name
      self.what = what
      duration = if let from, let to { to - from } else { nil }
      self.crosses = crosses
    }
  }

  /// What two clocks leave open stands beside every duration between them: one that is shorter may
  /// come out below zero.
  private func line(_ row: Row) -> String {
    let value = row.duration.map(Self.milliseconds) ?? "not seen"
    return "  " + Self.pad(row.name, 10) + Self.pad(row.what, 38)
      + String(repeating: " ", count: max(0, 12 - value.count)) + value
      + (row.crosses && row.duration != nil ? "  \(uncertainty)" : "")
  }

  private var uncertainty: String { Self.uncertainty(of: stages) }

  /// What the clock fit of a press leaves open.
  static func uncertainty(of stages: PressStages) -> String {
    stages.uncertainty.map { "±\($0) µs" } ?? "not fitted"
  }

  /// µs as "1.234 ms".
  static func milliseconds(_ microseconds: Int64) -> String { thousandths(microseconds) + " ms" }

  /// A number of thousandths as "1.234".
  static func thousandths(_ count: Int64) -> String {
    let fraction = String(count.magnitude % 1_000)
    let zeros = String(repeating: "0", count: 3 - fraction.count)
    return "\(count < 0 ? "-" : "")\(count.magnitude / 1_000).\(zeros)\(fraction)"
  }

  /// µs as milliseconds, right-aligned among others.
  static func column(_ microseconds: Int64) -> String {
    let text = thousandths(microseconds)
    return String(repeating: " ", count: max(1, 10 - text.count)) + text
  }

  static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
