import FobBase
import Testing
import WireProtocol

@testable import AlertCore

@Suite struct ExerciseTests {
  /// One click breathes, unless said otherwise.
  private static func guarded(
    oneClick: Bool = true, _ account: Account = .sample(contacts: 2)
  ) -> GuardedBench {
    var guarded = GuardedBench(.none, account)
    if oneClick {
      var settings = ExerciseSettings()
      settings.oneClickBreathes = true
      #expect(guarded.bench.answer(to: .exercise(.settings(settings)))?.refusal == nil)
    }
    return guarded
  }

  private static func start(
    _ exercise: Exercise = .breathing, on device: DeviceID? = nil
  ) -> UserCommand {
    .exercise(.start(exercise, device: device?.text))
  }

  private static func breathing(on device: DeviceID? = nil) -> GuardedBench {
    var guarded = guarded(oneClick: false)
    #expect(guarded.bench.answer(to: start(on: device))?.refusal == nil)
    return guarded
  }

  private static let light = Indication(state: .breathing)

  // MARK: Start, stop, timer (R69, R72)

  @Test func `breathing starts, stops and starts again, and the timer is that of the session`() {
    var guarded = Self.breathing()
    #expect(guarded.bench.indication == Self.light)
    guarded.bench.run(for: .seconds(64))
    #expect(guarded.bench.core.exercises.running?.seconds(at: guarded.bench.now) == 64)
    #expect(guarded.bench.answer(to: .exercise(.stop))?.refusal == nil)
    #expect(guarded.bench.core.exercises.running == nil)
    #expect(guarded.bench.core.exercises.last?.end == .page)
    #expect(guarded.bench.core.exercises.last?.seconds == 64)
    #expect(guarded.bench.indication?.state == .idle)
    #expect(guarded.bench.answer(to: .exercise(.stop))?.refusal == .noExercise)
    #expect(guarded.bench.answer(to: Self.start())?.refusal == nil)
    #expect(guarded.bench.core.exercises.running?.seconds(at: guarded.bench.now) == 0)
    #expect(guarded.bench.happened(.exerciseStarted).count == 2)
    #expect(guarded.bench.happened(.exerciseEnded).map(\.detail) == ["breathing after 64 s: page"])
  }

  @Test func `no session lasts longer than half an hour`() {
    var guarded = Self.breathing()
    guarded.bench.run(for: .minutes(31))
    #expect(guarded.bench.core.exercises.last?.end == .time)
    #expect(guarded.bench.core.exercises.totals.longest == 1_800)
  }

  @Test func `a keychain that is named breathes alone, and one that is not linked is refused`() {
    var guarded = Self.breathing(on: keychain)
    #expect(guarded.bench.shown[line] == Self.light)
    #expect(guarded.bench.core.indication(at: guarded.bench.now).state == .idle)
    _ = guarded.bench.answer(to: .exercise(.stop))
    #expect(guarded.bench.shown[line]?.state == .idle)
    #expect(guarded.bench.answer(to: Self.start(on: otherKeychain))?.refusal == .unknownDevice)
  }

  @Test func `its light is lit since the light has shown it`() {
    var guarded = Self.breathing()
    let began = guarded.bench.now
    guarded.bench.run(for: .seconds(9))
    #expect(guarded.bench.core.exercises.running?.litSince == began)
  }

  @Test func `without a keychain nothing is lit, and its light is lit from the link on`() {
    var bench = CoreBench()
    #expect(bench.answer(to: Self.start())?.refusal == nil)
    bench.run(for: .seconds(3))
    #expect(bench.core.exerciseStatus(at: bench.now).running?.lit == nil)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.run(for: .seconds(2))
    #expect(bench.core.exerciseStatus(at: bench.now).running?.lit == 2_000_000)
    bench.hand(.linkDown(line, reason: "unplugged"))
    #expect(bench.core.exerciseStatus(at: bench.now).running?.lit == nil)
  }

  // MARK: One at a time (R71)

  @Test(arguments: Exercise.allCases)
  func `while one runs no other starts`(exercise: Exercise) {
    var guarded = Self.breathing()
    #expect(guarded.bench.answer(to: Self.start(exercise))?.refusal == .exerciseRuns)
    #expect(UserCommand.Refusal.exerciseRuns.description.contains("stop it first"))
  }

