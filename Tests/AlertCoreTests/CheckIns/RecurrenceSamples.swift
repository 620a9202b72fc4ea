import AlertCore
import TestSupport

extension CivilDate {
  /// As in "2026-11-25"; a wrong one is a mistake of the test.
  static func on(_ text: String) -> CivilDate {
    guard let date = CivilDate(text: text) else { fatalError("no date: \(text)") }
    return date
  }
}

extension ZoneTable {
  /// The clock of New York, UTC−5 and UTC−4, from 2026 to 2028.
  static let newYork = ZoneTable(
    first: -18_000,
    transitions: [
      Transition(at: 1_772_953_200, offset: -14_400),
      Transition(at: 1_793_512_800, offset: -18_000),
      Transition(at: 1_805_007_600, offset: -14_400),
      Transition(at: 1_825_567_200, offset: -18_000),
      Transition(at: 1_836_457_200, offset: -14_400),
      Transition(at: 1_857_016_800, offset: -18_000),
    ])

  /// A clock that leaves out the whole of 2026-12-30, from UTC−10 to UTC+14.
  static let withoutADay = ZoneTable(
    first: -36_000, transitions: [Transition(at: 1_798_624_800, offset: 50_400)])

  /// Up to four transitions, not far from 2026.
  static func drawn(by random: inout SeededGenerator) -> ZoneTable {
    var at = Int64.random(in: 1_760_000_000...1_800_000_000, using: &random)
    var transitions: [Transition] = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      transitions.append(
        Transition(at: at, offset: 900 * Int32.random(in: -48...56, using: &random)))
      at += Int64.random(in: 1...30_000_000, using: &random)
    }
    return ZoneTable(
      first: 900 * Int32.random(in: -48...56, using: &random), transitions: transitions)
  }
}

extension Recurrence {
  /// As a person might ask, from some day of 2026 or 2027.
  static func drawn(by random: inout SeededGenerator) -> Recurrence {
    let start = CivilDate(day: Int32.random(in: 20_454...21_183, using: &random))
    let length = Int32.random(in: 0...4_000, using: &random)
    return Recurrence(
      .drawn(by: &random), at: Int.random(in: 0..<1_440, using: &random), from: start,
      until: Bool.random(using: &random) ? CivilDate(day: start.day + length) : nil)
  }

  /// The texts of the days of the first moments, by UTC.
  func days(_ count: Int) -> [String] {
    occurrences(after: .min, count: count, in: .utc).map(\.key.date.text)
  }
}

extension Recurrence.Rule {
  static func drawn(by random: inout SeededGenerator) -> Recurrence.Rule {
    let every = Bool.random(using: &random) ? 1 : Int.random(in: 1...15, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .once
    case 1:
      let times = Int.random(in: 1...24, using: &random)
      let hours = Int.random(in: 1...min(23, 48 / times), using: &random)
      return .days(every: every, times: times, hoursApart: hours)
    case 2:
      return .weeks(every: every, some(of: Recurrence.Weekday.allCases, by: &random))
    case 3: return .months(every: every, .drawn(by: &random))
    default:
      return .years(
        every: every, months: some(of: Array(1...12), by: &random), .drawn(by: &random))
    }
  }

  private static func some<Item: Hashable>(
    of all: [Item], by random: inout SeededGenerator
  ) -> Set<Item> {
    Set(all.shuffled(using: &random).prefix(Int.random(in: 1...all.count, using: &random)))
  }
}

extension Recurrence.MonthDay {
  static func drawn(by random: inout SeededGenerator) -> Recurrence.MonthDay {
    if Bool.random(using: &random) { return .day(Int.random(in: 1...31, using: &random)) }
    let ordinals = Recurrence.Ordinal.allCases
    let groups = Recurrence.DayGroup.allCases
    return .ordinal(
      ordinals[Int.random(in: 0..<ordinals.count, using: &random)],
      groups[Int.random(in: 0..<groups.count, using: &random)])
  }
}
