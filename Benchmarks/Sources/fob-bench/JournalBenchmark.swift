/// t1→t3 of the whole bridge with its store, and of the same bridge that makes nothing durable: it
/// answers each commit at once.
struct JournalBenchmark {
  private let presses: PressRun

  init(_ arguments: Arguments) throws { presses = try PressRun(arguments) }

  func run() throws {
    let rows = try presses.rows { state in
      let both = try presses.measure([.bridge(isKeeping: false), .bridge()], state)
      return presses.rows(
        "t1→t3 with the journal, \(state)", ours: try both[1].times(to: .decided), "without it",
        peer: try both[0].times(to: .decided), bar: 1.25)
    }
    try Results.add(rows, of: "4 journal", to: presses.results)
  }
}
