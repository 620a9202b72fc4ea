import AlertCore
import FobBase
import Testing

@testable import Simulation

@Suite struct StartTests {
  /// A click whose release goes to the other host is in doubt; so it is an alarm, also where the
  /// core was started anew and no line is plugged in that could wake it.
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `a host that starts without a line reads what an earlier run left in doubt`(seed: UInt64) {
    var setting = Setting()
    setting.hosts = 2
    setting.policy.profile = .guarded(PanicSlots(rawValue: 31))
    var schedule = Schedule(quiet: setting, seed: seed)
    let actions: [(milliseconds: Int64, FaultAction)] = [
      (10_000, .press(keychain: 0, hold: .milliseconds(100))),
      (10_050, .move(keychain: 0, toHost: 1)),
      (10_060, .kill(host: 0, afterEffects: 10, for: .milliseconds(1))),
    ]
    schedule.acts = actions.enumerated().map { number, act in
      ScheduledAction(
        at: Instant(microseconds: act.milliseconds * 1_000), action: act.1,
        seed: SplitSeed.seed(seed, UInt64(number)), number: number)
    }
    #expect(schedule.play().violations.isEmpty)
  }
}
