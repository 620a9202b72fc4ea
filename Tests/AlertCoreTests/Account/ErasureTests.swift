import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// An account is erased with all that its owner entered (R86).
@Suite struct ErasureTests {
  /// An owner with something in each companion, after an alarm that was pressed at a known place,
  /// told, ended by PIN and resumed from.
  private static func afterAlarm(_ account: Account = .complete()) -> CoreBench {
    var account = account
    account.isProtecting = true
    var bench = CoreBench(account)
    bench.hand(.zoneTable(.utc))
    fill(&bench)
    bench.press(EventRecord.press(1).located(480_000_000, age: 0))
    bench.run(for: .seconds(10))
    #expect(bench.answer(to: .disarm)?.refusal == nil)
    #expect(bench.answer(to: .resume)?.refusal == nil)
    bench.run(for: .seconds(10))
    return bench
  }

  private static func fill(_ bench: inout CoreBench) {
    let asked: [UserCommand] = [
      .checkIn(.add(CheckInTests.daily()), isProven: true),
      .message(
        .fill(MessageSlot(slot: 1, contact: "contact-1", message: "Call me")), isProven: true),
      .review(.begin(nil), isProven: true),
      .review(.save(1, step: 1, text: "It was dark", version: 0), isProven: true),
      .affirmation(.add("I can wait")),
      .exercise(.start(.breathing, device: nil)),
    ]
    for command in asked { #expect(bench.answer(to: command)?.refusal == nil, "\(command)") }
    bench.run(for: .seconds(20))
    #expect(bench.answer(to: .exercise(.stop))?.refusal == nil)
  }

  private static func expectNothing(_ core: AlertCore) {
    #expect(!core.account.exists && core.account.contacts.isEmpty && core.account.pinHash == nil)
    #expect(core.checkIns.series.isEmpty && core.checkIns.open.isEmpty)
    #expect(core.messages.slots.isEmpty && core.messages.sends.isEmpty)
    #expect(core.reviews.reviews.isEmpty && core.reviews.offer == nil)
    #expect(core.exercises.totals == BreathingTotals() && core.exercises.last == nil)
    #expect(core.affirmations.lines.map(\.text) == Affirmations.supplied)
  }

  @Test func `R86: the account, its contacts and each companion go, and stay away`() {
    var bench = Self.afterAlarm()
    #expect(bench.change(.erase, isProven: true) == nil)
    Self.expectNothing(bench.core)
    #expect(bench.happened(.accountChanged).last?.facts?.words == "account erased")
    bench.restart()
    Self.expectNothing(bench.core)
  }

  @Test func `R86: past alarms stay, without a position and with contacts by their ids`() {
    var bench = Self.afterAlarm()
    let id = EventRecord.press(1).incident
    #expect(bench.core.engine.history[id]?.lastPosition != nil)
    #expect(bench.change(.erase, isProven: true) == nil)
    #expect(bench.core.engine.history[id]?.lastPosition == nil)
    #expect(bench.store.incidents[id]?.lastPosition == nil)
  }

  @Test func `R86: what was on its way to contacts is withdrawn, and its row names nobody`() {
    var bench = Self.afterAlarm()
    bench.press(.press(2, clock: 60_000_000))
    bench.run(for: .seconds(10))
    bench.otherSinks = .refuses
    _ = bench.answer(to: .disarm)
    bench.run(for: .seconds(2))
    bench.otherSinks = .acceptsAtOnce
    let told = bench.deliveries.count
    #expect(bench.change(.erase, isProven: true) == nil)
    bench.run(for: .minutes(30))
    #expect(bench.deliveries.count == told)
    let ends = bench.store.notifications.values.filter {
      $0.kind == .closing && $0.delivery != .delivered
    }
    #expect(ends.count == 2 && ends.allSatisfy { $0.delivery == .withdrawn })
    #expect(ends.map(\.contact.address) == ["", ""])
    bench.restart()
    bench.run(for: .minutes(30))
    #expect(bench.deliveries.count == told)
  }

  @Test func `R86: an open alarm of the account refuses it`() {
    var bench = Self.afterAlarm()
    bench.press(.press(2, clock: 60_000_000))
    bench.run(for: .seconds(10))
    #expect(bench.change(.erase, isProven: true) == .locked)
  }

  @Test func `R86: of what waits for the disk, only what came after the erasure is written`() {
    var bench = Self.afterAlarm()
    bench.storeBehaviour = .failsAtOnce
    _ = bench.perform(.affirmation(.add("Before")))
    _ = bench.perform(.change(.erase, isProven: true))
    _ = bench.perform(.change(.create(.complete), isProven: false))
    _ = bench.perform(.affirmation(.add("After")))
    bench.storeBehaviour = .commitsAtOnce
    bench.run(for: .seconds(10))
    #expect(bench.store.affirmations.lines.map(\.text) == Affirmations.supplied + ["After"])
    #expect(bench.store.reviews == StoredReviews())
    bench.restart()
    #expect(bench.core.account.name == AccountChange.Profile.complete.name)
    #expect(bench.core.affirmations.current?.text == "After")
  }

  @Test func `R86: ids of contacts and series go on, since alarms have their names by them`() {
    var bench = Self.afterAlarm()
    #expect(bench.change(.erase, isProven: true) == nil)
    bench.restart()
    #expect(bench.change(.create(.complete)) == nil)
    #expect(bench.change(.addContact(.named("Contact 9"))) == nil)
    #expect(bench.core.account.contacts.map(\.id) == ["contact-3"])
    bench.hand(.zoneTable(.utc))
    #expect(bench.answer(to: .checkIn(.add(CheckInTests.daily()), isProven: true))?.made == 2)
  }

  @Test func `R86: a press of a keychain that was the account's is one of an unclaimed device`() {
    var bench = Self.afterAlarm()
    #expect(bench.change(.erase, isProven: true) == nil)
    bench.press(.press(2, clock: 60_000_000))
    #expect(bench.core.engine.open?.isUnclaimed == true)
  }

  @Test func `R86: a kill at any moment leaves all of the account or nothing of it`() {
    for effects in 0..<6 {
      var bench = Self.afterAlarm()
      bench.effectsUntilKill = effects
      _ = bench.perform(.change(.erase, isProven: true))
      bench.run(for: .seconds(5))
      if bench.core.account.exists {
        #expect(!bench.core.reviews.reviews.isEmpty && !bench.core.messages.slots.isEmpty)
        #expect(!bench.core.checkIns.series.isEmpty && bench.core.account.contacts.count == 2)
      } else {
        Self.expectNothing(bench.core)
      }
      bench.restart()
      if !bench.core.account.exists { Self.expectNothing(bench.core) }
    }
  }
}
