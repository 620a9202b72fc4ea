import AlertCore
import FobBase
import Testing
import WireProtocol

/// R49 to R53 and R61: what a person says of an incident, beside what becomes of it.
struct SurveyTests {
  private static func pressed() -> CoreBench {
    var bench = CoreBench(.complete())
    bench.press(.press(1))
    return bench
  }

  private static func kept(_ bench: CoreBench) -> Survey? {
    bench.store.incidents[EventRecord.press(1).incident]?.survey
  }

  @Test func `R52: "I didn't fall", and then the cancel: everyone told hears the end`() {
    var bench = Self.pressed()
    bench.perform(.quit)
    #expect(bench.answer(to: .survey(Survey(fell: false)))?.refusal == nil)
    #expect(bench.state == .emergencySent, "the survey alone ends nothing")
    #expect(bench.answer(to: .disarm)?.refusal == nil)
    #expect(
      bench.deliveries(.closing).map(\.notification.contact.id) == ["contact-1", "contact-2"])
    #expect(Self.kept(bench)?.fell == false)
    let fixes = bench.incident?.fixes
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.position(line, .good(5)))
    #expect(bench.incident?.fixes == fixes, "tracking has stopped")
  }

  @Test func `R53: "I fell": it goes on, with its track, until it is ended and resumed from`() {
    var bench = Self.pressed()
    bench.hand(.linkUp(line, .from(keychain)))
    bench.perform(.quit)
    #expect(bench.answer(to: .survey(Survey(fell: true)))?.refusal == nil)
    #expect(Self.kept(bench)?.fell == true)
    for second in 1...60 {
      bench.hand(.position(line, .good(Int32(second))))
      bench.run(for: .seconds(5))
    }
    #expect(bench.state == .emergencySent && bench.incident?.fixes == 60)
    #expect(bench.deliveries(.again).count == 2)
    bench.perform(.disarm)
    #expect(bench.answer(to: .resume)?.state == .noEmergency)
  }

  @Test(arguments: Survey.Outcome.allCases)
  func `R61: the outcome is kept with the incident, and each part can be said by itself`(
    _ outcome: Survey.Outcome
  ) {
    var bench = Self.pressed()
    #expect(bench.answer(to: .survey(Survey(fell: true)))?.refusal == nil)
    bench.perform(.disarm)
    #expect(bench.answer(to: .survey(Survey(outcome: outcome)))?.refusal == nil)
    bench.restart()
    #expect(bench.incident?.survey == Survey(fell: true, outcome: outcome))
    #expect(bench.answer(to: .survey(Survey(fell: false)))?.refusal == nil)
    bench.perform(.resume)
    bench.restart()
    #expect(Self.kept(bench) == Survey(fell: false, outcome: outcome))
    #expect(
      bench.happened(.surveyAnswered).map(\.detail)
        == ["I fell", "outcome \(outcome.rawValue)", "I didn't fall"])
  }

  @Test func `R61: of an incident that is long over, too, durably, and each part by itself`() throws
  {
    var bench = Self.pressed()
    bench.perform(.disarm)
    bench.perform(.resume)
    bench.press(.press(2))
    bench.perform(.disarm)
    bench.perform(.resume)
    bench.restart()
    let id = EventRecord.press(1).incident
    for answer in [Survey(outcome: .falseAlarm), Survey(fell: false), Survey(outcome: .test)] {
      // As it was before all three: each goes on from the one before.
      let stored = try #require(bench.store.incidents[id])
      #expect(bench.answer(to: .surveyOfPast(stored, answer))?.refusal == nil)
    }
    #expect(Self.kept(bench) == Survey(fell: false, outcome: .test))
    let changed = try #require(bench.store.incidents[id])
    #expect(changed.presses.map(\.event) == ["1.1"] && changed.endReason == .disarmed)
    #expect(bench.happened(.surveyAnswered).last?.incident == id)
    #expect(bench.state == .noEmergency)
  }

  @Test func `R61: of the open incident it is what the survey of now is`() throws {
    var bench = Self.pressed()
    let open = try #require(bench.incident)
    #expect(bench.answer(to: .surveyOfPast(open, Survey(fell: true)))?.refusal == nil)
    #expect(Self.kept(bench)?.fell == true && bench.state == .emergencySent)
  }

  @Test func `R61: a press that joins what was disarmed does not take the answer away`() {
    var keychain = KeychainBench.linked()
    keychain.unplug()
    keychain.makeOutOfReach(1)
    keychain.run(for: .seconds(1))
    keychain.link()
    keychain.press()
    keychain.disarm()
    keychain.bench.perform(.survey(Survey(fell: false, outcome: .falseAlarm)))
    keychain.deliver()
    let bench = keychain.bench
    #expect(bench.happened(.pressJoined).count == 1)
    let kept = bench.incident.flatMap { bench.store.incidents[$0.id] }
    #expect(kept?.survey == Survey(fell: false, outcome: .falseAlarm))
    #expect(bench.incident?.survey == Survey(fell: false, outcome: .falseAlarm))
  }

  @Test func `with nothing there to speak of, a survey is refused`() {
    var bench = CoreBench(.complete())
    #expect(bench.answer(to: .survey(Survey(fell: true)))?.refusal == .nothingOpen)
    bench.press(.press(1))
    bench.perform(.disarm)
    bench.perform(.resume)
    #expect(bench.answer(to: .survey(Survey(fell: true)))?.refusal == .nothingOpen)
  }

  @Test func `R49 to R51: silence and quit end the sound alone, in every open state`() {
    for userCommand in [UserCommand.silence, .quit] {
      for wait: Int64 in [0, 130, 1_200] {
        func run(_ userCommand: UserCommand?) -> CoreBench {
          var bench = CoreBench(.complete(), .withCountdown)
          bench.otherSinks = .refuses
          bench.press(.press(1))
          bench.run(for: .seconds(wait))
          #expect(bench.indication?.sounder == true, "R49")
          if let userCommand { bench.perform(userCommand) }
          bench.otherSinks = .acceptsAtOnce
          bench.run(for: .minutes(20))
          return bench
        }
        let quiet = run(userCommand)
        let loud = run(nil)
        #expect(quiet.indication?.sounder == false && loud.indication?.sounder == true)
        #expect(quiet.state == loud.state)
        #expect(
          quiet.deliveries().map(\.notification.key) == loud.deliveries().map(\.notification.key))
        #expect(quiet.incident?.surveyOpened == (userCommand == .quit))
      }
    }
  }
}
