/// Every limit of the system, in one place. A queue that reaches its limit says so; none grows.
public enum Limits {
  /// Decoded frame, in bytes: body and CRC.
  public static let minFrameSize = 8
  public static let maxFrameSize = 253
  /// A frame on the wire: one COBS code byte, 253 bytes, and a delimiter at both ends.
  public static let maxWireFrameSize = 256
  public static let maxPayloadSize = maxFrameSize - 8

  /// Events a keychain keeps until they are acked.
  public static let deviceEvents = 64
  /// Of those, how many it can keep in memory alone while its store fails.
  public static let volatileEvents = 8
  /// Resent events that may wait for an answer at one time.
  public static let resendWindow = 4
  /// REJECT that one end sends within a second of the first; further ones are left out.
  public static let rejectsPerSecond: UInt8 = 16
  /// Bytes a keychain's link may hold back. Low-priority frames are begun only when it is empty.
  public static let transmitRing = 512

  /// Bytes a host may hold back for a device that does not read.
  public static let hostTransmitBuffer = 4_096
  public static let readBuffer = 4_096

  /// Event identities mirrored in memory, the newest first.
  public static let knownEvents = 262_144
  public static let devices = 1_024
  public static let contacts = 64
  public static let contactNumbers = 8
  /// Keychains of one account.
  public static let accountDevices = 64
  public static let places = 256
  /// Triggers whose repeats are known.
  public static let seenTriggers = 64
  /// Presses of one incident that are listed; further ones are counted.
  public static let incidentPresses = 256
  /// Of one boot of one keychain, the events by which edges are read; so many boots at one time.
  public static let pressHistory = 32
  public static let pressHistories = 256
  /// Boots of keychains whose clock and numbers are followed at one time.
  public static let followedBoots = 256
  /// Events that a core reads again when it starts, to go on reading edges.
  public static let recentEvents = 256
  /// Audit lines held back while the store fails; further ones are counted.
  public static let pendingAudit = 4_096
  /// Position fixes kept of one incident: 30 minutes, one each 5 seconds.
  public static let incidentTrack = 360
  public static let deliveries = 1_024
  /// Keychains in one answer of the control socket to `status`.
  public static let statusDevices = 256
  /// Log entries that stay in memory for those who watch; older ones are read from the store.
  public static let feedLines = 16_384
  /// Lines that one of them is handed at a time.
  public static let feedBatch = 256

  // MARK: What one line may bring about, whatever is at its other end

  /// New sessions that answers which contradict each other lead to.
  public static let sessionPace = RateLimit(burst: 1, every: .seconds(1), longest: .seconds(8))
  /// New presses that are decided, and as many events of other kinds; the device keeps the others,
  /// and sends them again. More than a finger makes, and all that a keychain can have stored.
  public static let eventPace = RateLimit(
    burst: 128, every: .milliseconds(50), longest: .seconds(8))
  /// The same over hours: two a second for ever, and ever fewer of a line that goes on asking for
  /// more, so that it fills no disk.
  public static let lastingEventPace = RateLimit(
    burst: 16_384, every: .milliseconds(500), longest: .minutes(1))
  /// Lines for those who watch, of each kind.
  public static let noticePace = RateLimit(burst: 8, every: .seconds(1), longest: .seconds(60))
  /// Of lights, positions and stages, which a sound keychain tells often.
  public static let readingPace = RateLimit(
    burst: 128, every: .milliseconds(20), longest: .seconds(8))
  /// Log entries on what is no event, of each kind.
  public static let logPace = RateLimit(burst: 16, every: .seconds(5), longest: .minutes(5))
}
