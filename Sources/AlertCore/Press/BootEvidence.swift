import FobBase
import WireProtocol

/// Evidence about one boot of a keychain, in this run of the core: its clock, its numbers, and
/// whether they may prove anything.
///
/// Heartbeats show the clock, since they are never sent again: each must have advanced by as much
/// time as passed here. An event must fit them: made when it came, or during an outage. Numbers may
/// be missing as far as the keychain still keeps, has evicted or has merged them.
struct BootEvidence: Sendable {
  /// An event that came at the time at which it was made, by its clock.
  struct Reference: Sendable {
    let number: EventNumber
    let clock: UInt64
    let receivedAt: Timestamp
    /// Another event of its boot came before it.
    let isFollowing: Bool
  }

  struct Stamp: Sendable {
    let clock: UInt64
    let at: Timestamp
  }

  /// The heartbeat that later stamps are compared with.
  var anchor: Stamp?
  /// The newest heartbeat: an event after it must not be stamped ahead of it.
  var newest: Stamp?
  /// The highest uptime heard, µs.
  var uptime: UInt64 = 0
  /// The highest uptime, µs, at which it kept no events: all that it made before has come.
  var emptyAt: UInt64?
  /// Since when heartbeats lag; the line may be slow, or the clock.
  var behindSince: Timestamp?
  var lowest = EventNumber.none
  var highest = EventNumber.none
  private var count: UInt64 = 0
  /// Events that it has evicted or merged, as it says itself.
  var givenUp: UInt64 = 0
  /// The newest event that fits.
  var reference: Reference?
  /// The newest event, while there is no heartbeat to compare it with.
  var candidate: Reference?
  var isDoubted = false
  var heardAt: Timestamp

  init(at now: Timestamp) { heardAt = now }

  /// From now on its clock and numbers prove nothing.
  mutating func doubt() {
    isDoubted = true
    reference = nil
  }

  // MARK: Events

  /// Takes an event.
  /// - Returns: why this boot proves nothing any more; given once.
  mutating func hear(
    _ event: HeardEvent, isNumberReused: Bool, _ outage: Outage
  ) -> Reason.Contradiction? {
    guard !isDoubted else { return nil }
    heardAt = event.receivedAt
    let number = event.identity.number
    if isNumberReused { return doubt(.numberTwice(number)) }
    let isNext = number.rawValue > highest.rawValue
    if count == 0 || number.rawValue < lowest.rawValue { lowest = number }
    if isNext { highest = number }
    count += 1
    if let reference, Self.contradicts(event, reference) { return doubt(.disorder(number)) }
    let next = Reference(
      number: number, clock: event.clock, receivedAt: event.receivedAt, isFollowing: count > 1)
    guard let anchor else {
      if isNext { candidate = next }
      return nil
    }
    let lag = lag(of: event.clock, after: anchor, at: event.receivedAt)
    let unnoticed = unnoticed(since: anchor, at: event.receivedAt)
    guard lag >= -unnoticed else { return doubt(.stampedAhead(number)) }
    guard lag > unnoticed else {
      if isNext, behindSince == nil, !isAhead(event) { reference = next }
      return nil
    }
    let isExplained =
      outage.isCurrent(at: event.receivedAt)
      && lag - unnoticed <= event.receivedAt.since(outage.since).microseconds
    return isExplained ? nil : doubt(.stampedLongBefore(number))
  }

  /// Whether its stamp lies after its arrival, by the heartbeat before it. Presses made from then
  /// until that stamp would seem older than it. A heartbeat that was held up looks the same.
  private func isAhead(_ event: HeardEvent) -> Bool {
    newest.map {
      lag(of: event.clock, after: $0, at: event.receivedAt) < -PressTimes.exact.microseconds
    } ?? true
  }

  mutating func doubt(_ reason: Reason.Contradiction) -> Reason.Contradiction {
    doubt()
    return reason
  }

  // MARK: Numbers

  /// More numbers are missing than the keychain can keep and says that it has given up.
  var isLeaping: Bool {
    guard count > 0 else { return false }
    let (between, overflow) = (highest.rawValue - lowest.rawValue).addingReportingOverflow(1)
    let kept = UInt64(Limits.deviceEvents + Limits.volatileEvents)
    return overflow || between > count + kept + givenUp
  }

  private static func contradicts(_ event: HeardEvent, _ reference: Reference) -> Bool {
    let since = difference(event.clock, reference.clock)
    let unnoticed = PressTimes.unnoticed.microseconds
    return event.identity.number.rawValue > reference.number.rawValue
      ? since < -unnoticed : since > unnoticed
  }

  // MARK: Clocks

  /// By how much the keychain's clock has advanced less than the host's, µs.
  func lag(of clock: UInt64, after anchor: Stamp, at now: Timestamp) -> Int64 {
    let advanced = Self.difference(clock, anchor.clock)
    let (lag, overflow) = now.since(anchor.at).microseconds.subtractingReportingOverflow(advanced)
    return overflow ? (advanced < 0 ? .max : .min) : lag
  }

  func unnoticed(since anchor: Stamp, at now: Timestamp) -> Int64 {
    PressTimes.unnoticed(over: now.since(anchor.at).microseconds)
  }

  private static func difference(_ a: UInt64, _ b: UInt64) -> Int64 {
    a >= b ? Int64(clamping: a - b) : -Int64(clamping: b - a)
  }
}
