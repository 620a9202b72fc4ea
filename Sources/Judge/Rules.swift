public import FobBase

/// The times and numbers that the judge holds a world to.
public struct Rules: Sendable {
  /// Observations number them from 0.
  public var keychains = 1
  /// Each is a core with a disk of its own; observations number them from 0.
  public var hosts = 1
  /// Where hosts are accounts of one process: the id of each keychain, which is of one of them at
  /// most; those that nobody has claimed are the first's. Empty: each host has a process to itself.
  public var devices: [DeviceID] = []
  /// All persons, in the account or not.
  public var contacts = 2
  /// How many notification channels reach each of them.
  public var ways = 1
  /// In profile `guarded` only holds of half a second or more, and presses that cannot be decoded,
  /// must raise. In `literal` every press must.
  public var isGuarded = false
  /// Before a press is told (G1).
  public var countdown = Interval.zero
  /// Before an automatic trigger is told (R41, G20).
  public var triggerCountdown = Interval.seconds(120)
  /// From SENT, or the last press after it, to the end of the emergency (R45).
  public var tracking = Interval.minutes(30)
  /// Between messages while nobody has acknowledged (R37, G2).
  public var messageEvery = Interval.minutes(5)
  /// Without any acceptance (R46).
  public var failAfter = Interval.minutes(15)
  /// Contact time that makes a press; three quarters of it without a break do.
  public var debounce = Interval.milliseconds(20)
  /// Once faults have stopped, everything is acked and delivered within this time.
  public var settleWithin = Interval.seconds(60)
  /// How late a line may be at most, beside its latency. Words of a host that died count from their
  /// arrival, so a light may outlive the host by as much.
  public var lineDelay = Interval.zero
  /// Keychains that may be plugged into a bridge on another host.
  public var bridged: Set<Int> = []
  /// How late at most a bridge and its core hear of each other.
  public var feedDelay = Interval.zero
  /// Clicks may ask for slots that nobody has filled.
  public var hasSlots = false
  /// Somebody may ask for check-ins.
  public var hasCheckIns = true
  /// Somebody may ask for exercises.
  public var hasExercises = true
  /// Clocks of keychains do not jump. A clock that jumps while a contact bounces may take a bounce
  /// for a release, and one that jumps during a hold makes it seem shorter. With false neither is
  /// held against a board.
  public var isKeychainClockSteady = true

  /// Keychains are paired, and somebody without a key is on the wires.
  public var isAttacked = false

  /// The hosts are accounts of one process.
  var isShared: Bool { !devices.isEmpty }

  /// A world of one keychain, one host and two contacts, in profile `literal`.
  public init() {}
}

extension Rules {
  /// A press that comes this much later than it was made may have been made out of reach; so may a
  /// press of an earlier boot.
  static let outOfReach = Interval.seconds(5)
  /// How exactly a timer must be met, by the host's own clock.
  static let tolerance = Interval.milliseconds(150)
  /// So long after its end a state is overdue.
  static let grace = Interval.milliseconds(200)
  /// After a start, the time to catch up with what became due while the host was down.
  static let startUp = Interval.seconds(1)
  /// The most between the time when a message is due and its hand-out: a silent notification
  /// channel is asked again after 60 s, one that refused after 30 s at most.
  static let channel = Interval.seconds(95)
  /// For one message: how long a silent notification channel, or one that has refused, may hold it
  /// up.
  static let silence = Interval.seconds(61)
  static let backOff = Interval.seconds(35)
  /// How long a light may go on claiming help after no host says so: a lease of 5 s, and drift. At
  /// a bridge on another host it may go on for 5 s more, since the bridge's last signal may come
  /// late.
  func lease(of keychain: Int) -> Interval { lease(.seconds(6), of: keychain) }
  /// The same for what no alarm depends on, with a lease of 15 s.
  func restingLease(of keychain: Int) -> Interval { lease(.seconds(16), of: keychain) }

  private func lease(_ own: Interval, of keychain: Int) -> Interval {
    let lease = own + lineDelay
    return bridged.contains(keychain) ? lease + .seconds(5) + feedDelay : lease
  }
  /// The most between a press and its event, and between an event and its light.
  static let atOnce = Interval.milliseconds(100)

  /// When what has lasted since then was to be over, where it is not: once.
  static func takeOverdue(_ since: inout Instant?, at now: Instant) -> Instant? {
    guard let over = since.map({ $0 + atOnce }), over < now else { return nil }
    since = nil
    return over
  }

  /// So many presses without proof a line brings before a core leaves any to its keychain.
  static let unprovedAtOnce = 128

  /// In profile `guarded`: until edges have been read, 1.5 s and some resends.
  static let reading = Interval.seconds(3)
  static let answer = Interval.seconds(90)
  /// So long a host may take to find out that its wall clock was set.
  static let clockLook = Interval.seconds(61)
  /// From falling due to the alarm at least, whatever the plan.
  static let leastLimit = Interval.minutes(5)
}
