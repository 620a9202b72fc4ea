import Firmware
import FobBase

/// The button under a scripted finger. Its edges lie on the host's boot clock: the finger moves on
/// while the board is reset or has no power.
struct SimulatedButton: Sendable {
  /// Between two contacts, so that any debounce time (50 ms at most) sees the release.
  private static let gap = Interval.milliseconds(60)
  private static let maxSteps = 512

  private var bounce: ContactBounce
  private var script: [ButtonStep] = []
  /// Of what the finger has been told to do.
  private var end = Instant(microseconds: .min)
  /// The spring is tired: each contact from now on opens for moments.
  private(set) var chatters = false
  /// The contact stays closed, whatever the finger does.
  private(set) var isStuck = false
  /// The position behind the last edge that the board took.
  private(set) var isClosed = false
  private(set) var isHeld = false

  init(bounce: ContactBounce) { self.bounce = bounce }

  var nextEdge: Instant? { script.first?.edge?.at }

  /// Presses for `hold`, now or as soon as the presses before are over; the first edge.
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

  /// As `press`, and the finger stays.
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

  /// From now on each contact opens for moments, the one that is held, too; or no longer.
  /// - Parameter seed: begins the strikes of bounce and chatter anew.
  mutating func setChatter(_ chatters: Bool, seed: UInt64?, at now: Instant) {
    if let seed { bounce = ContactBounce(seed: seed) }
    script.removeAll { $0.edge == nil }
    self.chatters = chatters
    if isHeld && !isStuck { chatterWhileHeld(from: now) }
  }

  /// The contact closes, and stays so until it is freed. Presses that were to come are gone.
  mutating func stick(at now: Instant) throws(CommandRefusal) {
    guard !isStuck else { throw CommandRefusal("the button is stuck already: unstick it first") }
    isStuck = true
    script.removeAll { $0.edge.map { $0.at > now } ?? true }
    end = min(end, now)
    if !level { append([ButtonEdge(closed: true, at: now)]) }
  }

  /// The contact opens again, unless the finger is on it.
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

  /// Forgets the edges that nobody saw, but not where they left the contact.
  mutating func skip(to now: Instant) {
    while take(upTo: now) != nil {}
  }

  /// The position at the end of the script; chatter ends as it began.
  private var level: Bool { script.last { $0.edge != nil }?.edge?.closed ?? isClosed }

  private func begin(at now: Instant) throws(CommandRefusal) -> Instant {
    guard !isStuck else { throw CommandRefusal("the button is stuck: unstick it first") }
    guard !isHeld else { throw CommandRefusal("the button is held: release it first") }
    guard script.count + 2 * ContactBounce.maxEdges <= Self.maxSteps else {
      throw CommandRefusal("too many presses wait: send the next when one is answered")
    }
    return end < now - Self.gap ? now : end + Self.gap
  }

  /// Chatter that was to come is gone; in the midst of an opening the contact is open already.
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

  /// The script begins with an edge: a hold has no end that is known beforehand, so chatter is made
  /// one opening ahead of the board.
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

/// A piece of what the contact will do.
enum ButtonStep: Sendable {
  case edge(ButtonEdge)
  /// A tired spring lets go again and again, and is closed at both ends.
  case chatter(from: Instant, to: Instant)

  var edge: ButtonEdge? {
    if case .edge(let edge) = self { edge } else { nil }
  }
}
