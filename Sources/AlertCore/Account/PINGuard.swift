public import FobBase

/// Who may try a PIN, and when (G16): five wrong ones from one source make it wait, longer each
/// time. Many from everywhere slow down those that never had it right, but only a little; else
/// whoever tries the fastest would take each turn, and keep out the one who knows the PIN.
public struct PINGuard: Sendable {
  fileprivate struct Tries {
    var wrong = 0
    var until = Instant(microseconds: 0)
    var last = Instant(microseconds: 0)
    /// It has had the PIN right: what others do does not slow it down.
    var isKnown = false
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
    makeRoom(for: source)
    sources[source, default: Tries()].fail(after: Self.free, at: now) { wrong in
      let doublings = min(wrong - Self.free, 8)
      return min(.microseconds(Self.firstWait.microseconds << Int64(doublings)), Self.longestWait)
    }
    all.fail(after: Self.freeOfAll, at: now) { _ in Self.waitOfAll }
    return nil
  }

  /// The try was right: this source begins anew, and it was no wrong one of all.
  public mutating func wasRight(_ source: String) {
    makeRoom(for: source)
    let last = sources[source]?.last ?? Instant(microseconds: 0)
    sources[source] = Tries(last: last, isKnown: true)
    all.wrong = max(0, all.wrong - 1)
    if all.wrong < Self.freeOfAll { all.until = Instant(microseconds: 0) }
  }

  /// How long this source is to wait; nil: it may try now.
  public func wait(_ source: String, at now: Instant) -> Interval? {
    let own = sources[source]
    let until = own?.isKnown == true ? own!.until : max(own?.until ?? now, all.until)
    return until > now ? until - now : nil
  }

  private mutating func forget(at now: Instant) {
    sources = sources.filter { $0.value.isKnown || $0.value.last + Self.forgottenAfter > now }
    if all.last + Self.forgottenAfter <= now { all = Tries() }
  }

  /// Forgets the source that was quiet longest, of those that never had it right if there are any.
  private mutating func makeRoom(for source: String) {
    guard sources[source] == nil, sources.count == Self.mostSources else { return }
    let strangers = sources.filter { !$0.value.isKnown }
    let oldest = (strangers.isEmpty ? sources : strangers).min { $0.value.last < $1.value.last }
    if let oldest { sources[oldest.key] = nil }
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
