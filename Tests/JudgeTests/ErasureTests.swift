import FobBase
import Judge
import Testing
import WireProtocol

/// An account that its owner erases: innocent scenes, and guilty ones of everything that may come
/// back.
@Suite struct ErasureTests {
  private static let account = AccountState(keychains: [.bench(1)], contacts: [0, 1])
  private static let text = "I felt quietly-1."

  /// An alarm that is over, of whose end nobody was told; a review of it, and breathing.
  private func scene() -> Scene {
    var scene = Scene(account: Self.account)
    scene.emergency(.press(1))
    scene.disarm(.press(1), closes: false)
    scene.show(.idle)
    scene.see(
      .asked(host: 0, request: 2, .saveAnswer(review: 1, step: 1, text: Self.text, version: 0)))
    scene.see(.asked(host: 0, request: 3, .fillSlot(1, contact: 0, hasText: true)))
    scene.see(.asked(host: 0, request: 4, .saveTotals(BreathingRecord(seconds: 60, count: 1))))
    scene.see(.exerciseSaid(host: 0, .totalsReplaced))
    scene.see(.stored(host: 0, Self.rows()))
    for request in 2...4 as ClosedRange<UInt64> { scene.answer(request) }
    return scene
  }

  private static func rows() -> Batch {
    var batch = Batch()
    batch.reviews = [Batch.ReviewRow(id: 1, incident: nil, answers: [text, "", "", ""])]
    batch.slots = [(1, 0)]
    batch.breathing = BreathingRecord(seconds: 60, count: 1)
    return batch
  }

  /// - Parameter isDurable: else the disk does not take it.
  private func erased(isDurable: Bool = true) -> Scene {
    var scene = scene()
    scene.change(.erase, to: .erased, request: 5)
    if isDurable { scene.store(.erased) }
    scene.answer(5, isDurable: isDurable)
    return scene
  }

  @Test func `what was owed to its owner and its contacts is owed no more`() {
    var scene = erased()
    scene.restart(.erased)
    scene.finish()
    #expect(scene.found == [])
  }

  @Test func `without an erasure all of it is`() {
    var scene = scene()
    scene.finish()
    #expect(scene.found == [.endNotTold, .endNotTold])
    scene = self.scene()
    scene.restart(.erased)
    #expect(scene.found.first == .stateForgotten)
    scene = self.scene()
    scene.restart(Self.account)
    #expect(scene.found == [.answerLost, .totalWrong])
  }

  @Test func `one that is not durable may be undone by a restart`() {
    var scene = erased(isDurable: false)
    scene.restart(
      Self.account, Self.rows().reviews, BreathingRecord(seconds: 60, count: 1),
      rows: ["contacts"])
    #expect(scene.found == [])
  }

  @Test func `one that a lying disk has lost is undone`() {
    var scene = erased()
    scene.see(.stopped(host: 0))
    scene.see(.diskForgot(host: 0, []))
    scene.see(.companionsFound(host: 0, Self.rows()))
    scene.start(
      Self.account, Self.rows().reviews, BreathingRecord(seconds: 60, count: 1),
      rows: ["contacts"])
    #expect(scene.found == [])
  }

  @Test func `it is durable once the disk has it`() {
    var scene = scene()
    scene.change(.erase, to: .erased, request: 5)
    scene.answer(5)
    #expect(scene.found == [.answerBeforeCommit])
  }

  @Test func `it is not done in the middle of an alarm`() {
    var scene = Scene(account: Self.account)
    scene.emergency(.press(1))
    scene.change(.erase, to: .erased)
    #expect(scene.found == [.accountChanged])
  }

  @Test func `no row of its owner comes back`() {
    var scene = erased()
    scene.restart(.erased, rows: ["reviews on the disk"])
    #expect(scene.found == [.erasedComesBack])
    scene = erased()
    scene.restart(.erased, Self.rows().reviews)
    #expect(scene.found == [.erasedComesBack])
    scene = erased()
    scene.see(.stored(host: 0, Self.rows()))
    #expect(scene.found.first == .erasedComesBack)
    scene = erased()
    scene.restart(Self.account)
    #expect(scene.found.contains(.erasedComesBack))
  }

  @Test func `nobody is told any more`() {
    var scene = erased()
    scene.handOut(Message(.closing, 90, of: Event.press(1).name))
    #expect(scene.found == [.erasedComesBack])
  }

  @Test func `a message that was handed out before may come`() {
    var scene = scene()
    let message = Message(.closing, 90, of: Event.press(1).name)
    scene.handOut(message)
    scene.change(.erase, to: .erased, request: 5)
    scene.store(.erased)
    scene.answer(5)
    scene.see(.told(host: 0, message))
    scene.finish()
    #expect(scene.found == [])
  }
}

extension Scene {
  fileprivate mutating func answer(_ request: UInt64, isDurable: Bool = true) {
    see(
      .answered(
        host: 0, request: request, .emergencyEnded, isRefused: false, isDurable: isDurable))
  }

  fileprivate mutating func restart(
    _ account: AccountState, _ reviews: [Batch.ReviewRow] = [],
    _ breathing: BreathingRecord = BreathingRecord(), rows: [String] = []
  ) {
    see(.stopped(host: 0))
    start(account, reviews, breathing, rows: rows)
  }

  fileprivate mutating func start(
    _ account: AccountState, _ reviews: [Batch.ReviewRow], _ breathing: BreathingRecord,
    rows: [String]
  ) {
    see(.account(host: 0, account))
    see(
      .started(
        host: 0, RestoredState(incident: Event.press(1).name, state: .emergencyEnded)))
    see(.ownersRows(host: 0, rows))
    see(.companionsRead(host: 0, reviews, breathing))
  }
}
