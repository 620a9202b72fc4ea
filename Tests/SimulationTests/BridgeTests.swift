import FobBase
import Judge
import Testing
import WireProtocol

@testable import Simulation

/// A bridge elsewhere, and what may come between it and its core.
@Suite struct BridgeTests {
  private func schedule(_ actions: [(milliseconds: Int64, FaultAction)], seed: UInt64) -> Schedule {
    var setting = Setting()
    setting.bridge = RemoteBridgeSite(host: 0, keychains: [0], drift: 100)
    var schedule = Schedule(quiet: setting, seed: seed)
    schedule.acts = actions.enumerated().map { number, act in
      ScheduledAction(
        at: Instant(microseconds: act.milliseconds * 1_000), action: act.1,
        seed: SplitSeed.seed(seed, UInt64(number)), number: number)
    }
    return schedule
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `a press goes by a bridge to its core, and what is true comes back`(seed: UInt64) {
    let press = (Int64(10_000), FaultAction.press(keychain: 0, hold: .milliseconds(100)))
    let outcome = schedule([press], seed: seed).play(keepingJournal: true)
    #expect(outcome.violations.isEmpty)
    let isShown = outcome.journal.contains { observation in
      if case .light(_, .accepted, _) = observation.what { true } else { false }
    }
    #expect(isShown)
  }

  /// The core has taken the bridge for gone, and tells its lines nothing more.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `a bridge that hears its core and is not heard by it shows nothing old`(seed: UInt64) {
    let actions: [(milliseconds: Int64, FaultAction)] = [
      (5_000, .press(keychain: 0, hold: .milliseconds(100))),
      (8_000, .feed(.losesBatches, for: .seconds(50))),
      (30_000, .person(host: 0, .disarm)),
    ]
    #expect(schedule(actions, seed: seed).play().violations.isEmpty)
  }

  /// What the core's new run says is not what the earlier one said.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `what an ended stream has told does not live on by the words of the next`(seed: UInt64) {
    let actions: [(milliseconds: Int64, FaultAction)] = [
      (5_000, .press(keychain: 0, hold: .milliseconds(100))),
      (8_000, .feed(.losesBatches, for: .seconds(50))),
      (9_000, .kill(host: 0, afterEffects: 0, for: .milliseconds(500))),
      (12_000, .person(host: 0, .disarm)),
    ]
    #expect(schedule(actions, seed: seed).play().violations.isEmpty)
  }
}
