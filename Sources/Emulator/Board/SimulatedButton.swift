import Firmware
import FobBase

/// The button under a scripted finger. Its edges lie on the host's boot clock: the finger moves on
/// while the board is reset or has no power.
struct SimulatedButton: Sendable {
  /// Between two contacts, so that any debounce time (50 ms at most) sees the release.
  private static let gap = Interval.milliseconds(60)
  private static let mostEdges = 512

  private var bounce: ContactBounce
  private var script: [ButtonEdge] = []
  private var end = Instant(microseconds: .min)
  /// The position behind the last edge that the board took.
  private(set) var isClosed = false
  private(set) var isHeld = false

  init(bounce: ContactBounce) { self.bounce = bounce }

  var nextEdge: Instant? { script.first?.at }

  /// Presses for `hold`, now or as soon as the presses before are over; the first edge.
  mutating func press(hold: Interval, at now: Instant) throws(CommandRefusal) -> Instant {
    guard hold >= EmulatorCommand.shortestHold, hold <= EmulatorCommand.longestHold else {
      throw CommandRefusal("a press lasts 1 to 600000 ms")
    }
    let start = try begin(at: now)
    let release = start + hold
    append(bounce.edges(closing: true, at: start, before: release))
    append(bounce.edges(closing: false, at: release, before: release + .milliseconds(50)))
    return start
  }

  /// As `press`, and the finger stays.
  mutating func hold(at now: Instant) throws(CommandRefusal) -> Instant {
    let start = try begin(at: now)
    append(bounce.edges(closing: true, at: start, before: start + .milliseconds(50)))
    isHeld = true
    return start
  }

  mutating func release(at now: Instant) throws(CommandRefusal) {
    guard isHeld else { throw CommandRefusal("the button is not held: hold it first") }
    isHeld = false
    let start = max(now, end + .microseconds(1))
    append(bounce.edges(closing: false, at: start, before: start + .milliseconds(50)))
  }

  /// The next edge that has happened by `now`.
  mutating func take(upTo now: Instant) -> ButtonEdge? {
    guard let edge = script.first, edge.at <= now else { return nil }
    script.removeFirst()
    isClosed = edge.closed
    return edge
  }

  /// Forgets the edges that nobody saw, but not where they left the contact.
  mutating func skip(to now: Instant) {
    while take(upTo: now) != nil {}
  }

  private func begin(at now: Instant) throws(CommandRefusal) -> Instant {
    guard !isHeld else { throw CommandRefusal("the button is held: release it first") }
    guard script.count + 2 * ContactBounce.mostEdges <= Self.mostEdges else {
      throw CommandRefusal("too many presses wait: send the next when one is answered")
    }
    return end < now - Self.gap ? now : end + Self.gap
  }

  private mutating func append(_ edges: [ButtonEdge]) {
    script += edges
    end = edges[edges.count - 1].at
  }
}
