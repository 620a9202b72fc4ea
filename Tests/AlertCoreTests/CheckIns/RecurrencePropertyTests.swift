import AlertCore
import TestSupport
import Testing

struct RecurrencePropertyTests {
  @Test(arguments: 0..<UInt64(Soak.isOn ? 20_000 : 200))
  func `moments are in order, each is found by its name and from just before it`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let recurrence = Recurrence.drawn(by: &random)
    let zone = ZoneTable.drawn(by: &random)
    let moments = recurrence.occurrences(after: .min, count: 40, in: zone)
    for (index, moment) in moments.enumerated() {
      #expect(index == 0 || moments[index - 1].due < moment.due)
      #expect(recurrence.next(after: moment.due - 1, in: zone) == moment)
      #expect(recurrence.occurrence(moment.key, in: zone) == moment)
      #expect(moment.due == recurrence.due(of: moment.key, in: zone))
      #expect(
        moment.key.date >= recurrence.start && moment.key.date <= recurrence.end ?? moment.key.date)
    }
    #expect(Set(moments.map(\.key)).count == moments.count)
    // Between two there is none, wherever one asks.
    for (before, after) in zip(moments, moments.dropFirst()) {
      let between = Int64.random(in: before.due..<after.due, using: &random)
      #expect(recurrence.next(after: between, in: zone) == after)
    }
  }

  @Test func `no values make it fail`() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<(Soak.isOn ? 200_000 : 2_000) {
      let numbers = (0..<8).map { _ in Self.number(by: &random) }
      let day: Recurrence.MonthDay =
        Bool.random(using: &random) ? .day(numbers[0]) : .drawn(by: &random)
      let rules: [Recurrence.Rule] = [
        .drawn(by: &random), .days(every: numbers[1], times: numbers[2], hoursApart: numbers[3]),
        .weeks(every: numbers[1], [.monday]), .months(every: numbers[1], day),
        .years(every: numbers[1], months: [numbers[2], numbers[3]], day),
      ]
      let recurrence = Recurrence(
        rules[Int.random(in: 0..<5, using: &random)], at: numbers[4],
        from: CivilDate(day: Int32(clamping: numbers[5])),
        until: Bool.random(using: &random) ? nil : CivilDate(day: Int32(clamping: numbers[6])))
      let moment = recurrence.next(after: Int64(numbers[7]), in: .newYork)
      if let moment { #expect(moment.due > numbers[7] && recurrence.refusal() == nil) }
    }
  }

  /// Small ones, days of these years, moments of these years, and the extremes.
  private static func number(by random: inout SeededGenerator) -> Int {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: Int.random(in: -1...40, using: &random)
    case 1: Int.random(in: 0...1_500, using: &random)
    case 2: Int.random(in: 15_000...25_000, using: &random)
    case 3: Int.random(in: 1_700_000_000_000_000...1_900_000_000_000_000, using: &random)
    case 4: Int.random(in: -800_000...3_000_000, using: &random)
    default:
      [.min, .min + 1, .max - 1, .max, -719_162, 2_932_896].randomElement(using: &random) ?? 0
    }
  }
}

extension Recurrence {
  /// By the words of the requirement alone: so many hours on by the local clock.
  fileprivate func due(of key: OccurrenceKey, in zone: ZoneTable) -> Int64 {
    guard case .days(_, _, let hoursApart) = rule else {
      return zone.instant(of: key.date, minute: minute)
    }
    return zone.instant(of: key.date, minute: minute + key.index * hoursApart * 60)
  }
}
