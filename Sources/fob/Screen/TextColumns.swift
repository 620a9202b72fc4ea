import CLinux

/// Text measured in columns of a terminal, where some characters take two and marks take none.
enum TextColumns {
  /// Stands where text was cut.
  private static let cut: Character = "…"
  /// Marks that take no column, above one letter.
  private static let maxMarks = 2
  /// No row has room for more.
  private static let maxScalars = 4_096

  /// Of text without control characters; none of it makes a terminal show more.
  static func count(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  /// The text as it may stand on a terminal, in at most so many columns: what others have written
  /// is written out where it would act (`String.printable`), and what has no width is U+FFFD.
  static func fitted(_ text: String, to most: Int) -> String {
    let text = shown(text)
    guard most > 0 else { return "" }
    guard count(text) > most else { return text }
    var fitting = ""
    var taken = 0
    // The last column is that of the mark.
    for character in text {
      let more = count(String(character))
      if taken + more > most - 1 { break }
      fitting.append(character)
      taken += more
    }
    return fitting + String(cut)
  }

  /// Fitted, and filled up with spaces.
  static func padded(_ text: String, to width: Int) -> String {
    let fitting = fitted(text, to: width)
    return fitting + String(repeating: " ", count: max(0, width - count(fitting)))
  }

  /// Words of a list, as many a row as fit; a row has at least one.
  static func wrapped(_ words: [String], between: String, to width: Int) -> [String] {
    var rows: [String] = []
    for word in words {
      if let last = rows.last, count(last) + count(between) + count(word) <= width {
        rows[rows.count - 1] = last + between + word
      } else {
        rows.append(word)
      }
    }
    return rows
  }

  private static func shown(_ text: String) -> String {
    let text = text.printable
    guard text.unicodeScalars.contains(where: { !$0.isASCII }) else { return text }
    var shown = String.UnicodeScalarView()
    var marks = 0
    for scalar in text.unicodeScalars.prefix(maxScalars) {
      let columns = scalar.isASCII ? 1 : clinux_columns(scalar.value)
      marks = columns == 0 ? marks + 1 : 0
      // A mark at the beginning would be one of what stands before.
      guard columns != 0 || marks <= maxMarks && !shown.isEmpty else { continue }
      shown.append(columns < 0 ? "\u{FFFD}" : scalar)
    }
    return String(shown)
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    // Unknown is as wide as can be: a row that is too short harms nobody.
    guard !scalar.isASCII else { return 1 }
    let columns = clinux_columns(scalar.value)
    return columns < 0 ? 2 : Int(columns)
  }
}
