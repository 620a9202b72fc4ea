import FobBase
import Foundation
import Glibc
import TestSupport
import Testing

/// Rules 4 and 5 with real processes and moved time: whenever the core dies, the emergency ends as
/// it would have, and each message that was decided is told at least once, by the same key.
@Suite(.serialized) struct CoreKillTests {
  private typealias Step = EmergencyRig.Step

  /// Countdown, the alarm, and so many repeats, one each five minutes.
  private static func alarm(repeats: Int) -> [Step] {
    [.press, .move(30, tells: 0), .move(31, tells: 1)]
      + Array(repeating: .move(300, tells: 1), count: repeats)
  }

  private static let disarmed = alarm(repeats: 3) + [.wrongPIN, .disarm, .resume]
  /// Tracking is over 30 minutes after the countdown.
  private static let trackedOut = alarm(repeats: 5) + [.move(300, tells: 1), .resume]

  private static let kills =
    ProcessInfo.processInfo.environment["FOB_CORE_KILLS"].flatMap(Int.init)
    ?? (Soak.isOn ? 500 : 20)
  /// Of one emergency.
  private static let killsInOne = 5

  @Test(arguments: [true, false], [true, false])
  func `an emergency ends as it would have, whenever its core is killed, real processes`(
    isDisarmed: Bool, isRemote: Bool
  ) throws {
    let steps = isDisarmed ? Self.disarmed : Self.trackedOut
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let rig = try EmergencyRig(isRemote: isRemote)
    for step in steps { try rig.perform(step) }
    let undisturbed = try rig.messages().map(\.told).sorted()
    let end = try #require(try rig.incidents().last)
    #expect(Set(undisturbed).count == undisturbed.count, "told twice though nobody died")
    try expectEnd(rig, isDisarmed, undisturbed)

    var killed = 0
    var repeated = 0
    while killed < Self.kills / 4 {
      let rig = try EmergencyRig(isRemote: isRemote)
      let chosen = Set(steps.indices.shuffled(using: &random).prefix(Self.killsInOne))
      for (index, step) in steps.enumerated() {
        let delay = chosen.contains(index) ? Self.delay(&random) : nil
        try rig.perform(step, kill: delay)
      }
      killed += chosen.count
      let messages = try rig.messages()
      let told = Set(messages.map(\.told))
      #expect(told.sorted() == undisturbed, "seed \(seed), after \(killed) kills")
      #expect(
        Set(messages.map(\.key)).count == told.count, "a repeat had another key, seed \(seed)")
      #expect(try rig.incidents().count == 1, "seed \(seed)")
      #expect(try rig.incidents().last?.end == end.end, "seed \(seed)")
      #expect(try rig.state == "NO_EMERGENCY", "seed \(seed)")
      repeated += messages.count - told.count
    }
    print(
      "killed the core\(isRemote ? ", fed by a bridge," : "") \(killed) times in"
        + " emergencies that end by \(isDisarmed ? "PIN" : "time"):"
        + " each of \(undisturbed.count) messages told, \(repeated) of them again, seed \(seed)")
  }

  /// Half of them while the step is likely to be under way, half later.
  private static func delay(_ random: inout SeededGenerator) -> UInt32 {
    UInt32.random(in: 0...(Bool.random(using: &random) ? 4_000 : 60_000), using: &random)
  }

  private func expectEnd(
    _ rig: EmergencyRig, _ isDisarmed: Bool, _ told: [EmergencyRig.Told]
  ) throws {
    #expect(try rig.state == "NO_EMERGENCY")
    #expect(told.first?.kind == "raise" && told.last?.kind == "closing")
    #expect(try rig.incidents().count == 1)
    #expect(try rig.incidents().last?.end == (isDisarmed ? "disarmed" : "trackingOver"))
  }
}
