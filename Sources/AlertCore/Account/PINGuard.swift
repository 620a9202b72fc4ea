public import FobBase

/// Where a PIN is typed. Network addresses do not count: an attacker has as many as they like.
public enum PINSource: Hashable, Sendable {
  /// At this host, by terminal or control socket.
  case here
  /// On a page that was opened with the one-time code.
  case session(String)
  /// By a program with a token, wherever it stands.
  case token(String)
  /// At the page's way in, before it is known who is there: all of them are one source.
  case visitor

  /// Attempts of strangers do not slow it down.
  fileprivate var isOwner: Bool { if case .token = self { false } else { true } }
}

/// Limits PIN attempts (G16). After five wrong ones a source waits, longer each time, up to 15
/// minutes. All tokens together have ten, then wait from 30 s up to an hour, except tokens that
/// have been right before: otherwise a fast guesser would keep out the person who knows the PIN.
///
/// Guesses of 10,000 PINs: by tokens 39 in the first day and 24 in each further one, however many
/// tokens and addresses are used; 104 and 96 by each token that has been right before, by each
/// session of the page, and at this host. All visitors together have five, then wait up to an hour:
/// 34 in the first day and 24 in each further one, and none before they know the mail address.
public struct PINGuard: Sendable {
  fileprivate struct Attempts {
    var wrong = 0
    var until = Instant(microseconds: 0)
    var last = Instant(microseconds: 0)
    /// It has been right before: attempts of others do not slow it down.
    var isKnown = false
  }

  /// How many wrong attempts are free; each further one doubles the wait.
  fileprivate struct Allowance {
    let free: Int
    let maxWait: Interval
    static let firstWait = Interval.seconds(30)
  }

  private static let ofSource = Allowance(free: 5, maxWait: .minutes(15))
  private static let ofVisitors = Allowance(free: 5, maxWait: .minutes(60))
  private static let ofAnonymous = Allowance(free: 10, maxWait: .minutes(60))
  private static let forgottenAfter = Interval.minutes(24 * 60)
  private static let maxSources = 1_024

  private var sources: [PINSource: Attempts] = [:]
  private var strangers = Attempts()

  /// No attempt is known: a restart forgets what was counted.
  public init() {}

  /// Begins an attempt. It counts as wrong until `wasRight` says otherwise, so that parallel
  /// attempts gain nothing.
  /// - Returns: how long this source must wait; nil: it may try now.
  public mutating func begin(_ source: PINSource, at now: Instant) -> Interval? {
    forget(at: now)
    if let wait = wait(source, at: now) { return wait }
    if isAnonymous(source) { strangers.fail(Self.ofAnonymous, at: now) }
    makeRoom(for: source)
    let allowance = source == .visitor ? Self.ofVisitors : Self.ofSource
    sources[source, default: Attempts()].fail(allowance, at: now)
    return nil
  }

  /// The attempt was right: the source starts from zero, and strangers lose one wrong attempt.
  public mutating func wasRight(_ source: PINSource) {
    if isAnonymous(source) {
      strangers.wrong = max(0, strangers.wrong - 1)
      strangers.until = Instant(microseconds: 0)
    }
    makeRoom(for: source)
    let last = sources[source]?.last ?? Instant(microseconds: 0)
    sources[source] = Attempts(last: last, isKnown: true)
  }

  /// How long this source must wait; nil: it may try now.
  public func wait(_ source: PINSource, at now: Instant) -> Interval? {
    let own = sources[source]?.until ?? now
    let until = isAnonymous(source) ? max(own, strangers.until) : own
    return until > now ? until - now : nil
  }

  private func isAnonymous(_ source: PINSource) -> Bool {
    !source.isOwner && sources[source]?.isKnown != true
  }

  private mutating func forget(at now: Instant) {
    sources = sources.filter { $0.value.isKnown || $0.value.last + Self.forgottenAfter > now }
    if strangers.last + Self.forgottenAfter <= now { strangers = Attempts() }
  }

  /// Forgets the source that was quiet longest; those that have been right before go last.
  private mutating func makeRoom(for source: PINSource) {
    guard sources[source] == nil, sources.count == Self.maxSources else { return }
    let unknown = sources.filter { !$0.value.isKnown }
    let oldest = (unknown.isEmpty ? sources : unknown).min { $0.value.last < $1.value.last }
    if let oldest { sources[oldest.key] = nil }
  }
}

extension PINGuard.Attempts {
  fileprivate mutating func fail(_ pace: PINGuard.Allowance, at now: Instant) {
    wrong += 1
    last = now
    guard wrong >= pace.free else { return }
    let doublings = Int64(min(wrong - pace.free, 8))
    until =
      now
      + min(.microseconds(PINGuard.Allowance.firstWait.microseconds << doublings), pace.maxWait)
  }
}
