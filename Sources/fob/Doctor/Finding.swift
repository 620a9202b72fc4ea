/// What one check says of a bench.
struct Finding: Encodable, Equatable {
  enum Level: String, Encodable, Comparable, CaseIterable {
    case ok, warning, error

    static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  let check: String
  let level: Level
  /// What is so.
  let text: String
  /// What to do about it; nil where nothing is to be done.
  var hint: String?

  private enum CodingKeys: String, CodingKey {
    case check, level, text
    case hint = "wayOut"
  }

  static func ok(_ check: String, _ text: String) -> Finding {
    Finding(check: check, level: .ok, text: text)
  }

  static func warning(_ check: String, _ text: String, _ hint: String) -> Finding {
    Finding(check: check, level: .warning, text: text, hint: hint)
  }

  static func error(_ check: String, _ text: String, _ hint: String) -> Finding {
    Finding(check: check, level: .error, text: text, hint: hint)
  }

  /// `error    rule        it is not installed; make install-udev`
  var line: String {
    let columns = [(level.rawValue, 9), (check, 13)].map { text, width in
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    return columns.joined() + text + (hint.map { "; \($0)" } ?? "")
  }
}

/// One thing to look at: made of what was read, and judged from that alone.
protocol BenchCheck {
  init(_ bench: BenchRoot)
  var findings: [Finding] { get }
}
