import FobBase
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

/// What programs get of a log entry.
struct FactsTests {
  private static let identity = EventRecord.press(9)

  private static let causes: [Reason.Cause?] =
    [.clicks(1), .clicks(7), .lateClicks(2), .held(3_200_000), .held(.max), .lateRelease(500_000)]
    + Reason.Oddity.allCases.map { .other($0) }

  private static let doubts: [Reason.Contradiction] = [
    .numbersLeap(from: .none, to: EventNumber(boot: .max, n: .max)), .clockAhead, .clockBehind,
    .numberTwice(identity.identity.number), .disorder(identity.identity.number),
    .stampedAhead(identity.identity.number), .stampedLongBefore(identity.identity.number),
  ]

  private static var samples: [Reason] {
    let states: [Reason] = EmergencyState.allCases.flatMap { from in
      [.state(from)]
        + EmergencyState.allCases.map { .became(Transition(from: from, to: $0)) }
    }
    let meanings: [PressDetector.Meaning] = [
      .open, .alarm, .acknowledge, .checkIn, .exercise, .breathing, .noted, .slot(1), .slot(5),
    ]
    let events: [Reason] = meanings.flatMap { meaning in
      (0...15 as ClosedRange<UInt8>).map { flags in
        .event(
          Reason.Event(
            rawKind: flags, flags: EventRecord.Flags(rawValue: flags), covered: UInt16(flags),
            meaning: meaning))
      }
        + (causes + [nil]).flatMap { cause in
          [true, false].map {
            .reading(Reason.Reading(meaning: meaning, cause: cause, isAgeUnknown: $0))
          }
        }
    }
    let messages: [Reason] = Notification.Kind.allCases.flatMap { kind in
      [nil, 0, 1, 7].flatMap { attempt in
        [nil, "", "no: “way”\n, attempt 2"].map {
          .message(Reason.Message(kind: kind, sequence: 3, attempt: attempt, error: $0))
        }
      }
    }
    let surveys: [Reason] = [nil, true, false].flatMap { fell in
      (Survey.Outcome.allCases + [nil]).map { .survey(Survey(fell: fell, outcome: $0)) }
    }
    let changes: [Reason] = AccountChange.Summary.Kind.allCases.flatMap { kind in
      [
        .account(AccountChange.Summary(kind)),
        .account(AccountChange.Summary(kind, contact: "contact-1", device: .bench(.max))),
      ]
    }
    let keys = ["20261125T0900", "99991231T2359-23", "00010101T0000-1"]
    let checkIns: [Reason] = keys.compactMap { OccurrenceKey(text: $0) }.flatMap { key in
      [1, .max].map { .checkIn(CheckIn.ID(series: $0, key: key)) }
    }
    return states + events + messages + surveys + changes + checkIns
      + Reason.SeriesChange.allCases.map { .series(7, $0) }
      + doubts.map { .doubt($0) } + Trigger.Source.allCases.map { .trigger($0) }
      + Reason.Remark.allCases.map { .remark($0) }
      + [
        .exercise(.breathing, end: nil, seconds: nil),
        .exercise(.grounding, end: .done, seconds: 61),
        .slot(1, attempt: nil, error: nil), .slot(5, attempt: 2, error: "refused"),
        .battery(percent: 19), .lost(lines: .max),
        .review(1, step: nil), .review(2_000, step: 4), .failure("the disk is full"), .failure(""),
      ]
  }

  @Test func `facts are read back as they were written, and say the same words`() throws {
    let kinds = try Self.samples.map { reason in
      for alike: UInt32 in [1, 2, .max] {
        let facts = Facts(reason, alike: alike)
        let written = try JSONEncoder().encode(facts)
        let read = try JSONDecoder().decode(Facts.self, from: written)
        #expect(read == facts)
        #expect(read.words == facts.words)
        let object = try #require(
          try JSONSerialization.jsonObject(with: written) as? [String: Any])
        #expect(object.values.allSatisfy { !($0 is [Any]) && !($0 is [String: Any]) }, "flat")
      }
      return try #require(
        try JSONSerialization.jsonObject(with: JSONEncoder().encode(Facts(reason)))
          as? [String: Any])["type"] as? String
    }
    #expect(Set(kinds) == Set(Facts.Kind.allCases.map(\.rawValue)), "a sample of each")
  }

  @Test func `facts of one line alone are told from those of many`() throws {
    #expect(Facts(nil, alike: 5).words == "the last of 5 like it")
    #expect(Facts(.battery(percent: 9), alike: 5).words == "9 %; the last of 5 like it")
    let written = try JSONEncoder().encode(Facts(nil, alike: 5))
    #expect(String(decoding: written, as: UTF8.self) == #"{"alike":5}"#)
    #expect(try JSONDecoder().decode(Facts.self, from: written) == Facts(nil, alike: 5))
    let line = AuditEvent(.linkUp, at: CoreBench().now, device: keychain)
    #expect(line.facts == nil && line.detail == nil)
    #expect(line.standing(for: 1) == line && line.standing(for: 0) == line)
    #expect(line.standing(for: 3).facts == Facts(nil, alike: 3))
  }

  @Test(arguments: [
    #"{"type":"rumour"}"#, #"{"type":7}"#, #"{"type":"slot"}"#,
    #"{"type":"battery","percent":256}"#,
    #"{"type":"transition","from":"NO_EMERGENCY","to":"PANIC"}"#, #"{"alike":-1}"#,
    #"{"type":"account","change":"keychainClaimed","device":"12"}"#, "[]", "7",
    #"{"type":"event","eventKind":1,"meaning":"slot 9"}"#,
    #"{"type":"reading","meaning":"alarm","cause":"a whim"}"#,
    #"{"type":"reading","meaning":"alarm","cause":"held"}"#,
    #"{"type":"doubt","doubt":"numbersLeap","event":"1.5"}"#,
    #"{"type":"checkIn","series":1,"key":"20260230T0900"}"#, #"{"type":"checkIn","series":1}"#,
    #"{"type":"series","series":1,"change":"forgotten"}"#,
  ])
  func `what is no facts of this version is refused`(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Facts.self, from: Data(text.utf8))
    }
  }

  @Test func `every line that a core notes has facts where it has words, and the same`() {
    var random = SeededGenerator(seed: 12)
    var bench = CoreBench(.sample(contacts: 3), .withCountdown)
    bench.hand(.linkUp(line, .from(keychain)))
    for n: UInt32 in 1...80 { RandomWorkflowTests.step(&bench, n, &random) }
    #expect(bench.store.log.count > 80)
    for line in bench.store.log {
      #expect(line.facts?.words == line.detail)
      #expect((line.name == .stateChanged) == (line.transition != nil))
    }
  }
}
