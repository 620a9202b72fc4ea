import AlertCore
import FobBase
import SerialIO
import Sinks
import Storage
import Synchronization
import WireProtocol

/// Runs the core of one account: a mutex round its pure machines. When a thread hands in an input,
/// its effects are performed before the call returns, unless another thread is performing effects
/// of this account already: that one takes them over.
final class CoreRunner: CoreEndpoint {
  struct Machines {
    var core: AlertCore
    /// The time of the last step; the timer handles what has become due since.
    var steppedAt: Timestamp
    /// Effects that are decided and not yet performed.
    var output = CoreOutput()
    /// A thread is performing effects, and takes new ones over.
    var isPerforming = false
    /// What the timer is set to.
    var armed: Instant?
    /// When the account's zone is to be looked at again; nil before the start.
    var zoneDue: Instant?
    /// The account is deleted: nothing is decided here any more.
    var isClosed = false
    var answers: [RequestID: @Sendable (Answer) -> Void] = [:]
    var lastRequest: UInt64 = 0

    /// - Returns: whether the caller is to perform the effects.
    mutating func step(_ input: CoreInput, at now: Timestamp) -> Bool {
      steppedAt = now
      core.step(input, at: now, into: &output)
      defer { isPerforming = true }
      return !isPerforming
    }
  }

  let machines: Mutex<Machines>
  let store: AlertStore
  let feed: EventFeed
  let process: CoreProcess
  private let acknowledgeURL: AlertBridge.AcknowledgeURL?
  /// The lines whose keychains are the account's.
  private let lines = Mutex<Set<LinkID>>([])
  /// How many threads wait for the result of a step.
  let waiting = Atomic(0)

  /// Goes on with what the store has of the account.
  /// - Parameter isNew: the account has been made in this run.
  init(
    _ process: CoreProcess, _ account: Account, _ policy: Policy, _ store: AlertStore,
    _ feed: EventFeed, acknowledgeURL: AlertBridge.AcknowledgeURL?, isNew: Bool = false
  ) throws {
    self.process = process
    self.store = store
    self.feed = feed
    self.acknowledgeURL = acknowledgeURL
    let now = process.timestamp()
    var stored = try store.load()
    if isNew { stored.isNew = true }
    let core = AlertCore(
      account: account, channels: process.sinkQueues.channels, policy: policy,
      recovering: stored, at: now)
    machines = Mutex(Machines(core: core, steppedAt: now))
  }

  func timestamp() -> Timestamp { process.timestamp() }

  /// Reads the machines as they are now.
  func read<R: Sendable>(_ body: (borrowing AlertCore, Timestamp) -> R) -> R {
    machines.withLock { body($0.core, timestamp()) }
  }

  func shown(on link: LinkID) -> Indication? { read { $0.indication(at: $1, on: link) } }

  func core(of device: DeviceID) -> any CoreEndpoint { process.core(of: device) ?? self }

  func take(_ link: LinkID, isGone: Bool) {
    lines.withLock { lines in
      if isGone { lines.remove(link) } else { lines.insert(link) }
    }
  }

  // MARK: Steps

  /// Hands one input to the core. Effects are performed outside the lock, so that no press waits
  /// for system calls of an earlier input.
  /// - Returns: when the core had decided.
  @discardableResult
  func handle(_ input: CoreInput) -> Instant {
    let input = process.clock.isMoved ? process.clock.moved(input) : input
    let (decided, isOurs) = machines.withLock { machines in
      guard !machines.isClosed else { return (BootClock.now(), false) }
      let isOurs = machines.step(input, at: timestamp())
      return (BootClock.now(), isOurs)
    }
    if isOurs { performAll() }
    if waiting.load(ordering: .acquiring) > 0 { process.steps.signal() }
    return decided
  }

  /// - Parameter input: makes the input out of the number of the question.
  func ask(
    _ input: (RequestID) -> CoreInput, answer: @escaping @Sendable (Answer) -> Void
  ) {
    guard let request = question(answer) else { return }
    handle(input(request))
  }

  /// - Returns: the number of a new question; nil where there is no such account any more, as the
  ///   answer says then.
  func question(_ answer: @escaping @Sendable (Answer) -> Void) -> RequestID? {
    let request: RequestID? = machines.withLock { machines in
      guard !machines.isClosed else { return nil }
      machines.lastRequest += 1
      let request = RequestID(rawValue: machines.lastRequest)
      machines.answers[request] = answer
      return request
    }
    if request == nil { answer(.gone) }
    return request
  }

  func performAll() {
    var output = CoreOutput()
    var effects = Effects(runner: self)
    while true {
      machines.withLock { machines in
        swap(&output, &machines.output)
        machines.isPerforming = !output.isEmpty
        if output.isEmpty { arm(&machines) }
      }
      guard !output.isEmpty else { return }
      output.perform(by: &effects)
      output.removeAll()
    }
  }

  /// No effect waits: each writes to a line that never blocks, or puts into a bounded queue.
  private struct Effects: EffectPerformer {
    let runner: CoreRunner

    func acknowledge(_ ack: EventAck, on link: LinkID) {
      runner.process.devices.acknowledge(ack, on: link)
    }

    func commit(_ batch: CommitBatch) {
      let isTaken = runner.process.commits.put(batch, of: runner)
      precondition(isTaken || runner.process.isStopped)
    }

    func deliver(_ notification: Notification) {
      if let refusal = runner.process.sinkQueues.put(notification, from: runner) {
        runner.handle(.answered(key: notification.key, error: refusal))
      }
    }

    func indicate(_ indication: Indication, to links: [LinkID]?) {
      let process = runner.process
      // Where there are several accounts, "all lines" are those of this one.
      let all = process.hasSeveralAccounts ? runner.lines.withLock { $0.sorted() } : nil
      process.devices.indicate(indication, to: links ?? all)
    }

    func answer(_ request: RequestID, _ answer: Answer) {
      // Called outside the lock: the receiver may ask again.
      let tell = runner.machines.withLock { $0.answers.removeValue(forKey: request) }
      tell?(answer)
    }

    func tell(_ event: AuditEvent) {
      let account = runner.store.number
      runner.process.devices.events.tell(
        account == .first ? .auditEvent(event) : .otherAuditEvent(event, of: account))
      if event.name == .incidentOpened || event.name == .pressAdded {
        runner.process.moveOpenPresses(of: account, after: event)
      } else if event.name == .stateChanged {
        runner.process.stateChanged(of: account)
      }
    }
  }

  /// Sets the timer after the effects, which do not depend on it.
  private func arm(_ machines: inout Machines) {
    let core = machines.core.nextWake(after: machines.steppedAt)?.at
    let wake = Instant.earlier(core, machines.zoneDue)
    guard wake != machines.armed else { return }
    machines.armed = wake
    process.timer.set(wake, for: store.number)
  }
}

extension CoreRunner: NotificationSender {
  func compose(_ notification: Notification) -> OutgoingMessage {
    OutgoingMessage(
      notification, account: read { core, _ in core.account },
      acknowledgeURL: acknowledgeURL?(
        notification.incident, notification.contact.id, store.number),
      now: timestamp())
  }

  func answered(_ key: String, _ refusal: String?) { handle(.answered(key: key, error: refusal)) }
}
