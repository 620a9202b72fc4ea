import Foundation
import TestSupport
import Testing

@testable import AlertCore

/// How a rule is written, and which are refused.
struct RecurrenceFormTests {
  static let written: [(Recurrence.Rule, String)] = [
    (.once, #"{"kind":"once"}"#),
    (
      .days(every: 1, times: 3, hoursApart: 4),
      #"{"every":1,"hoursApart":4,"kind":"days","times":3}"#
    ),
    (
      .weeks(every: 2, [.sunday, .monday]),
      #"{"every":2,"kind":"weeks","weekdays":["monday","sunday"]}"#
    ),
    (.months(every: 1, .day(13)), #"{"day":13,"every":1,"kind":"months"}"#),
    (
      .months(every: 1, .ordinal(.second, .friday)),
      #"{"every":1,"kind":"months","ordinal":"second","weekday":"friday"}"#
    ),
    (
      .years(every: 1, months: [8, 2], .day(13)),
      #"{"day":13,"every":1,"kind":"years","months":[2,8]}"#
    ),
    (
      .years(every: 1, months: [8], .ordinal(.last, .weekend)),
      #"{"every":1,"kind":"years","months":[8],"ordinal":"last","weekday":"weekend"}"#
    ),
  ]

  @Test(arguments: written)
  func `a rule is written as its document says, and read back`(
    _ rule: Recurrence.Rule, _ text: String
  ) throws {
    #expect(try Self.text(rule) == text)
    #expect(try Self.read(Recurrence.Rule.self, text) == rule)
  }

  @Test func `what is left out is one`() throws {
    #expect(try Self.read(Recurrence.Rule.self, #"{"kind":"days"}"#) == .days(every: 1))
  }

  @Test func `a series' times are its rule, minute and days side by side`() throws {
    let recurrence = Recurrence(.once, at: 540, from: .on("2026-11-25"), until: .on("2026-12-31"))
    let text = #"{"end":"2026-12-31","kind":"once","minute":540,"start":"2026-11-25"}"#
    #expect(try Self.text(recurrence) == text)
    var random = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let drawn = Recurrence.drawn(by: &random)
      #expect(try Self.read(Recurrence.self, Self.text(drawn)) == drawn)
    }
  }

  @Test(arguments: [
    #"{}"#, #"{"kind":"hours"}"#, #"{"kind":"weeks","every":1}"#,
    #"{"kind":"weeks","weekdays":["Monday"]}"#, #"{"kind":"weeks","weekdays":["weekend"]}"#,
    #"{"kind":"months"}"#, #"{"kind":"months","ordinal":"fifth","weekday":"friday"}"#,
    #"{"kind":"months","ordinal":"second"}"#,
    #"{"kind":"months","day":1,"ordinal":"second","weekday":"friday"}"#,
    #"{"kind":"years","day":1}"#, #"{"kind":"days","every":1.5}"#,
    #"{"kind":"days","every":99999999999999999999}"#,
  ])
  func `what is no rule is not read as one`(_ text: String) {
    #expect(throws: DecodingError.self) { try Self.read(Recurrence.Rule.self, text) }
  }

  static let refused: [(Recurrence.Rule, String)] = [
    (.days(every: 0), "every"), (.days(every: 1_000), "every"),
    (.weeks(every: -1, [.monday]), "every"),
    (.months(every: .max, .day(1)), "every"), (.years(every: .min, months: [1], .day(1)), "every"),
    (.days(every: 1, times: 0), "times"), (.days(every: 1, times: 25), "times"),
    (.days(every: 1, times: .max, hoursApart: .max), "times"),
    (.days(every: 1, times: 7, hoursApart: 7), "times"),
    (.days(every: 1, times: 2, hoursApart: 0), "hoursApart"),
    (.days(every: 1, times: 2, hoursApart: 24), "hoursApart"), (.weeks(every: 1, []), "weekdays"),
    (.months(every: 1, .day(0)), "day"), (.months(every: 1, .day(32)), "day"),
    (.years(every: 1, months: [], .day(1)), "months"),
    (.years(every: 1, months: [0, 1], .day(1)), "months"),
    (.years(every: 1, months: [13], .ordinal(.first, .day)), "months"),
    (.years(every: 1, months: [1], .day(.min)), "day"),
  ]

  @Test(arguments: refused)
  func `a rule out of range is refused by the part's name, and has no moment`(
    _ rule: Recurrence.Rule, _ part: String
  ) {
    let recurrence = Recurrence(rule, at: 0, from: .on("2026-11-25"))
    guard case .invalid(part, let words)? = recurrence.refusal() else {
      Issue.record("\(String(describing: recurrence.refusal()))")
      return
    }
    #expect(!words.isEmpty)
    #expect(recurrence.next(after: 0, in: .utc) == nil)
  }

  @Test func `the greatest and the least that are allowed are taken`() {
    for rule in [
      .days(every: 999, times: 24, hoursApart: 2), .days(every: 1, times: 2, hoursApart: 23),
      .months(every: 999, .day(31)), .years(every: 999, months: Set(1...12), .day(1)),
    ] as [Recurrence.Rule] {
      #expect(Recurrence(rule, at: 1_439, from: .on("2026-11-25")).refusal() == nil)
    }
  }

  @Test func `a time or day that is none is refused`() {
    func refused(_ minute: Int, _ start: Int32, _ end: Int32?) -> String? {
      let end = end.map(CivilDate.init(day:))
      let recurrence = Recurrence(.once, at: minute, from: CivilDate(day: start), until: end)
      if case .invalid(let part, _)? = recurrence.refusal() { return part }
      return nil
    }
    #expect(refused(-1, 0, nil) == "time" && refused(1_440, 0, nil) == "time")
    #expect(refused(0, .max, nil) == "start" && refused(0, .min, 0) == "start")
    #expect(refused(0, 0, .max) == "end" && refused(0, 1, 0) == "end")
    #expect(refused(0, 1, 1) == nil)
  }

  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func read<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
