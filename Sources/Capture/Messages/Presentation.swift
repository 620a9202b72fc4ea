import FobBase

/// How a field's value is written for a person.
indirect enum Presentation: Sendable {
  case number
  case hex
  case unit(String)
  /// A number with this many places behind the point, and its unit.
  case decimal(Int, String)
  /// A percentage, of which 255 is unknown.
  case percent
  case eventNumber
  case version
  /// Seconds since 1970.
  case civilTime
  case messageType
  case text
  /// A name for each number; nil where a number has none.
  case names([String?])
  /// The name of each bit from the lowest.
  case bits([String])
  /// A word in place of one special value.
  case unless(UInt64, String, Presentation)
  /// Chosen by the value of an earlier field.
  case by(String, [UInt64: Presentation], else: Presentation)
  /// A key, or a part of one: never shown.
  case secret
  /// The argument of TRACE, whose meaning depends on its code.
  case traceArgument

  /// Microseconds, shown in seconds.
  static let seconds = Presentation.decimal(6, "s")

  /// - Parameter earlier: the value of a field before this one, by name.
  func text(
    _ value: FieldValue, _ kind: FieldKind, _ earlier: (String) -> UInt64
  ) -> String {
    switch value {
    case .bytes(let bytes): text(bytes)
    case .signed(let number): text(signed: number)
    case .unsigned(let number): text(number, kind, earlier)
    }
  }

  private func text(_ bytes: [UInt8]) -> String {
    switch self {
    case .version: bytes.map { "\($0)" }.joined(separator: ".")
    case .text: PrintableText.of(bytes)
    default: Hex.text(bytes)
    }
  }

  private func text(signed number: Int64) -> String {
    if case .decimal(let places, let unit) = self {
      return DecimalText.of(number, places: places) + Self.spaced(unit)
    }
    return "\(number)"
  }

  private func text(
    _ number: UInt64, _ kind: FieldKind, _ earlier: (String) -> UInt64
  ) -> String {
    switch self {
    case .number, .version, .text: "\(number)"
    case .hex: Hex.text(number, digits: kind.size * 2)
    case .unit(let unit): "\(number) \(unit)"
    case .decimal(let places, let unit):
      DecimalText.of(number, places: places) + Self.spaced(unit)
    case .percent: number == 255 ? "unknown" : "\(number) %"
    case .eventNumber: number == 0 ? "none" : EventNumber(rawValue: number).text
    case .civilTime: CivilTime.text(number)
    case .messageType: MessageLayout.name(of: UInt8(truncatingIfNeeded: number))
    case .names(let names): Self.name(number, names)
    case .bits(let names): Self.bits(number, names)
    case .unless(let special, let word, let other):
      number == special ? word : other.text(number, kind, earlier)
    case .by(let field, let cases, let other):
      (cases[earlier(field)] ?? other).text(number, kind, earlier)
    case .secret: "not shown"
    case .traceArgument: Self.traceArgument(number, code: earlier("code"))
    }
  }

  /// A degree sign follows its number without a space.
  private static func spaced(_ unit: String) -> String { unit == "°" ? unit : " " + unit }

  private static func name(_ number: UInt64, _ names: [String?]) -> String {
    guard number < UInt64(names.count), let name = names[Int(number)] else {
      return "\(number) (not known)"
    }
    return name
  }

  private static func bits(_ number: UInt64, _ names: [String]) -> String {
    var set: [String] = []
    for bit in 0..<64 where number >> UInt64(bit) & 1 == 1 {
      set.append(bit < names.count ? names[bit] : "bit \(bit) (not known)")
    }
    return set.isEmpty ? "none" : set.joined(separator: " + ")
  }

  private static func traceArgument(_ number: UInt64, code: UInt64) -> String {
    switch code {
    case 3, 4, 5: return EventNumber(rawValue: number).text
    case 6:
      let state = name(number & 0xFF, NamedValues.shownStates)
      let detail = number >> 8 & 0xFF
      let sounder = number >> 16 & 1 == 1 ? ", sounder" : ""
      return state + (detail == 0 ? "" : " \(detail)") + sounder
    case 7: return name(number, NamedValues.resetCauses)
    default: return "\(number)"
    }
  }
}

/// Seconds since 1970 as `2026-01-01 00:00:00 UTC`.
enum CivilTime {
  static func text(_ seconds: UInt64) -> String {
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = date(days)
    return "\(year)-\(two(month))-\(two(day))"
      + " \(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60)) UTC"
  }

  /// The Gregorian calendar from days since 1970 (Hinnant, chrono-compatible date algorithms):
  /// years that begin in March, in cycles of 400.
  private static func date(_ days: UInt64) -> (year: UInt64, month: UInt64, day: UInt64) {
    let shifted = days + 719_468
    let (cycle, dayOfCycle) = shifted.quotientAndRemainder(dividingBy: 146_097)
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    return (
      cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1
    )
  }

  private static func two(_ number: UInt64) -> String { (number < 10 ? "0" : "") + "\(number)" }
}

/// Whole numbers of a small unit, written in a larger one without rounding.
public enum DecimalText {
  /// Puts a decimal point before the last `places` digits, 1 to 18: 1234 with 2 is `12.34`.
  public static func of(_ number: Int64, places: Int) -> String {
    (number < 0 ? "-" : "") + of(number.magnitude, places: places)
  }

  /// - Parameter places: 1 to 18.
  static func of(_ number: UInt64, places: Int) -> String {
    var unit: UInt64 = 1
    for _ in 0..<places { unit *= 10 }
    let (whole, part) = number.quotientAndRemainder(dividingBy: unit)
    let digits = "\(part)"
    return "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
  }
}
