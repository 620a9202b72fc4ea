/// A telephone number as a person writes it (R57, R120, R123).
public enum PhoneNumber {
  /// What is wrong with a number, as a clause without its subject: "has 5 digits…".
  public struct Problem: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  /// E.164 of a number with its country's code, behind a plus or what is dialled there for it, or
  /// of a number within `country`. Spaces, hyphens, dots, slashes and brackets are dropped, and so
  /// is the zero of "+49 (0)30".
  ///
  /// The rules are libphonenumber's in a simple form. Its examples of all countries are read as it
  /// reads them; of numbers that are written oddly, as with a zero behind the country's code, one
  /// in a thousand is not.
  ///
  /// Refused is what this form cannot carry: the 15 within mobile numbers of Argentina, five digits
  /// in Kiribati, and free numbers that begin with no zero, as 1800 in Australia. So is what may be
  /// a number of the same town: the area's code is needed.
  /// - Parameters:
  ///   - text: as it was typed.
  ///   - country: ISO 3166, two letters; empty: not known.
  /// - Returns: a plus, then 7 to 15 digits.
  public static func e164(_ text: String, country: String) throws(Problem) -> String {
    let (digits, hasPlus) = try digits(of: text)
    guard !hasPlus else { return try international(digits) }
    guard let plan = NumberingPlan.all[country] else {
      throw Problem(
        description: "is no number in E.164, as in +15555550100: write + and the country's code, or"
          + " give the account a country first")
    }
    let prefix = plan.abroad.first { digits.hasPrefix($0) && !digits.dropFirst($0.count).isZeroLed }
    if let prefix { return try international(String(digits.dropFirst(prefix.count))) }
    guard let national = plan.national(digits) else { throw plan.problem(with: digits) }
    return try international(plan.code + national)
  }

  /// What people put between digits, and the marks by which telephones keep a number together.
  private static let between = Set(
    (" -.()/\u{A0}\u{202F}\u{2009}\u{2010}\u{2011}\u{2012}\u{2013}"
      + "\u{200E}\u{202A}\u{202C}\u{202D}\u{2066}\u{2068}\u{2069}").unicodeScalars)

  private static func digits(of text: String) throws(Problem) -> (String, hasPlus: Bool) {
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where !between.contains(scalar) {
      guard ("0"..."9").contains(scalar) || scalar == "+" && kept.isEmpty else {
        let shown = scalar.value < 0x20 ? "a control character" : "“\(scalar)”"
        throw Problem(description: "has \(shown), which is no part of a number")
      }
      kept.append(scalar)
    }
    let digits = String(kept)
    guard digits.contains(where: { $0 != "+" }) else {
      throw Problem(description: "is empty: a number is needed, as in +15555550100")
    }
    return digits.hasPrefix("+") ? (String(digits.dropFirst()), true) : (digits, false)
  }

  private static func international(_ digits: String) throws(Problem) -> String {
    let main = (1...3).lazy.compactMap { NumberingPlan.byCode[String(digits.prefix($0))] }.first
    let written = main.map { $0.code + $0.withoutTrunk(digits.dropFirst($0.code.count)) } ?? digits
    guard (7...15).contains(written.count) else {
      throw Problem(
        description: "has \(written.count) digits: with its country's code a number has 7 to 15")
    }
    guard !written[...].isZeroLed else {
      throw Problem(description: "has no country's code behind its +: none begins with 0")
    }
    return "+" + written
  }
}

extension NumberingPlan {
  /// The number without what is dialled before it; nil: it is none of this country's.
  fileprivate func national(_ digits: String) -> String? {
    guard !lengths.isEmpty else { return nil }
    for prefix in trunk where digits.hasPrefix(prefix) {
      let rest = digits.dropFirst(prefix.count)
      // No number begins with a zero where a zero is dialled before it.
      if lengths.contains(rest.count), prefix != "0" || !rest.isZeroLed { return String(rest) }
    }
    // Without the prefix it may be a number of the same town, unless it is as long as a mobile one.
    let known = trunk.isEmpty ? lengths : mobile
    return known.contains(digits.count) && !mayHaveCode(digits) ? digits : nil
  }

  /// It may be a number whose plus was left out.
  private func mayHaveCode(_ digits: String) -> Bool {
    let rest = digits.count - code.count
    guard care > 0, digits.hasPrefix(code), own.contains(rest) else { return false }
    return care == 2 || !mobile.contains(digits.count) || mobile.contains(rest)
  }

  /// People write "+49 (0)30", and nobody dials it.
  fileprivate func withoutTrunk(_ rest: Substring) -> Substring {
    for prefix in trunk where rest.hasPrefix(prefix) {
      let isNeeded = prefix == "0" || !lengths.contains(rest.count)
      if lengths.contains(rest.count - prefix.count), isNeeded {
        return rest.dropFirst(prefix.count)
      }
    }
    return rest
  }

  fileprivate func problem(with digits: String) -> PhoneNumber.Problem {
    if lengths.isEmpty {
      return .init(description: "is not understood: write it with + and the code, as in +\(code)…")
    }
    let before = trunk.last.map { ", with \($0) and the area's code before it," } ?? ""
    return .init(
      description: "has \(digits.count) digits, and is no whole number of \(country): write it"
        + "\(before) or with +\(code)")
  }
}

extension Substring {
  fileprivate var isZeroLed: Bool { first == "0" }
}
