import FobBase
import TestSupport
import Testing

@testable import Firmware

/// The rule said the plain way: a count of 10 µs steps, up while closed and down while open, and
/// another one that begins anew at each edge.
private struct PlainRule {
  static let step: Int64 = 10

  let goal: Int64
  private var count: Int64 = 0
  private var unbroken: Int64 = 0
  private var wasClosed = false
  private var isPressed = false
  private var firstEdge: Int64 = 0
  private(set) var changes: [Debouncer.Change] = []

  init(goal: Int64) { self.goal = goal }

  /// The level from `at` on, for one step.
  mutating func hold(_ closed: Bool, at: Int64) {
    let rest: Int64 = isPressed ? goal : 0
    if count == rest && closed != isPressed { firstEdge = at }
    count = min(goal, max(0, count + (closed ? Self.step : -Self.step)))
    unbroken = closed == wasClosed ? unbroken + Self.step : Self.step
    wasClosed = closed
    let isSure = closed ? count == goal || unbroken >= goal / 4 * 3 : count == 0
    guard closed != isPressed, isSure else { return }
    isPressed = closed
    if closed { count = goal }
    changes.append(
      Debouncer.Change(
        pressed: closed, firstEdge: Instant(microseconds: firstEdge),
        settled: Instant(microseconds: at + Self.step), atBoot: false))
  }
}

struct DebouncerTests {
  private func debouncer(_ ms: Int64, closed: Bool = false, pressed: Bool = false) -> Debouncer {
    Debouncer(
      closed: closed, pressed: pressed, at: .milliseconds(0), time: .milliseconds(ms))
  }

  /// Feeds edges at these ms, then polls each ms until `end`.
  private func changes(
    _ debouncer: inout Debouncer, closedAt: [Int64], openAt: [Int64], end: Int64
  ) -> [Debouncer.Change] {
    var changes: [Debouncer.Change] = []
    var level = false
    for ms in 0...end {
      if closedAt.contains(ms) { level = true }
      if openAt.contains(ms) { level = false }
      if let change = debouncer.input(closed: level, at: .milliseconds(ms)) {
        changes.append(change)
      }
    }
    return changes
  }

  @Test(arguments: [Int64(1), 5, 20, 50], UInt64(1)...8)
  func `any bounce gives what the plain rule gives`(_ ms: Int64, _ seed: UInt64) {
    var random = SeededGenerator(seed: seed &* 101 &+ UInt64(ms))
    var edges: [Int64] = []
    var at: Int64 = 0
    for _ in 0..<60 {
      let longest = [30, 600, ms * 150, ms * 400].randomElement(using: &random)!
      at += Int64.random(in: 1...max(1, longest), using: &random) * PlainRule.step
      edges.append(at)
    }
    let end = at + 2 * ms * 1_000
    var plain = PlainRule(goal: ms * 1_000)
    var debouncer = debouncer(ms)
    var found: [Debouncer.Change] = []
    var level = false
    var next = 0
    for time in stride(from: Int64(0), to: end, by: Int(PlainRule.step)) {
      if next < edges.count && edges[next] == time {
        level.toggle()
        next += 1
        let edge = Instant(microseconds: time)
        if let change = debouncer.input(closed: level, at: edge) { found.append(change) }
      } else if Int.random(in: 0..<400, using: &random) == 0 {
        let poll = Instant(microseconds: time)
        if let change = debouncer.input(closed: level, at: poll) { found.append(change) }
      }
      plain.hold(level, at: time)
    }
    let last = Instant(microseconds: end)
    if let change = debouncer.input(closed: level, at: last) { found.append(change) }
    #expect(found == plain.changes)
  }

  @Test func `a press settles at its time though it is asked late, and says when it will`() {
    var debouncer = debouncer(20)
    #expect(debouncer.due == nil)
    let none = debouncer.input(closed: true, at: .milliseconds(100))
    #expect(none == nil && debouncer.due == .milliseconds(115))
    let change = debouncer.input(closed: true, at: .milliseconds(500))
    #expect(change?.firstEdge == .milliseconds(100) && change?.settled == .milliseconds(115))
    #expect(debouncer.due == nil && debouncer.isPressed)
  }

