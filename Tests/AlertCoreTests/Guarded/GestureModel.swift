import AlertCore

/// What a row of the table must come to, by the words of the protocol alone. Unlike the detector it
/// knows which release is whose, keeps no state of its own but what was decided, and asks at every
/// moment anew: which of these sentences is true now?
struct GestureModel {
  enum Outcome: Equatable {
    /// No press has come.
    case nothing
    case alarm(at: Int)
    case acknowledge
    case slot(Int)
    case noted
  }

  private struct Press {
    var at: Int
    var released: Int
    var arrives: Int
    var releaseArrives: Int
  }

  private static let never = 1_000_000
  private let row: GestureRow
  private var presses: [Press] = []

  init(_ row: GestureRow) {
    self.row = row
    var edges = row.edges[...]
    if row.oddity == .stuck { edges = edges.dropFirst() }
    while let press = edges.popFirst() {
      let release = edges.popFirst()
      presses.append(
        Press(
          at: press.at, released: release?.at ?? Self.never, arrives: press.arrives ?? Self.never,
          releaseArrives: release?.arrives ?? Self.never))
    }
  }

  private var isFitted: Bool { row.oddity != .earlierBoot }
  private var restart: Int { row.restartAt ?? Self.never }

  var outcome: Outcome {
    var decided: Outcome?
    var seen = 0
    let arrivals = row.edges.compactMap(\.arrives)
    let moments =
      arrivals + arrivals.map { $0 + 600 } + arrivals.map { $0 + 1_500 }
      + presses.map { $0.at + 1_500 } + [restart]
    for now in Set(moments).sorted() where now < 60_000 {
      // What is due comes before what arrives at the same moment.
      for latest in [now - 1, now] {
        let known = presses.filter { $0.arrives <= latest }.count
        let isActed = decided != nil && decided != .noted
        guard known > 0, known > seen || decided == nil else { continue }
        var isDecided = false
        for part in parts(by: latest) where !part.presses.isEmpty {
          if isAlarm(part, now, latest, isActed: isActed) { return .alarm(at: now) }
          guard isQuiet(part, now, latest) else { continue }
          guard let meaning = meaning(of: part, now, latest, isActed: isActed) else {
            return .alarm(at: now)
          }
          decided = meaning
          isDecided = true
        }
        if isDecided { seen = known }
      }
    }
    return decided ?? .nothing
  }

  /// What hangs together of what has come: cut where an edge between two known ones is missing.
  private struct Part {
    var presses: [Press] = []
    var arrivals: [Int] = []
    var isCut = false
  }

  private func parts(by latest: Int) -> [Part] {
    var parts = [Part()]
    for (index, press) in presses.enumerated() {
      let hasPress = press.arrives <= latest
      let hasRelease = press.releaseArrives <= latest
      if !hasPress, hasRelease {
        parts[parts.count - 1].isCut = true
        parts.append(Part(arrivals: [press.releaseArrives], isCut: true))
        continue
      }
      guard hasPress else { continue }
      parts[parts.count - 1].presses.append(press)
      parts[parts.count - 1].arrivals +=
        [press.arrives] + (hasRelease ? [press.releaseArrives] : [])
      let goesOn = presses[(index + 1)...].contains {
        $0.arrives <= latest || $0.releaseArrives <= latest
      }
      guard !hasRelease, goesOn else { continue }
      parts[parts.count - 1].isCut = true
      parts.append(Part(isCut: true))
    }
    return parts
  }

  /// A sentence that raises it, whatever may still come.
  private func isAlarm(_ part: Part, _ now: Int, _ latest: Int, isActed: Bool) -> Bool {
    if row.oddity == .atBoot || row.oddity == .merged { return true }
    for press in part.presses {
      if press.releaseArrives <= latest {
        if press.released - press.at >= 500 { return true }
        if press.releaseArrives - press.arrives >= 650 { return true }
      } else if now >= holdOver(press, now) {
        return true
      }
    }
    let count = part.presses.count
    guard count >= 2, !isActed else { return count >= 2 }
    return !(count...max(6, count)).contains { row.slots.contains(UInt8(clamping: $0 - 1)) }
  }

  /// A core that was started again has forgotten the clock of what came before.
  private func holdOver(_ press: Press, _ now: Int) -> Int {
    let isTimed = isFitted && (press.arrives >= restart || now < restart)
    guard isTimed else { return press.arrives + 1_500 }
    return min(press.arrives + 1_500, max(press.arrives + 600, press.at + 1_500))
  }

  private func isQuiet(_ part: Part, _ now: Int, _ latest: Int) -> Bool {
    let isHeld = part.presses.contains { $0.releaseArrives > latest }
    return !isHeld && now >= part.arrivals.max()! + 600
  }

  /// Nil: the alarm.
  private func meaning(of part: Part, _ now: Int, _ latest: Int, isActed: Bool) -> Outcome? {
    let lastHeard = row.edges.compactMap(\.arrives).filter { $0 <= latest }.max()!
    let wentDeaf = [row.lostAt, row.restartAt].contains {
      $0.map { lastHeard <= $0 && $0 <= now } ?? false
    }
    if part.isCut || wentDeaf || isActed { return nil }
    let isTimed = isFitted && part.arrivals.contains { $0 > restart || now < restart }
    guard isTimed, now - part.presses.map(\.released).max()! <= 10_000 else { return .noted }
    let count = part.presses.count
    if count == 1 { return .acknowledge }
    return row.slots.contains(UInt8(count - 1)) ? .slot(count - 1) : nil
  }
}
