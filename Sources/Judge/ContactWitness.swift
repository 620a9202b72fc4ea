import FobBase

/// Counts the presses of a finger with an integral of its own, and compares them with those that
/// the board has kept.
///
/// The board counts by its own clock, so at the edge of the debounce time both answers are right.
/// Three integrals run: exact, a little quick and a little slow. Presses that all three count must
/// be kept; presses that any counts may be.
struct ContactWitness: Sendable {
  enum Finding: Equatable { case fine, invented, doubled }

  /// Allows for drift, rounding, and backward steps of the clock that a board does not notice.
  static let margin = Interval.milliseconds(1)
  /// After so long open, counting begins anew.
  private static let quiet = Interval.milliseconds(150)

  private let isClockSteady: Bool
  private let release: Interval
  private var quick: ContactIntegral
  private var exact: ContactIntegral
  private var slow: ContactIntegral
  private var isPowered = true
  /// The contact was closed when the power came. The reset's cause decides whether that is a press
  /// or a stuck button, and it cannot be seen: none or one press is right.
  private var isBootContact = false
  private(set) var isClosed = false
  private var closings = 0
  private var advancedTo = Instant(microseconds: 0)
  private(set) var closedAt: Instant?
  private var openedAt: Instant?
  private var kept = 0
  /// Presses that were reported unheard; they may still be kept, late.
  private var missed = 0
  private var owedSince: Instant?

  init(_ rules: Rules) {
    isClockSteady = rules.isKeychainClockSteady
    release = rules.debounce + Self.margin
    let clean = Interval.microseconds(rules.debounce.microseconds / 4 * 3)
    quick = ContactIntegral(
      goal: max(.zero, rules.debounce - Self.margin), clean: max(.zero, clean - Self.margin))
    exact = ContactIntegral(goal: rules.debounce, clean: clean)
    // A backward step that is shorter than the time since the board last looked cannot be seen. It
    // takes as much from the contact time, at most the debounce time.
    let lost = isClockSteady ? Interval.zero : rules.debounce
    slow = ContactIntegral(goal: release + lost, clean: clean + Self.margin + lost)
  }

  mutating func moved(closed: Bool, at now: Instant) {
    advance(to: now)
    guard closed != isClosed else { return }
    isClosed = closed
    if closed {
      let open = openedAt.map { now - $0 } ?? Self.quiet
      if open >= Self.quiet || (isBootContact && open >= release) { begin() }
      closedAt = now
      closings += 1
    } else {
      openedAt = now
      if !isClockSteady { forgetBounce() }
    }
  }

  mutating func power(isOn: Bool, at now: Instant) {
    advance(to: now)
    isPowered = isOn
    owedSince = nil
    guard isOn else { return }
    quick = ContactIntegral(goal: quick.goal, clean: quick.clean)
    exact = ContactIntegral(goal: exact.goal, clean: exact.clean)
    slow = ContactIntegral(goal: slow.goal, clean: slow.clean)
    begin()
    isBootContact = isClosed
    closings = isClosed ? 1 : 0
    closedAt = isClosed ? now : nil
  }

  /// The board has kept a press that it had not kept before.
  mutating func keep(at now: Instant) -> Finding {
    advance(to: now)
    guard kept + 1 > possible else {
      kept += 1
      if kept + missed >= certain { owedSince = nil }
      return .fine
    }
    guard wasTouched(at: now) else { return .invented }
    kept += 1
    // A clock that jumps forward makes a press of the shortest contact.
    return kept == 1 ? .fine : .doubled
  }

  /// The contact is closed, or was a moment ago.
  func wasTouched(at now: Instant) -> Bool {
    isClosed || openedAt.map { now - $0 <= Rules.atOnce } ?? false
  }

  /// How long the board has seen it closed without a break.
  func held(until now: Instant) -> Interval {
    guard isPowered, isClosed, let closedAt else { return .zero }
    return now - closedAt
  }

  // MARK: Time

  /// When an unkept press counts as unheard, if nothing moves until then.
  var due: Instant? {
    if let owedSince { return owedSince + Rules.atOnce }
    guard isPowered, isClosed, !isBootContact else { return nil }
    var last = quick.settles(after: advancedTo)
    if let settles = exact.settles(after: advancedTo) { last = max(last ?? settles, settles) }
    if let settles = slow.settles(after: advancedTo) { last = max(last ?? settles, settles) }
    return last.map { $0 + Rules.atOnce }
  }

  /// - Returns: when the press was made that the board should have kept by now; nil: none is
  ///   missing.
  mutating func unheard(at now: Instant) -> Instant? {
    advance(to: now)
    guard let since = owedSince, since + Rules.atOnce < now else { return nil }
    owedSince = nil
    missed = max(0, certain - kept)
    return since
  }

  private var certain: Int {
    isBootContact ? 0 : min(quick.presses, min(exact.presses, slow.presses))
  }

  private var possible: Int {
    let counted = max(quick.presses, max(exact.presses, slow.presses))
    return (isClockSteady ? counted : max(counted, closings)) + (isBootContact ? 1 : 0)
  }

  private mutating func advance(to now: Instant) {
    defer { advancedTo = now }
    guard isPowered else { return }
    let before = certain
    let first = quick.advance(from: advancedTo, to: now, isClosed: isClosed)
    let second = exact.advance(from: advancedTo, to: now, isClosed: isClosed)
    let third = slow.advance(from: advancedTo, to: now, isClosed: isClosed)
    guard certain > before, kept + missed < certain, owedSince == nil else { return }
    owedSince = third ?? second ?? first
  }

  private mutating func begin() {
    quick.forgetPresses()
    exact.forgetPresses()
    slow.forgetPresses()
    kept = 0
    missed = 0
    closings = 0
    owedSince = nil
    isBootContact = false
  }

  private mutating func forgetBounce() {
    quick.forgetBounce()
    exact.forgetBounce()
    slow.forgetBounce()
  }
}

/// Counts closed time up and open time down: a press begins at `goal`, or where the contact was
/// closed for `clean` without a break, and ends at zero.
struct ContactIntegral: Sendable {
  let goal: Interval
  let clean: Interval
  private var unbroken = Interval.zero
  private(set) var count = Interval.zero
  private(set) var isPressed = false
  private(set) var presses = 0

  init(goal: Interval, clean: Interval) {
    self.goal = goal
    self.clean = clean
  }

  /// - Returns: when a press began in this time; nil: none did.
  mutating func advance(from since: Instant, to now: Instant, isClosed: Bool) -> Instant? {
    let elapsed = now - since
    guard isClosed else {
      unbroken = .zero
      count = max(.zero, count - elapsed)
      if count == .zero { isPressed = false }
      return nil
    }
    let left = left
    unbroken = unbroken + elapsed
    count = min(goal, count + elapsed)
    guard !isPressed, elapsed >= left else { return nil }
    isPressed = true
    count = goal
    presses += 1
    return since + left
  }

  /// When a press begins if the contact stays closed.
  func settles(after since: Instant) -> Instant? { isPressed ? nil : since + left }

  /// How long it must stay closed for a press.
  private var left: Interval { min(goal - count, max(.zero, clean - unbroken)) }

  mutating func forgetPresses() { presses = 0 }

  /// Counts an opening as long, since a jump of the clock may have made it so.
  mutating func forgetBounce() { if !isPressed { count = .zero } }
}
