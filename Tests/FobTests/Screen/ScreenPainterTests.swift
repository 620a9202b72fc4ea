import Testing

@testable import fob

/// Only what has changed is written.
@Suite struct ScreenPainterTests {
  private let size = ScreenPainter.Size(columns: 10, rows: 3)

  @Test func `the first time clears the screen and writes each row that has text`() {
    var painter = ScreenPainter()
    #expect(
      painter.bytes(["a", "", "c"], size: size)
        == "\u{1B}[0m\u{1B}[2J\u{1B}[1;1H\u{1B}[2Ka\u{1B}[3;1H\u{1B}[2Kc")
  }

  @Test func `what is as it was is not written, and a row that is gone is taken away`() {
    var painter = ScreenPainter()
    _ = painter.bytes(["a", "b", "c"], size: size)
    #expect(painter.bytes(["a", "b", "c"], size: size).isEmpty)
    #expect(painter.bytes(["a", "x"], size: size) == "\u{1B}[2;1H\u{1B}[2Kx\u{1B}[3;1H\u{1B}[2K")
  }

  @Test func `another size, and what is forgotten, is written anew`() {
    var painter = ScreenPainter()
    let first = painter.bytes(["a"], size: size)
    var wider = size
    wider.columns = 20
    #expect(painter.bytes(["a"], size: wider) == first)
    painter.forget()
    #expect(painter.bytes(["a"], size: wider) == first)
  }
}
