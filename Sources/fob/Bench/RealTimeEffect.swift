import FobBase

/// What an option has changed, as pairs of runs say it.
struct RealTimeEffect: Encodable, Equatable {
  enum Verdict: String, Encodable { case better, worse, noise }

  struct Row: Encodable, Equatable {
    let name: String
    /// Medians over the runs, µs.
    let off: Int64
    let on: Int64
    let verdict: Verdict
  }

  let bench = "realtime"
  let option: String
  let pairs: Int
  let rows: [Row]

  /// - Parameters: as many runs of each, the pairs side by side.
  init(option: String, off: [RealTimeTimes], on: [RealTimeTimes]) {
    self.option = option
    pairs = min(off.count, on.count)
    let stages: [(String, KeyPath<RealTimeTimes, [Int64]>)] = [
      ("press → decided", \.decided), ("wire (t1 → t2)", \.wire), ("engine (t2 → t3)", \.engine),
    ]
    rows = stages.flatMap { name, times in
      [("median", \StartFigures.median), ("p99", \StartFigures.p99)].map { word, figure in
        Row(
          name: "\(name), \(word)",
          off: off.map { Self.figure(figure, of: $0[keyPath: times]) },
          on: on.map { Self.figure(figure, of: $0[keyPath: times]) })
      }
    }
  }

  private static func figure(
    _ figure: KeyPath<StartFigures, Int64>, of times: [Int64]
  ) -> Int64 {
    times.isEmpty ? 0 : StartFigures(times)[keyPath: figure]
  }

  /// A heading and a line for each row.
  var lines: [String] {
    ["\(option), \(pairs) pairs of runs, in ms               off        on"]
      + rows.map { row in
        "  " + StageTable.pad(row.name, 34) + StageTable.column(row.off) + StageTable.column(row.on)
          + "   "
          + (row.verdict == .noise ? "noise" : "\(row.verdict.rawValue) by \(Self.change(row))")
      }
  }

  private static func change(_ row: Row) -> String {
    let difference = abs(row.on - row.off)
    return row.off > 0 ? "\(difference * 100 / row.off) %" : "\(difference) µs"
  }
}

extension RealTimeEffect.Row {
  /// An effect is what every pair says: six of six are chance once in 32 times.
  init(name: String, off: [Int64], on: [Int64]) {
    self.name = name
    self.off = StartFigures(off).median
    self.on = StartFigures(on).median
    let pairs = zip(off, on)
    verdict =
      pairs.allSatisfy({ $0 > $1 }) ? .better : pairs.allSatisfy({ $0 < $1 }) ? .worse : .noise
  }
}
