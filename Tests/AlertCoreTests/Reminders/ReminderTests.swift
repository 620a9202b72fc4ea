import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// What the owner is reminded of, kind by kind (R85).
@Suite struct ReminderTests {
  private static let hour: Int64 = 3_600_000_000

  /// The bench's clock begins on a Sunday, 2025-06-15, at 15:06:40 UTC.
  private static func bench(_ edit: (inout ReminderSettings) -> Void = { _ in }) -> CoreBench {
    var bench = CoreBench()
    bench.hand(.zoneTable(.utc))
    var settings = ReminderSettings()
    edit(&settings)
    #expect(bench.answer(to: .remind(settings))?.refusal == nil)
    return bench
  }

  private static func told(_ bench: CoreBench, _ name: AuditEvent.Name) -> [AuditEvent] {
    bench.auditEvents.filter { $0.name == name }
  }

  private static func alarm(_ n: UInt32 = 1, _ bench: inout CoreBench) {
    bench.press(.press(n, clock: UInt64(bench.now.instant)))
    bench.run(for: .seconds(10))
    #expect(bench.answer(to: .disarm)?.refusal == nil)
    #expect(bench.answer(to: .resume)?.refusal == nil)
  }

  @Test func `R85: a day after an alarm its missing review is reminded of, once`() {
    var bench = Self.bench()
    Self.alarm(1, &bench)
    let alarm = bench.store.incidents.keys.first
    bench.run(for: .minutes(24 * 60 - 1))
    #expect(Self.told(bench, .reviewDue).isEmpty)
    bench.restart()
    bench.run(for: .minutes(2))
    #expect(Self.told(bench, .reviewDue).map(\.incident) == [alarm])
    bench.restart()
    bench.run(for: .minutes(3 * 24 * 60))
    #expect(Self.told(bench, .reviewDue).count == 1)
  }

  @Test func `R85: a reminder that is due in an alarm waits, and wakes nobody meanwhile`() {
    var bench = Self.bench()
    Self.alarm(1, &bench)
    bench.run(for: .minutes(24 * 60 - 1))
    bench.press(.press(2, clock: UInt64(bench.now.instant)))
    bench.run(for: .minutes(2))
    // It is due since a minute.
    #expect(bench.core.nextWake(after: bench.now).map { $0.instant > bench.now.instant } ?? true)
    #expect(Self.told(bench, .reviewDue).isEmpty)
  }

  @Test func `R85: a completed review is not reminded of, and one in progress is`() {
    for isCompleted in [false, true] {
      var bench = Self.bench()
      Self.alarm(1, &bench)
      _ = bench.answer(to: .review(.begin(bench.store.incidents.keys.first), isProven: true))
      for step in 1...(isCompleted ? 4 : 3) {
        _ = bench.answer(
          to: .review(.save(1, step: step, text: "A", version: 0), isProven: true))
      }
      let refusal = bench.answer(to: .review(.complete(1), isProven: true))?.refusal
      #expect((refusal == nil) == isCompleted)
      bench.run(for: .minutes(25 * 60))
      #expect(Self.told(bench, .reviewDue).count == (isCompleted ? 0 : 1))
    }
  }

  @Test func `R85: tips and quotes come each day at the chosen time, and a review on Sundays`() {
    var bench = Self.bench {
      ($0.tips, $0.quotes, $0.minute) = (true, true, 7 * 60 + 30)
    }
    _ = bench.answer(to: .review(.begin(nil), isProven: true))
    bench.run(for: .minutes(15 * 24 * 60))
    let day = 24 * Self.hour
    let tips = Self.told(bench, .tipDue).map(\.at.wall)
    #expect(tips.count == 15 && Self.told(bench, .quoteDue).map(\.at.wall) == tips)
    let time = 7 * Self.hour + Self.hour / 2
    #expect(tips.allSatisfy { (time..<time + 1_000_000).contains($0 % day) })
    let open = Self.told(bench, .reviewOpen).map { CivilDate(day: Int32($0.at.wall / day)) }
    #expect(open.map(\.weekday) == [.sunday, .sunday])
  }

  @Test func `R85: what is switched off is not told`() {
    var bench = Self.bench {
      $0.review = false
      $0.affirmations = false
    }
    _ = bench.answer(to: .affirmation(.remind(AffirmationSchedule(.hourly, minute: 0))))
    _ = bench.answer(to: .review(.begin(nil), isProven: true))
    Self.alarm(1, &bench)
    bench.run(for: .minutes(8 * 24 * 60))
    for name in [AuditEvent.Name.reviewDue, .reviewOpen, .tipDue, .quoteDue, .affirmationDue] {
      #expect(Self.told(bench, name).isEmpty, "\(name)")
    }
  }

  @Test func `R85: settings come back after a restart, and a time that is none is refused`() {
    var bench = Self.bench { ($0.tips, $0.mails, $0.minute) = (true, true, 1_439) }
    let settings = bench.core.reminderSettings
    bench.restart()
    #expect(bench.core.reminderSettings == settings && settings.tips)
    var late = settings
    late.minute = 1_440
    #expect(
      bench.answer(to: .remind(late))?.refusal == .invalid("time", "is no time of a day"))
    #expect(bench.core.reminderSettings == settings)
  }

  @Test func `R85: while an alarm is open nothing is told, and no setting changes`() {
    var bench = Self.bench { ($0.tips, $0.minute) = (true, 15 * 60 + 10) }
    bench.press(.press(1))
    bench.run(for: .minutes(10))
    #expect(Self.told(bench, .tipDue).isEmpty)
    #expect(bench.answer(to: .remind(ReminderSettings()))?.refusal == .locked)
  }
}
