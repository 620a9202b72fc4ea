/// The full-screen view of `fob run`: a state and a size in, rows of a terminal out.
///
/// The alarm stands first and alone. A small window keeps what matters most: the alarm, the keys,
/// then link, light, battery and fix; lists come in as there is room. Each word says what a colour
/// says, too.
struct RunScreen {
  private let state: RunState
  private let size: ScreenPainter.Size

  init(_ state: RunState, size: ScreenPainter.Size) {
    self.state = state
    self.size = size
  }

  /// From so many rows on there are lists, and empty rows between the parts.
  private static let rowsForLists = 14
  private static let rowsForPauses = 20
  /// Columns of what stands in front of a row, and from how many columns on it does.
  private static let labelWidth = 9
  private static let columnsForLabels = 24

  /// At most as many as the terminal has rows.
  var lines: [ScreenLine] {
    if state.showsKeys { return listOfKeys }
    let keys = keyLines
    let room = max(0, size.rows - keys.count)
    var rows = hasPauses ? [.empty, alarmLine, .empty] : [alarmLine]
    rows += facts
    if size.rows >= Self.rowsForLists { rows += lists(in: room - rows.count) }
    return filled(rows, room) + keys
  }

  private func filled(_ lines: [ScreenLine], _ count: Int) -> [ScreenLine] {
    lines.prefix(count) + Array(repeating: .empty, count: max(0, count - lines.count))
  }

  /// As they are written, with escape sequences only for colour.
  func rows(hasColour: Bool) -> [String] {
    lines.map { $0.text(width: size.columns, hasColour: hasColour) }
  }

  private var hasPauses: Bool { size.rows >= Self.rowsForPauses }
  private var isNarrow: Bool { size.columns < Self.columnsForLabels }
  private var indent: String { isNarrow ? "" : "  " }

  // MARK: The alarm

  private var alarmLine: ScreenLine {
    let words = AlarmWords(state.alarm)
    var line = ScreenLine(indent)
    line.append(words.large, words.tone)
    if !words.small.isEmpty { line.append("  " + words.small) }
    return line
  }

  // MARK: Facts

  /// The most needed first.
  private var facts: [ScreenLine] {
    let words = KeychainWords(state.keychain)
    var facts = [
      row("link", words.link.text, words.link.tone), row("light", words.light),
      row("battery", words.battery.text, words.battery.tone),
      row("fix", words.fix), row("press", PressWords.of(state.press)),
    ]
    if !state.otherAlarms.isEmpty {
      let numbers = state.otherAlarms.map { "\($0)" }.joined(separator: ", ")
      facts.insert(row("others", "an open alarm in account \(numbers)", .bad), at: 0)
    }
    if let trouble = state.alarm?.storageFailure {
      facts.insert(row("store", trouble, .bad), at: 0)
    }
    if let account = state.account { facts.append(row("account", account)) }
    if let pin = state.pin { facts.append(row("PIN", pin)) }
    if let page = state.page {
      facts.append(
        row("page", page.address + ", " + (page.code.map { "code \($0)" } ?? "code: fob code")))
    } else if let obstacle = state.pageObstacle {
      facts.append(row("page", "none: \(obstacle)", .bad))
    }
    return facts
  }

  private func row(
    _ label: String, _ text: String, _ tone: Timeline.Tone = .plain
  ) -> ScreenLine {
    var line = ScreenLine(
      isNarrow ? "\(label) " : indent + TextColumns.padded(label, to: Self.labelWidth))
    line.append(text, tone)
    return line
  }

  // MARK: Lists

  /// What was told, what happened and the last frames share the rows that are left.
  private func lists(in room: Int) -> [ScreenLine] {
    let pause = hasPauses ? [ScreenLine.empty] : []
    var left = max(0, room - 4 * pause.count)
    let toldRows = min(max(1, state.told.count), max(1, left / 3))
    left -= toldRows
    let frameRows = min(state.frames.count, max(0, left / 2))
    left -= frameRows
    let told =
      state.told.isEmpty
      ? [row("told", "nobody since the start")]
      : list("told", state.told.prefix(toldRows).map { ("\($0.contact): \($0.what)", $0.tone) })
    let events = list(
      "events", state.happened.suffix(max(0, left)).map { ("\($0.clock)  \($0.text)", $0.tone) })
    let frames = list("frames", state.frames.suffix(frameRows).map { ($0, .plain) })
    return [told, events, frames].flatMap { $0.isEmpty ? [] : pause + $0 }
  }

  private func list(_ label: String, _ rows: [(text: String, tone: Timeline.Tone)]) -> [ScreenLine]
  {
    rows.enumerated().map { row($0.offset == 0 ? label : "", $0.element.text, $0.element.tone) }
  }

  // MARK: Keys

  private var keyLines: [ScreenLine] {
    guard size.rows > 1 else { return [] }
    if let digits = state.typedDigits {
      let typed = String(repeating: "*", count: digits)
      let open = String(repeating: "_", count: max(0, 4 - digits))
      return [ScreenLine("\(indent)PIN: \(typed)\(open)  (any other key gives up)", .strong)]
    }
    return Array(allKeys.prefix(max(1, size.rows / 5)))
  }

  /// All of them under the alarm, and what other programs ask; where there is no room, the last row
  /// says so.
  private var listOfKeys: [ScreenLine] {
    let rows =
      [alarmLine] + allKeys + [ScreenLine(indent + "any key: back to the view")]
      + (state.sockets.map { [.empty, row("sockets", $0)] } ?? [])
    guard rows.count > size.rows, size.rows > 1 else { return filled(rows, size.rows) }
    return filled(rows, size.rows - 1) + [ScreenLine(indent + "…")]
  }

  private var allKeys: [ScreenLine] {
    TextColumns.wrapped(Keyboard.keys, between: "   ", to: size.columns - 2 * indent.count).map {
      ScreenLine(indent + $0)
    }
  }
}
