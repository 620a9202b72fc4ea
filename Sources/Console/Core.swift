public import AlertCore
public import FobBase
public import Storage

/// The core and its records, as the API asks them. What reads the disk, hashes a PIN or sends a
/// mail blocks; the console calls it on threads of its own.
public protocol Core: Sendable {
  var status: CoreStatus { get }
  var account: Account { get }
  /// Asks the keychains again (R28): what does not answer in time is an error, not a stale OK.
  func refreshedStatus() async -> CoreStatus

  /// Each `answer` is called once, when the effect is durable or has failed to be.
  func perform(
    _ userCommand: UserCommand, by who: String, answer: @escaping @Sendable (Answer) -> Void)
  /// - Parameter source: where the PIN comes from: wrong ones are counted by it.
  func disarm(
    pin: String, by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void)
  func change(
    _ change: AccountChange, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void)
  /// How long this source is to wait before it may try a PIN; nil: it may now.
  func pinWait(for source: PINSource) -> Interval?
  /// Mails a new PIN, which counts beside the old one until it is first used (R10).
  func forgotPIN(by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void)

  /// The id of the newest line that is durable; 0 where there is none.
  func lastLogID() throws -> Int64
  /// Oldest first, those with a greater id than `after`.
  func log(after: Int64, limit: Int, matching filter: LogFilter) throws -> [LogEntry]
  /// Newest first, those that come after the incident `before` in that order.
  func incidents(limit: Int, before: IncidentID?) throws -> [Incident]
  /// All that is known of one incident, as JSON.
  func document(of incident: IncidentID) throws -> [UInt8]?
  /// Each durable line with a greater id than `after`, once and in order, as it comes.
  func lines(after: Int64, matching filter: LogFilter) -> any LineReader
}

public protocol LineReader: Sendable {
  /// Waits for at least one; ends with CancellationError when its task is cancelled.
  func next() async throws -> [LogEntry]
}
