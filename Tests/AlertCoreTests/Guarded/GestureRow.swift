import AlertCore
import FobBase
import WireProtocol

/// One row of the table: a gesture, what becomes of its edges on the way, and of line and core.
/// Times are milliseconds since the finger first moved, on a grid of 10.
struct GestureRow {
  enum Lateness: CaseIterable {
    case none, fifth, three, two, eleven, never

    var milliseconds: Int? {
      switch self {
      case .none: 0
      case .fifth: 200
      case .three: 600
      case .two: 2_000
      case .eleven: 11_000
      case .never: nil
      }
    }
  }

  /// When the line goes down, and when it is up again.
  enum Line: CaseIterable {
    case up, lostWhileHeld, lostBetweenClicks, lostBetweenClicksShortly
  }

  enum Restart: CaseIterable { case none, whileHeld, afterClick }

  struct Edge {
    let at: Int
    let isPress: Bool
    /// When it reaches the core; nil for never.
    var arrives: Int?
  }

  enum Oddity { case none, earlierBoot, atBoot, merged, stuck }

  var name: String
  var edges: [Edge]
  var oddity = Oddity.none
  var slots = PanicSlots.none
  var lostAt: Int?
  var upAt: Int?
  var restartAt: Int?

  /// Debouncing and the way here.
  static let transit = 20

  init(_ name: String, _ times: [Int], oddity: Oddity = .none) {
    self.name = name
    self.oddity = oddity
    edges = times.enumerated().map { index, at in
      Edge(
        at: at, isPress: (index % 2 == 0) != (oddity == .stuck && index >= 0),
        arrives: at + Self.transit)
    }
  }

  /// Clicks of 0.2 s, 0.2 s apart, and then perhaps a hold.
  init(clicks: Int, hold: Int? = nil) {
    var times = (0..<clicks).flatMap { [$0 * 400, $0 * 400 + 200] }
    if let hold { times += [clicks * 400, clicks * 400 + hold] }
    self.init("\(clicks) clicks" + (hold.map { ", then held \($0) ms" } ?? ""), times)
  }

  mutating func delay(_ index: Int, by lateness: Lateness) {
    edges[index].arrives = lateness.milliseconds.map { edges[index].at + Self.transit + $0 }
    name += ", edge \(index) late: \(lateness)"
  }

  /// While the line is down nothing comes; then what waited comes at once, in its order.
  mutating func interrupt(_ line: Line) {
    guard let press = edges.firstIndex(where: \.isPress) else { return }
    switch line {
    case .up: return
    case .lostWhileHeld: lostAt = edges[press].at + 100
    case .lostBetweenClicks, .lostBetweenClicksShortly:
      guard press + 1 < edges.count else { return }
      lostAt = edges[press + 1].at + 50
    }
    name += ", \(line)"
    upAt = lostAt! + (line == .lostBetweenClicksShortly ? 300 : 3_000)
    for index in edges.indices {
      guard let arrives = edges[index].arrives, arrives > lostAt!, arrives <= upAt! else {
        continue
      }
      edges[index].arrives = upAt! + 10
    }
  }

  mutating func restart(_ restart: Restart) {
    guard let press = edges.firstIndex(where: \.isPress) else { return }
    switch restart {
    case .none: return
    case .whileHeld: restartAt = edges[press].at + 150
    case .afterClick: restartAt = edges[min(press + 1, edges.count - 1)].at + 130
    }
    name += ", restart \(restart)"
  }
}

extension GestureRow {
  static let gestures: [GestureRow] =
    (1...8).map { GestureRow(clicks: $0) }
    + [490, 500, 1_490, 1_500, 3_000].map { GestureRow(clicks: 0, hold: $0) }
    + [1, 3].map { GestureRow(clicks: $0, hold: 700) }
    + [
      GestureRow("a press whose release is lost", [0]),
      GestureRow("a press of an earlier boot", [0, 200], oddity: .earlierBoot),
      GestureRow("held at boot", [0, 200], oddity: .atBoot),
      GestureRow("merged", [0, 200], oddity: .merged),
      GestureRow("stuck at power-on, then a click", [0, 300, 500], oddity: .stuck),
    ]

  /// Every gesture × one edge, or all, late or lost × line × restart × slots.
  static func all(of gesture: GestureRow) -> [GestureRow] {
    var rows: [GestureRow] = []
    var delayed = [gesture]
    for lateness in Lateness.allCases where lateness != .none {
      for index in gesture.edges.indices {
        delayed.append(gesture)
        delayed[delayed.count - 1].delay(index, by: lateness)
      }
      guard lateness != .never else { continue }
      delayed.append(gesture)
      for index in gesture.edges.indices { delayed[delayed.count - 1].delay(index, by: lateness) }
    }
    for row in delayed {
      for line in Line.allCases {
        for restart in Restart.allCases {
          for slots in [0, 0b1_1111, 1] as [UInt8] {
            var row = row
            row.interrupt(line)
            row.restart(restart)
            row.slots = PanicSlots(rawValue: slots)
            row.name += ", slots \(slots)"
            rows.append(row)
          }
        }
      }
    }
    return rows
  }
}
