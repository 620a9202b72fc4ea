public import AlertCore
package import Control
public import FobBase
public import SerialIO
public import Sinks
public import Storage
import Synchronization
public import Transport
public import WireProtocol

/// Wires devices, core, store and sinks together, for one account. `CoreRunner` decides;
/// `CoreProcess` has what all accounts of the process share: the lines, the channels, and the
/// threads that commit and keep the time. The watchers have their own thread.
public final class AlertBridge: Sendable {
  /// This host's version, as HELLO tells it to keychains.
  public static let software = SoftwareVersion(major: 0, minor: 1, patch: 0)

  /// The same for people, as in "0.1.0".
  public static let version = "\(software.major).\(software.minor).\(software.patch)"

  /// Hands a mail to the mail system: receiver, subject, text, and a key that stays the same when
  /// the mail is repeated.
  public typealias Mail =
    @Sendable (_ to: String, _ subject: String, _ text: String, _ key: String) throws -> Void

  /// The address of the page on which a contact says that they have an incident in hand; nil if
  /// contacts can open none.
  public typealias AcknowledgeURL = @Sendable (IncidentID, ContactID, AccountNumber) -> String?

  /// Makes batches durable, as `AlertStore.commit` does.
  public typealias Commit = @Sendable ([AlertStore.Batch]) -> [AlertStore.Committed]

  let process: CoreProcess
  let runner: CoreRunner
  var devices: DeviceRegistry { process.devices }
  /// The records of the account.
  public let store: AlertStore
  let policy: Policy
  /// The committed log, for readers.
  public let feed: EventFeed
  private let acknowledgeURL: AcknowledgeURL?
  let pins = Mutex(PINGuard())
  let pinMails = Mutex(PINMails())
  let mail: Mail?
  let suspended = Atomic(false)

  /// Reads what an earlier run left, and starts nothing.
  /// - Parameters:
  ///   - account: the owner and contacts to begin with; the core has it from then on.
  ///   - policy: how presses are read, and all times of the core.
  ///   - store: where state and log are, with what an earlier run left.
  ///   - sinks: the notification channels, in the order in which they are tried.
  ///   - mail: sends a new PIN; nil: a request for one is refused.
  ///   - acknowledgeURL: makes the link of a message to a contact; nil: messages have none.
  ///   - clock: a test can move it.
  ///   - tuning: of every line and its thread.
  ///   - commit: called on the commit thread; a measurement can wrap the commit here.
  ///   - watcher: called in order on its own thread.
  /// - Throws: `StorageFailure` or `IOFailure` if the stored state cannot be read.
  public init(
    account: Account, policy: Policy = Policy(), store: AlertStore, sinks: [any Sink],
    mail: Mail? = nil, acknowledgeURL: AcknowledgeURL? = nil, clock: HostClock = HostClock(),
    tuning: LineTuning = .standard,
    commit: @escaping Commit = { AlertStore.commit($0) },
    watcher: @escaping @Sendable (BridgeEvent) -> Void
  ) throws {
    let devices = try DeviceRegistry(
      tuning, try EventPublisher(watcher), keyring: Keyring(folder: store.folder))
    process = try CoreProcess(
      clock, devices,
      try SinkQueues(sinks, limit: Limits.deliveries) { [store] in store.isLeading },
      commit: commit)
    self.store = store
    self.policy = policy
    self.mail = mail
    self.acknowledgeURL = acknowledgeURL
    feed = try EventFeed(store: store)
    runner = try CoreRunner(
      process, account, policy, store, feed, acknowledgeURL: acknowledgeURL)
    process.serve(self)
  }

  /// A further account of a process.
  /// - Parameter isNew: it has been made in this run.
  init(_ account: Account, _ store: AlertStore, isNew: Bool, beside first: AlertBridge) throws {
    process = first.process
    self.store = store
    policy = first.policy
    mail = first.mail
    acknowledgeURL = first.acknowledgeURL
    feed = try EventFeed(store: store, capacity: Limits.accountFeedLines)
    runner = try CoreRunner(
      process, account, policy, store, feed, acknowledgeURL: acknowledgeURL, isNew: isNew)
  }

