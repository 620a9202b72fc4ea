public import AlertCore
public import Bridge
public import FobBase
public import Storage
public import WireProtocol

/// The core and its records, as the API uses them. Calls that read the disk, hash a PIN or send a
/// mail block; the console makes them on its own threads.
public protocol Core: Sendable {
  /// The status as it is now; asks no keychain.
  var status: CoreStatus { get }
  /// The account as it is now.
  var account: Account { get }
  /// The check-ins as they are now: a copy, of which lists can be made outside of the core's lock.
  var checkIns: CheckIns { get }
  /// The five messages as they are now, a copy.
  var messages: QuickMessages { get }
  /// The slots whose message can be sent now.
  var completeSlots: PanicSlots { get }
  /// The reviews as they are now: a copy, as of the check-ins.
  var reviews: Reviews { get }
  /// How the exercises stand now.
  var exercises: ExerciseStatus { get }
  /// The totals of breathing as they are now.
  var totals: BreathingTotals { get }
  /// The affirmations as they are now.
  var affirmations: Affirmations { get }
  /// Which reminders the owner gets.
  var reminderSettings: ReminderSettings { get }
  /// Now by the core's clock, µs since 1970.
  var wall: Int64 { get }
  /// Why the server that has the rows would make nothing durable; nil: it would, or there is none.
  var serverTrouble: String? { get }
  /// Asks the keychains again (R28): one that does not answer in time is an error, and not an old
  /// OK.
  func refreshedStatus() async -> CoreStatus

  /// Each `answer` is called once, when the effect is durable or has failed to be.
  func perform(
    _ userCommand: UserCommand, by who: String, answer: @escaping @Sendable (Answer) -> Void)
  /// Disarms if the PIN is right (R38). `source` is where it was typed: wrong PINs are counted by
  /// source (G16).
  func disarm(
    pin: String, by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void)
  /// Changes the account; `pin` as it was typed, nil if the request had none.
  func change(
    _ change: AccountChange, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void)
  /// Carries out what decides whether an alarm starts; `pin` as it was typed, nil if the request
  /// had none. What needs no PIN goes by `perform`.
  func checkIn(
    _ command: CheckInCommand, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void)
  /// As `checkIn`, of the five messages: filling and emptying a slot.
  func message(
    _ command: MessageCommand, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void)
  /// Changes what the owner wrote of alarms; `pin` as it was typed, nil if the request had none.
  func review(
    _ command: ReviewCommand, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void)
  /// Pairs a keychain with this core, or says why not, within eleven seconds; `pin` as it was
  /// typed, nil if the request had none.
  func pair(
    _ device: DeviceID, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (PairingRefusal?) -> Void)
  /// As `pair`, of a keychain that has the key which its label tells.
  func pair(
    _ device: DeviceID, by label: LabelCode, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (PairingRefusal?) -> Void)
  /// As `pair`: ends the pairing.
  func unpair(
    _ device: DeviceID, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (PairingRefusal?) -> Void)
  /// Whether what is private to the owner may be shown: no PIN is set, or `pin` is right.
  func prove(
    pin: String?, by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void)
  /// How long this source must wait before it may try a PIN; nil if it may try now.
  func pinWait(for source: PINSource) -> Interval?
  /// Mails a new PIN (R10); the old one stays valid until the new one is first used.
  func forgotPIN(by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void)

  /// The files of the state folder, with their sizes (R111).
  func files() throws -> [StoredFile]
  /// The id of the newest durable log entry; 0 for an empty log.
  func lastLogID() throws -> Int64
  /// The log entries that are found, oldest first.
  func log(_ search: LogSearch) throws -> [LogEntry]
  /// Incidents, newest first, that follow the incident `before` in that order; nil: from the
  /// newest.
  func incidents(limit: Int, before: IncidentID?) throws -> [Incident]
  /// One incident as it is last; nil for an unknown one.
  func incident(_ id: IncidentID) throws -> Incident?
  /// Everything that is known of one incident, as JSON; nil for an unknown incident.
  func document(of incident: IncidentID) throws -> [UInt8]?
  /// One incident as it stands, as an alert of CAP 1.2 (XML); nil for an unknown incident.
  func alert(of incident: IncidentID) throws -> [UInt8]?
  /// Reads every durable log entry with an id above `after`, once and in order, as it comes.
  func lines(after: Int64, matching filter: LogFilter) -> any LineReader
}

/// The accounts of a core, as the API uses them.
public protocol CoreAccounts: Sendable {
  /// Their numbers, in order.
  var numbers: [AccountNumber] { get }
  /// How many are in each state.
  var states: [EmergencyState: Int] { get }
  /// The core of an account; nil: there is no such account.
  func core(of account: AccountNumber) -> (any Core)?
  /// The account whose owner has this mail address, however it is written; nil: none has.
  func account(ofOwner email: String) -> AccountNumber?
  /// The account that a keychain is of; the first where none has claimed it.
  /// - Parameter keychain: its id, sixteen hexadecimal digits.
  func account(withKeychain keychain: String) -> AccountNumber
  /// Makes an account, durable when this returns. Blocks.
  /// - Throws: `StorageFailure`; `UserCommand.Refusal` where a field of the profile is refused, an
  ///   account has its mail address, or there is no room for one more.
  func make(_ profile: AccountChange.Profile, by who: String) throws -> AccountNumber
  /// Its owner is served nothing but their alarm. False where there is no such account.
  func isSuspended(_ account: AccountNumber) -> Bool
  /// Suspends an account beside the first, or lets it go on; durable when this returns. Throws
  /// `StorageFailure`; an error where there is no such account.
  func suspend(_ account: AccountNumber, _ isSuspended: Bool) throws
  /// Deletes an account beside the first with all that is its. Blocks.
  /// - Throws: `StorageFailure`; `UserCommand.Refusal.locked` during an alarm; an error where there
  ///   is no such account.
  func delete(_ account: AccountNumber, by who: String) throws
  /// Writes the state of an account as a document of which it is the first account, piece by piece.
  /// - Throws: `StorageFailure`; whatever `write` throws; an error where there is no such account.
  func export(_ account: AccountNumber, to write: (String) throws -> Void) throws
}

/// A cursor in the log, for one task at a time.
public protocol LineReader: Sendable {
  /// Waits for at least one entry; throws CancellationError when its task is cancelled.
  func next() async throws -> [LogEntry]
}
