public import AlertCore
package import Control
public import FobBase
public import SerialIO
public import Sinks
public import Storage
import Synchronization
public import Transport
public import WireProtocol

/// Devices, core, store and sinks wired together: `CoreRunner` decides, commits and keeps the time,
/// `DeviceRegistry` has the lines, each notification channel a thread of its own, and so have the
/// watchers.
public final class AlertBridge: Sendable {
  public static let software = SoftwareVersion(major: 0, minor: 1, patch: 0)

  /// Hands a mail to the mail system: to whom, its subject, its text, and a key by which a repeat
  /// is told from news.
  public typealias Mail =
    @Sendable (_ to: String, _ subject: String, _ text: String, _ key: String) throws -> Void

  /// The address of the page on which a contact says that they have an incident in hand; nil where
  /// contacts can open none.
  public typealias AcknowledgeURL = @Sendable (IncidentID, ContactID) -> String?

  /// Makes a batch durable in a store, and returns what `AlertStore.commit` does.
  public typealias Commit = @Sendable (AlertStore, Changes) throws -> ClosedRange<Int64>?

  let runner: CoreRunner
  let devices: DeviceRegistry
  let store: AlertStore
  /// The log as it is committed.
  public let feed: EventFeed
  private let acknowledgeURL: AcknowledgeURL?
  private let sinkQueues: SinkQueues
  private let threads = Mutex<[BlockingThread]>([])
  private let isStopping = Atomic(false)
  let pins = Mutex(PINGuard())
  let pinMails = Mutex(PINMails())
  let mail: Mail?

  /// - Parameters:
  ///   - commit: called on the commit thread; whoever measures stands in between.
  ///   - watcher: called in order on a thread of its own.
  /// - Throws: `StorageFailure` or `IOFailure` when what an earlier run left cannot be read.
  public init(
    account: Account, policy: Policy = Policy(), store: AlertStore, sinks: [any Sink],
    mail: Mail? = nil, acknowledgeURL: AcknowledgeURL? = nil, clock: HostClock = HostClock(),
    tuning: LineTuning = .standard,
    commit: @escaping Commit = { try $0.commit($1) },
    watcher: @escaping @Sendable (BridgeEvent) -> Void
  ) throws {
    self.store = store
    self.mail = mail
    self.acknowledgeURL = acknowledgeURL
    feed = try EventFeed(store: store)
    sinkQueues = try SinkQueues(sinks, limit: Limits.deliveries)
    devices = try DeviceRegistry(tuning, try EventPublisher(watcher))
    let channels = sinks.compactMap(\.channel)
    runner = try CoreRunner(clock, store, feed, devices, sinkQueues, commit: commit) {
      AlertCore(account: account, channels: channels, policy: policy, recovering: $0, at: $1)
    }
  }

  /// Starts the threads, then opens the devices.
  public func start(_ specs: [DeviceSpec]) throws(IOFailure) {
    try devices.events.start()
    let started = try runner.start() + startSinks()
    threads.withLock { $0 = started }
    // First, so that what an earlier run left goes out by the first way of its contact.
    tellWays()
    handle(.zone(offset: Self.zoneOffset(account.zone)))
    handle(.wake)
    for spec in specs { try add(spec) }
  }

  /// Serves one more device from now on, on a link of its own.
  public func add(_ spec: DeviceSpec) throws(IOFailure) { try devices.add(spec, runner)?.start() }

  /// As above, a device of this process whose line is in memory. Its presses are decided on the
  /// device's thread.
  public func add(_ endpoint: MemoryEndpoint) throws(IOFailure) {
    try devices.add(DeviceSpec(.memory(name: endpoint.name)), runner)?.start(by: endpoint)
  }

  /// Adds every keychain that is plugged in, now and later, once. After `start`.
  public func find(_ match: KeychainMatch) throws(IOFailure) {
    try devices.find(match) { [weak self] in try self?.add($0) }
  }

