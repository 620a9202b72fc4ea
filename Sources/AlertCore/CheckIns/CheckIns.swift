import FobBase

/// The check-ins of an account (R90 to R112, G17): which series there are, what is asked now, and
/// what became of what was asked. It decides; the core performs.
///
/// ```
/// series → date → open: asked, due → completed | runs out → escalated | covered
/// ```
///
/// It goes by the wall clock, since people do. What has fallen due runs out by the clock of this
/// boot as well, so that a wall clock that is set back delays no alarm.
public struct CheckIns: Sendable {
  /// By id.
  public internal(set) var series: [Int: CheckInSeries] = [:]
  /// Final ones, in the order in which they became final.
  public internal(set) var closed: [CheckIn] = []
  /// As last set.
  public internal(set) var settings = CheckInSettings()
  /// Since the last reset.
  public internal(set) var counts = CheckInCounts()
  /// The account's zone; nil: not known yet, so nothing new is asked.
  public internal(set) var zone: ZoneTable?

  /// The open ones, the one that fell due first in front.
  var asked: [Asked] = []
  /// All that are open or closed: none is asked twice.
  var known: Set<CheckIn.ID> = []
  /// The date that each series asks next.
  var upcoming: [Int: Upcoming] = [:]
  /// How many open ones of a series are not due yet; none: no entry.
  private var aheadCount: [Int: Int] = [:]
  /// How many open ones a series has; none: no entry.
  var openCount: [Int: Int] = [:]
  /// Answered ones whose answer is not durable yet: lights go on showing them.
  var unproven: [(id: CheckIn.ID, device: String?, decision: UInt64?)] = []
  var clicks = LateClicks()
  /// The wall clock of the last pass; at a start it counts as set back.
  var passedAt = Int64.max
  /// The last pass has left something for the next, which follows soon.
  var isBehind = false
  /// When something is due by the wall clock, µs since 1970; `.max`: nothing is.
  private(set) var wakeWall = Int64.max
  /// When something is due by the clock of this boot.
  private(set) var wakeInstant: Instant?

  init() {}

  /// An open check-in, and what is due of it by the clock of this boot.
  struct Asked: Sendable {
    var checkIn: CheckIn
    /// Set when it falls due.
    var runsOutAt: Instant?
    /// Nil before it is due.
    var nagAt: Instant?
  }

  /// A date that is to be asked.
  struct Upcoming: Equatable, Sendable {
    let key: OccurrenceKey
    /// When the series has it, µs since 1970.
    let base: Int64
    /// µs since 1970.
    let due: Int64
    let description: String
    /// Minutes.
    let lead: Int
    /// A person has changed this one alone.
    let isException: Bool

    /// When it is asked, µs since 1970.
    var opensAt: Int64 { due.before(minutes: lead) }
  }

  /// The open ones, the one that fell due first in front.
  public var open: [CheckIn] { asked.map(\.checkIn) }

  /// An open one of the series is not due yet.
  func isAhead(_ series: Int) -> Bool { aheadCount[series] != nil }

  /// - Parameter change: by how many more open ones of the series are not due yet.
  mutating func countAhead(_ series: Int, _ change: Int) {
    let count = aheadCount[series, default: 0] + change
    aheadCount[series] = count > 0 ? count : nil
  }

  /// When the next one of a series is asked, µs since 1970: one at a time is asked before it is
  /// due, and what falls due before that one, as it was moved there, is asked then.
  func asksAt(_ id: Int, _ next: Upcoming) -> Int64 { isAhead(id) ? next.due : next.opensAt }

  /// - Parameter device: a keychain; nil: one that no series names.
  /// - Returns: how many it shows, 0 to 9: those that its click can answer, and those whose answer
  ///   is not durable yet.
  @inline(__always)
  func shown(on device: String?, at now: Timestamp) -> UInt8 {
    guard !asked.isEmpty || !unproven.isEmpty else { return 0 }
    var count = unproven.count { $0.device == nil || $0.device == device }
    for asked in asked where asked.checkIn.isAnswerable(at: now.wall) {
      if asked.checkIn.isAsked(of: device) { count += 1 }
      if count >= 9 { return 9 }
    }
    return UInt8(count)
  }

  /// Some open one is asked of a single keychain.
  @inline(__always)
  var asksSingleKeychains: Bool {
    asked.contains { $0.checkIn.device != nil } || unproven.contains { $0.device != nil }
  }

  // MARK: Time

  @inline(__always)
  func isDue(at now: Timestamp) -> Bool {
    now.wall >= wakeWall || (passedAt < .max && now.wall < passedAt.before(minutes: 1))
      || wakeInstant.map { $0 <= now.at } ?? false
  }

  /// The wall clock may be set at any time, so it is looked at each minute.
  @inline(__always)
  func nextWake(after now: Timestamp) -> Timestamp? {
    guard wakeWall < .max || wakeInstant != nil else { return nil }
    var wait = min(max(0, wakeWall.since(now.wall)), 60_000_000)
    if let wakeInstant { wait = min(wait, max(0, (wakeInstant - now.at).microseconds)) }
    return now + .microseconds(wait)
  }

  /// The next pass is due at once.
  mutating func touch(at now: Timestamp) {
    if !asked.isEmpty || !series.isEmpty { wakeInstant = now.at }
  }

  /// Looks anew when something is due.
  /// - Parameter mayRaise: what runs out raises an alarm.
  mutating func reckon(mayRaise: Bool, at now: Timestamp) {
    var wall = Int64.max
    var instant: Instant?
    for (id, next) in upcoming { wall = min(wall, asksAt(id, next)) }
    for asked in asked {
      let checkIn = asked.checkIn
      if !checkIn.isDueTold { wall = min(wall, checkIn.due) }
      if !checkIn.isAnswerable(at: now.wall) { wall = min(wall, checkIn.answerableFrom) }
      instant = .earlier(instant, asked.nagAt)
      guard checkIn.escalates, mayRaise || !checkIn.isIdleTold else { continue }
      wall = min(wall, checkIn.runsOut)
      instant = .earlier(instant, asked.runsOutAt)
    }
    let soon = (now + .milliseconds(10)).at
    wakeWall = isBehind ? .max : wall
    wakeInstant = isBehind ? soon : instant
  }
}
