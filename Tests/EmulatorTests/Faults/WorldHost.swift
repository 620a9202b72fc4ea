import AlertCore
import FobBase
import WireProtocol

/// The bridge's machines (`HostSession`, `AlertCore`) as it wires them, with a store and sinks that
/// answer after a moment, in one thread of virtual time.
struct WorldHost {
  static let commitTakes = Interval.milliseconds(1)
  static let sinkTakes = Interval.milliseconds(3)
  /// What the bridge holds back at most for a line that does not take it.
  private static let maxWaiting = Limits.hostTransmitBuffer

  private var session = HostSession(
    LinkID(rawValue: 0), software: SoftwareVersion(major: 0, minor: 1, patch: 0))
  private(set) var core: AlertCore
  /// For the device: whole frames.
  var outbox: [UInt8] = []
  private(set) var store = WorldStore()
  private(set) var incidentsOpened = 0
  private var answers: [(at: Instant, input: CoreInput)] = []
  /// Of the effects that are performed.
  private var now = Instant(microseconds: 0)

  init(at now: Instant) {
    let contacts = [1, 2].map {
      Contact(id: "contact-\($0)", name: "Contact \($0)", address: "contact\($0)@example.org")
    }
    core = AlertCore(
      account: Account(name: "Owner", contacts: contacts, pinHash: "*"), at: Self.timestamp(now))
    session.opened(
      session: 77, nonce: 77, indication: core.indication(at: Self.timestamp(now)), at: now)
  }

  /// Nothing is under way in the core or towards the line.
  var isAtRest: Bool { !core.hasUncommitted && answers.isEmpty && outbox.isEmpty }

  mutating func nextDue(after now: Instant) -> Instant {
    let dues = [core.nextWake(after: Self.timestamp(now))?.at, answers.first?.at, session.nextWake]
    return dues.compactMap { $0 }.min()!
  }

  // MARK: In

  /// One read.
  mutating func hear(_ bytes: UnsafeRawBufferPointer, at now: Instant) {
    perform(session.receive(bytes, at: now), at: now)
  }

  /// What the clock alone makes due.
  mutating func wake(at now: Instant) {
    while let answer = answers.first, answer.at <= now {
      answers.removeFirst()
      if case .committed(let batch) = answer.input { store.commit(batch) }
      handle(answer.input, at: now)
    }
    if let due = core.nextWake(after: Self.timestamp(now))?.at, due <= now {
      handle(.wake, at: now)
    }
    perform(session.wake(at: now), at: now)
  }

  mutating func disarm(at now: Instant) {
    handle(.userCommand(RequestID(rawValue: 1), .disarm), at: now)
  }

  private mutating func perform(_ output: HostOutput, at now: Instant) {
    for frame in output.frames { write(frame) }
    for input in output.inputs { handle(input, at: now) }
  }

  // MARK: The core

  private mutating func handle(_ input: CoreInput, at now: Instant) {
    var output = CoreOutput()
    core.step(input, at: Self.timestamp(now), into: &output)
    self.now = now
    output.perform(by: &self)
  }

  private mutating func answer(_ input: CoreInput, at due: Instant) {
    let place = answers.firstIndex { $0.at > due } ?? answers.count
    answers.insert((due, input), at: place)
  }

  private static func timestamp(_ now: Instant) -> Timestamp {
    Timestamp(boot: 1, instant: now, wall: 1_750_000_000_000_000 + now.microseconds)
  }

  // MARK: Out

  private mutating func write(_ frame: WireFrame) {
    guard outbox.count + frame.count <= Self.maxWaiting else { return }
    frame.withBytes { outbox += $0 }
  }
}

extension WorldHost: EffectPerformer {
  mutating func acknowledge(_ ack: EventAck, on _: LinkID) {
    if let frame = session.acknowledge(ack, at: now) { write(frame) }
  }

  mutating func commit(_ batch: CommitBatch) {
    store.begin(batch)
    answer(.committed(batch.number), at: now + Self.commitTakes)
  }

  mutating func deliver(_ notification: Notification) {
    answer(.answered(key: notification.key, error: nil), at: now + Self.sinkTakes)
  }

  mutating func indicate(_ indication: Indication, to _: [LinkID]?) {
    if let frame = session.indicate(indication, at: now) { write(frame) }
  }

  mutating func answer(_: RequestID, _: Answer) {}

  mutating func tell(_ event: AuditEvent) {
    if event.name == .incidentOpened { incidentsOpened += 1 }
  }
}
