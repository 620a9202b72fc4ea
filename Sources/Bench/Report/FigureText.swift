/// Writes figures, everywhere in the same way.
enum FigureText {
  /// Microseconds: a tenth below a thousand, whole ones from there on.
  static func microseconds(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "–" }
    return abs(value) < 999.95 ? decimal(value, digits: 1) : decimal(value, digits: 0)
  }

  /// The most readable unit: `3.2 µs`, `20.9 ms`, `1.5 s`.
  static func duration(_ microseconds: Double) -> String {
    switch abs(microseconds) {
    case ..<999.95: "\(decimal(microseconds, digits: 1)) µs"
    case ..<999_950: "\(decimal(microseconds / 1_000, digits: 1)) ms"
    default: "\(decimal(microseconds / 1_000_000, digits: 1)) s"
    }
  }

  static func decimal(_ value: Double, digits: Int) -> String {
    let text = plain(value, digits: digits)
    let whole = text.prefix { $0 != "." }
    return grouped(Int64(whole) ?? 0, sign: text.hasPrefix("-")) + text.dropFirst(whole.count)
  }

  /// Without commas, for machines.
  static func plain(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    // Numbers that are not finite, or beyond any clock, are written as the largest possible.
    let size = value.isFinite ? abs(value) : 1e15
    let scaled = Int64(min((size * scale).rounded(), 1e18))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(scaled)" }
    let rest = String(scaled % Int64(scale))
    let zeros = String(repeating: "0", count: digits - rest.count)
    return "\(sign)\(scaled / Int64(scale)).\(zeros)\(rest)"
  }

  /// Three digits a group, with a comma.
  static func grouped(_ value: some BinaryInteger, sign: Bool = false) -> String {
    let digits = Array(String(value.magnitude))
    var text = sign || value < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// Blanks in front until it is as wide as asked.
  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
