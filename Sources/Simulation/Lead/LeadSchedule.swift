import FobBase

/// What happens in a world of two cores, drawn by its seed.
struct LeadSchedule {
  enum Action {
    case press(keychain: Int)
    case acknowledge
    case disarm
    case kill(core: Int, for: Interval)
    /// The process is asked to end, and lets go of the store.
    case end(core: Int, for: Interval)
    /// SIGSTOP, or a machine that stands still.
    case pause(core: Int, for: Interval)
    /// Its connections to the server are lost.
    case lose(core: Int)
    case cutOff(core: Int, for: Interval)
    case standbyAway(for: Interval)
    /// Whoever runs the server cancels what waits for the standby server.
    case cancelWaits
    /// The server's machine dies, and the standby server takes its place.
    case serverDies(for: Interval)
  }

  let seed: UInt64
  private(set) var actions: [(at: Instant, action: Action)] = []
  /// No fault begins or lasts from then on.
  let calmFrom: Instant
  /// By then everything is told, acked and durable.
  var end: Instant { calmFrom + .seconds(60) }

  /// Each action in a line, for people.
  var words: String {
    actions.map { "\(Double($0.at.microseconds) / 1e6) s  \($0.action)" }.joined(separator: "\n")
  }

  init(seed: UInt64) {
    var random = SplitMix64(state: SplitSeed.seed(seed, 7_000))
    self.seed = seed
    let length = Int64.random(in: 10_000_000...60_000_000, using: &random)
    // What the first core needs to take the store.
    let first: Int64 = 2_000_000
    calmFrom = Instant(microseconds: first + length)
    let count = Int.random(in: 4...24, using: &random)
    for _ in 0..<count {
      let at = Instant(microseconds: first + Int64.random(in: 0..<length, using: &random))
      for (late, action) in Self.draw(&random) { actions.append((at + late, action)) }
    }
    actions = actions.filter { $0.at < calmFrom }
    actions.append((calmFrom - .milliseconds(1), .press(keychain: 0)))
    // Those of one instant stay in their order.
    let order = actions.indices.sorted { (actions[$0].at, $0) < (actions[$1].at, $1) }
    actions = order.map { actions[$0] }
  }

  /// One action, or some that belong together, each with its delay.
  private static func draw(_ random: inout SplitMix64) -> [(Interval, Action)] {
    let core = Int.random(in: 0...1, using: &random)
    func span(_ longest: Int64) -> Interval {
      .microseconds(.random(in: 100_000...longest * 1_000_000, using: &random))
    }
    func soon() -> Interval { .microseconds(.random(in: 0...2_000_000, using: &random)) }
    let press = Action.press(keychain: Int.random(in: 0...1, using: &random))
    switch Int.random(in: 0..<16, using: &random) {
    case 0...4: return [(.zero, press)]
    case 5: return [(.zero, .acknowledge)]
    case 6: return [(.zero, .disarm)]
    case 7: return [(.zero, press), (soon(), .kill(core: core, for: span(15)))]
    case 8: return [(.zero, press), (soon(), .pause(core: core, for: span(20)))]
    case 9: return [(.zero, .end(core: core, for: span(5)))]
    case 10: return [(.zero, press), (soon(), .lose(core: core))]
    case 11: return [(soon(), press), (.zero, .cutOff(core: core, for: span(15)))]
    case 12: return [(soon(), press), (.zero, .standbyAway(for: span(12)))]
    case 13:
      let cancelled = soon() + soon()
      return [
        (.zero, .standbyAway(for: span(12))), (soon(), press), (cancelled, .cancelWaits),
        (cancelled + soon(), .serverDies(for: span(12))),
      ]
    case 14: return [(.zero, press), (soon(), .serverDies(for: span(12)))]
    default: return [(.zero, .disarm), (soon(), .pause(core: core, for: span(20)))]
    }
  }
}
