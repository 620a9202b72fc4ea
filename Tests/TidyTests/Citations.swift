/// Which tests say that they prove a row of the requirements ("R38") or a ruling ("G5"): in a name
/// of a test, or in the comment above a test or its suite. "R24 to R33" names every row between.
struct Citations {
  /// Of each row the suites that cite it, by their files' names, each as often as it does.
  private(set) var suites: [String: [String: Int]] = [:]

  init(in files: [SwiftFile]) {
    for file in files {
      let name = file.path.split(separator: "/").last ?? ""
      let suite = String(name.hasSuffix(".swift") ? name.dropLast(6) : name)
      for row in Self.cited(in: file) { suites[row, default: [:]][suite, default: 0] += 1 }
    }
  }

  private static func cited(in file: SwiftFile) -> [String] {
    var cited: [String] = []
    var comment = ""
    for line in file.lines {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("///") {
        comment += " " + text.dropFirst(3)
      } else {
        if isOfTests(text) { cited += rows(in: comment) }
        comment = ""
      }
      if let name = name(in: text) { cited += rows(in: name) }
    }
    return cited
  }

  /// A comment above this line is a test's or a suite's.
  private static func isOfTests(_ line: Substring) -> Bool {
    if line.hasPrefix("@Test") || line.hasPrefix("@Suite") { return true }
    let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    guard let kind = words.firstIndex(where: { ["struct", "class", "extension"].contains($0) }),
      words.indices.contains(kind + 1)
    else { return false }
    return words[kind + 1].hasSuffix("Tests")
  }

  private static func name(in line: Substring) -> Substring? {
    guard let start = line.firstRange(of: "func `")?.upperBound else { return nil }
    return line[start...].firstIndex(of: "`").map { line[start..<$0] }
  }

  static func rows(in text: some StringProtocol) -> [String] {
    let words = text.split { !($0.isLetter || $0.isNumber) }
    var rows: [String] = []
    for (index, word) in words.enumerated() {
      guard let last = Row(word) else { continue }
      let isRange = index >= 2 && words[index - 1] == "to"
      let first = isRange ? Row(words[index - 2]) : nil
      if let first, first.letter == last.letter, first.number < last.number {
        rows += (first.number + 1...last.number).map { "\(last.letter)\($0)" }
      } else {
        rows.append("\(last.letter)\(last.number)")
      }
    }
    return rows
  }

  private struct Row {
    let letter: Character
    let number: Int

    init?(_ word: some StringProtocol) {
      guard let first = word.first, first == "R" || first == "G", word.count <= 4,
        word.dropFirst().allSatisfy(\.isWholeNumber), let number = Int(word.dropFirst())
      else { return nil }
      letter = first
      self.number = number
    }
  }
}

extension Citations {
  /// "R34  9  LowBatteryTests 7, LiveStatusTests 2", in lines of a hundred columns.
  func table(_ rows: [String], notes: [String: String]) -> String {
    rows.map { row in
      let cited = (suites[row] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      let count = cited.reduce(0) { $0 + $1.value }
      var parts = cited.map { $0.value == 1 ? $0.key : "\($0.key) \($0.value)" }
      if let note = notes[row] { parts.append("(\(note))") }
      let number = count == 0 ? "-" : "\(count)"
      guard !parts.isEmpty else { return Self.padded(row, 5) + number }
      let head = Self.padded(row, 5) + Self.padded(number, 4)
      return head + Self.wrapped(parts, to: 100 - head.count, indent: head.count)
    }.joined(separator: "\n")
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func wrapped(_ parts: [String], to width: Int, indent: Int) -> String {
    var lines = [""]
    for (index, part) in parts.enumerated() {
      let text = index == parts.count - 1 ? part : part + ","
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = text
      } else if last.count + 1 + text.count <= width {
        lines[lines.count - 1] += " " + text
      } else {
        lines.append(text)
      }
    }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}
