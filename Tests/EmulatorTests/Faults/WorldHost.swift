import AlertCore
import FobBase
import WireProtocol

/// The host's side as the bridge wires it (`DeviceSession`, `AlertBridge`), with a store and sinks
/// that answer after a moment, in one thread of virtual time.
struct WorldHost {
  static let commitTakes = Interval.milliseconds(1)
  static let sinkTakes = Interval.milliseconds(3)
  /// What the bridge holds back at most for a line that does not take it.
  private static let mostWaiting = Limits.hostTransmitBuffer

  private(set) var link: HostLink
  private(set) var core: AlertCore
  /// For the device: whole frames.
  var outbox: [UInt8] = []
  private(set) var store = WorldStore()
  private(set) var incidentsOpened = 0
  private let line = LinkID(rawValue: 0)
  private var answers: [(at: Instant, input: CoreInput)] = []
  private var nextTrace: UInt32 = 0
  private var hasMoreTrace = false
  private var wasLinked = false

  init(at now: Instant) {
    link = HostLink(
      session: 77, software: SoftwareVersion(major: 0, minor: 1, patch: 0), at: now)
    let contacts = [1, 2].map {
      Contact(id: "contact-\($0)", name: "Contact \($0)", address: "contact\($0)@example.org")
    }
    core = AlertCore(
      account: Account(name: "Owner", contacts: contacts, pinHash: "*"), at: Self.moment(now))
    link.indicate(core.indication(at: Self.moment(now)), at: now)
  }

  /// Nothing is under way in the core or towards the line.
  var isAtRest: Bool { !core.hasUncommitted && answers.isEmpty && outbox.isEmpty }

  mutating func nextDue(after now: Instant) -> Instant {
    let dues = [core.nextWake(after: Self.moment(now))?.at, answers.first?.at, link.nextWake]
    return dues.compactMap { $0 }.min()!
  }

  // MARK: In

  /// One read.
  mutating func hear(_ bytes: UnsafeRawBufferPointer, at now: Instant) {
    var chunk = bytes
    var reports: [DeviceReport] = []
    while let report = link.next(&chunk, at: now) {
      if case .trace = report { readTrace() }
      reports.append(report)
    }
    for report in reports { handle(report, at: now) }
    due(at: now)
  }

  /// What the clock alone makes due.
  mutating func wake(at now: Instant) {
    while let answer = answers.first, answer.at <= now {
      answers.removeFirst()
      if case .committed(let batch) = answer.input { store.commit(batch) }
      handle(answer.input, at: now)
    }
    if let due = core.nextWake(after: Self.moment(now))?.at, due <= now { handle(.wake, at: now) }
    due(at: now)
  }

  mutating func disarm(at now: Instant) {
    handle(.verb(RequestID(rawValue: 1), .disarm), at: now)
  }

  private mutating func handle(_ report: DeviceReport, at now: Instant) {
    switch report {
    case .event(let record): handle(.event(line, record, happenedAt: nil), at: now)
    case .barePress(let identity): handle(.barePress(line, identity), at: now)
    case .linked(let hello):
      nextTrace = 0
      wasLinked = true
      handle(.linkUp(line, hello), at: now)
    case .heartbeat(let beat): handle(.heartbeat(line, beat), at: now)
    case .ledState: askTrace(at: now)
    case .refused(let reject): send(reject, at: now)
    case .trace: if hasMoreTrace { askTrace(at: now) }
    default: break
    }
  }

  private mutating func due(at now: Instant) {
    while let frame = link.nextFrame(at: now) { write(frame) }
    _ = link.noiseSummary(at: now)
    guard wasLinked, link.state == .silent else { return }
    wasLinked = false
    handle(.linkDown(line, reason: "nothing heard"), at: now)
  }

  // MARK: The core

  private mutating func handle(_ input: CoreInput, at now: Instant) {
    var effects: [CoreEffect] = []
    core.handle(input, at: Self.moment(now), into: &effects)
    for effect in effects {
      switch effect {
      case .commit(let batch):
        store.begin(batch)
        answer(.committed(batch.number), at: now + Self.commitTakes)
      case .ack(_, let ack):
        send(ack, at: now)
        askTrace(at: now)
      case .deliver(let notification):
        answer(.answered(key: notification.key, error: nil), at: now + Self.sinkTakes)
      case .indicate(let indication):
        link.indicate(indication, at: now)
        while let frame = link.nextFrame(at: now) { write(frame) }
      case .tell(let happening): if happening.name == .incidentOpened { incidentsOpened += 1 }
      case .answer: break
      }
    }
  }

  private mutating func answer(_ input: CoreInput, at due: Instant) {
    let place = answers.firstIndex { $0.at > due } ?? answers.count
    answers.insert((due, input), at: place)
  }

  private static func moment(_ now: Instant) -> Moment {
    Moment(boot: 1, instant: now, wall: 1_750_000_000_000_000 + now.microseconds)
  }

  // MARK: Out

  private mutating func send(_ payload: some Payload, at now: Instant) {
    write(link.frame(payload, at: now))
  }

  private mutating func write(_ frame: WireFrame) {
    guard outbox.count + frame.count <= Self.mostWaiting else { return }
    frame.withBytes { outbox += $0 }
  }

  private mutating func askTrace(at now: Instant) { send(TraceFrame(first: nextTrace), at: now) }

  private mutating func readTrace() {
    var next = nextTrace
    var count = 0
    link.withPayload { payload in
      TraceFrame.entries(payload) { index, _ in
        count += 1
        if Int32(bitPattern: index &- next) >= 0 { next = index &+ 1 }
      }
    }
    hasMoreTrace = count == TraceEntry.mostInFrame && next != nextTrace
    nextTrace = next
  }
}
