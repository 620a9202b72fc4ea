import AlertCore
import FobBase
import Testing
import WireProtocol

/// An AlertCore with a clock that is moved by hand, a store and sinks that do as they are told, and
/// a kill switch between any two effects. What must hold at every effect is checked at every effect
/// (`CoreBench+Checks`).
struct CoreBench {
  enum Sink {
    case accepts(after: Interval)
    case refuses
    case silent

    static let acceptsAtOnce = Sink.accepts(after: .zero)
  }

  struct Delivery {
    let at: Timestamp
    let notification: Notification
  }

  /// As the first run found it.
  let account: Account
  let policy: Policy
  let channels: [Contact]
  /// As the configuration has it, at each start.
  let ways: [ContactID: [String]]
  var core: AlertCore
  private(set) var now: Timestamp
  private(set) var store = FakeStore()
  var storeBehaviour = FakeStore.Behaviour.commitsAtOnce
  var sinks: [ContactID: Sink] = [:]
  var otherSinks = Sink.acceptsAtOnce
  /// Effects that are still performed before the core is killed and started again.
  var effectsUntilKill: Int?

  // What came out, over all runs.
  private(set) var deliveries: [Delivery] = []
  private(set) var acks: [EventAck] = []
  private(set) var answers: [RequestID: Answer] = [:]
  private(set) var auditEvents: [AuditEvent] = []
  private(set) var restarts = 0
  private(set) var commits = 0
  /// What the keychains of the account were told, and of all linked keychains each one by itself.
  var indication: Indication?
  var indications: [Indication] = []
  private(set) var shown: [LinkID: Indication] = [:]
  private(set) var linked: [LinkID: DeviceID] = [:]
  /// Presses handed to the present run.
  var handed: Set<EventIdentity> = []
  var acceptedIncidents: Set<UInt64> = []
  /// Acks of what another account's store has.
  var elsewhere: Set<EventAck> = []

  private var queue: [(at: Int64, input: CoreInput)] = []
  private var hanging: CommitBatch?
  private var lastRequest: UInt64 = 0

  init(
    _ account: Account = .sample(), _ policy: Policy = Policy(), channels: [Contact] = [],
    ways: [ContactID: [String]] = [:]
  ) {
    self.account = account
    self.policy = policy
    self.channels = channels
    self.ways = ways
    now = Timestamp(
      boot: 1, instant: Instant(microseconds: 1_000_000_000), wall: 1_750_000_000_000_000)
    core = AlertCore(account: account, channels: channels, policy: policy, at: now)
    if !ways.isEmpty { hand(.ways(ways)) }
  }

  // MARK: Inputs

  mutating func hand(_ input: CoreInput) {
    handle(input)
    settle()
  }

  /// A press of this moment, as a fitted clock has it.
  mutating func press(_ record: EventRecord) {
    press(record, happenedAt: now.instant...now.instant)
  }

  mutating func press(_ record: EventRecord, happenedAt: ClosedRange<Int64>?) {
    hand(.event(line, record, happenedAt: happenedAt))
  }

  /// - Parameter verb: nil: a PIN was typed that is wrong.
  @discardableResult
  mutating func perform(_ userCommand: UserCommand?) -> RequestID {
    lastRequest += 1
    let request = RequestID(rawValue: lastRequest)
    hand(userCommand.map { .userCommand(request, $0) } ?? .pinRefused(request, .wrong))
    return request
  }

  /// Performs a user command whose answer comes at this very moment.
  mutating func answer(to userCommand: UserCommand?) -> Answer? {
    answers[perform(userCommand)]
  }

  // MARK: Time

  mutating func run(for interval: Interval) { run(until: now + interval) }

  mutating func run(until end: Timestamp) {
    var steps = 0
    while true {
      let wake = core.nextWake(after: now)?.instant
      let answer = queue.map(\.at).min()
      guard let next = [wake, answer].compactMap({ $0 }).min(), next <= end.instant else { break }
      steps = next > now.instant ? 0 : steps + 1
      guard steps < 100 else {
        Issue.record("the core wakes for ever at one moment")
        return
      }
      move(to: max(next, now.instant))
      if answer != next { handle(.wake) }
      settle()
    }
    move(to: end.instant)
  }

  /// The host's wall clock is set; the clock of its boot goes on.
  mutating func moveWall(by interval: Interval) { now.wall += interval.microseconds }

  /// What nobody waits for is durable behind it.
  mutating func commitNotes() { run(for: policy.noteDelay) }

  private mutating func move(to instant: Int64) {
    now = now + .microseconds(instant - now.instant)
  }

  /// Answers that are due at this moment.
  private mutating func settle() {
    while let index = queue.firstIndex(where: { $0.at <= now.instant }) {
      handle(queue.remove(at: index).input)
    }
  }

  // MARK: Kill and restart

