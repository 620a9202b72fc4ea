import FobBase
import Foundation
import Glibc
import TestSupport
import Testing

/// G17 with real processes and moved time: whenever the core dies between a check-in's falling due
/// and its limit, an unanswered one opens exactly one incident, and an answered one none.
@Suite(.serialized) struct CheckInKillTests {
  private static let kills = Soak.isOn ? 200 : 6
  /// Of one core's history and log, which are read in one answer.
  private static let days = 40

  @Test func `no check-in is forgotten or doubled, whenever the core is killed, real processes`()
    throws
  {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var killed = 0
    var answered = 0
    var escalated = 0
    while killed < Self.kills {
      let rig = try CheckInRig()
      var expected: [String] = []
      for day in 0..<Self.days where killed < Self.kills {
        try rig.move(toDay: day, after: 1, kill: delay(&random, &killed))
        #expect(try rig.overdue == 1, "day \(day), seed \(seed)")
        let isAnswered = Bool.random(using: &random)
        if isAnswered { try rig.answer(kill: delay(&random, &killed)) }
        if Bool.random(using: &random) {
          killed += 1
          try rig.moveWhileDown(toDay: day, after: CheckInRig.limit + 1)
        } else {
          try rig.move(toDay: day, after: CheckInRig.limit + 1, kill: delay(&random, &killed))
        }
        expected.insert(isAnswered ? "completed" : "escalated", at: 0)
        if isAnswered { answered += 1 } else { escalated += 1 }
        #expect(
          try rig.incidents == expected.count { $0 == "escalated" }, "day \(day), seed \(seed)")
        if !isAnswered { try rig.disarm() }
      }
      let history = try rig.history()
      #expect(
        history.map { $0.split(separator: " ")[1] } == expected.map { $0[...] }, "seed \(seed)")
      #expect(Set(history).count == history.count, "one twice, seed \(seed)")
      for name in ["checkInCompleted", "checkInEscalated"] {
        let keys = try rig.log(name)
        #expect(Set(keys).count == keys.count, "\(name) twice, seed \(seed)")
      }
    }
    print(
      "killed the core \(killed) times: \(answered) check-ins answered, \(escalated) raised one"
        + " incident each, seed \(seed)")
  }

  /// Half of the kills while the step is likely to be under way, half later; a third of the steps
  /// goes undisturbed.
  private func delay(_ random: inout SeededGenerator, _ killed: inout Int) -> UInt32? {
    guard Int.random(in: 0..<3, using: &random) > 0 else { return nil }
    killed += 1
    return UInt32.random(in: 0...(Bool.random(using: &random) ? 4_000 : 60_000), using: &random)
  }
}
