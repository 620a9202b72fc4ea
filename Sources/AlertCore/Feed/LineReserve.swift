import FobBase
import WireProtocol

/// What a line of a bridge may bring whatever the other lines of its holder bring: so no flood of a
/// neighbour keeps a press waiting. Presses, presses that are not proved, and other events have
/// separate limits, as in `LineRateLimits`.
struct LineReserve: Sendable {
  /// At once all that a keychain stores. A holder has it on each of its lines, so it grows again
  /// slowly: on all of them together by less than `FeedTable.holderPace`.
  static let pace = RateLimit(
    burst: UInt32(Limits.deviceEvents), every: .seconds(20), longest: .minutes(20))

  private var presses = RateLimiter(Self.pace)
  private var unproved = RateLimiter(Self.pace)
  private var others = RateLimiter(Self.pace)

  /// - Parameter event: an event or press, as the core is to hear it.
  /// - Returns: whether the reserve covers it.
  mutating func take(_ event: CoreInput, at now: Instant) -> Bool {
    switch event {
    case .unprovedPress: unproved.take(at: now) != nil
    case .event(_, let record, _) where record.identity.kind != .pressed:
      others.take(at: now) != nil
    default: presses.take(at: now) != nil
    }
  }
}
