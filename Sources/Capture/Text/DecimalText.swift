/// Whole numbers of a small unit, written in a larger one without rounding.
public enum DecimalText {
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
