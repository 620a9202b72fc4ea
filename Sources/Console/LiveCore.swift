public import AlertCore
public import Bridge
public import FobBase
import Sinks
public import Storage
public import WireProtocol

/// The core of this process: a bridge, and the store that it commits to.
public struct LiveCore: Core {
  private let bridge: AlertBridge
  private let store: AlertStore

  /// `store` must be the bridge's own.
  public init(bridge: AlertBridge, store: AlertStore) {
    self.bridge = bridge
    self.store = store
  }

  /// As the bridge has it now; waits for the core's lock only.
  public var status: CoreStatus { bridge.status }
  /// As the bridge has it now; waits for the core's lock only.
  public var account: Account { bridge.account }
  /// As the bridge has them now; waits for the core's lock only.
  public var checkIns: CheckIns { bridge.checkIns }
  /// As the bridge has them now; waits for the core's lock only.
  public var messages: QuickMessages { bridge.messages }
  /// As the bridge has them now; waits for the core's lock only.
  public var completeSlots: PanicSlots { bridge.completeSlots }
  public var reviews: Reviews { bridge.reviews }
  /// As the bridge has it now; waits for the core's lock only.
  public var exercises: ExerciseStatus { bridge.exercises }
  /// As the bridge has them now; waits for the core's lock only.
  public var totals: BreathingTotals { bridge.totals }
  public var affirmations: Affirmations { bridge.affirmations }
  public var reminderSettings: ReminderSettings { bridge.reminderSettings }
  /// The bridge's own clock, which a test can move.
  public var wall: Int64 { bridge.wall }
  /// As it was a few seconds ago; waits for nothing.
  public var serverTrouble: String? { store.serverTrouble }
  /// Waits up to 3.5 s until the linked keychains are heard.
  public func refreshedStatus() async -> CoreStatus { await bridge.refreshedStatus() }

  /// Hands the command to the core; `answer` comes on one of the bridge's threads.
  public func perform(
    _ userCommand: UserCommand, by who: String, answer: @escaping @Sendable (Answer) -> Void
  ) {
    bridge.perform(userCommand, by: who, answer: answer)
  }

  /// Hashes the PIN on the caller's thread, which is slow on purpose.
  public func disarm(
    pin: String, by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void
  ) {
    bridge.disarm(pin: pin, by: who, source: source, answer: answer)
  }

  /// Hashes the PIN on the caller's thread, if one is given.
  public func change(
    _ change: AccountChange, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    bridge.change(change, pin: pin, by: who, source: source, answer: answer)
  }

  /// Hashes the PIN on the caller's thread, if one is given.
  public func checkIn(
    _ command: CheckInCommand, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    bridge.checkIn(command, pin: pin, by: who, source: source, answer: answer)
  }

  /// Hashes the PIN on the caller's thread, if one is given.
  public func message(
    _ command: MessageCommand, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    bridge.message(command, pin: pin, by: who, source: source, answer: answer)
  }

  /// Hashes the PIN on the caller's thread, if one is given.
  public func review(
    _ command: ReviewCommand, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (Answer) -> Void
  ) {
    bridge.review(command, pin: pin, by: who, source: source, answer: answer)
  }

  /// Hashes the PIN on the caller's thread, if one is given.
  public func prove(
    pin: String?, by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void
  ) {
    bridge.prove(pin: pin, by: who, source: source, answer: answer)
  }

  /// Hashes the PIN on the caller's thread, if one is given.
  public func pair(
    _ device: DeviceID, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (PairingRefusal?) -> Void
  ) {
    bridge.pair(device, pin: pin, by: who, source: source, answer: answer)
  }

  /// Hashes the PIN on the caller's thread, if one is given.
  public func pair(
    _ device: DeviceID, by label: LabelCode, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (PairingRefusal?) -> Void
  ) {
    bridge.pair(device, by: label, pin: pin, by: who, source: source, answer: answer)
  }

  /// Hashes the PIN on the caller's thread, if one is given.
  public func unpair(
    _ device: DeviceID, pin: String?, by who: String, source: PINSource,
    answer: @escaping @Sendable (PairingRefusal?) -> Void
  ) {
    bridge.unpair(device, pin: pin, by: who, source: source, answer: answer)
  }

  /// How long this source must wait; nil if it may try now.
  public func pinWait(for source: PINSource) -> Interval? { bridge.pinWait(for: source) }

  /// Blocks until the mail system has the mail, or for 10 s if the store does not answer.
  public func forgotPIN(
    by who: String, source: PINSource, answer: @escaping @Sendable (Answer) -> Void
  ) {
    bridge.forgotPIN(by: who, source: source, answer: answer)
  }

