/// Rows in, the bytes out that bring a terminal from what it shows to them: only rows that have
/// changed are written, each whole.
struct ScreenPainter {
  /// How many columns and rows a terminal has.
  struct Size: Equatable, Sendable {
    var columns: Int
    var rows: Int

    /// What a terminal that does not say is taken for.
    static let usual = Size(columns: 80, rows: 24)
    /// Of columns, and of rows: no more are drawn.
    static let most = 1_000
  }

  private var shown: [String] = []
  private var size: Size?

  /// What the terminal shows is not known any more: all is written anew.
  mutating func forget() { size = nil }

  /// - Parameters:
  ///   - rows: at most as many as the size has; each fits, and holds no newline.
  /// - Returns: an empty text where nothing has changed.
  mutating func bytes(_ rows: [String], size: Size) -> String {
    var bytes = ""
    if size != self.size {
      bytes = "\u{1B}[0m\u{1B}[2J"
      shown = Array(repeating: "", count: size.rows)
      self.size = size
    }
    for index in 0..<size.rows {
      let row = index < rows.count ? rows[index] : ""
      guard row != shown[index] else { continue }
      // Taken away first: behind a row that fills its columns, this would take its end.
      bytes += "\u{1B}[\(index + 1);1H\u{1B}[2K" + row
      shown[index] = row
    }
    return bytes
  }
}
