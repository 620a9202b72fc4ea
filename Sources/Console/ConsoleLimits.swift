import FobBase

/// What one client may ask for, in one place.
enum ConsoleLimits {
  /// Bytes of a request's body: of lists and files, of what else is asked, and of what nobody needs
  /// a token for.
  static let body = 64 << 10
  static let request = 16 << 10
  static let anonymousRequestSize = 512
  /// Of a body in JSON: no shape of the API comes near them.
  static let json = JSONBounds(depth: 32, values: 2_048, word: 64)
  /// Rows of one list.
  static let rows = 200
  static let defaultRows = 50
  /// Event streams at one time.
  static let streams = 2_048
  /// Of one token; of one session: a browser has six connections to a host.
  static let streamsOfToken = 64
  static let streamsOfSession = 16
  /// As far as descriptors last.
  static let connections = 4_096
  /// How long one who has shown no token may take to ask, to send a body, to take an answer.
  static let anonymousPatience = Interval.seconds(20)
  /// Connections that wait to be let in. Of more than that the system drops the first packet, and
  /// whoever comes, the owner too, tries again a second later; but the last of them waits for all.
  static let backlog = 1_024
  /// Of all their requests together one begins in so long.
  static let anonymousInterval = Interval.milliseconds(2)
  /// Bytes of a body that nobody reads any more.
  static let unreadBody = 1 << 20
  /// What a part of a body counts for, in bytes, however few it has: each is work of its own.
  static let minBodyRate = 1 << 10
  /// What reads from and writes to connections.
  static let eventLoops = 2
  static let sessions = 64
  static let tokens = 256
  /// What answers requests that are not urgent.
  static let commonThreads = 2
  /// Requests that wait for the thread that hashes PINs, and for the one that reads the disk.
  static let waitingForPIN = 64
  static let waitingForRecords = 512
  static let waitingForMail = 16
  static let waitingForBench = 64
  /// Characters of a string that a client chooses.
  static let text = 200
  /// How long a request waits until its effect is durable.
  static let durable = Interval.seconds(10)
  /// The same, where a mail goes out first.
  static let mailed = Interval.seconds(45)
  /// How long a request waits for an emulated keychain's answer.
  static let keychain = Interval.seconds(30)
  /// Events of the bench that are kept for clients that come again, and their bytes.
  static let benchEvents = 8_192
  static let benchBytes = 4 << 20
  /// Fixes of one keychain's track.
  static let track = 1_024
  /// Seconds that a session of the page lasts.
  static let session = 43_200
}
