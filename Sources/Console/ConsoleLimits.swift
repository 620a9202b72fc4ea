import FobBase

/// The limits of the console's clients, in one place.
enum ConsoleLimits {
  /// The longest bodies, in bytes: of lists and files, of other requests, and of requests without a
  /// token.
  static let body = 64 << 10
  static let request = 16 << 10
  static let anonymousRequestSize = 512
  /// The bounds of a JSON body; no shape of the API comes near them.
  static let json = JSONBounds(depth: 32, values: 2_048, word: 64)
  /// The most rows of one list, and the usual number.
  static let rows = 200
  static let defaultRows = 50
  /// The most check-ins, or series, of one answer.
  static let checkIns = 1_000
  /// The most persons of one file of contacts.
  static let people = 1_024
  /// Event streams at one time.
  static let streams = 2_048
  /// Event streams of one token, and of one session: a browser has six connections to a host.
  static let streamsOfToken = 64
  static let streamsOfSession = 16
  /// Connections at one time, if there are enough descriptors.
  static let connections = 4_096
  /// One account, or the token of a bridge, has so many of all connections, and one account so many
  /// of all event streams: 1,024 and 128, where there are enough descriptors.
  static func share(ofConnections all: Int) -> Int { max(24, all / 4) }
  static func share(ofStreams all: Int) -> Int { max(streamsOfSession, all / 16) }
  /// How long a client may take for its body and for taking the answer; an anonymous one for its
  /// request, too.
  static let patience = Interval.seconds(20)
  /// Who has shown a token has that time again for each so many bytes of an answer.
  static let patientAnswer = 4 << 20
  /// Connections that wait to be accepted. Beyond that the system drops the first packet, and every
  /// newcomer, the owner too, tries again a second later. But the last in the queue waits for all
  /// before it.
  static let backlog = 1_024
  /// One request of all anonymous clients begins in each such interval.
  static let anonymousInterval = Interval.milliseconds(2)
  /// How many bytes of an unread body are tolerated.
  static let unreadBody = 1 << 20
  /// The least that a part of a body counts, in bytes: each part costs work.
  static let minBodyRate = 1 << 10
  /// The threads that read from and write to connections.
  static let eventLoops = 2
  /// Of one account, and of the whole core.
  static let sessions = 64
  /// The most bytes of the file with the sessions that are read.
  static let sessionFile = 16 << 20
  /// Of one account, and of the whole core.
  static let tokens = 256
  /// Mail addresses of which it is known that a link to confirm them was mailed.
  static let confirmations = 16_384
  /// The threads that answer requests that are not urgent.
  static let commonThreads = 2
  /// Requests of one account that may wait for the thread that hashes PINs, reads the store, makes
  /// lists, mails, or asks the bench. A browser asks six things at one time.
  static let waitingForPIN = 16
  static let waitingForRecords = 64
  static let waitingForLists = 16
  static let waitingForMail = 4
  static let waitingForBench = 64
  /// Changes by the requests of one account. No burst comes anew before it was earned.
  static let changeRate = RateLimit(
    burst: 1_024, every: .milliseconds(500), longest: .seconds(512))
  /// Erasures by the requests of one account: each rewrites the store of all, and acks wait for it.
  static let erasureRate = RateLimit(burst: 4, every: .minutes(5), longest: .minutes(60))
  /// The longest document of an account's state, in bytes: it is made as a whole.
  static let export = 32 << 20
  /// The longest string that a client chooses, in characters.
  static let text = 200
  /// How long a request waits until its effect is durable.
  static let durable = Interval.seconds(10)
  /// The same for a request that first sends a mail.
  static let mailed = Interval.seconds(45)
  /// How long a request waits for an emulated keychain's answer.
  static let keychain = Interval.seconds(30)
  /// Events of the bench that are kept for clients that reconnect, and their size in bytes.
  static let benchEvents = 8_192
  static let benchBytes = 4 << 20
  /// The most fixes of one keychain's track.
  static let track = 1_024
  /// How long a session of the page lasts, in seconds.
  static let session = 43_200
}
