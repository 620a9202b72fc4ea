import Bridge

/// The stages of one press as a table, and the sums that Benchmarks/README.md publishes.
struct StageTable {
  let stages: PressStages

  var lines: [String] {
    let rows: [(String, String, Int64?, Int64?)] = [
      ("debounce", "first edge → stored by the firmware", stages.edge, stages.stored),
      ("frame", "stored → frame written", stages.stored, stages.written),
      ("wire", "frame written → read by the bridge", stages.written, stages.read),
      ("decide", "read → engine decided", stages.read, stages.decided),
      ("durable", "decided → on disk", stages.decided, stages.durable),
      ("ack", "on disk → acked at the keychain", stages.durable, stages.acked),
    ]
    let sums: [(String, String, Int64?, Int64?)] = [
      ("", "press → decided", stages.edge, stages.decided),
      ("", "press → durable", stages.edge, stages.durable),
      ("", "press → acked at the keychain", stages.edge, stages.acked),
      ("", "press → light says accepted", stages.edge, stages.lit),
    ]
    let uncertainty = stages.uncertainty.map { "±\($0) µs" } ?? "not fitted"
    return ["stages of press \(stages.event) (clock of the keychain: \(uncertainty))"]
      + rows.map(Self.line) + ["  " + String(repeating: "─", count: 60)] + sums.map(Self.line)
  }

  private static func line(_ row: (String, String, Int64?, Int64?)) -> String {
    let (name, what, from, to) = row
    let value =
      if let from, let to { milliseconds(to - from) } else { "not seen" }
    return "  " + pad(name, 10) + pad(what, 38)
      + String(repeating: " ", count: max(0, 12 - value.count)) + value
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
