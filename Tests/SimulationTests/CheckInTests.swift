import AlertCore
import FobBase
import Judge
import Testing

@testable import Simulation

/// Check-ins in worlds where little else happens. They begin at 15:06:40 UTC; the check-in is due
/// at 15:08, after 80 s, and runs out after 380 s.
@Suite struct CheckInTests {
  private static let add = FaultAction.checkIn(
    host: 0,
    .add(
      SeriesPlan(
        .once, minute: 15 * 60 + 8, start: 20_254, lead: 1, escalates: true, limit: 5)))
  private static let click = FaultAction.press(keychain: 0, hold: .milliseconds(100))

  private func play(
    _ actions: [(seconds: Int64, FaultAction)], zone: Zone = Zone(), seed: UInt64
  ) -> Outcome {
    var setting = Setting()
    setting.zone = zone
    setting.isProtecting = true
    setting.policy.profile = .guarded(.none)
    setting.policy.triggerCountdown = .seconds(10)
    setting.calmFrom = Instant(microseconds: 385_000_000)
    setting.end = Instant(microseconds: 450_000_000)
    var schedule = Schedule(quiet: setting, seed: seed)
    schedule.acts = ([(5, Self.add)] + actions).enumerated().map { number, act in
      ScheduledAction(
        at: Instant(microseconds: act.0 * 1_000_000), action: act.1,
        seed: SplitSeed.seed(seed, UInt64(number)), number: number)
    }
    return schedule.play(keepingJournal: true)
  }

  /// When a check-in raised an alarm, in seconds.
  private func raised(in outcome: Outcome) -> [Int64] {
    outcome.journal.compactMap { seen in
      if case .raised = seen.what { seen.at.microseconds / 1_000_000 } else { nil }
    }
  }

  private func isCompleted(in outcome: Outcome) -> Bool {
    outcome.journal.contains { seen in
      if case .checkInSaid(_, .completed, _) = seen.what { true } else { false }
    }
  }

  @Test(arguments: 0..<3 as Range<UInt64>)
  func `silence raises an alarm at the limit, and contacts are told after the countdown`(
    seed: UInt64
  ) {
    let outcome = play([], seed: seed)
    #expect(outcome.violations.isEmpty)
    #expect(raised(in: outcome) == [380])
    let told = outcome.journal.compactMap { seen in
      if case .told = seen.what { seen.at.microseconds / 1_000_000 } else { nil }
    }
    #expect(told.first == 390)
  }

  @Test(
    arguments: [
      [(90, click)], [(90, .checkIn(host: 0, .complete))],
      [(85, .unplug(keychain: 0, for: .seconds(30))), (90, click)],
      [(90, .disk(host: 0, .full, for: .seconds(20))), (95, click)],
    ] as [[(seconds: Int64, FaultAction)]])
  func `an answer is one by click, by page, and by a click that comes late`(
    actions: [(seconds: Int64, FaultAction)]
  ) {
    let outcome = play(actions, seed: 1)
    #expect(outcome.violations.isEmpty)
    #expect(isCompleted(in: outcome))
    #expect(raised(in: outcome).isEmpty)
  }

  @Test(
    arguments: [
      ([(200, .kill(host: 0, afterEffects: 0, for: .seconds(5)))], 380),
      ([(370, .reboot(host: 0, for: .seconds(15), wallClockBy: .zero))], 385),
      ([(60, .reboot(host: 0, for: .seconds(30), wallClockBy: .zero))], 380),
      ([(60, .reboot(host: 0, for: .seconds(324), wallClockBy: .zero))], 384),
      ([(100, .jumpWallClock(host: 0, by: .seconds(-3_600)))], 380),
      ([(100, .jumpWallClock(host: 0, by: .seconds(400)))], 100),
      ([(300, .disk(host: 0, .full, for: .seconds(85)))], 380),
      ([(300, .person(host: 0, .unprotect)), (384, .person(host: 0, .protect))], 384),
    ] as [([(seconds: Int64, FaultAction)], Int64)])
  func `kills, reboots, clocks and disks keep no alarm away`(
    actions: [(seconds: Int64, FaultAction)], at: Int64
  ) {
    let outcome = play(actions, seed: 2)
    #expect(outcome.violations.isEmpty)
    #expect(raised(in: outcome).count == 1)
    #expect(raised(in: outcome).allSatisfy { (at...at + 2).contains($0) })
  }

  @Test func `a rule that is edited asks nothing that it would have asked before`() {
    let edited = SeriesPlan(
      .days(every: 1, times: 1, hoursApart: 1), minute: 15 * 60 + 7, start: 20_254, lead: 0,
      escalates: true, limit: 5)
    let outcome = play([(60, .checkIn(host: 0, .edit(0, edited)))], seed: 3)
    #expect(outcome.violations.isEmpty)
    #expect(raised(in: outcome).isEmpty)
  }
}
