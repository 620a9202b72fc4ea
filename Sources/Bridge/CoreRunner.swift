import AlertCore
import FobBase
import SerialIO
import Storage
import Synchronization
import WireProtocol

/// Runs the core: one mutex round the pure machines, a commit thread and a timer thread. When a
/// thread hands in an input, its effects are performed before the call returns, unless another
/// thread is performing effects already: that one takes them over.
final class CoreRunner: CoreEndpoint {
  struct Machines {
    var core: AlertCore
    /// The time of the last step; the timer handles what has become due since.
    var steppedAt: Timestamp
    /// Effects that are decided and not yet performed.
    var output = CoreOutput()
    /// A thread is performing effects, and takes new ones over.
    var isPerforming = false
    var armed: Instant?
    /// When the account's zone is to be looked at again; nil before the start.
    var zoneDue: Instant?
    var answers: [RequestID: @Sendable (Answer) -> Void] = [:]
    var lastRequest: UInt64 = 0
  }

  /// Work for the commit thread.
  enum CommitWork: Sendable {
    case batch(CommitBatch)
    /// Answer the liveness probe.
    case answer
  }

  let machines: Mutex<Machines>
  private let boot: UInt64
  let clock: HostClock
  let store: AlertStore
  let commit: AlertBridge.Commit
  let feed: EventFeed
  private let devices: DeviceRegistry
  private let sinkQueues: SinkQueues
  let commits: BoundedQueue<CommitWork>
  let commitSign: LivenessProbe
  let alarm: TimerFD
  /// People are asked by the wall clock, which may be set at any time.
  let wallClock: WallClockWatch
  let stopSignal: EventSignal
  /// Signalled after a step if a thread waits for its result.
  let steps: EventSignal
  /// How many threads wait for the result of a step.
  let waiting = Atomic(0)
  let isStopping = Atomic(false)

  init(
    _ clock: HostClock, _ store: AlertStore, _ feed: EventFeed, _ devices: DeviceRegistry,
    _ sinkQueues: SinkQueues, commit: @escaping AlertBridge.Commit,
    core: (StoredState, Timestamp) -> AlertCore
  ) throws {
    boot = try BootID.current()
    self.clock = clock
    self.store = store
    self.commit = commit
    self.feed = feed
    self.devices = devices
    self.sinkQueues = sinkQueues
    // Room for one batch and one question of the liveness probe.
    commits = try BoundedQueue(limit: 2)
    commitSign = try LivenessProbe()
    alarm = try TimerFD()
    wallClock = try WallClockWatch()
    stopSignal = try EventSignal()
    steps = try EventSignal()
    let now = clock.timestamp(boot: boot)
    machines = Mutex(Machines(core: core(try store.load(), now), steppedAt: now))
  }

  func timestamp() -> Timestamp { clock.timestamp(boot: boot) }

  /// Reads the machines as they are now.
  func read<R: Sendable>(_ body: (borrowing AlertCore, Timestamp) -> R) -> R {
    machines.withLock { body($0.core, timestamp()) }
  }

  func shown(on link: LinkID) -> Indication? { read { $0.indication(at: $1, on: link) } }

  // MARK: Steps

  /// Hands one input to the core. Effects are performed outside the lock, so that no press waits
  /// for system calls of an earlier input.
  /// - Returns: when the core had decided.
  @discardableResult
  func handle(_ input: CoreInput) -> Instant {
    let input = clock.isMoved ? clock.moved(input) : input
    let (decided, isOurs) = machines.withLock { machines in
      machines.steppedAt = timestamp()
      machines.core.step(input, at: machines.steppedAt, into: &machines.output)
      defer { machines.isPerforming = true }
      return (BootClock.now(), !machines.isPerforming)
    }
    if isOurs { performAll() }
    if waiting.load(ordering: .acquiring) > 0 { steps.signal() }
    return decided
  }

  /// - Parameter input: makes the input out of the number of the question.
  func ask(
    _ input: (RequestID) -> CoreInput, answer: @escaping @Sendable (Answer) -> Void
  ) {
    let request = machines.withLock { machines in
      machines.lastRequest += 1
      let request = RequestID(rawValue: machines.lastRequest)
      machines.answers[request] = answer
      return request
    }
    handle(input(request))
  }

  private func performAll() {
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
      runner.devices.acknowledge(ack, on: link)
    }

    func commit(_ batch: CommitBatch) {
      let isTaken = runner.commits.put(.batch(batch))
      precondition(isTaken || runner.isStopping.load(ordering: .acquiring))
    }

    func deliver(_ notification: Notification) {
      if let refusal = runner.sinkQueues.put(notification) {
        runner.handle(.answered(key: notification.key, error: refusal))
      }
    }

    func indicate(_ indication: Indication, to links: [LinkID]?) {
      runner.devices.indicate(indication, to: links)
    }

    func answer(_ request: RequestID, _ answer: Answer) {
      // Called outside the lock: the receiver may ask again.
      let tell = runner.machines.withLock { $0.answers.removeValue(forKey: request) }
      tell?(answer)
    }

    func tell(_ event: AuditEvent) { runner.devices.events.tell(.auditEvent(event)) }
  }

  /// Sets the timer after the effects, which do not depend on it. It is only set earlier, never
  /// later: a timer that fires too early finds nothing to do.
  private func arm(_ machines: inout Machines) {
    let core = machines.core.nextWake(after: machines.steppedAt)?.at
    guard let wake = Instant.earlier(core, machines.zoneDue) else { return }
    if let armed = machines.armed, armed <= wake { return }
    machines.armed = wake
    alarm.set(at: clock.own(wake))
  }
}
