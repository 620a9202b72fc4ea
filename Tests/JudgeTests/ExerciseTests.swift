import FobBase
import Judge
import Testing
import WireProtocol

/// Breathing and grounding, as a judge of them sees a world: one innocent and one guilty scene of
/// each rule.
@Suite struct ExerciseTests {
  /// Somebody breathes by page.
  private func breathing() -> Scene {
    var scene = Scene { $0.isGuarded = true }
    scene.ask(1, .startExercise(.breathing, on: nil))
    scene.say(.breathing)
    scene.see(.answered(host: 0, request: 1, .noEmergency, isRefused: false, isDurable: true))
    scene.see(.exerciseSaid(host: 0, .started(.breathing, click: nil)))
    return scene
  }

  /// - Parameter ends: the exercise is over when the alarm begins.
  private func alarmed(ends: Bool) -> Scene {
    var scene = breathing()
    let press = Event.press(1)
    scene.hear(press)
    if ends {
      scene.say(.sending, of: press.name)
      scene.see(.exerciseSaid(host: 0, .ended(.breathing)))
    }
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.store([press], in: press.name, row: .emergencySending)
    return scene
  }

  @Test(arguments: [false, true])
  func `an exercise that goes on for 0.1 s of an alarm is found`(ends: Bool) {
    var scene = alarmed(ends: ends)
    scene.pass(101)
    scene.say(.sending, of: Event.press(1).name)
    #expect(scene.found == (ends ? [] : [.exerciseHidAlarm]))
  }

  @Test(arguments: [ShownState.sending, .breathing])
  func `a light that is told to breathe in an alarm is found`(state: ShownState) {
    var scene = alarmed(ends: true)
    let incident = state == .breathing ? 0 : Event.press(1).name
    scene.say(state, of: incident)
    scene.pass(101)
    scene.say(state, of: incident)
    #expect(scene.found == (state == .breathing ? [.exerciseHidAlarm] : []))
  }

  @Test(arguments: [false, true])
  func `breathing that nobody started is found`(isAsked: Bool) {
    var scene = isAsked ? breathing() : Scene { $0.isGuarded = true }
    if !isAsked { scene.see(.exerciseSaid(host: 0, .started(.breathing, click: nil))) }
    #expect(scene.found == (isAsked ? [] : [.exerciseInvented]))
  }

  @Test(arguments: [false, true])
  func `a click starts breathing where somebody has chosen so`(isChosen: Bool) {
    var scene = Scene { $0.isGuarded = true }
    if isChosen { scene.ask(1, .clickBreathes(true)) }
    scene.see(.exerciseSaid(host: 0, .started(.breathing, click: .bench(1))))
    #expect(scene.found == (isChosen ? [] : [.exerciseInvented]))
  }

  @Test func `a light that breathes while nobody does is found`() {
    var scene = Scene { $0.isGuarded = true }
    scene.say(.breathing)
    scene.pass(101)
    scene.say(.breathing)
    #expect(scene.found == [.exerciseInvented])
  }

  @Test func `a keychain that breathes and was told nothing is found`() {
    var scene = Scene { $0.isGuarded = true }
    scene.pass(20_000)
    scene.show(.breathing)
    #expect(scene.found == [.exerciseInvented])
  }

  @Test(arguments: [63, 64])
  func `the totals are those of the sessions`(seconds: Int) {
    var scene = breathing()
    scene.pass(63_000)
    scene.see(.exerciseSaid(host: 0, .ended(.breathing)))
    scene.read(BreathingRecord(seconds: seconds, count: 1))
    #expect(scene.found == (seconds == 63 ? [] : [.totalWrong]))
  }

  @Test(arguments: [20, 0])
  func `a crash leaves what is on the disk of a session`(seconds: Int) {
    var scene = breathing()
    scene.pass(25_000)
    var batch = Batch()
    batch.session = Batch.SessionRow(seconds: 20, isOver: false)
    scene.see(.stored(host: 0, batch))
    scene.see(.stopped(host: 0))
    scene.see(.started(host: 0, RestoredState()))
    scene.read(BreathingRecord(seconds: seconds, count: seconds == 0 ? 0 : 1))
    #expect(scene.found == (seconds == 20 ? [] : [.totalWrong]))
  }

  @Test(arguments: [false, true])
  func `a session that goes on is stored each ten seconds`(isStored: Bool) {
    var scene = breathing()
    scene.see(.calm)
    scene.pass(100_000)
    var batch = Batch()
    batch.session = Batch.SessionRow(seconds: isStored ? 95 : 0, isOver: false)
    scene.see(.stored(host: 0, batch))
    scene.judge.finish(at: Instant(microseconds: scene.now * 1_000))
    #expect(scene.found == (isStored ? [] : [.totalWrong]))
  }

  @Test func `totals that somebody has written are the totals`() {
    var scene = Scene()
    scene.pass(1)
    let totals = BreathingRecord(seconds: 600, count: 3)
    scene.see(.asked(host: 0, request: 1, .saveTotals(totals)))
    scene.see(.exerciseSaid(host: 0, .totalsReplaced))
    scene.read(totals)
    #expect(scene.found == [])
  }

  @Test(arguments: [false, true])
  func `grounding shows what is left as check-ins do`(isAsked: Bool) {
    var scene = Scene()
    if isAsked { scene.see(.asked(host: 0, request: 1, .startExercise(.grounding, on: nil))) }
    scene.see(.indicated(host: 0, incident: 0, .due, sounder: false, due: 5))
    if isAsked { scene.see(.exerciseSaid(host: 0, .started(.grounding, click: nil))) }
    #expect(scene.found == (isAsked ? [] : [.checkInUnasked]))
  }
}

extension Scene {
  /// Somebody asks, and waits.
  fileprivate mutating func ask(_ request: UInt64, _ userRequest: UserRequest) {
    see(.asked(host: 0, request: request, userRequest))
  }

  fileprivate mutating func read(_ breathing: BreathingRecord) {
    see(.companionsRead(host: 0, [], breathing))
  }
}
