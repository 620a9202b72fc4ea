import Firmware
import FobBase

/// The button under a scripted finger. Its edges are on the host's boot clock: the finger goes on
/// while the board is reset or has no power.
struct SimulatedButton: Sendable {
  /// The least time between two contacts, so that any debounce time (50 ms at most) sees the
  /// release.
  private static let gap = Interval.milliseconds(60)
  private static let maxSteps = 512

  private var bounce: ContactBounce
  private var script: [ButtonStep] = []
  /// When the last thing that the finger was told to do ends.
  private var end = Instant(microseconds: .min)
  /// Whether the spring is tired: each contact opens for moments.
  private(set) var chatters = false
  /// Whether the contact stays closed, whatever the finger does.
  private(set) var isStuck = false
  /// The contact's position after the last edge that the board took.
  private(set) var isClosed = false
  private(set) var isHeld = false

  init(bounce: ContactBounce) { self.bounce = bounce }

  var nextEdge: Instant? { script.first?.edge?.at }

  /// Presses for `hold`, now or as soon as earlier presses are over.
  /// - Returns: the instant of the first edge.
  mutating func press(hold: Interval, at now: Instant) throws(CommandRefusal) -> Instant {
    guard hold >= EmulatorCommand.minHold, hold <= EmulatorCommand.maxHold else {
      throw CommandRefusal("a press lasts 1 to 600000 ms")
    }
    let start = try begin(at: now)
    let release = start + hold
    append(bounce.edges(closing: true, at: start, before: release))
    if chatters { append(.chatter(from: end, to: release)) }
    append(bounce.edges(closing: false, at: release, before: release + .milliseconds(50)))
    return start
  }

  /// As `press`, but the finger stays until `release`.
  mutating func hold(at now: Instant) throws(CommandRefusal) -> Instant {
    let start = try begin(at: now)
    append(bounce.edges(closing: true, at: start, before: start + .milliseconds(50)))
    isHeld = true
    chatterWhileHeld(from: start)
    return start
  }

  mutating func release(at now: Instant) throws(CommandRefusal) {
    guard isHeld else { throw CommandRefusal("the button is not held: hold it first") }
    isHeld = false
    if !isStuck { open(at: now) }
  }

  /// Begins or ends chatter: each contact opens for moments, also the present one.
  /// - Parameter seed: restarts the strikes of bounce and chatter; nil leaves them.
  mutating func setChatter(_ chatters: Bool, seed: UInt64?, at now: Instant) {
    if let seed { bounce = ContactBounce(seed: seed) }
    script.removeAll { $0.edge == nil }
    self.chatters = chatters
    if isHeld && !isStuck { chatterWhileHeld(from: now) }
  }

  /// Closes the contact until `unstick`. Presses that have not begun are dropped.
  mutating func stick(at now: Instant) throws(CommandRefusal) {
    guard !isStuck else { throw CommandRefusal("the button is stuck already: unstick it first") }
    isStuck = true
    script.removeAll { $0.edge.map { $0.at > now } ?? true }
    end = min(end, now)
    if !level { append([ButtonEdge(closed: true, at: now)]) }
  }

  /// Frees the contact. It opens, unless the finger is on it.
  mutating func unstick(at now: Instant) throws(CommandRefusal) {
    guard isStuck else { throw CommandRefusal("the button is not stuck") }
    isStuck = false
    if isHeld { chatterWhileHeld(from: now) } else { open(at: now) }
  }

  /// The next edge that has happened by `now`.
  mutating func take(upTo now: Instant) -> ButtonEdge? {
    guard let edge = script.first?.edge, edge.at <= now else { return nil }
    script.removeFirst()
    isClosed = edge.closed
    resolve()
    return edge
  }

  /// Drops the edges up to `now`, but keeps the contact's position after them.
  mutating func skip(to now: Instant) {
    while take(upTo: now) != nil {}
  }

  /// The contact's position at the end of the script; chatter does not change it.
  private var level: Bool { script.last { $0.edge != nil }?.edge?.closed ?? isClosed }

  private func begin(at now: Instant) throws(CommandRefusal) -> Instant {
    guard !isStuck else { throw CommandRefusal("the button is stuck: unstick it first") }
    guard !isHeld else { throw CommandRefusal("the button is held: release it first") }
    guard script.count + 2 * ContactBounce.maxEdges <= Self.maxSteps else {
      throw CommandRefusal("too many presses wait: send the next when one is answered")
    }
    return end < now - Self.gap ? now : end + Self.gap
  }

  /// Opens the contact and drops the chatter to come. In the midst of a gap the contact is open
  /// already.
  private mutating func open(at now: Instant) {
    let start = max(now, end + .microseconds(1))
    script.removeAll { $0.edge.map { $0.at >= start } ?? true }
    end = start
    guard level else { return }
    append(bounce.edges(closing: false, at: start, before: start + .milliseconds(50)))
  }

  private mutating func chatterWhileHeld(from now: Instant) {
    guard chatters else { return }
    let last = script.last { $0.edge != nil }?.edge?.at
    append(.chatter(from: max(now, last ?? now), to: Instant(microseconds: .max)))
  }

  private mutating func append(_ edges: [ButtonEdge]) {
    script += edges.map { .edge($0) }
    end = edges[edges.count - 1].at
  }

  private mutating func append(_ step: ButtonStep) {
    script.append(step)
    resolve()
  }

  /// Makes the script begin with an edge. The end of a hold is not known beforehand, so chatter is
  /// made one gap ahead of the board.
  private mutating func resolve() {
    while case .chatter(let from, let to) = script.first {
      script.removeFirst()
      let (open, closed) = bounce.opening(after: from)
      guard closed < to else { continue }
      script.insert(
        contentsOf: [
          .edge(ButtonEdge(closed: false, at: open)), .edge(ButtonEdge(closed: true, at: closed)),
          .chatter(from: closed, to: to),
        ], at: 0)
    }
  }
}

/// One part of the contact's script.
enum ButtonStep: Sendable {
  case edge(ButtonEdge)
  /// A tired spring opens again and again; at both ends the contact is closed.
  case chatter(from: Instant, to: Instant)

  var edge: ButtonEdge? {
    if case .edge(let edge) = self { edge } else { nil }
  }
}
