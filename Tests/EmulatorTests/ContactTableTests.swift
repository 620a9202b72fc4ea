import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import Emulator
@testable import Firmware

/// A press is a contact that is closed for 15 ms without a break, or integrates to the debounce
/// time, 20 ms. A thousand contacts of a bouncing and a worn-out button, and what the firmware made
/// of each.
@Suite struct ContactTableTests {
  private struct Row {
    var name: String
    var contacts = 0
    var presses = 0
    var misses = 0
    var falseAlarms = 0
  }

  /// What a class of contacts is: how many, of which button, held for how long, in milliseconds.
  private struct Class {
    var name: String
    var count: Int
    var chatters = false
    var hold: ClosedRange<Int64>
    /// In one contact of the class.
    var times = 1
    /// Nil where the rule alone decides.
    var presses: Int?
  }

  private static let classes = [
    Class(name: "press, bouncing", count: 200, hold: 60...400, presses: 1),
    Class(name: "press, chattering", count: 250, chatters: true, hold: 90...600, presses: 1),
    Class(name: "press, as short as may be", count: 100, hold: 26...60, presses: 1),
    Class(name: "two presses, 60 ms apart", count: 100, hold: 60...120, times: 2, presses: 2),
    Class(name: "glitch, bouncing", count: 120, hold: 1...14, presses: 0),
    Class(name: "glitch, chattering", count: 80, chatters: true, hold: 1...14, presses: 0),
    Class(name: "on the brink", count: 50, hold: 11...25),
  ]

  @Test func `of a thousand bounces and chatters none is missed and none is false`() throws {
    var rows: [Row] = []
    for (index, kind) in Self.classes.enumerated() {
      var row = Row(name: kind.name)
      for n in 0..<kind.count {
        try contact(kind, seed: UInt64(index * 1_000 + n + 1), &row)
      }
      rows.append(row)
    }
    rows.append(glitchTrains())
    print("contacts of a button, seeded: contacts, presses in them, misses, false alarms")
    for row in rows {
      print("  \(row.name): \(row.contacts), \(row.presses), \(row.misses), \(row.falseAlarms)")
    }
    #expect(rows.reduce(0) { $0 + $1.contacts } == 1_000)
    #expect(rows.allSatisfy { $0.misses == 0 && $0.falseAlarms == 0 })
  }

  /// One contact at the board of a keychain of its own.
  private func contact(_ kind: Class, seed: UInt64, _ row: inout Row) throws {
    var random = SeededGenerator(seed: seed)
    let world = try VirtualKeychain(bounceSeed: seed)
    world.run(ms: Int64.random(in: 30...1_200, using: &random))
    world.board.button.setChatter(kind.chatters, seed: nil, at: world.now)
    for _ in 0..<kind.times {
      let hold = Int64.random(in: kind.hold, using: &random) * 1_000
      _ = try world.board.button.press(hold: .microseconds(hold), at: world.now)
    }
    let expected = presses(in: edges(of: world.board.button))
    if let presses = kind.presses { #expect(expected == presses, "\(kind.name), seed \(seed)") }
    world.run(ms: kind.hold.upperBound * Int64(kind.times) + 300)
    row.contacts += 1
    row.presses += expected
    row.misses += max(0, expected - world.presses.count)
    row.misses += max(0, world.presses.count - world.releases.count)
    row.falseAlarms += max(0, world.presses.count - expected)
  }

  /// A bunch of keys shakes the contact for a while, more open than closed.
  private func glitchTrains() -> Row {
    var row = Row(name: "glitches in a row")
    for seed in UInt64(1)...100 {
      var random = SeededGenerator(seed: seed)
      var bounce = ContactBounce(seed: seed)
      var edges: [ButtonEdge] = []
      var at = VirtualKeychain.start
      for _ in 0..<30 {
        let closed = Int64.random(in: 500...9_000, using: &random)
        let end = at + .microseconds(closed)
        edges += bounce.edges(closing: true, at: at, before: end)
        at = max(end, edges[edges.count - 1].at + .microseconds(1))
        edges += bounce.edges(closing: false, at: at, before: at + .milliseconds(50))
        at = edges[edges.count - 1].at + .microseconds(.random(in: closed...20_000, using: &random))
      }
      let expected = presses(in: edges)
      #expect(expected == 0, "seed \(seed)")
      var debouncer = Debouncer(
        closed: false, pressed: false, at: VirtualKeychain.start, time: .milliseconds(20))
      var found = 0
      for edge in edges where debouncer.input(closed: edge.closed, at: edge.at) != nil {
        found += 1
      }
      row.contacts += 1
      row.falseAlarms += found
    }
    return row
  }

  private func edges(of button: SimulatedButton) -> [ButtonEdge] {
    var button = button
    var edges: [ButtonEdge] = []
    while let edge = button.take(upTo: Instant(microseconds: .max)) { edges.append(edge) }
    return edges
  }

  /// The rule said once more: closed for 15 ms; else the time closed counts up, the time open down,
  /// from 0 to 20 ms.
  private func presses(in edges: [ButtonEdge]) -> Int {
    let (clean, goal): (Int64, Int64) = (15_000, 20_000)
    var (count, presses, isPressed): (Int64, Int, Bool) = (0, 0, false)
    for (index, edge) in edges.enumerated() {
      let end = index + 1 < edges.count ? edges[index + 1].at : edge.at + .seconds(1)
      let time = (end - edge.at).microseconds
      count = edge.closed ? min(goal, count + time) : max(0, count - time)
      if !isPressed && edge.closed && (time >= clean || count == goal) {
        (isPressed, count) = (true, goal)
        presses += 1
      }
      if isPressed && count == 0 { isPressed = false }
    }
    return presses
  }
}
