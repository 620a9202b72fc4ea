/// One line of the timeline: when, who, what.
struct TimelineLine: Equatable, Sendable {
  /// Milliseconds since the start.
  let at: Int64
  let who: String
  /// What others have written is in it as they wrote it.
  let what: String
  let tone: Timeline.Tone

  /// As in `  1.026 s`.
  var clock: String {
    let seconds = StageTable.thousandths(at)
    return String(repeating: " ", count: max(0, 9 - seconds.count)) + seconds + " s"
  }

  /// Without its time.
  var text: String { StageTable.pad(who, 10) + what }

  /// As it is printed.
  func printed(hasColour: Bool) -> String {
    let isPainted = hasColour && tone != .plain
    return "\(clock)  \(StageTable.pad(who, 10))\(isPainted ? tone.rawValue : "")"
      + what.printable + (isPainted ? "\u{1B}[0m" : "")
  }
}
