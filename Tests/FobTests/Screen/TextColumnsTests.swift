import TestSupport
import Testing

@testable import fob

/// What others write takes no more columns than it is given, and does nothing to a terminal.
@Suite struct TextColumnsTests {
  @Test func `wide characters take two columns, marks none`() {
    #expect(TextColumns.count("alarm") == 5)
    #expect(TextColumns.count("日本") == 4)
    #expect(TextColumns.count("e\u{301}") == 1)
    #expect(TextColumns.count("🚨") == 2)
  }

  @Test func `what does not fit ends with a mark, and no wide character is halved`() {
    #expect(TextColumns.fitted("keychain", to: 8) == "keychain")
    #expect(TextColumns.fitted("keychain", to: 5) == "keyc…")
    #expect(TextColumns.fitted("日本語", to: 4) == "日…")
    #expect(TextColumns.fitted("日本語", to: 5) == "日本…")
    #expect(TextColumns.fitted("keychain", to: 1) == "…")
    #expect(TextColumns.fitted("keychain", to: 0) == "")
    #expect(TextColumns.padded("日", to: 4) == "日  ")
  }

  @Test func `what acts on a terminal is written out, what has no width is replaced`() {
    #expect(TextColumns.fitted("\u{1B}]0;x\u{7}", to: 80) == "\\u{1b}]0;x\\u{7}")
    #expect(TextColumns.fitted("a\u{202E}b", to: 80) == "a\\u{202e}b")
    #expect(TextColumns.fitted("a\u{E000}\u{378}", to: 80).unicodeScalars.count == 3)
    #expect(TextColumns.fitted("\u{301}a", to: 80) == "a")
    // A letter under ten thousand marks is a row of two.
    let tower = "a" + String(repeating: "\u{301}", count: 10_000) + "b"
    #expect(TextColumns.fitted(tower, to: 80).unicodeScalars.count <= 4)
  }

  @Test func `any text fits`() {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<2_000 {
      let text = String.hostile(using: &random)
      let width = Int.random(in: 0...40, using: &random)
      let fitting = TextColumns.fitted(text, to: width)
      #expect(TextColumns.count(fitting) <= width)
      #expect(fitting.isHarmless)
    }
  }

  @Test func `words are wrapped between words alone`() {
    #expect(
      TextColumns.wrapped(["a one", "b two", "c three"], between: "   ", to: 13)
        == ["a one   b two", "c three"])
    #expect(TextColumns.wrapped(["a one", "b two"], between: "   ", to: 1) == ["a one", "b two"])
    #expect(TextColumns.wrapped([], between: " ", to: 10).isEmpty)
  }
}

extension String {
  /// Of what a device, a file or an account may say.
  static func hostile(using random: inout SeededGenerator) -> String {
    let parts = [
      "alarm ", "\u{1B}[2J", "\u{1B}]52;c;AA\u{7}", "\r\n", "\u{8}", "\u{9B}31m", "\u{202E}", "日本",
      "\u{301}", "🚨", "👩‍👩‍👧", "\u{200B}", "\u{2028}", "\t", "\u{7F}", "\u{E000}", "\u{10FFFF}", "…",
    ]
    return (0..<Int.random(in: 0...12, using: &random)).map { _ in
      parts.randomElement(using: &random)!
    }.joined()
  }
}

extension String {
  /// It moves no cursor, changes no title and turns no text round.
  var isHarmless: Bool {
    !unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
  }
}
