/// One row of a full-screen view: pieces of text, each in its tone.
struct ScreenLine: Equatable, Sendable {
  private(set) var pieces: [Piece] = []

  struct Piece: Equatable, Sendable {
    let text: String
    let tone: Timeline.Tone
  }

  static let empty = ScreenLine()

  init() {}

  init(_ text: String, _ tone: Timeline.Tone = .plain) { append(text, tone) }

  mutating func append(_ text: String, _ tone: Timeline.Tone = .plain) {
    pieces.append(Piece(text: text, tone: tone))
  }

  /// As it is written to a terminal.
  /// - Parameters:
  ///   - width: it takes no more columns, whatever its text is.
  ///   - hasColour: else it has no escape sequence at all.
  func text(width: Int, hasColour: Bool) -> String {
    var text = ""
    var left = width
    for piece in pieces where left > 0 {
      let fitting = TextColumns.fitted(piece.text, to: left)
      left -= TextColumns.count(fitting)
      text +=
        hasColour && piece.tone != .plain ? piece.tone.rawValue + fitting + "\u{1B}[0m" : fitting
    }
    return text
  }
}
