import FobBase

/// The moments of a rule by the local clock, one after the other (R76, R85). Of several that fell
/// due at once, and of those of a time in which no core ran, none is told later: nothing is stored.
struct LocalMoments: Sendable {
  /// Nil: it is to be looked up.
  private var next: Recurrence.Occurrence?
  /// When the last one was due, so that a clock that is set back a little repeats none.
  private var told: Int64?
  /// The wall clock of the last look.
  private var passedAt = Int64.min

  /// When the next one is due, µs since 1970; nil: none is known.
  @inline(__always)
  var due: Int64? { next?.due }

  /// The rule is another, or the zone is, or has other offsets.
  mutating func forget() { next = nil }

  /// - Parameters:
  ///   - rule: asked for where the next one is to be looked up; nil: there is none.
  ///   - zone: of the account; nil: not known yet.
  /// - Returns: the one that has fallen due; nil: none has.
  mutating func takeDue(
    of rule: @autoclosure () -> Recurrence?, in zone: ZoneTable?, at now: Timestamp
  ) -> Recurrence.Occurrence? {
    let due = next.flatMap { now.wall >= $0.due ? $0 : nil }
    defer { passedAt = now.wall }
    if due == nil, next != nil, now.wall >= passedAt { return nil }
    if let due { told = due.due }
    let hour: Int64 = 3_600_000_000
    let ahead = told?.since(now.wall) ?? 0
    let after = (0...hour).contains(ahead) ? told ?? now.wall : now.wall
    next = zone.flatMap { rule()?.next(after: after, in: $0) }
    return due
  }
}

extension Timestamp {
  /// When to look next whether the wall clock has come there: it may be set at any time, so it is
  /// looked at each minute.
  func look(for wall: Int64) -> Timestamp {
    self + .microseconds(min(max(0, wall.since(self.wall)), 60_000_000))
  }
}
