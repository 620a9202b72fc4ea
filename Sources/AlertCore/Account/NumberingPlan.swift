/// How numbers are written within one country: what is dialled before them, and how long they are.
struct NumberingPlan: Sendable {
  /// ISO 3166, two letters.
  let country: String
  /// As in "49".
  let code: String
  /// Other countries have the same code, and numbers behind a plus are read by this one's rules.
  let isMain: Bool
  /// How careful one has to be with numbers that begin as the code does: 0, not at all; 1, except
  /// where they are as long as mobile ones; 2, always.
  let care: Int
  /// What is dialled before a number within the country and is no part of it, the longest first.
  let trunk: [String]
  /// What is dialled before the code of another country.
  let abroad: [String]
  /// Empty: this form does not carry the country's rules, and a plus is needed.
  let lengths: Set<Int>
  let mobile: Set<Int>
  /// Of mobile numbers and those of fixed lines.
  let own: Set<Int>
  /// Nil: it is not known which it is.
  let emergency: String?

  /// By country.
  static let all: [String: NumberingPlan] = Dictionary(
    rows.compactMap(NumberingPlan.init(row:)).map { ($0.country, $0) }, uniquingKeysWith: { $1 })

  /// Countries of ISO 3166 without numbers of their own.
  static let uninhabited: Set = ["AQ", "BV", "GS", "HM", "PN", "TF", "UM"]

  /// By the country's code.
  static let byCode: [String: NumberingPlan] = Dictionary(
    all.values.filter(\.isMain).map { ($0.code, $0) }, uniquingKeysWith: { $1 })

  private init?(row: String) {
    let fields = row.split(separator: " ").map(String.init)
    guard fields.count == 10, let care = Int(fields[3]) else { return nil }
    country = fields[0]
    code = fields[1]
    isMain = fields[2] == "main"
    self.care = care
    trunk = Self.words(fields[4])
    abroad = Self.words(fields[5])
    lengths = Self.numbers(fields[6])
    mobile = Self.numbers(fields[7])
    own = Self.numbers(fields[8])
    emergency = Self.words(fields[9]).first
  }

  private static func words(_ field: String) -> [String] {
    field == "-" ? [] : field.split(separator: ",").map(String.init)
  }

  /// As in 5,7-9.
  private static func numbers(_ field: String) -> Set<Int> {
    var found: Set<Int> = []
    for part in words(field) {
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last else { continue }
      found.formUnion(first...last)
    }
    return found
  }
}

/// The number that is called for help, by the country.
public struct EmergencyNumber: Equatable, Sendable {
  /// As in "911".
  public let text: String
  /// False: the country is not known, nor which of its numbers is general. Then it is 112, which
  /// works from most mobile phones.
  public let isKnown: Bool

  /// - Parameter country: ISO 3166, two letters; empty: not known.
  public init(country: String) {
    let known = NumberingPlan.all[country]?.emergency
    text = known ?? "112"
    isKnown = known != nil
  }
}