  /// Closes the devices, finishes the commit that is under way, and ends the threads. A sink that
  /// keeps its thread is left behind: its message goes out again at the next start.
  public func stop() {
    guard !isStopping.exchange(true, ordering: .acquiringAndReleasing) else { return }
    devices.stop()
    runner.stop(within: .milliseconds(500))
    sinkQueues.close()
    feed.close()
    let latest = BootClock.now() + .milliseconds(400)
    // Taken out: each thread's body holds this bridge, and so the store's lock.
    let ending = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in ending where !thread.isCurrent {
      _ = thread.join(within: max(latest - BootClock.now(), .milliseconds(50)))
    }
    // Last, so that what the others still say is heard.
    devices.events.stop(within: max(latest - BootClock.now(), .milliseconds(50)))
  }

  private func startSinks() throws(IOFailure) -> [BlockingThread] {
    try sinkQueues.start(
      // The first use of the zone tables takes tens of milliseconds: not while somebody waits.
      prepare: { [self] in AlertText(account: account).prepare() },
      compose: { [self] in
        OutgoingMessage(
          $0, account: account, acknowledgeURL: acknowledgeURL?($0.incident, $0.contact.id),
          now: runner.timestamp())
      },
      answer: { [self] in handle(.answered(key: $0, error: $1)) })
  }

  // MARK: The core

  @discardableResult
  func handle(_ input: CoreInput) -> Instant { runner.handle(input) }

  /// Why a press could not be decided, committed and acked now; nil where it could: the core
  /// decides, the commit thread answers, and so does the reader of each open line.
  public func obstacleToPress(within patience: Interval) -> String? {
    let deadline = BootClock.now() + patience
    return runner.obstacle(by: deadline) ?? devices.silentReader(by: deadline)
  }

  /// Why a test may not move its clock; nil where it may.
  public var testObstacle: String? {
    TestIdentity.obstacle(account: account, sinks: sinkQueues.sinks)
  }

  // MARK: What people ask

  /// - Parameters:
  ///   - who: for the log: a role or a token's name, never a person's.
  ///   - answer: called once, when the effect is durable or has failed to be, on one of the
  ///     bridge's threads; it must not wait.
  public func perform(
    _ userCommand: UserCommand, by who: String = "", answer: @escaping @Sendable (Answer) -> Void
  ) {
    runner.ask({ .userCommand($0, userCommand, by: who) }, answer: answer)
  }

  /// Which sinks reach whom: as the configuration has it, the first to be tried first.
  func tellWays() {
    let ways = account.contacts.map { ($0.id, sinkQueues.ways(to: $0)) }
    handle(.ways(Dictionary(ways) { $1 }))
  }

  public var account: Account { runner.read { core, _ in core.account } }

  public var status: CoreStatus { runner.read { $0.status(at: $1) } }

  /// The lines of this process as they are now, in the order in which they were added.
  public var lines: [LineState] { devices.lines }

  package var tap: LineTap { devices.tap }
}

/// How often a new PIN may be mailed (R10): three times an hour.
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

/// Who may be told by a process whose time a test moves: nobody who exists.
public enum TestIdentity {
  /// Why it may not run on a test's clock; nil where it may.
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

  /// Domains that nobody can own (RFC 2606, sections 2 and 3).
  static func isTest(mailbox: String) -> Bool {
    guard let at = mailbox.lastIndex(of: "@") else { return false }
    let domain = mailbox[mailbox.index(after: at)...].lowercased()
    return ["example.org", "example.com", "example.net"].contains {
      domain == $0 || domain.hasSuffix("." + $0)
    } || [".example", ".test", ".invalid"].contains { domain.hasSuffix($0) }
  }

  /// Of each area of the North American plan, the hundred numbers kept for fiction: 555-0100 to
  /// 555-0199.
  static func isTest(number: String) -> Bool {
    let digits = Array(number.utf8)
    return digits.count == 12 && digits.starts(with: "+1".utf8)
      && digits[2...].allSatisfy { (0x30...0x39).contains($0) }
      && digits[5...].starts(with: "55501".utf8)
  }
}
