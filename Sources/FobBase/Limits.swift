/// Every limit of the system, in one place. A queue that reaches its limit says so; none grows.
public enum Limits {
  /// Bytes of a decoded frame, body and CRC, at least.
  public static let minFrameSize = 8
  /// Bytes of a decoded frame, body and CRC, at most.
  public static let maxFrameSize = 253
  /// Bytes of a frame on the wire: one COBS code byte, 253 bytes, and a delimiter at both ends.
  public static let maxWireFrameSize = 256
  /// Bytes of a payload: a frame without its 4 bytes of head, type and sequence and 4 of CRC.
  public static let maxPayloadSize = maxFrameSize - 8

  /// Events a keychain keeps until they are acked.
  public static let deviceEvents = 64
  /// Those of them that it can keep in memory alone while its store fails.
  public static let volatileEvents = 8
  /// Resent events that may wait for an answer at one time.
  public static let resendWindow = 4
  /// REJECT that one end sends within a second of the first; further ones are left out.
  public static let rejectsPerSecond: UInt8 = 16
  /// Bytes a keychain's link may hold back. Low-priority frames are begun only when it is empty.
  public static let transmitRing = 512

  /// Bytes a host may hold back for a device that does not read.
  public static let hostTransmitBuffer = 4_096
  /// Bytes that are read from a line or socket at a time.
  public static let readBuffer = 4_096

  /// Event identities mirrored in memory, the newest first.
  public static let knownEvents = 262_144
  /// Keychains that one bridge serves, or one emulated fleet has.
  public static let devices = 1_024
  /// Contacts of one account.
  public static let contacts = 64
  /// Addresses of one contact.
  public static let contactNumbers = 8
  /// Keychains of one account.
  public static let accountDevices = 64
  /// Places in the profile of one account.
  public static let places = 256
  /// Series of check-ins of one account.
  public static let series = 10_000
  /// Check-ins of one series that were changed or taken out one by one, before they were asked.
  public static let checkInExceptions = 366
  /// Triggers that are remembered, so that their repeats are known.
  public static let seenTriggers = 64
  /// Presses of one incident that are listed; of further ones, those are that are the first of
  /// their keychain, until there are `incidentEntries`. All others are only counted.
  public static let incidentPresses = 256
  /// Presses of one incident that are listed at most.
  public static let incidentEntries = incidentPresses + devices
  /// Events of one boot of a keychain that are remembered, because its edges are read together.
  public static let pressHistory = 32
  /// Boots of keychains that have such a history at one time.
  public static let pressHistories = 256
  /// Boots of keychains whose clock and numbers are followed at one time.
  public static let followedBoots = 256
  /// Events that a core reads again when it starts, to go on reading edges.
  public static let recentEvents = 256
  /// Audit lines held back while the store fails; further ones are only counted.
  public static let pendingAudit = 4_096
  /// Position fixes kept of one incident: 30 minutes, one each 5 seconds.
  public static let incidentTrack = 360
  /// Messages that may wait for one sink.
  public static let deliveries = 1_024
  /// Keychains in one answer of the control socket to `status`.
  public static let statusDevices = 256
  /// Log entries that stay in memory for those who watch; older ones are read from the store.
  public static let feedLines = 16_384
  /// The same for each further account.
  public static let accountFeedLines = 32
  /// Log entries that one of those who watch gets at a time.
  public static let feedBatch = 256

  // MARK: What one line may bring about, whatever is at its other end

  /// New sessions that contradicting answers cause.
  public static let sessionPace = RateLimit(burst: 1, every: .seconds(1), longest: .seconds(8))
  /// New presses that are decided, and as many events of other kinds. The device keeps the others
  /// and sends them again. A finger makes fewer, and a keychain stores no more at once.
  public static let eventPace = RateLimit(
    burst: 128, every: .milliseconds(50), longest: .seconds(8))
  /// The same over hours: two a second for ever, and fewer and fewer for a line that goes on asking
  /// for more, so that it fills no disk.
  public static let lastingEventPace = RateLimit(
    burst: 16_384, every: .milliseconds(500), longest: .minutes(1))
  /// Audit events for those who watch, of each kind.
  public static let noticePace = RateLimit(burst: 8, every: .seconds(1), longest: .seconds(60))
  /// Lights, positions and stages for those who watch: a sound keychain reports them often.
  public static let readingPace = RateLimit(
    burst: 128, every: .milliseconds(20), longest: .seconds(8))
  /// Log entries about anything but events, of each kind.
  public static let logPace = RateLimit(burst: 16, every: .seconds(5), longest: .minutes(5))
}
