import FobBase
import Testing
import WireProtocol

@testable import Firmware

/// The table of PROTOCOL.md, "LED patterns", in ms; no steps are for ever on.
private struct Pattern: Sendable, CustomTestStringConvertible {
  struct Step: Sendable {
    let on: Bool
    let time: Int64
  }

  let state: ShownState
  let detail: UInt8
  let steps: [Step]

  /// On and off in turn.
  init(_ state: ShownState, _ times: [Int64], detail: UInt8 = 0) {
    self.state = state
    self.detail = detail
    steps = times.indices.map { Step(on: $0 % 2 == 0, time: times[$0]) }
  }

  init(_ state: ShownState, phases: [[Step]]) {
    self.state = state
    detail = 0
    steps = phases.flatMap { $0 }
  }

  var testDescription: String { "\(state) \(detail)" }

  /// In, hold, out, hold: four seconds each.
  static let breathing: [[Step]] = [
    [Step(on: true, time: 4_000)],
    (0..<20).map { Step(on: $0 % 2 == 0, time: 200) },
    [Step(on: false, time: 4_000)],
    (0..<8).map { Step(on: $0 % 2 == 0, time: $0 % 2 == 0 ? 100 : 900) },
  ]

  /// n flashes; n is 1 to 9, more is 9.
  static let due = (0...12).map { n in
    Pattern(
      .due, [Int64](repeating: 150, count: 2 * min(max(n, 1), 9) - 1) + [1_500], detail: UInt8(n))
  }

  static let all =
    due + [
      Pattern(.unclaimed, [100, 900]),
      Pattern(.idle, [30, 4_970]),
      Pattern(.countdown, [100, 900], detail: 255),
      Pattern(.countdown, [100, 900], detail: 61),
      Pattern(.countdown, [100, 400], detail: 60),
      Pattern(.countdown, [100, 400], detail: 21),
      Pattern(.countdown, [100, 150], detail: 20),
      Pattern(.countdown, [100, 150], detail: 0),
      Pattern(.sending, [100, 100]),
      Pattern(.accepted, [700, 300]),
      Pattern(.acknowledged, []),
      Pattern(.failed, [100, 100, 100, 100, 100, 700]),
      Pattern(.ended, [400, 200, 400, 2_000]),
      Pattern(.due, [Int64](repeating: 150, count: 17) + [1_500], detail: 200),
      Pattern(.breathing, phases: breathing),
      Pattern(.identify, [50, 50]),
      Pattern(.lowBattery, [30, 170, 30, 2_770]),
    ]
}

struct LEDPatternTests {
  @Test(arguments: Pattern.all)
  private func `a state is its sequence of on and off, again and again`(_ pattern: Pattern) {
    var player = LEDPlayer()
    let start = Instant.milliseconds(1_000)
    let isNew = player.play(pattern.state, detail: pattern.detail, at: start)
    #expect(isNew)
    var ends = start
    for step in pattern.steps + pattern.steps + pattern.steps {
      ends = ends + .milliseconds(step.time)
      #expect(player.isOn == step.on && player.stepEnds == ends)
      player.advance(to: ends - .microseconds(1))
      #expect(player.isOn == step.on)
      player.advance(to: ends)
    }
    #expect(player.isOn)
    if pattern.steps.isEmpty { #expect(player.stepEnds == nil) }
  }

  @Test func `off is off for ever`() {
    var player = LEDPlayer()
    _ = player.play(.identify, detail: 0, at: .milliseconds(0))
    _ = player.play(.off, detail: 0, at: .milliseconds(10))
    #expect(!player.isOn && player.stepEnds == nil)
  }

  @Test func `a pattern asked late is where it should be, without drift`() {
    var late = LEDPlayer()
    var punctual = LEDPlayer()
    _ = late.play(.failed, detail: 0, at: .milliseconds(0))
    _ = punctual.play(.failed, detail: 0, at: .milliseconds(0))
    for ms in Int64(0)...5_000 { punctual.advance(to: .milliseconds(ms)) }
    late.advance(to: .milliseconds(5_000))
    #expect(late.isOn == punctual.isOn && late.stepEnds == punctual.stepEnds)
  }

  @Test func `only what the pattern depends on starts it over`() {
    var player = LEDPlayer()
    let starts = [
      (ShownState.countdown, UInt8(90)), (.countdown, 89), (.countdown, 61), (.countdown, 60),
      (.countdown, 21), (.countdown, 20), (.sending, 20), (.sending, 0), (.due, 1), (.due, 2),
      (.due, 9), (.due, 30),
    ].map { player.play($0, detail: $1, at: .milliseconds(0)) }
    #expect(
      starts == [
        true, false, false, true, false, true, true, false, true, true, true, false,
      ])
  }

  /// The host says it anew each second, and one fewer once a click has answered.
  @Test func `the light counts the check-ins that wait, and a repeated INDICATE disturbs no flash`()
  {
    let bench = Bench(acks: { _ in true })
    bench.hello()
    var flashes: [Int] = []
    for (revision, n) in ([3, 2, 1] as [UInt8]).enumerated() {
      let before = bench.board.light.count
      for _ in 0..<6 {
        bench.indicate(.due, detail: n, revision: UInt32(revision + 1), lease: 3_000)
        bench.run(ms: 999)
      }
      let changes = bench.board.light[before...].filter(\.on).map(\.at)
      let pauses = zip(changes, changes.dropFirst()).map { ($1 - $0).microseconds / 1_000 }
      #expect(Set(pauses).isSubset(of: [300, 1_650]), "due \(n): \(pauses)")
      let ends = pauses.indices.filter { pauses[$0] == 1_650 }
      flashes.append(ends[1] - ends[0])
    }
    #expect(flashes == [3, 2, 1])
    bench.indicate(.idle, revision: 4)
    #expect(bench.sent.all(LEDState.self).last?.shown == .idle)
  }

  @Test func `the light of the board follows the pattern to the millisecond`() {
    let bench = Bench(acks: { _ in true })
    bench.hello()
    bench.indicate(.ended, lease: 65_000)
    let began = bench.sent.all(LEDState.self).last?.clock
    #expect(began == 1_000)
    bench.run(ms: 6_500)
    let changes = bench.board.light.filter { $0.at > .milliseconds(1) }
    let expected: [Int64] = [401, 601, 1_001, 3_001, 3_401, 3_601, 4_001, 6_001, 6_401]
    #expect(changes.map(\.at) == expected.map { .milliseconds($0) })
    #expect(changes.map(\.on) == expected.indices.map { $0 % 2 == 1 })
  }

  /// The host says it anew each second, never at the same moment of a phase.
  @Test func `R70: a hundred phases of breathing last 4 s each, 5 ms more or less at the most`() {
    let bench = Bench(acks: { _ in true })
    bench.hello()
    bench.indicate(.breathing, lease: 5_000)
    let began = bench.sent.all(LEDState.self).last.map { Int64($0.clock) } ?? 0
    for _ in 0..<405 {
      bench.run(ms: 997)
      bench.indicate(.breathing, lease: 5_000)
    }
    // The second phase begins lit, as the first is, and ends dark, as the third is.
    let edges: [Int64] = [0, 200_000, -200_000, 0]
    let changes = bench.board.light.map(\.at.microseconds)
    let late = (0...100).map { phase in
      let due = began + Int64(phase) * 4_000_000 + edges[phase % 4]
      return changes.map { abs($0 - due) }.min() ?? .max
    }
    #expect(late.max() ?? .max <= 5_000)
    #expect(changes.count { $0 > began && $0 <= began + 400_000_000 } == 25 * 28)
  }
}