  /// Starts the threads, then opens the devices.
  public func start(_ specs: [DeviceSpec]) throws(IOFailure) {
    try devices.events.start()
    devices.keyring?.clearDrafts()
    if let damage = devices.keyring?.damage {
      devices.events.notice(
        .error, "no keychain is known as paired: \(damage); presses are heard all the same")
    }
    // The first use of the zone tables takes tens of milliseconds, so it happens before a message
    // waits.
    try process.start(prepare: { [self] in AlertText(account: account).prepare() })
    for bridge in accounts { bridge.begin() }
    process.tellOthersEvents()
    process.moveOpenPresses(of: accounts)
    for spec in specs { try add(spec) }
  }

  /// Tells the core what it begins with.
  func begin() {
    // The ways come first, so that messages of an earlier run use the first way of their contact.
    tellWays()
    runner.renewZone()
    tellPaired()
    handle(.keyTrouble(devices.keyring?.damage))
    handle(.wake)
  }

  /// Has `body` called when a keychain links, and for a press that comes earlier, before any
  /// account hears of it. What its line brings waits meanwhile; no other line does. Call it before
  /// `start`. Lines of bridges on other hosts wait for nothing: of them it is not called.
  /// - Parameter body: is given the keychain's id, sixteen hexadecimal digits.
  public func beforeLink(_ body: @escaping @Sendable (_ keychain: String) -> Void) {
    devices.greet(by: body)
  }

  /// Adds a device on its own link, and serves it from now on.
  public func add(_ spec: DeviceSpec) throws(IOFailure) { try devices.add(spec, runner)?.start() }

  /// Adds a device of this process whose line is in memory. Its presses are decided on the device's
  /// thread.
  public func add(_ endpoint: MemoryEndpoint) throws(IOFailure) {
    try devices.add(DeviceSpec(.memory(name: endpoint.name)), runner)?.start(by: endpoint)
  }

  /// Adds every keychain that is plugged in, now or later, once each. Call it after `start`.
  public func find(_ match: KeychainMatch) throws(IOFailure) {
    try devices.find(match) { [weak self] in try self?.add($0) }
  }

  /// Stops the whole process: closes the devices, finishes the commits that are under way, and ends
  /// the threads. A sink that does not return in time is left behind: its message is sent again at
  /// the next start.
  public func stop() { process.stop() }

  // MARK: The core

  @discardableResult
  func handle(_ input: CoreInput) -> Instant { runner.handle(input) }

  /// Why a press could not be decided, committed and acked now; nil if it could. It asks the core,
  /// the commit thread and the reader of each open line, and blocks for up to `patience`.
  public func obstacleToPress(within patience: Interval) -> String? {
    let deadline = BootClock.now() + patience
    return runner.obstacle(by: deadline) ?? devices.silentReader(by: deadline)
  }

  /// Why a test may not move this bridge's clock; nil if it may.
  public var testObstacle: String? {
    accounts.lazy.compactMap { [process] in
      TestIdentity.obstacle(account: $0.account, sinks: process.sinkQueues.sinks)
    }.first
  }

  // MARK: What people ask

  /// Hands a user command to the core.
  /// - Parameters:
  ///   - userCommand: held against no PIN here: `.disarm` is for one that was right already.
  ///   - who: for the log: a role or a token's name, never a person's.
  ///   - answer: called once on one of the bridge's threads, when the effect is durable or has
  ///     failed to be; it must not wait.
  public func perform(
    _ userCommand: UserCommand, by who: String = "", answer: @escaping @Sendable (Answer) -> Void
  ) {
    guard case .change(.claim(let device, let email, let heard, _), let isProven) = userCommand
    else { return runner.ask({ .userCommand($0, userCommand, by: who) }, answer: answer) }
    guard let request = runner.question(answer) else { return }
    process.claim(device, for: runner) {
      let claim = AccountChange.claim(device, email: email, heard: heard, moved: $0)
      return .userCommand(request, .change(claim, isProven: isProven), by: who)
    }
  }

  /// Tells the core which sinks reach which contact, in configured order, and which reach a number
  /// that a slot of the five messages names.
  func tellWays() {
    let people = account.contacts + MessageSlot.numbersAlone
    let ways = people.map { ($0.id, process.sinkQueues.ways(to: $0)) }
    handle(.ways(Dictionary(ways) { $1 }))
  }

  /// What keychains of the account show and where they were last, by id.
  public var readings: [String: KeychainReading] { runner.read { core, _ in core.readings } }