  @Test(arguments: Exercise.allCases)
  func `a hold ends an exercise in the turn that raises the alarm`(exercise: Exercise) {
    var guarded = Self.guarded(oneClick: false)
    _ = guarded.bench.answer(to: Self.start(exercise))
    let press = guarded.edge(.pressed, at: guarded.now)
    guarded.deliver(press)
    while guarded.bench.incident == nil { guarded.bench.run(for: .milliseconds(10)) }
    #expect(guarded.bench.core.exercises.running == nil)
    #expect(guarded.bench.indication?.incident != 0)
    #expect(guarded.bench.answer(to: Self.start(exercise))?.refusal == .locked)
    #expect(guarded.bench.answer(to: .exercise(.totals(BreathingTotals())))?.refusal == .locked)
  }

  @Test func `in profile literal any press ends an exercise and raises the alarm`() {
    var bench = CoreBench()
    bench.hand(.linkUp(line, .from(keychain)))
    _ = bench.answer(to: Self.start())
    bench.press(.press(1))
    #expect(bench.core.exercises.last?.end == .alarm)
    #expect(bench.state.isOpen)
    #expect(bench.indication?.state != .breathing)
  }

  @Test func `a fall ends an exercise`() {
    var account = Account.sample()
    account.isProtecting = true
    var guarded = Self.guarded(oneClick: false, account)
    _ = guarded.bench.answer(to: Self.start())
    guarded.bench.perform(.trigger(Trigger(source: .fall, device: keychain, key: "1")))
    #expect(guarded.bench.state == .alertCountdown)
    #expect(guarded.bench.core.exercises.last?.end == .alarm)
  }

  @Test func `an alarm that nobody raised by a keychain of the account ends it as well`() {
    var account = Account.sample(contacts: 2)
    account.devices = [otherKeychain.text]
    var guarded = Self.guarded(oneClick: false, account)
    _ = guarded.bench.answer(to: Self.start())
    guarded.click(8)
    #expect(guarded.bench.incident?.isUnclaimed == true)
    #expect(guarded.bench.core.exercises.last?.end == .alarm)
    #expect(guarded.bench.answer(to: Self.start())?.refusal == nil)
    guarded.bench.run(for: .seconds(10))
    #expect(guarded.bench.core.exercises.isRunning, "an alarm of nobody's was there before it")
  }

  @Test func `clicks for a message end an exercise, and the next one starts beside its sending`() {
    var guarded = Self.breathing()
    let slot = MessageSlot(slot: 1, contact: "contact-1", message: "Please call me.")
    _ = guarded.bench.answer(to: .message(.fill(slot), isProven: true))
    guarded.bench.otherSinks = .silent
    guarded.click(2)
    #expect(guarded.bench.core.exercises.last?.end == .message)
    #expect(guarded.bench.indication?.state == .sending)
    #expect(guarded.bench.answer(to: Self.start())?.refusal == nil)
    guarded.bench.run(for: .seconds(5))
    #expect(guarded.bench.core.exercises.isRunning)
    #expect(guarded.bench.core.exercises.running?.litSince == nil)
    #expect(guarded.bench.indication?.state == .sending)
  }

  // MARK: One click

  @Test func `one click stops breathing, and is stored as that`() {
    var guarded = Self.breathing()
    guarded.bench.run(for: .seconds(20))
    let click = guarded.click()
    #expect(guarded.meaning(click[0]) == .exercise)
    #expect(guarded.bench.core.exercises.last?.end == .click)
    #expect(guarded.bench.incident == nil)
    #expect(guarded.bench.indication?.state == .idle)
  }

  @Test func `one click starts breathing where the owner has it so, and the next one stops it`() {
    var guarded = Self.guarded()
    #expect(guarded.meaningOfClick() == .breathing)
    #expect(guarded.bench.shown[line] == Self.light)
    #expect(guarded.bench.core.exercises.running?.device == keychain)
    #expect(guarded.meaningOfClick() == .exercise)
    #expect(!guarded.bench.core.exercises.isRunning)
  }

  @Test func `one click starts nothing by default`() {
    var guarded = Self.guarded(oneClick: false)
    #expect(guarded.meaningOfClick() == .acknowledge)
    #expect(!guarded.bench.core.exercises.isRunning)
  }

