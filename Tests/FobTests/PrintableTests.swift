import Testing

@testable import fob

/// What others have written does nothing to a terminal.
@Suite struct PrintableTests {
  @Test func `what would move the cursor, change the title or turn text round is written out`() {
    #expect("lost\u{1B}[2J\r\nalarm".printable == "lost\\u{1b}[2J\\u{d}\\u{a}alarm")
    #expect("\u{202E}raw \u{9B}1m".printable == "\\u{202e}raw \\u{9b}1m")
  }

  @Test func `all else is as it was`() {
    let text = "“ALERT!” é 日本 🚨 4°"
    #expect(text.printable == text)
  }
}
