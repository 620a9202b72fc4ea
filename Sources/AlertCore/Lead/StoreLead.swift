public import FobBase

/// Whether the core that has a store is alive, as another one sees it that would take the store
/// over: its beat counts on, by the clock of the one who looks.
public struct LeaderWatch: Sendable {
  /// A core whose beat has stood still for so long is taken for dead.
  public static let patience = Interval.seconds(5)
  /// A reading that takes longer tells of the store's server, and not of the core.
  private static let slow = Interval.seconds(1)

  private var seen: (holder: String, beat: Int64)?
  private var since = Instant(microseconds: 0)
  /// It was seen to count on.
  public private(set) var hasBeaten = false

  /// Nobody was seen.
  public init() {}

  /// - Parameters:
  ///   - holder: who has the store; empty: nobody.
  ///   - beat: as the holder has last counted.
  ///   - askedAt: when both were asked for.
  ///   - now: when they were read.
  /// - Returns: whether the beat has stood still for `patience`.
  public mutating func isSilent(
    _ holder: String, beat: Int64, askedAt: Instant, at now: Instant
  ) -> Bool {
    if now - askedAt > Self.slow { forget() }
    guard let seen, seen == (holder, beat) else {
      hasBeaten = hasBeaten || seen?.holder == holder
      (seen, since) = ((holder, beat), now)
      return false
    }
    return now - since >= Self.patience
  }

  /// They could not be read: a beat may have come meanwhile.
  public mutating func forget() { seen = nil }
}

/// What its beats prove to the core that has the store. Times are of its own boot clock.
public struct LeadProof: Sendable {
  /// From one beat to the next.
  public static let interval = Interval.seconds(1)
  /// For so long after a beat no other core can have taken the store over, by the clock of any that
  /// would: it waits for `LeaderWatch.patience`.
  private static let lasts = Interval.seconds(3)

  /// Of the last beat that was answered.
  private var askedAt: Instant

  /// - Parameter tookAt: before the store was taken.
  public init(tookAt: Instant) { askedAt = tookAt }

  /// A beat that was asked for then is in the store.
  public mutating func beat(askedAt: Instant) { self.askedAt = askedAt }

  /// No other core can have the store.
  public func holds(at now: Instant) -> Bool { now - askedAt < Self.lasts }
}

extension Notification {
  /// Another core would send the same one, by a key that receivers know. Any other message may no
  /// longer be true where another core can have the store.
  public var isDueUnproved: Bool { kind == .raise }
}
