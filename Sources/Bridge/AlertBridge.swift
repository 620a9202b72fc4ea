public import AlertCore
package import Control
import FobBase
public import SerialIO
public import Sinks
public import Storage
import Synchronization
public import Transport
public import WireProtocol

/// Devices, core, store and sinks wired together. The core is one mutex around the pure machines;
/// committing, telling people and watching each have a thread of their own.
public final class AlertBridge: CoreGate, Sendable {
  public static let software = SoftwareVersion(major: 0, minor: 1, patch: 0)

  private struct Machines {
    var core: AlertCore
    /// Decided and not yet performed, in order.
    var effects: [CoreEffect] = []
    /// A thread is performing effects, and will perform these, too.
    var isPerforming = false
    var armed: Instant?
    var answers: [RequestID: @Sendable (Answer) -> Void] = [:]
    var lastRequest: UInt64 = 0
  }

  /// Hands a mail to the mail system: to whom, its subject, its text, and a key by which a repeat
  /// is told from news.
  public typealias Mail =
    @Sendable (_ to: String, _ subject: String, _ text: String, _ key: String) throws -> Void

  /// The address of the page on which a contact says that they have an incident in hand; nil where
  /// contacts can open none.
  public typealias AcknowledgeURL = @Sendable (IncidentID, ContactID) -> String?

  /// Makes a batch durable in a store, and returns what `AlertStore.commit` does.
  public typealias Commit = @Sendable (AlertStore, Changes) throws -> ClosedRange<Int64>?

