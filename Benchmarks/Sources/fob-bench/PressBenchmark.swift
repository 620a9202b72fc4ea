/// t1→t3 of the whole bridge against the bare one-way in C.
struct PressBenchmark {
  private let presses: PressRun

  init(_ arguments: Arguments) throws { presses = try PressRun(arguments) }

  func run() throws {
    let rows = try presses.rows { state in
      let both = try presses.measure([.bare(), .bridge()], state)
      let floor = try both[0].times(to: .decided)
      return presses.rows(
        "t1→t3, \(state)", ours: try both[1].times(to: .decided), "one-way in C", peer: floor,
        bar: 1.25)
        + presses.rows(
          "of it t1→t2, \(state)", ours: try both[1].times(to: .read), "one-way in C", peer: floor,
          bar: nil)
    }
    try Results.add(rows, of: "3 press", to: presses.results)
  }
}
