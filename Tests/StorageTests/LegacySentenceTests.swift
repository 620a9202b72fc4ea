import FobBase
import GRDB
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

/// The one reader of sentences, for lines of versions that stored no facts.
@Suite struct LegacySentenceTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  /// What present code writes is what earlier versions wrote, and more.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `an old line's facts are those that present code stores for the same line`(seed: UInt64)
    throws
  {
    try RealState.fill(folder, seed: seed)
    let lines = try folder.store().log(after: 0, limit: 100_000)
    var counts: [String: Int] = [:]
    for line in lines {
      let facts = line.facts?.read
      #expect((facts == nil) == (line.detail == nil))
      // Not the column's, which a NUL in what a notification channel said cuts off.
      let old = LegacySentence.facts(line.name, facts?.words)
      switch facts?.reason {
      case .became: #expect(old == facts)
      case .message(let message):
        guard line.name == "withdrawn", (message.attempt ?? 0) < 2 else {
          #expect(old == facts)
          break
        }
        // Whether it was ever tried such a sentence does not say.
        #expect(
          old
            == Facts(
              .message(
                Reason.Message(
                  kind: message.kind, sequence: message.sequence, attempt: nil,
                  error: message.error))))
      default: #expect(old == nil, "nobody asks for facts of an old \(line.name)")
      }
      counts[line.name, default: 0] += 1
    }
    for name: AuditEvent.Name in [.stateChanged, .notified, .delivered, .deliveryFailed] {
      #expect(counts[name.rawValue, default: 0] > 2, "\(name)")
    }
  }

  @Test(arguments: 1...3)
  func `changes and messages of a released version have facts, which say its sentences`(
    version: Int
  ) throws {
    try folder.plant(released: version)
    let lines = try folder.store().log(after: 0, limit: 1_000)
    let names: Set = ["stateChanged", "notified", "delivered", "deliveryFailed", "withdrawn"]
    #expect(Set(lines.map(\.name)).isSuperset(of: names))
    for line in lines {
      #expect((line.facts != nil) == names.contains(line.name))
      if let facts = line.facts { #expect(facts.read?.words == line.detail) }
    }
  }

  @Test(arguments: [
    ("stateChanged", "EMERGENCY_SENT"), ("stateChanged", "EMERGENCY_SENT →"),
    ("stateChanged", "EMERGENCY_SENT → PANIC"), ("stateChanged", " → "),
    ("stateChanged", "EMERGENCY_SENT → EMERGENCY_ENDED → NO_EMERGENCY"), ("delivered", ""),
    ("delivered", "raise"), ("delivered", "raise one"), ("delivered", "shout 1"),
    ("delivered", "raise 1, attempt 1"), ("delivered", "raise 1, attempt two"),
    ("delivered", "raise 1, attempt 2, attempt 3"), ("delivered", "raise  1"),
    ("delivered", "raise +1"), ("notified", "raise 1:refused"), ("event", "pressed: alarm"),
    ("recordsDamaged", "raise 1"), ("rumour", "raise 1"),
  ])
  func `a sentence that no version wrote has no facts`(name: String, detail: String) {
    #expect(LegacySentence.facts(name, detail) == nil)
  }

  @Test func `an error's own colons and commas are its own`() {
    let detail = "again 12, attempt 3: sink: no, attempt 4: really"
    #expect(
      LegacySentence.facts("deliveryFailed", detail)?.reason
        == .message(
          Reason.Message(
            kind: .again, sequence: 12, attempt: 3, error: "sink: no, attempt 4: really")))
  }
}
