/// The name of an occurrence within its series: its day, local time and place among that day's, as
/// the rule has them. In text "20261125T0900", and "20261125T0900-2" for the third of the day.
public struct OccurrenceKey: Hashable, Comparable, Sendable {
  /// The day of the rule, also where the time lies past midnight (G13).
  public let date: CivilDate
  /// The time of the day's first one, minutes after local midnight, 0 to 1,439.
  public let minute: Int
  /// From 0, counted within the day.
  public let index: Int

  /// Nothing is checked.
  public init(_ date: CivilDate, minute: Int, index: Int = 0) {
    self.date = date
    self.minute = minute
    self.index = index
  }

  public static func < (a: OccurrenceKey, b: OccurrenceKey) -> Bool {
    (a.date, a.minute, a.index) < (b.date, b.minute, b.index)
  }
}

extension OccurrenceKey: Codable {
  /// The text that names it.
  public var text: String {
    let (year, month, day) = date.parts
    let base =
      CivilDate.digits(year, 4) + CivilDate.digits(month, 2) + CivilDate.digits(day, 2) + "T"
      + CivilDate.digits(minute / 60, 2) + CivilDate.digits(minute % 60, 2)
    return index == 0 ? base : base + "-\(index)"
  }

  /// - Returns: nil for a text that `text` never gives.
  public init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts[0].utf8.count == 13 else { return nil }
    let base = parts[0].split(separator: "T", omittingEmptySubsequences: false)
    guard base.map(\.utf8.count) == [8, 4],
      let year = CivilDate.number(base[0].prefix(4)),
      let month = CivilDate.number(base[0].dropFirst(4).prefix(2)),
      let day = CivilDate.number(base[0].suffix(2)),
      let hour = CivilDate.number(base[1].prefix(2)), hour < 24,
      let minute = CivilDate.number(base[1].suffix(2)), minute < 60,
      let date = CivilDate(year: year, month: month, day: day),
      let index = parts.count == 1 ? 0 : CivilDate.number(parts[1]), index < 24
    else { return nil }
    self.init(date, minute: hour * 60 + minute, index: index)
    guard self.text == text else { return nil }
  }

  public init(from decoder: any Decoder) throws {
    self = try decoder.read("key") { OccurrenceKey(text: $0) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
