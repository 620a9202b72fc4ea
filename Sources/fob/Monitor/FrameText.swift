import Capture
import FobBase
import WireProtocol

/// One run of a line as `fob monitor` prints it for a person.
struct FrameText {
  let hasColour: Bool
  let showsFields: Bool
  let showsRaw: Bool

  private enum Colour: String {
    case strong = "\u{1B}[1m"
    case red = "\u{1B}[31m"
    case green = "\u{1B}[32m"
    case cyan = "\u{1B}[36m"
    case faint = "\u{1B}[2m"
  }

  /// - Parameters:
  ///   - since: what time 0 is.
  ///   - line: the number of its line, where there are several.
  ///   - seal: what its tag says; nil where nobody has asked.
  func lines(
    _ description: FrameDescription, since: Instant, line: Int?,
    seal: SealObserver.Verdict? = nil, comment: String?
  ) -> [String] {
    let way = description.direction == .toHost ? "D→H" : "H→D"
    let number = line.map { "\($0) " } ?? ""
    let head = "\(time(description.at - since))  \(number)\(way)  "
    var lines: [String] = []
    switch description.content {
    case .damaged(let damage):
      let reason = comment ?? damage.text
      let count = description.wire.count
      lines.append(
        head
          + painted(
            StageTable.pad("damaged", 14)
              + "\(count) \(count == 1 ? "byte" : "bytes"), \(PrintableText.of(reason))", .red))
    case .frame(let frame):
      let comment = comment.map { "  (\(PrintableText.of($0)))" } ?? ""
      let resent = frame.head.isResent ? " RESENT" : ""
      let remark = frame.remark.map { "  " + painted("[\($0)]", .red) } ?? ""
      lines.append(
        head
          + painted(StageTable.pad(frame.name, 14), colour(of: frame, description.direction))
          + StageTable.pad("#\(frame.sequence)", 7) + (seal.map(mark) ?? "") + frame.summary
          + resent + remark + comment)
      if showsFields { lines += fields(of: frame) }
    }
    if showsRaw {
      lines.append("             " + painted(Hex.text(description.wire), .faint))
    }
    return lines
  }

  /// A right tag, a wrong one, none, or one that cannot be checked.
  private func mark(_ seal: SealObserver.Verdict) -> String {
    switch seal {
    case .right: painted("✓", .green) + " "
    case .wrong: painted("✗", .red) + " "
    case .unsealed: "– "
    case .unknown: "? "
    }
  }

  func time(_ elapsed: Interval) -> String {
    let text = DecimalText.of(elapsed.microseconds, places: 6)
    return String(repeating: " ", count: max(0, 13 - text.count)) + text
  }

  private func fields(of frame: DescribedFrame) -> [String] {
    let head = [
      ("version", "\(frame.head.major)"), ("RESENT", frame.head.isResent ? "yes" : "no"),
      ("SEALED", frame.isSealed ? "yes" : "no"), ("seq", "\(frame.sequence)"), ("CRC", "ok"),
    ]
    let fields = frame.fields.map { field in
      (field.entry.map { "[\($0)] \(field.name)" } ?? field.name, field.text)
    }
    let unread = frame.unread.isEmpty ? [] : [("not read", Hex.text(frame.unread))]
    return (head + fields + unread).map { "             \(StageTable.pad($0, 18))\($1)" }
  }

  private func colour(of frame: DescribedFrame, _ direction: Direction) -> Colour? {
    switch frame.name {
    case "EVENT": .strong
    case "EVENT_ACK": .green
    case "REJECT": .red
    default: direction == .toDevice ? .cyan : nil
    }
  }

  private func painted(_ text: String, _ colour: Colour?) -> String {
    guard hasColour, let colour else { return text }
    return "\(colour.rawValue)\(text)\u{1B}[0m"
  }
}