  /// - Parameters:
  ///   - boot: another one than before after a reboot of the host.
  ///   - down: how long the host was down by the wall clock; negative when that was set back.
  ///   - keepsHanging: whether the commit that was under way had reached the disk.
  ///   - ways: told before anything else, as a bridge does.
  mutating func restart(
    boot: UInt64? = nil, down: Interval = .zero, keepsHanging: Bool = false,
    telling ways: [ContactID: [String]]? = nil
  ) {
    if keepsHanging, let hanging { store.apply(hanging.changes) }
    hanging = nil
    queue = []
    handed = []
    indication = nil
    shown = [:]
    linked = [:]
    effectsUntilKill = nil
    restarts += 1
    var timestamp = now + down
    if let boot, boot != now.boot {
      timestamp = Timestamp(
        boot: boot, instant: Instant(microseconds: 9_000_000), wall: timestamp.wall)
    }
    now = timestamp
    core = AlertCore(
      account: store.accounts.last ?? account, channels: channels, policy: policy,
      recovering: store.state, at: now)
    let told = ways ?? self.ways
    if !told.isEmpty { hand(.ways(told)) }
    hand(.wake)
  }

  mutating func forgetStoredEvidence() { store.forgetEvidence() }

  /// A store that hung answers after all.
  mutating func wakeStore() {
    storeBehaviour = .commitsAtOnce
    guard let batch = hanging else { return }
    commit(batch)
    settle()
  }

  /// A store that hung fails from now on.
  mutating func failStore() {
    storeBehaviour = .failsAtOnce
    guard let batch = hanging else { return }
    commit(batch)
    settle()
  }

  // MARK: Effects

  private mutating func handle(_ input: CoreInput) {
    var output = CoreOutput()
    let before = core.status(at: now).incident
    notice(input)
    core.step(input, at: now, into: &output)
    noteTaken(input, output)
    checkIncidents(openedBy: input, before: before, output)
    output.perform(by: &self)
    checkSummary()
  }

  private mutating func notice(_ input: CoreInput) {
    switch input {
    case .linkUp(let link, let hello): linked[link] = hello.deviceID
    case .linkDown(let link, _):
      linked[link] = nil
      shown[link] = nil
    case .committed(let number):
      guard let batch = hanging, batch.number == number else { return }
      store.apply(batch.changes)
      hanging = nil
    case .answered(let key, nil):
      if let told = deliveries.first(where: { $0.notification.key == key }) {
        // The light of a message names no incident.
        let isMessage = told.notification.kind == .message
        acceptedIncidents.insert(isMessage ? 0 : told.notification.incident.wire)
      }
    default: break
    }
  }

  /// A press that was left to the device is none that the core has.
  private mutating func noteTaken(_ input: CoreInput, _ output: CoreOutput) {
    let identity: EventIdentity
    switch input {
    case .event(_, let record, _): identity = record.identity
    case .barePress(_, let bare), .unprovedPress(_, let bare): identity = bare
    default: return
    }
    if output.events.contains(where: { $0.name == .event }), identity.kind == .pressed {
      handed.insert(identity)
    }
  }

  private mutating func enqueue(_ input: CoreInput, after delay: Interval) {
    queue.append((now.instant + delay.microseconds, input))
  }
}

extension CoreBench: EffectPerformer {
  mutating func goesOn() -> Bool {
    guard let left = effectsUntilKill else { return true }
    guard left > 0 else {
      restart()
      return false
    }
    effectsUntilKill = left - 1
    return true
  }

  mutating func acknowledge(_ ack: EventAck, on _: LinkID) {
    #expect(store.acks.contains(ack) || elsewhere.contains(ack), "an ack before its commit")
    acks.append(ack)
  }

  mutating func commit(_ batch: CommitBatch) {
    hanging = nil
    commits += 1
    switch storeBehaviour {
    case .commits(let delay) where delay == .zero:
      store.apply(batch.changes)
      enqueue(.committed(batch.number), after: .zero)
    case .commits(let delay):
      hanging = batch
      enqueue(.committed(batch.number), after: delay)
    case .fails(let delay):
      enqueue(.commitFailed(batch.number, reason: "disk full"), after: delay)
    case .silent: hanging = batch
    }
  }

  mutating func deliver(_ notification: Notification) {
    check(notification)
    deliveries.append(Delivery(at: now, notification: notification))
    switch sinks[notification.contact.id] ?? otherSinks {
    case .accepts(let delay):
      enqueue(.answered(key: notification.key, error: nil), after: delay)
    case .refuses: enqueue(.answered(key: notification.key, error: "refused"), after: .zero)
    case .silent: break
    }
  }

  mutating func indicate(_ indication: Indication, to links: [LinkID]?) {
    check(indication, to: links)
    for link in links ?? Array(linked.keys) { shown[link] = indication }
    guard links.map({ $0.isEmpty || !$0.allSatisfy(isAnonymous) }) ?? true else { return }
    self.indication = indication
    indications.append(indication)
  }

  mutating func answer(_ request: RequestID, _ answer: Answer) { answers[request] = answer }

  mutating func tell(_ event: AuditEvent) {
    if let moved = event.transition { #expect(Self.graph.contains("\(moved)"), "R40") }
    auditEvents.append(event)
  }
}

extension Policy {
  /// As many events at once as many lines would bring.
  static let ofManyLines: Policy = {
    var policy = Policy()
    policy.eventPace = RateLimit(burst: 100_000, every: .seconds(1), longest: .seconds(1))
    return policy
  }()
}
