import FobBase
import Judge
import Testing
import WireProtocol

/// Reviews, as a judge of them sees a world: one innocent and one guilty scene of each rule.
@Suite struct ReviewTests {
  private static let text = "I felt quietly-1."

  /// An answer that was said to be durable.
  private func answered(isDurable: Bool = true, isStored: Bool = true) -> Scene {
    var scene = Scene()
    scene.ask(1, .saveAnswer(review: 1, step: 2, text: Self.text, version: 0))
    if isStored { scene.store(1, answers: ["", Self.text, "", ""]) }
    scene.answer(1, isDurable: isDurable)
    return scene
  }

  @Test(arguments: [Self.text, ""])
  func `an answer that was said to be durable is read back after a restart`(read: String) {
    var scene = answered()
    scene.restart(answers: ["", read, "", ""])
    #expect(scene.found == (read.isEmpty ? [.answerLost] : []))
  }

  @Test func `one that was not is read back or not`() {
    var scene = answered(isDurable: false, isStored: false)
    scene.restart(answers: ["", "", "", ""])
    #expect(scene.found == [])
  }

  @Test func `a later answer that was asked for may stand in its place`() {
    var scene = answered()
    scene.ask(2, .saveAnswer(review: 1, step: 2, text: "I was glad.", version: 1))
    scene.restart(answers: ["", "I was glad.", "", ""])
    #expect(scene.found == [])
  }

  @Test(arguments: [false, true])
  func `a review that somebody has deleted is not missed`(isDeleted: Bool) {
    var scene = answered()
    if isDeleted {
      scene.ask(2, .deleteReview(1))
      scene.answer(2)
    }
    scene.restart()
    #expect(scene.found == (isDeleted ? [] : [.answerLost]))
  }

  /// Its number may be another's by then, and a later request is of that one.
  @Test(arguments: [false, true])
  func `nor is one that was deleted on a bad disk, whatever is refused of its number later`(
    wasDone: Bool
  ) {
    var scene = answered()
    if wasDone {
      scene.ask(2, .deleteReview(1))
      scene.answer(2, isDurable: false)
    }
    scene.ask(3, .deleteReview(1))
    scene.answer(3, isRefused: true)
    scene.restart(answers: ["", "", "", ""])
    #expect(scene.found == (wasDone ? [] : [.answerLost]))
  }

  @Test func `an answer is durable once the disk has it`() {
    #expect(answered(isStored: false).found == [.answerBeforeCommit])
  }

  @Test func `what a lying disk has lost is not missed`() {
    var scene = answered()
    scene.see(.stopped(host: 0))
    scene.see(.diskForgot(host: 0, []))
    scene.see(.companionsFound(host: 0, Batch()))
    scene.see(.started(host: 0, RestoredState()))
    scene.see(.companionsRead(host: 0, [], BreathingRecord()))
    #expect(scene.found == [])
  }

  @Test(arguments: WordPlace.allCases)
  func `a word of an answer is found wherever it comes out`(place: WordPlace) {
    var scene = answered()
    scene.see(.wordSeen(host: 0, "loudly-1", place))
    #expect(scene.found == [])
    scene.see(.wordSeen(host: 0, "quietly-1", place))
    #expect(scene.found == [.answerLeaked])
  }

  @Test(arguments: [7, 8] as [UInt64])
  func `an alarm has one review`(other: UInt64) {
    var scene = Scene()
    scene.store(1, of: 7)
    scene.store(2, of: other)
    scene.store(3)
    scene.store(4)
    #expect(scene.found == (other == 7 ? [.reviewDoubled] : []))
  }

  @Test(arguments: [false, true])
  func `nothing of it changes in the middle of an alarm`(isRefused: Bool) {
    var scene = Scene()
    scene.emergency(.press(1))
    scene.ask(2, .beginReview(of: nil))
    scene.answer(2, isRefused: isRefused)
    #expect(scene.found == (isRefused ? [] : [.changedWhileLocked]))
  }

  @Test(arguments: [false, true])
  func `what was asked for before an alarm may be stored in it`(isAsked: Bool) {
    var scene = Scene()
    if isAsked { scene.ask(2, .beginReview(of: nil)) }
    scene.emergency(.press(1))
    scene.store(1)
    #expect(scene.found == (isAsked ? [] : [.changedWhileLocked]))
  }

  @Test func `what was not durable at first may be stored in an alarm`() {
    var scene = Scene()
    scene.ask(2, .beginReview(of: nil))
    scene.answer(2, isDurable: false)
    scene.emergency(.press(1))
    scene.store(1)
    #expect(scene.found == [])
  }
}

extension Scene {
  fileprivate mutating func ask(_ request: UInt64, _ userRequest: UserRequest) {
    see(.asked(host: 0, request: request, userRequest))
  }

  fileprivate mutating func answer(
    _ request: UInt64, isRefused: Bool = false, isDurable: Bool = true
  ) {
    see(
      .answered(
        host: 0, request: request, .noEmergency, isRefused: isRefused, isDurable: isDurable))
  }

  fileprivate mutating func store(
    _ review: Int, of incident: UInt64? = nil, answers: [String] = ["", "", "", ""]
  ) {
    var batch = Batch()
    batch.reviews = [Batch.ReviewRow(id: review, incident: incident, answers: answers)]
    see(.stored(host: 0, batch))
  }

  /// - Parameter answers: of review 1, which is not there where nil.
  fileprivate mutating func restart(answers: [String]? = nil) {
    see(.stopped(host: 0))
    see(.started(host: 0, RestoredState()))
    let rows = answers.map { [Batch.ReviewRow(id: 1, incident: nil, answers: $0)] } ?? []
    see(.companionsRead(host: 0, rows, BreathingRecord()))
  }
}
