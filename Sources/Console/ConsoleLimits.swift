import FobBase

/// What one client may ask for, in one place.
enum ConsoleLimits {
  /// Bytes of a request's body.
  static let body = 64 << 10
  /// Rows of one list.
  static let rows = 200
  static let defaultRows = 50
  /// Event streams at one time.
  static let streams = 2_048
  static let connections = 4_096
  static let sessions = 64
  static let tokens = 256
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