  /// The account as the core has it now; waits for the core's lock only.
  public var account: Account { runner.read { core, _ in core.account } }

  /// The state of the emergency now; waits for the core's lock only.
  public var state: EmergencyState { runner.read { core, _ in core.state } }

  /// The status as it is now; waits for the core's lock only, and asks no keychain.
  public var status: CoreStatus { runner.read { $0.status(at: $1) } }

  /// The check-ins as they are now: a copy, so that lists are made outside of the core's lock.
  public var checkIns: CheckIns { runner.read { core, _ in core.checkIns } }

  /// The five messages as they are now: a copy, as of the check-ins.
  public var messages: QuickMessages { runner.read { core, _ in core.messages } }

  /// The slots whose message can be sent now.
  public var completeSlots: PanicSlots { runner.read { core, _ in core.completeSlots } }
  /// The reviews as they are now: a copy, so that lists are made outside of the core's lock.
  public var reviews: Reviews { runner.read { core, _ in core.reviews } }
  /// How the exercises stand now; waits for the core's lock only.
  public var exercises: ExerciseStatus { runner.read { $0.exerciseStatus(at: $1) } }

  /// The totals of breathing as they are now; waits for the core's lock only.
  public var totals: BreathingTotals { runner.read { core, _ in core.exercises.totals } }
  /// The affirmations as they are now; waits for the core's lock only.
  public var affirmations: Affirmations { runner.read { core, _ in core.affirmations } }
  /// Which reminders the owner gets; waits for the core's lock only.
  public var reminderSettings: ReminderSettings {
    runner.read { core, _ in core.reminderSettings }
  }

  /// Now by the clock of this bridge, µs since 1970.
  public var wall: Int64 { process.clock.wall() }

  /// The lines of this process as they are now, in the order in which they were added.
  public var lines: [LineState] { devices.lines }

  /// Copies the bytes of every line for those who ask.
  package var tap: LineTap { devices.tap }
}

/// Limits mails with a new PIN (R10) to three an hour.
struct PINMails: Sendable {
  private static let most = 3
  private var sent: [Instant] = []

  mutating func take(at now: Instant) -> Bool {
    sent.removeAll { $0 + .minutes(60) <= now }
    guard sent.count < Self.most else { return false }
    sent.append(now)
    return true
  }
}

/// Makes sure that a process whose time a test moves reaches no real person.
public enum TestIdentity {
  /// Why the process may not run on a test's clock; nil if it may.
  public static func obstacle(account: Account, sinks: [any Sink]) -> String? {
    if let sink = sinks.first(where: { !$0.isTest }) {
      return
        "the notification channel '\(sink.name)' reaches real receivers; declare it 'test: true'"
    }
    if !account.email.isEmpty, !isTest(mailbox: account.email) {
      return "the account's e-mail address may be somebody's; use one at example.org"
    }
    if !account.mobile.isEmpty, !isTest(number: account.mobile) {
      return "the account's mobile number may be somebody's; use one of +1 555 555 01xx"
    }
    for contact in account.contacts {
      let isTest =
        contact.numbers.allSatisfy { self.isTest(number: $0) }
        && (contact.email.map { self.isTest(mailbox: $0) } ?? true)
      guard isTest else {
        return "the contact \(contact.id) may be somebody; use an address at example.org or a"
          + " number of +1 555 555 01xx"
      }
    }
    return nil
  }

  /// A domain that nobody can own (RFC 2606, sections 2 and 3).
  static func isTest(mailbox: String) -> Bool {
    guard let at = mailbox.lastIndex(of: "@") else { return false }
    let domain = mailbox[mailbox.index(after: at)...].lowercased()
    return ["example.org", "example.com", "example.net"].contains {
      domain == $0 || domain.hasSuffix("." + $0)
    } || [".example", ".test", ".invalid"].contains { domain.hasSuffix($0) }
  }

  /// A number for fiction: 555-0100 to 555-0199 of any area of the North American plan.
  static func isTest(number: String) -> Bool {
    let digits = Array(number.utf8)
    return digits.count == 12 && digits.starts(with: "+1".utf8)
      && digits[2...].allSatisfy { (0x30...0x39).contains($0) }
      && digits[5...].starts(with: "55501".utf8)
  }
}