  /// Looks at the folder; throws `StorageFailure`.
  public func files() throws -> [StoredFile] { try store.listFiles() }

  /// Reads the store; throws `StorageFailure`.
  public func lastLogID() throws -> Int64 { try store.lastLogID() }

  /// Reads the store; throws `StorageFailure`.
  public func log(_ search: LogSearch) throws -> [LogEntry] { try store.log(search) }

  /// Reads the store; throws `StorageFailure`.
  public func incidents(limit: Int, before: IncidentID?) throws -> [Incident] {
    try store.incidents(limit: limit, before: before)
  }

  /// Reads the store; throws `StorageFailure`.
  public func incident(_ id: IncidentID) throws -> Incident? { try store.incident(id) }

  /// Reads the store and makes the JSON; throws `StorageFailure`.
  public func document(of incident: IncidentID) throws -> [UInt8]? {
    try store.document(of: incident).map { Array(try $0.json().utf8) }
  }

  /// Reads the store and makes the XML; throws `StorageFailure`.
  public func alert(of incident: IncidentID) throws -> [UInt8]? {
    guard let (incident, document) = try store.record(of: incident) else { return nil }
    let now = Timestamp(boot: 0, instant: Instant(microseconds: 0), wall: wall)
    return Array(CAPAlert(incident, document, account: account, now: now).xml.utf8)
  }

  /// A reader of the bridge's feed: it reads the store only for older entries.
  public func lines(after: Int64, matching filter: LogFilter) -> any LineReader {
    bridge.feed.reader(after: after, matching: filter)
  }
}

/// The accounts of this process.
public struct LiveAccounts: CoreAccounts {
  private let bridge: AlertBridge

  /// - Parameter bridge: of the first account.
  public init(of bridge: AlertBridge) { self.bridge = bridge }

  /// As they are served now.
  public var numbers: [AccountNumber] { bridge.accounts.map(\.number) }

  /// Asks each account, and waits for its lock only.
  public var states: [EmergencyState: Int] {
    bridge.accounts.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
  }

  /// As it is served now.
  public func core(of account: AccountNumber) -> (any Core)? {
    bridge[account].map { LiveCore(bridge: $0, store: $0.store) }
  }

  /// Asks each account, and waits for its lock only.
  public func account(ofOwner email: String) -> AccountNumber? {
    guard !email.isEmpty else { return nil }
    return bridge.accounts.first { $0.account.email.lowercased() == email.lowercased() }?.number
  }

  /// Looks it up, and waits for nothing.
  public func account(withKeychain keychain: String) -> AccountNumber {
    bridge.account(withKeychain: keychain).number
  }

  /// Writes to the disk.
  public func make(_ profile: AccountChange.Profile, by who: String) throws -> AccountNumber {
    try bridge.makeAccount(profile, by: who).number
  }

  /// As it is now.
  public func isSuspended(_ account: AccountNumber) -> Bool { bridge[account]?.isSuspended == true }

  /// Writes to the disk.
  public func suspend(_ account: AccountNumber, _ isSuspended: Bool) throws {
    try served(account).suspend(isSuspended)
  }

  /// Writes to the disk, which may take seconds where the store is large.
  public func delete(_ account: AccountNumber, by who: String) throws {
    try served(account).delete(by: who)
  }

  /// Reads the store, one moment of it.
  public func export(_ account: AccountNumber, to write: (String) throws -> Void) throws {
    try served(account).store.export(to: write)
  }

  /// Somebody may have deleted it since it was asked for.
  private func served(_ account: AccountNumber) throws(Problem) -> AlertBridge {
    guard let bridge = bridge[account] else { throw .unknownAccount }
    return bridge
  }
}

extension EventFeed.Reader: LineReader {}

extension CAPAlert {
  /// Each change of an incident has a log entry or is a further position of its track, so both
  /// together name a state of it.
  fileprivate init(
    _ incident: Incident, _ document: IncidentDocument, account: Account, now: Timestamp
  ) {
    let (entry, fix) = (document.log.last, document.track.last)
    let messages = Dictionary(
      document.notifications.map { ($0.sequence, $0.decided.wall) }, uniquingKeysWith: min)
    self.init(
      incident, revision: "state-\(entry?.id ?? 0)-\(document.track.count)",
      messages: messages.sorted { $0.key < $1.key }.suffix(64).map {
        MessageTime(sequence: $0.key, wall: $0.value)
      },
      changed: max(entry?.at.wall ?? 0, fix?.at.wall ?? 0, incident.openedAt.wall),
      account: account, now: now)
  }
}