  @Test func `with an alarm open one click silences it and starts nothing`() {
    var guarded = Self.guarded()
    guarded.click(8)
    #expect(guarded.meaningOfClick() == .acknowledge)
    #expect(guarded.bench.incident?.sounder == false)
    #expect(!guarded.bench.core.exercises.isRunning)
  }

  @Test func `a click that comes too late neither starts nor stops`() {
    var guarded = Self.guarded()
    let began = guarded.now
    let edges = [guarded.edge(.pressed, at: began), guarded.edge(.released, at: began + 200_000)]
    guarded.bench.run(for: .seconds(11))
    for edge in edges { guarded.deliver(edge) }
    guarded.bench.run(for: .seconds(1))
    #expect(guarded.meaning(edges[0]) == .noted)
    #expect(!guarded.bench.core.exercises.isRunning)
  }

  @Test func `a click that was to stop an exercise starts none, and one from before stops none`() {
    var guarded = Self.guarded()
    _ = guarded.bench.answer(to: Self.start())
    guarded.bench.run(for: .seconds(5))
    let began = guarded.now
    let late = [guarded.edge(.pressed, at: began), guarded.edge(.released, at: began + 200_000)]
    guarded.bench.run(for: .seconds(2))
    _ = guarded.bench.answer(to: .exercise(.stop))
    for edge in late { guarded.deliver(edge) }
    guarded.bench.run(for: .seconds(1))
    #expect(guarded.meaning(late[0]) == .acknowledge)
    #expect(!guarded.bench.core.exercises.isRunning)
    let before = guarded.now
    let early = [guarded.edge(.pressed, at: before), guarded.edge(.released, at: before + 200_000)]
    guarded.bench.run(for: .seconds(2))
    _ = guarded.bench.answer(to: Self.start())
    for edge in early { guarded.deliver(edge) }
    guarded.bench.run(for: .seconds(1))
    #expect(guarded.bench.core.exercises.isRunning)
  }

  @Test func `an event acts once, however often it comes and whenever the core is killed`() {
    var guarded = Self.guarded()
    let click = guarded.click()
    for edge in click { guarded.deliver(edge) }
    guarded.bench.run(for: .seconds(1))
    #expect(guarded.bench.core.exercises.isRunning)
    guarded.bench.restart()
    guarded.bench.hand(.linkUp(line, .from(keychain)))
    for edge in click { guarded.deliver(edge) }
    guarded.bench.run(for: .seconds(1))
    #expect(!guarded.bench.core.exercises.isRunning)
    #expect(guarded.meaning(click[0]) == .breathing)
    #expect(guarded.bench.happened(.exerciseStarted).count == 1)
  }

  @Test func `a keychain of nobody starts and stops nothing`() {
    var account = Account.sample(contacts: 2)
    account.devices = [otherKeychain.text]
    var guarded = Self.guarded(account)
    guarded.click()
    #expect(!guarded.bench.core.exercises.isRunning)
    _ = guarded.bench.answer(to: Self.start())
    guarded.click()
    #expect(guarded.bench.core.exercises.isRunning)
  }

  // MARK: Lost and found

  @Test func `a keychain that is gone for longer than its lease has lost the exercise`() {
    var guarded = Self.guarded()
    guarded.click()
    guarded.bench.hand(.linkDown(line, reason: "unplugged"))
    guarded.bench.run(for: .seconds(4))
    guarded.bench.hand(.linkUp(line, .from(keychain)))
    guarded.bench.run(for: .seconds(4))
    #expect(guarded.bench.shown[line] == Self.light)
    guarded.bench.hand(.linkDown(line, reason: "unplugged"))
    guarded.bench.run(for: .seconds(5))
    #expect(guarded.bench.core.exercises.last?.end == .lost)
  }

  @Test func `a session that a crash left open ends as it was stored, and counts once`() {
    var guarded = Self.breathing()
    guarded.bench.run(for: .seconds(57))
    guarded.bench.restart()
    #expect(guarded.bench.core.exercises.last?.end == .restart)
    #expect(guarded.bench.core.exercises.totals.seconds == 50)
    guarded.bench.commitNotes()
    guarded.bench.restart()
    #expect(guarded.bench.core.exercises.totals.seconds == 50)
    #expect(guarded.bench.core.exercises.totals.count == 1)
    #expect(guarded.bench.indication?.state != .breathing)
  }

