import Capture
import Foundation

/// What a replay says, to a person or one object of JSON a line.
///
/// `kind` is `notice`, `compared` (with `subject`, `text`, `verdict`, and `then_us` and `now_us`
/// from the beginning of each run, where it was said) and at the end `verdict`.
struct ReplayText {
  let isJSON: Bool

  func notice(_ text: String) {
    if isJSON {
      try? Terminal.json(Line(kind: "notice", text: text))
    } else {
      Terminal.line(PrintableText.of(text))
    }
  }

  func report(_ comparison: ReplayComparison, of script: ReplayScript, played: Int) {
    if isJSON {
      for row in comparison.rows { try? Terminal.json(Line(row)) }
      var line = Line(kind: "verdict")
      line.same = comparison.isSame && played == script.frames
      line.count_same = comparison.count(.same)
      line.count_missing = comparison.count(.missing)
      line.count_new = comparison.count(.new)
      line.frames = script.frames
      line.frames_played = played
      try? Terminal.json(line)
      return
    }
    Terminal.line("     then       now")
    for row in comparison.rows { Terminal.line(Self.text(row)) }
    Terminal.line(Self.verdict(comparison, of: script, played: played))
  }

  private static func text(_ row: ReplayComparison.Row) -> String {
    let words = "\(row.meaning.subject.rawValue) \(row.meaning.text)"
    return time(row.then) + time(row.now) + "  "
      + StageTable.pad(row.verdict.rawValue, 9) + PrintableText.of(words)
  }

  private static func verdict(
    _ comparison: ReplayComparison, of script: ReplayScript, played: Int
  ) -> String {
    let other = script.end == .device ? "host" : "device"
    let same = comparison.count(.same)
    let counts =
      "\(same) same, \(comparison.count(.missing)) missing, \(comparison.count(.new)) new"
    if played < script.frames {
      return "ENDED EARLY, after \(played) of \(script.frames) frames: \(counts)"
    }
    return comparison.isSame
      ? "SAME: the \(other) meant what it meant then, in \(same) things" : "DIFFERENT: \(counts)"
  }

  private static func time(_ microseconds: Int64?) -> String {
    let text = microseconds.map { DecimalText.of($0 / 1_000, places: 3) } ?? "-"
    return String(repeating: " ", count: max(1, 10 - text.count)) + text
  }

  private struct Line: Encodable {
    let kind: String
    var text: String?
    var subject: String?
    var verdict: String?
    var then_us: Int64?
    var now_us: Int64?
    var same: Bool?
    var count_same: Int?
    var count_missing: Int?
    var count_new: Int?
    var frames: Int?
    var frames_played: Int?

    init(kind: String, text: String? = nil) {
      self.kind = kind
      self.text = text
    }

    init(_ row: ReplayComparison.Row) {
      kind = "compared"
      text = row.meaning.text
      subject = row.meaning.subject.rawValue
      verdict = row.verdict.rawValue
      then_us = row.then
      now_us = row.now
    }
  }
}