  @Test func `chatter counts towards the press instead of starting it over`() {
    var debouncer = debouncer(20)
    let found = changes(&debouncer, closedAt: [100, 115, 130], openAt: [110, 125], end: 200)
    #expect(found.map(\.firstEdge) == [.milliseconds(100)])
    #expect(found.map(\.settled) == [.milliseconds(140)])
  }

  @Test func `chatter that ends is a press after three quarters of the time`() {
    var debouncer = debouncer(20)
    let found = changes(&debouncer, closedAt: [100, 103, 106], openAt: [102, 105], end: 200)
    #expect(found.map(\.settled) == [.milliseconds(121)])
  }

  @Test func `what is closed for less than three quarters, and integrates to less, is no press`() {
    var debouncer = debouncer(20)
    let found = changes(
      &debouncer, closedAt: [100, 200, 300], openAt: [114, 214, 314], end: 400)
    #expect(found.isEmpty)
  }

  @Test func `an early press lasts until it was open for the whole time`() {
    var debouncer = debouncer(20)
    let found = changes(&debouncer, closedAt: [100, 135], openAt: [116, 200], end: 300)
    #expect(found.map(\.pressed) == [true, false])
    #expect(found.map(\.settled) == [.milliseconds(115), .milliseconds(220)])
  }

  @Test func `without debouncing every edge is taken at once`() {
    var debouncer = debouncer(0)
    let found = changes(&debouncer, closedAt: [5, 7], openAt: [6, 9], end: 20)
    #expect(found.map(\.settled) == [5, 6, 7, 9].map { .milliseconds($0) })
    #expect(found.map(\.firstEdge) == found.map(\.settled))
    #expect(found.map(\.pressed) == [true, false, true, false])
  }

  @Test func `closed at boot and held is a press at boot`() {
    var debouncer = debouncer(20, closed: true)
    let change = debouncer.input(closed: true, at: .milliseconds(25))
    #expect(change?.atBoot == true && change?.firstEdge == .milliseconds(0))
  }

  @Test func `an opening before the press settled makes it one after boot`() {
    var debouncer = debouncer(20, closed: true)
    _ = debouncer.input(closed: false, at: .milliseconds(9))
    _ = debouncer.input(closed: true, at: .milliseconds(10))
    let change = debouncer.input(closed: true, at: .milliseconds(60))
    #expect(change?.pressed == true && change?.atBoot == false)
  }

  @Test func `a stuck contact gives a release, and the next press is no press at boot`() {
    var debouncer = debouncer(20, closed: true, pressed: true)
    let none = debouncer.input(closed: false, at: .milliseconds(1_000))
    let released = debouncer.input(closed: true, at: .milliseconds(1_100))
    let pressed = debouncer.input(closed: true, at: .milliseconds(1_200))
    #expect(none == nil)
    #expect(released?.pressed == false && released?.firstEdge == .milliseconds(1_000))
    #expect(pressed?.pressed == true && pressed?.atBoot == false)
  }

  @Test func `another time is in force when the contact next leaves rest`() {
    var debouncer = debouncer(20)
    _ = debouncer.input(closed: true, at: .milliseconds(100))
    debouncer.time = .milliseconds(50)
    let pressed = debouncer.input(closed: true, at: .milliseconds(200))
    #expect(pressed?.settled == .milliseconds(115))
    _ = debouncer.input(closed: false, at: .milliseconds(300))
    let released = debouncer.input(closed: false, at: .milliseconds(400))
    #expect(released?.firstEdge == .milliseconds(300) && released?.settled == .milliseconds(350))
  }

  @Test func `an edge told late does not run time backwards`() {
    var debouncer = debouncer(20)
    _ = debouncer.input(closed: false, at: .milliseconds(100))
    _ = debouncer.input(closed: true, at: .milliseconds(99))
    #expect(debouncer.due == .milliseconds(115))
    let change = debouncer.input(closed: true, at: .milliseconds(130))
    #expect(change?.firstEdge == .milliseconds(99) && change?.settled == .milliseconds(115))
  }
}
