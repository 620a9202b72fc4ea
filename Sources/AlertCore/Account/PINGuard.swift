public import FobBase

/// Who may try a PIN, and when (G16): five wrong ones from one source make it wait, longer each
/// time. Many from everywhere slow all sources down, but only a little: whoever knows the right PIN
/// is never kept from it for long.
public struct PINGuard: Sendable {
  fileprivate struct Tries {
    var wrong = 0
    var until = Instant(microseconds: 0)
    var last = Instant(microseconds: 0)
  }

  private static let free = 5
  private static let firstWait = Interval.seconds(30)
  private static let longestWait = Interval.minutes(15)
  /// Wrong ones over all sources, and how long everybody waits after each further one.
  private static let freeOfAll = 25
  private static let waitOfAll = Interval.seconds(10)
  private static let forgottenAfter = Interval.minutes(24 * 60)
  private static let mostSources = 1_024

  private var sources: [String: Tries] = [:]
  private var all = Tries()

  public init() {}

  /// Takes one try: it counts as wrong until `tried` says otherwise, so that tries at one time
  /// gain nothing.
  /// - Returns: how long this source is to wait; nil: it may try now.
  public mutating func begin(_ source: String, at now: Instant) -> Interval? {
    forget(at: now)
    if let wait = wait(source, at: now) { return wait }
    if sources[source] == nil, sources.count == Self.mostSources { dropOldest() }
    sources[source, default: Tries()].fail(after: Self.free, at: now) { wrong in
      let doublings = min(wrong - Self.free, 8)
      return min(.microseconds(Self.firstWait.microseconds << Int64(doublings)), Self.longestWait)
    }
    all.fail(after: Self.freeOfAll, at: now) { _ in Self.waitOfAll }
    return nil
  }

  /// The try was right: this source begins anew, and it was no wrong one of all.
  public mutating func wasRight(_ source: String) {
    sources[source] = nil
    all.wrong = max(0, all.wrong - 1)
    if all.wrong < Self.freeOfAll { all.until = Instant(microseconds: 0) }
  }

  /// How long this source is to wait; nil: it may try now.
  public func wait(_ source: String, at now: Instant) -> Interval? {
    let until = max(sources[source]?.until ?? now, all.until)
    return until > now ? until - now : nil
  }

  private mutating func forget(at now: Instant) {
    sources = sources.filter { $0.value.last + Self.forgottenAfter > now }
    if all.last + Self.forgottenAfter <= now { all = Tries() }
  }

  private mutating func dropOldest() {
    if let oldest = sources.min(by: { $0.value.last < $1.value.last })?.key {
      sources[oldest] = nil
    }
  }
}

extension PINGuard.Tries {
  fileprivate mutating func fail(
    after free: Int, at now: Instant, _ wait: (_ wrong: Int) -> Interval
  ) {
    wrong += 1
    last = now
    if wrong >= free { until = now + wait(wrong) }
  }
}
