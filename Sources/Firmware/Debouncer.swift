import FobBase

/// Tells a press from bounce, early on a clean contact and late on chatter. Time closed counts up
/// and time open counts down: the contact is pressed when the count reaches the debounce time, or
/// when it was closed for three quarters of it without a break. A press fills the count, and it is
/// released when the count is back at zero.
///
/// Chatter therefore counts towards a press instead of starting it over: a press by a trembling
/// hand is not lost. Both times are computed from the edges, so they do not depend on how often it
/// is asked.
struct Debouncer: Sendable {
  struct Change: Equatable {
    var pressed: Bool
    /// Where the count last left rest: the first edge.
    var firstEdge: Instant
    /// Where the press was sure, or the count was back at zero.
    var settled: Instant
    var atBoot: Bool
  }

  static let defaultMilliseconds: UInt8 = 20

  /// 0 to 50 ms (PROTOCOL.md, 10). A new value counts when the contact next leaves rest.
  var time: Interval
  private var inForce: Interval

  private(set) var isPressed = false
  private var closed = false
  private var count = Interval.zero
  /// How long the contact has been as it is, without a break.
  private var unbroken = Interval.zero
  private var since: Instant
  private var leftRest: Instant
  private var closedSinceBoot: Bool

  /// - Parameter pressed: the contact counts as pressed from the start, so only its opening is a
  ///   change.
  init(closed: Bool, pressed: Bool, at now: Instant, time: Interval) {
    self.time = time
    inForce = time
    self.closed = closed
    isPressed = pressed
    closedSinceBoot = closed && !pressed
    since = now
    leftRest = now
    if pressed { count = time }
  }

  /// Takes the level of the contact from `now` on.
  /// - Returns: the change that settled up to `now`, if any.
  @inline(never)
  mutating func input(closed new: Bool, at now: Instant) -> Change? {
    let change = advance(to: now)
    if new != closed {
      closed = new
      unbroken = .zero
      if isAtRest { leaveRest(at: now) }
    }
    if !new && !isPressed { closedSinceBoot = false }
    return change ?? (inForce == .zero ? advance(to: now) : nil)
  }

  /// Lets the count go on from where it is.
  mutating func clockWentBack(by lost: Interval) {
    since = since - lost
    leftRest = max(Instant(microseconds: 0), leftRest - lost)
  }

  /// When a change settles if no edge comes; nil when none is under way.
  var due: Instant? {
    @inline(never) get {
      guard closed != isPressed else { return nil }
      return since + (closed ? min(inForce - count, max(.zero, clean - unbroken)) : count)
    }
  }

  /// A contact closed for so long without a break is a press: three quarters of the time. A
  /// microcontroller shifts, where it would have to call a division.
  private var clean: Interval { inForce - .microseconds(inForce.microseconds >> 2) }

  private var isAtRest: Bool { isPressed ? count >= inForce : count <= .zero }

  private mutating func leaveRest(at now: Instant) {
    leftRest = now
    inForce = time
    count = isPressed ? time : .zero
  }

  @inline(never)
  private mutating func advance(to now: Instant) -> Change? {
    let goal = due
    let elapsed = max(.zero, now - since)
    count = closed ? min(inForce, count + elapsed) : max(.zero, count - elapsed)
    unbroken = unbroken + elapsed
    since = max(since, now)
    guard let goal, goal <= now else { return nil }
    isPressed = closed
    if closed { count = inForce }
    defer { closedSinceBoot = false }
    return Change(
      pressed: isPressed, firstEdge: leftRest, settled: goal,
      atBoot: isPressed && closedSinceBoot)
  }
}