  // MARK: Check-ins

  /// One that falls due at 15:08 UTC, 80 s from the start.
  private static func asked(escalates: Bool) -> GuardedBench {
    var account = Account.sample(contacts: 1)
    account.isProtecting = true
    account.zone = "UTC"
    var guarded = guarded(account)
    guarded.bench.hand(.zoneTable(.utc))
    var draft = CheckInTests.daily(escalates: escalates)
    draft.minute = 15 * 60 + 8
    #expect(guarded.bench.answer(to: .checkIn(.add(draft), isProven: true))?.refusal == nil)
    return guarded
  }

  @Test func `a check-in that raises an alarm ends breathing when it falls due`() {
    var guarded = Self.asked(escalates: true)
    _ = guarded.bench.answer(to: Self.start())
    guarded.bench.run(for: .minutes(2))
    #expect(guarded.bench.core.exercises.last?.end == .checkIn)
    #expect(guarded.bench.indication == Indication(state: .due, detail: 1))
    #expect(guarded.bench.answer(to: Self.start())?.refusal == .checkInOverdue)
    #expect(guarded.meaningOfClick() == .checkIn)
    #expect(guarded.meaningOfClick() == .breathing)
  }

  @Test func `a reminder waits behind breathing, and one click speaks to breathing first`() {
    var guarded = Self.asked(escalates: false)
    _ = guarded.bench.answer(to: Self.start())
    guarded.bench.run(for: .minutes(2))
    #expect(guarded.bench.indication == Self.light)
    #expect(guarded.meaningOfClick() == .exercise)
    #expect(guarded.bench.indication == Indication(state: .due, detail: 1))
    #expect(guarded.meaningOfClick() == .checkIn)
  }

  // MARK: Grounding (R77)

  @Test func `grounding goes through 45 items, five of each kind, then four, to one`() {
    var grounding = Grounding()
    var goals: [String] = []
    while let stage = grounding.stage, let category = grounding.category {
      if grounding.left == stage { goals.append("\(stage) \(category)") }
      grounding.count()
    }
    #expect(goals.count == 15)
    #expect(goals.prefix(4) == ["5 see", "5 touch", "5 hear", "4 see"])
    #expect(goals.last == "1 hear")
    #expect(grounding.counted == 45 && grounding.left == 0)
  }

  @Test
  func `a click or a press on the page counts one item, and the light says how many are left`() {
    var guarded = Self.guarded()
    _ = guarded.bench.answer(to: Self.start(.grounding))
    #expect(guarded.bench.indication == Indication(state: .due, detail: 5))
    #expect(guarded.meaningOfClick() == .exercise)
    #expect(guarded.bench.indication == Indication(state: .due, detail: 4))
    for _ in 2...5 { _ = guarded.bench.answer(to: .exercise(.count)) }
    #expect(guarded.bench.core.exercises.running?.grounding.category == .touch)
    #expect(guarded.bench.indication == Indication(state: .due, detail: 5))
    _ = guarded.bench.answer(to: .exercise(.retry))
    #expect(guarded.bench.core.exercises.running?.grounding.counted == 0)
    for _ in 1...45 { _ = guarded.bench.answer(to: .exercise(.count)) }
    #expect(!guarded.bench.core.exercises.isRunning)
    #expect(guarded.bench.indication?.state == .idle)
    #expect(guarded.bench.answer(to: .exercise(.count))?.refusal == .noExercise)
  }

  @Test func `nothing of grounding is stored, and it adds nothing to the totals of breathing`() {
    var guarded = Self.guarded(oneClick: false)
    _ = guarded.bench.answer(to: Self.start(.grounding))
    guarded.bench.run(for: .seconds(30))
    _ = guarded.bench.answer(to: .exercise(.stop))
    #expect(guarded.bench.happened(.exerciseEnded).map(\.detail) == ["grounding after 30 s: page"])
    #expect(guarded.bench.store.exercises == StoredExercises())
    #expect(!guarded.bench.store.log.contains { $0.name == .exerciseStarted })
    #expect(guarded.bench.core.exercises.totals == BreathingTotals())
  }
}

extension GuardedBench {
  fileprivate mutating func meaningOfClick() -> PressDetector.Meaning? {
    let click = click()
    return meaning(click[0])
  }
}
