import AlertCore
import FobBase
import Testing
import WireProtocol

/// R38, R42, R47 to R54: four commands stay four.
struct UserCommandTests {
  static let userCommands: [UserCommand] = [
    .disarm, .cancel, .silence, .quit, .resume, .acknowledge("contact-1"),
  ]

  @Test func `with nothing open every user command but resume and a PIN is refused at once`() {
    var bench = CoreBench()
    for userCommand in Self.userCommands + [nil] {
      let refusal: UserCommand.Refusal =
        userCommand == nil ? .wrongPIN : userCommand == .resume ? .nothingEnded : .nothingOpen
      let answer = bench.answer(to: userCommand)
      #expect(answer?.refusal == refusal, "\(String(describing: userCommand))")
      #expect(answer?.isDurable == true, "\(String(describing: userCommand))")
    }
  }

  @Test func `R38: a cancel needs the PIN where one is set`() {
    var bench = CoreBench()
    bench.press(.press(1))
    #expect(bench.answer(to: .cancel)?.refusal == .pinNeeded)
    #expect(bench.state == .emergencySent)
    #expect(bench.answer(to: .disarm)?.refusal == nil)
    #expect(bench.state == .emergencyEnded)
    #expect(bench.incident?.endReason == .disarmed)
  }

  @Test func `R42: a cancel does where no PIN is set`() {
    var bench = CoreBench(.sample(pinned: false))
    bench.press(.press(1))
    #expect(bench.answer(to: .cancel)?.refusal == nil)
    #expect(bench.incident?.endReason == .cancelled)
  }

  @Test func `R8: a wrong PIN changes nothing and is logged`() {
    var bench = CoreBench()
    bench.press(.press(1))
    let before = bench.incident
    #expect(bench.answer(to: nil)?.refusal == .wrongPIN)
    #expect(bench.incident == before)
    #expect(bench.store.log.last?.name == .wrongPIN)
  }

  @Test func `R50: silence stops neither the countdown nor the request`() {
    var bench = CoreBench(.sample(), .withCountdown)
    bench.press(.press(1))
    bench.perform(.silence)
    #expect(bench.indication?.sounder == false)
    #expect(bench.state == .alertCountdown)
    bench.run(for: .seconds(120))
    #expect(bench.state == .emergencySent)
    #expect(bench.indication?.sounder == false)
    bench.run(for: .minutes(5))
    #expect(bench.deliveries(.again).count == 2)
  }

  @Test func `R51: quit silences and opens the survey, and does not cancel`() {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.perform(.quit)
    #expect(bench.indication?.sounder == false)
    #expect(bench.store.incidents.values.first?.surveyOpened == true)
    #expect(bench.state == .emergencySent)
    bench.run(for: .minutes(5))
    #expect(bench.deliveries(.again).count == 2)
  }

  /// A log only grows: whoever asks on fills no disk.
  @Test func `what is so already is answered as durable, and is no further entry`() {
    var bench = CoreBench()
    bench.press(.press(1))
    let fell = Survey(fell: true, outcome: nil)
    for asked: UserCommand in [.silence, .quit, .acknowledge("contact-1"), .survey(fell)] {
      let before = bench.store.log.count
      bench.perform(asked)
      let once = bench.store.log.count
      #expect(once > before)
      let again = bench.answer(to: asked)
      #expect(again?.refusal == nil && again?.isDurable == true)
      #expect(bench.store.log.count == once, "\(asked)")
    }
  }

  @Test func `only a contact of the account acknowledges, and not in the countdown`() {
    var bench = CoreBench(.sample(), .withCountdown)
    bench.press(.press(1))
    #expect(bench.answer(to: .acknowledge("contact-1"))?.refusal == .nobodyTold)
    bench.press(.press(2))
    #expect(bench.answer(to: .acknowledge("somebody"))?.refusal == .unknownContact)
    #expect(bench.incident?.isAcknowledged == false)
    bench.perform(.acknowledge("contact-2"))
    bench.perform(.acknowledge("contact-2"))
    #expect(bench.incident?.acknowledgedBy == ["contact-2"])
  }

  @Test func `resume is refused while an emergency is open`() {
    var bench = CoreBench()
    bench.press(.press(1))
    #expect(bench.answer(to: .resume)?.refusal == .nothingEnded)
    #expect(bench.state == .emergencySent)
  }

  @Test func `G18: a press in an open incident is told, undoes acknowledgement and sounds`() {
    var bench = CoreBench(.sample(contacts: 2))
    bench.press(.press(1))
    bench.perform(.acknowledge("contact-1"))
    bench.perform(.silence)
    bench.press(.press(2))
    #expect(bench.deliveries(.update).map(\.notification.sequence) == [2, 2])
    #expect(bench.incident?.isAcknowledged == false)
    #expect(bench.indication?.sounder == true)
    #expect(bench.incident?.presses.map(\.event) == ["1.1", "1.2"])
    #expect(bench.store.incidents.count == 1)
  }

  @Test(arguments: userCommands)
  func `an answer comes when the effect is durable`(_ userCommand: UserCommand) {
    var bench = CoreBench(.sample(pinned: userCommand != .cancel))
    bench.press(.press(1))
    if userCommand == .resume { bench.perform(.disarm) }
    bench.storeBehaviour = .commits(after: .seconds(2))
    let request = bench.perform(userCommand)
    bench.run(for: .milliseconds(1_999))
    #expect(bench.answers[request] == nil)
    bench.run(for: .milliseconds(1))
    #expect(bench.answers[request]?.isDurable == true)
  }

  @Test(arguments: userCommands)
  func `an answer says that the store has failed`(_ userCommand: UserCommand) {
    var bench = CoreBench(.sample(pinned: userCommand != .cancel))
    bench.press(.press(1))
    if userCommand == .resume { bench.perform(.disarm) }
    bench.storeBehaviour = .fails(after: .milliseconds(30))
    let request = bench.perform(userCommand)
    #expect(bench.answers[request] == nil)
    bench.run(for: .milliseconds(30))
    #expect(bench.answers[request]?.isDurable == false)
    let second = bench.perform(nil)
    bench.storeBehaviour = .commitsAtOnce
    bench.run(for: .seconds(1))
    #expect(bench.answers[second]?.isDurable == true)
  }
}
