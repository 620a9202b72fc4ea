package import FobBase

/// Numbers as people read them.
package enum NumberText {
  /// As in `12,345,678`.
  package static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// A time of a world, as in `12.345678 s`.
  package static func seconds(_ at: Instant) -> String {
    decimal(at.microseconds, places: 6) + " s"
  }

  /// A length of time in a fitting unit, as in `312 µs`, `4.5 ms`, `3.2 s`, `30 min`.
  package static func length(_ interval: Interval) -> String {
    let microseconds = interval.microseconds
    switch microseconds.magnitude {
    case 0: return "0 s"
    case 60_000_000... where microseconds % 60_000_000 == 0:
      return "\(microseconds / 60_000_000) min"
    case 1_000_000...: return trimmed(decimal(microseconds / 1_000, places: 3)) + " s"
    case 1_000...: return trimmed(decimal(microseconds, places: 3)) + " ms"
    default: return "\(microseconds) µs"
    }
  }

  /// A length of time that always has a sign, as in `+4.5 ms`.
  package static func shift(_ interval: Interval) -> String {
    (interval < .zero ? "" : "+") + length(interval)
  }

  /// As in `3 acts` or `1 act`.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Text at the left of a column; `width` counts characters, and longer text is not cut.
  package static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// Text at the right of a column; `width` counts characters, and longer text is not cut.
  package static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private static func decimal(_ number: Int64, places: Int) -> String {
    let digits = String(number.magnitude)
    let all = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return (number < 0 ? "-" : "") + all.dropLast(places) + "." + all.suffix(places)
  }

  private static func trimmed(_ decimal: String) -> String {
    var text = decimal
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }
}
