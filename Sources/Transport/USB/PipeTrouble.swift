import FobBase

/// What keeps one of the pipes from its transfers, and for how long.
///
/// A failing pipe is tried again after 10 ms, then after twice that, ``tries`` times in all: as
/// long as a hub may take to notice that the device has gone.
struct PipeTrouble {
  /// Together 630 ms.
  static let tries = 6
  private static let firstPause = Interval.milliseconds(10)

  private(set) var isHalted = false
  private var isClearing = false
  /// Since the last transfer that was done.
  private var failures = 0
  private(set) var retryAt: Instant?

  /// Nothing keeps the pipe.
  var isOver: Bool { !isHalted && retryAt == nil }

  mutating func passTime(to now: Instant) {
    if let at = retryAt, at <= now { retryAt = nil }
  }

  /// True once, when the halt is to be cleared; then the result is due.
  mutating func beginClearing() -> Bool {
    guard isHalted, !isClearing, retryAt == nil else { return false }
    isClearing = true
    return true
  }

  /// - Returns: what this ends the line with.
  mutating func take(_ result: BulkResult, wasCancelled: Bool, at now: Instant) -> BulkEnd? {
    switch result {
    case .done:
      failures = 0
      return nil
    case .gone:
      return .hungUp
    case .cancelled where wasCancelled:
      return nil
    case .stalled:
      // Those that were in flight behind it may say the same.
      if isHalted { return nil }
      isHalted = true
      return fail(result, at: now)
    case .cancelled, .overflowed, .failed:
      return isOver ? fail(result, at: now) : nil
    }
  }

  mutating func clear(_ result: BulkResult, at now: Instant) -> BulkEnd? {
    isClearing = false
    switch result {
    case .done:
      isHalted = false
      return nil
    case .gone: return .hungUp
    case .cancelled, .stalled, .overflowed, .failed: return fail(result, at: now)
    }
  }

  private mutating func fail(_ result: BulkResult, at now: Instant) -> BulkEnd? {
    failures += 1
    guard failures <= Self.tries else { return .failed(result) }
    retryAt = now + .microseconds(Self.firstPause.microseconds << Int64(failures - 1))
    return nil
  }
}
