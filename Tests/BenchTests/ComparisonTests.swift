import TestSupport
import Testing

@testable import Bench

struct ComparisonTests {
  private static let machines: [(String, SyntheticRun)] = {
    var (even, wandering, drifting, jumping) = (
      SyntheticRun(), SyntheticRun(), SyntheticRun(), SyntheticRun()
    )
    even.floor = 40
    wandering.wander = 0.15
    wandering.runToRun = 0.05
    drifting.drift = 15
    jumping.jump = 2
    return [
      ("even", even), ("with floors of its own each run", SyntheticRun()),
      ("wandering", wandering), ("drifting", drifting), ("jumping", jumping),
    ]
  }()

  @Test(arguments: machines)
  func `runs that differ in nothing are noise, whatever the machine does`(
    name: String, run: SyntheticRun
  ) throws {
    var (worse, better) = (0, 0)
    let pairs: UInt64 = Soak.isOn ? 40 : 6
    for pair in 0..<pairs {
      let comparison = try Comparison(
        old: run.result(seed: 2 * pair), new: run.result(seed: 2 * pair + 1))
      if comparison.verdict == .worse { worse += 1 }
      if comparison.verdict == .better { better += 1 }
    }
    #expect(
      max(worse, better) <= (Soak.isOn ? 2 : 1),
      "\(name): worse \(worse), better \(better) of \(pairs)")
  }

  /// Of 300 presses. A disk's own mood hides 20 µs in a commit of 300.
  @Test(
    arguments: [
      (.frame, 20), (.wire, 20), (.decide, 20), (.ack, 20), (.light, 20), (.durable, 60),
    ] as [(LatencyStage, Double)])
  func `a few µs more in a stage are found there, and nowhere else`(
    stage: LatencyStage, microseconds: Double
  ) throws {
    var (found, elsewhere) = (0, 0)
    let pairs: UInt64 = Soak.isOn ? 20 : 5
    for pair in 0..<pairs {
      let run = SyntheticRun()
      var slow = run
      slow.planted = [stage: microseconds]
      let comparison = try Comparison(
        old: run.result(seed: 100 + 2 * pair), new: slow.result(seed: 101 + 2 * pair))
      if comparison.stages(.worse).contains(stage) { found += 1 }
      elsewhere += comparison.stages(.worse).count { $0 != stage }
    }
    #expect(found >= Int(pairs) - 1 && elsewhere <= 1, "found \(found), elsewhere \(elsewhere)")
  }

  @Test func `20 µs less are better`() throws {
    var slow = SyntheticRun()
    slow.planted = [.decide: 20]
    let comparison = try Comparison(
      old: slow.result(seed: 1), new: SyntheticRun().result(seed: 2))
    #expect(comparison.verdict == .better && comparison.stages(.better) == [.decide])
  }

  @Test func `a sum is worse only where a stage says why, and the words name stage and figures`()
    throws
  {
    var slow = SyntheticRun()
    slow.planted = [.decide: 60]
    let comparison = try Comparison(
      old: SyntheticRun().result(seed: 1), new: slow.result(seed: 2))
    #expect(comparison.stages(.worse) == [.decide])
    #expect(comparison[.writtenToDecided]?.verdict == .worse)
    #expect(comparison[.wire]?.verdict == .noise)
    let sentence = try #require(comparison.sentences.first)
    for part in ["decide is worse: ", "× floor", "p < 0.0001", "8.0 µs on it counts"] {
      #expect(sentence.contains(part), "\(sentence)")
    }
    // Every stage a little slower: a sum moves by more than counts, and no stage explains it.
    var creeping = SyntheticRun()
    for stage in LatencyStage.inOrder { creeping.planted[stage] = 5 }
    let crept = try Comparison(
      old: SyntheticRun().result(seed: 1), new: creeping.result(seed: 2))
    #expect(crept.stages.allSatisfy { $0.verdict != .worse })
  }

  @Test func `a floor that doubles is warned of and blamed on no stage`() throws {
    var (busy, idle) = (SyntheticRun(), SyntheticRun())
    (busy.floor, idle.floor) = (30, 60)
    let comparison = try Comparison(old: busy.result(seed: 1), new: idle.result(seed: 2))
    #expect(comparison.verdict == .noise)
    #expect(comparison.warnings.contains { $0.contains("the pty's floor went from") })
  }

  @Test func `runs of other devices, builds and rates, late ones and short ones are refused`()
    throws
  {
    let old = SyntheticRun().result(seed: 1)
    func refusal(_ change: (inout BenchResult) -> Void) -> String? {
      var new = old
      change(&new)
      do throws(ComparisonRefusal) {
        _ = try Comparison(old: old, new: new)
        return nil
      } catch { return error.description }
    }
    #expect(refusal { _ in } == nil)
    #expect(
      refusal { $0.device = "pty:/dev/pts/1" }?.contains("device is emulated, then pty") == true)
    #expect(refusal { $0.environment.build = "debug" }?.contains("build") == true)
    #expect(refusal { $0.rate = 8 }?.contains("20.0 a second, then 8.0") == true)
    #expect(refusal { $0.format = 2 }?.contains("format") == true)
    #expect(refusal { $0.pacing?.p99 = 1_001 }?.contains("too late") == true)
    #expect(refusal { $0.blocks.removeLast(25) }?.contains("6 blocks") == true)
  }

  @Test func `another machine is warned of`() throws {
    let old = SyntheticRun().result(seed: 1)
    var new = old
    new.environment.kernel = "6.2.0"
    new.environment.options = []
    new.environment.loadAfter = 7
    new.lost = 1
    let comparison = try Comparison(old: old, new: new)
    #expect(comparison.verdict == .noise)
    #expect(
      comparison.warnings == [
        "kernel: 6.1.0, then 6.2.0", "options: pinned to 1, then none",
        "the new run shared its machine: load 7.00", "the new run lost 1 press",
      ])
  }
}