  private let machines: Mutex<Machines>
  private let boot: UInt64
  let clock: HostClock
  let store: AlertStore
  private let commit: Commit
  /// The log as it is committed.
  public let feed: EventFeed
  private let acknowledgeURL: AcknowledgeURL?
  let commits: Mailbox<CommitWork>
  /// Of the commit thread, asked for and given.
  let commitSign: LifeSign
  private let sinkQueues: SinkQueues
  private let events: Mailbox<BridgeEvent>
  private let lostEvents = Atomic(0)
  private let alarm: Alarm
  private let watcher: @Sendable (BridgeEvent) -> Void
  /// By the numbers of their links: one is only ever added at the end.
  let sessions = Mutex<[DeviceSession]>([])
  private let finder = Mutex<KeychainFinder?>(nil)
  private let remoteDevices = Mutex<(any CoreOutlet)?>(nil)
  private let threads = Mutex<[BlockingThread]>([])
  /// Ends last, so that what the others still say is heard.
  private let eventThread = Mutex<BlockingThread?>(nil)
  private let stopSignal: EventSignal
  private let isStopping = Atomic(false)
  let pins = Mutex(PINGuard())
  let pinMails = Mutex(PINMails())
  let mail: Mail?
  let stages = StageRecorder()
  package let tap: LineTap
  let tuning: LineTuning

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
    boot = try BootID.current()
    self.store = store
    self.commit = commit
    feed = try EventFeed(store: store)
    self.mail = mail
    self.acknowledgeURL = acknowledgeURL
    self.watcher = watcher
    self.clock = clock
    self.tuning = tuning
    // One batch, and a question whether it is there.
    commits = try Mailbox(limit: 2)
    commitSign = try LifeSign()
    sinkQueues = try SinkQueues(sinks, limit: Limits.deliveries)
    events = try Mailbox(limit: 16_384)
    alarm = try Alarm()
    stopSignal = try EventSignal()
    tap = try LineTap()
    let now = clock.moment(boot: boot)
    machines = Mutex(
      Machines(
        core: AlertCore(
          account: account, channels: sinks.compactMap(\.channel), policy: policy,
          recovering: try store.load(), at: now)))
  }

  /// Starts the threads, then opens the devices.
  public func start(_ devices: [DeviceSpec]) throws(IOFailure) {
    try eventThread.withLock { (thread) throws(IOFailure) in
      thread = try BlockingThread(name: "events") { [self] in eventLoop() }
    }
    let bodies: [(String, @Sendable () -> Void)] = [
      ("commit", { [self] in commitLoop() }),
      ("timer", { [self] in timerLoop() }),
    ]
    for (name, body) in bodies {
      let thread = try BlockingThread(name: name, body)
      threads.withLock { $0.append(thread) }
    }
    try startSinks()
    // First, so that what an earlier run left goes out by the first way of its contact.
    tellWays()
    handle(.zone(offset: Self.zoneOffset(account.zone)))
    handle(.wake)
    for spec in devices { try add(spec) }
  }

  /// Serves one more device from now on, on a link of its own.
  public func add(_ spec: DeviceSpec) throws(IOFailure) { try newSession(spec)?.start() }

  /// As above, a device of this process whose line is in memory. Its presses are decided on the
  /// device's thread.
  public func add(_ door: MemoryDoor) throws(IOFailure) {
    try newSession(DeviceSpec(.memory(name: door.name)))?.start(by: door)
  }

  /// Nil where the bridge is stopping.
  private func newSession(_ spec: DeviceSpec) -> DeviceSession? {
    sessions.withLock { sessions in
      guard !isStopping.load(ordering: .acquiring) else { return nil }
      let session = DeviceSession(LinkID(rawValue: sessions.count), spec, bridge: self)
      sessions.append(session)
      return session
    }
  }

  /// Adds every keychain that is plugged in, now and later, once. After `start`.
  public func find(_ match: KeychainMatch) throws(IOFailure) {
    let serving = sessions.withLock { $0.map(\.spec) }
    let finder = try find(match, beside: serving) { [weak self] in try self?.add($0) }
    self.finder.withLock { $0 = finder }
  }

  /// Closes the devices, finishes the commit that is under way, and ends the threads. A sink that
  /// keeps its thread is left behind: its message goes out again at the next start.
  public func stop() {
    guard !isStopping.exchange(true, ordering: .acquiringAndReleasing) else { return }
    finder.withLock { $0.take() }?.stop()
    for session in sessions.withLock({ $0 }) { session.stop() }
    let patience = BootClock.now() + .milliseconds(500)
    while machines.withLock({ $0.core.hasUncommitted }), BootClock.now() < patience {
      let soon = BootClock.now() + .milliseconds(2)
      _ = try? Syscall.poll(stopSignal.descriptor, for: 0, until: soon)
      // The timer is ending: what nobody waits for becomes due without it.
      handle(.wake)
    }
    commits.close()
    sinkQueues.close()
    feed.close()
    stopSignal.signal()
    let latest = BootClock.now() + .milliseconds(400)
    // Taken out: each thread's body holds this bridge, and so the store's lock.
    let ending = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in ending { Self.join(thread, until: latest) }
    events.close()
    if let thread = eventThread.withLock({ $0.take() }) { Self.join(thread, until: latest) }
  }

  private static func join(_ thread: BlockingThread, until latest: Instant) {
    guard !thread.isCurrent else { return }
    _ = thread.join(within: max(latest - BootClock.now(), .milliseconds(50)))
  }

  // MARK: The core

  /// Hands one input to the core. What follows is performed in order, by this thread or by one
  /// that is at it already: outside the lock, so that no press waits for the system calls of an
  /// earlier input.
  /// - Returns: when the core had decided.
  @discardableResult
  func handle(_ input: CoreInput) -> Instant {
    let (decided, isOurs) = machines.withLock { machines in
      let now = moment()
      machines.core.handle(clock.moved(input), at: now, into: &machines.effects)
      let decided = BootClock.now()
      if let wake = machines.core.nextWake(after: now)?.at { arm(at: wake, &machines) }
      defer { machines.isPerforming = true }
      return (decided, !machines.isPerforming)
    }
    if isOurs { performAll() }
    return decided
  }

  private func performAll() {
    var effects: [CoreEffect] = []
    while true {
      machines.withLock { machines in
        swap(&effects, &machines.effects)
        machines.isPerforming = !effects.isEmpty
      }
      guard !effects.isEmpty else { return }
      for effect in effects { perform(effect) }
      effects.removeAll(keepingCapacity: true)
    }
  }

  /// The timer is only ever moved forward: one that comes too early finds nothing to do.
  private func arm(at wake: Instant, _ machines: inout Machines) {
    if let armed = machines.armed, armed <= wake { return }
    machines.armed = wake
    alarm.set(at: clock.own(wake))
  }

  /// None of these waits: each writes to a line that never blocks, or puts into a bounded queue.
  private func perform(_ effect: CoreEffect) {
    switch effect {
    case .commit(let batch):
      let isTaken = commits.put(.batch(batch))
      precondition(isTaken || isStopping.load(ordering: .acquiring))
    case .ack(let link, let ack):
      guard let session = session(link) else {
        outlet?.acknowledge(ack, on: link)
        return
      }
      session.acknowledge(ack)
    case .indicate(let indication, let links):
      // One of a thousand is found by its number: all are looked through only for a word to all.
      if let links {
        for link in links { session(link)?.indicate(indication) }
      } else {
        for session in sessions.withLock({ $0 }) { session.indicate(indication) }
      }
      outlet?.indicate(indication, to: links)
    case .deliver(let notification):
      if let refusal = sinkQueues.put(notification) {
        handle(.answered(key: notification.key, error: refusal))
      }
    case .answer(let request, let answer):
      // Told outside the lock: whoever is answered may ask on.
      let tell = machines.withLock { $0.answers.removeValue(forKey: request) }
      tell?(answer)
    case .tell(let happening): tell(.happening(happening))
    }
  }

  /// Devices whose lines are not in this process.
  var outlet: (any CoreOutlet)? {
    get { remoteDevices.withLock { $0 } }
    set { remoteDevices.withLock { $0 = newValue } }
  }

  private func session(_ link: LinkID) -> DeviceSession? {
    sessions.withLock { $0.indices.contains(link.rawValue) ? $0[link.rawValue] : nil }
  }

  private func moment() -> Moment { clock.moment(boot: boot) }

  // MARK: A clock that a test moves

  /// Decides all that has become due by it.
  func clockMoved() {
    machines.withLock { $0.armed = nil }
    handle(.clockMoved)
  }

  /// Waits until nothing is due and all that was decided is committed; false at the deadline.
  func isSettled(by deadline: Instant) -> Bool {
    while true {
      let (isDue, isCommitted) = machines.withLock { machines in
        let now = moment()
        let wake = machines.core.nextWake(after: now)
        return (wake.map { $0.at <= now.at } ?? false, !machines.core.hasUncommitted)
      }
      if isCommitted, !isDue { return true }
      guard BootClock.now() < deadline, !isStopping.load(ordering: .acquiring) else { return false }
      if isDue { handle(.wake) }
      let soon = BootClock.now() + .milliseconds(1)
      _ = try? Syscall.poll(stopSignal.descriptor, for: 0, until: soon)
    }
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
    _ verb: Verb, by who: String = "", answer: @escaping @Sendable (Answer) -> Void
  ) {
    let request = machines.withLock { machines in
      machines.lastRequest += 1
      let request = RequestID(rawValue: machines.lastRequest)
      machines.answers[request] = answer
      return request
    }
    handle(.verb(request, verb, by: who))
  }

  /// Which sinks reach whom: as the configuration has it, the first to be tried first.
  func tellWays() {
    let ways = account.contacts.map { ($0.id, sinkQueues.ways(to: $0)) }
    handle(.ways(Dictionary(ways) { $1 }))
  }

  public var account: Account { machines.withLock { $0.core.account } }

  public var status: CoreStatus { machines.withLock { $0.core.status(at: moment()) } }

  /// The lines of this process as they are now, in the order in which they were added.
  public var lines: [LinePlace] { sessions.withLock { $0 }.map(\.place) }

  func shown(on link: LinkID) -> Indication? {
    machines.withLock { $0.core.indication(at: moment()) }
  }

  // MARK: Telling watchers

  func tell(_ event: BridgeEvent) {
    if !events.put(event), !isStopping.load(ordering: .acquiring) {
      lostEvents.add(1, ordering: .relaxed)
    }
  }

  // MARK: Threads

  private func commitLoop() {
    var works: [CommitWork] = []
    while commits.take(into: &works) {
      for work in works {
        guard case .batch(let batch) = work else {
          commitSign.give()
          continue
        }
        let changes = batch.changes
        do {
          let ids = try commit(store, changes)
          handle(.committed(batch.number))
          // Behind it: no keychain waits until readers are woken.
          feed.publish(LogLine.lines(changes.log, ids: ids))
        } catch {
          handle(.commitFailed(batch.number, reason: "\(error)"))
        }
      }
    }
  }

  private func startSinks() throws(IOFailure) {
    let started = try sinkQueues.start(
      // The first use of the zone tables takes tens of milliseconds: not while somebody waits.
      prepare: { [self] in AlertText(account: account).prepare() },
      compose: { [self] in
        OutgoingMessage(
          $0, account: account, acknowledgeURL: acknowledgeURL?($0.incident, $0.contact.id),
          now: moment())
      },
      answer: { [self] in handle(.answered(key: $0, error: $1)) })
    threads.withLock { $0 += started }
  }

  private func eventLoop() {
    var told: [BridgeEvent] = []
    while events.take(into: &told) {
      for event in told { watcher(event) }
      let lost = lostEvents.exchange(0, ordering: .relaxed)
      if lost > 0 { notice(.error, "\(lost) events went untold: the watcher is too slow") }
    }
  }

  private func timerLoop() {
    while !isStopping.load(ordering: .acquiring) {
      try? Syscall.awaitEither(alarm.descriptor, stopSignal.descriptor)
      alarm.clear()
      machines.withLock { $0.armed = nil }
      if !isStopping.load(ordering: .acquiring) { handle(.wake) }
    }
  }
}
