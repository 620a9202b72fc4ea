import Testing

@testable import fob

/// What others have written does nothing to a terminal.
@Suite struct PrintableTests {
  @Test func `what would move the cursor, change the title or turn text round is written out`() {
    #expect("lost\u{1B}[2J\r\nalarm".printable == "lost\\u{1b}[2J\\u{d}\\u{a}alarm")
    #expect("\u{202E}raw \u{9B}1m".printable == "\\u{202e}raw \\u{9b}1m")
  }

  @Test func `why a command failed is told in lines, and does nothing else`() {
    let failure = Failure(
      .ioError, "FAIL.TXT says \u{1B}[2J\u{9B}1m\u{61C}\u{202E}\u{2066}\ragain\nand again")
    #expect(
      failure.printable
        == #"FAIL.TXT says \u{1b}[2J\u{9b}1m\u{61c}\u{202e}\u{2066}\ragain"# + "\nand again")
  }

  @Test func `all else is as it was`() {
    let text = "“ALERT!” é 日本 🚨 4°"
    #expect(text.printable == text)
  }
}
