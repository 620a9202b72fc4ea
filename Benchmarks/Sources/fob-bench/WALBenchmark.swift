import Foundation

/// t1→t4 of the whole bridge against the least that durable can cost: a read in C that returns, and
/// as many bytes as SQLite writes to its log for one press appended to a file with one call and one
/// fdatasync. A press each 20 ms, so that neither side has the one before on its disk still.
struct WALBenchmark {
  private let presses: PressRun

  init(_ arguments: Arguments) throws { presses = try PressRun(arguments, pace: 20_000) }

  func run() throws {
    let rows = try presses.rows { state in
      let counted = try presses.measure(
        [.bridge(isCounting: true)], "\(state)-counted")[0].values(.bytes) { Int($1) }
      let bytes = quantile(0.5, of: counted)
      let both = try presses.measure([.bare(appending: bytes), .bridge()], state)
      return presses.rows(
        "t1→t4, \(state)", ours: try both[1].times(to: .durable),
        "one-way in C, \(bytes) B appended", peer: try both[0].times(to: .decided), bar: 1.3)
    }
    try Results.add(rows, of: "5 wal", to: presses.results)
  }
}
