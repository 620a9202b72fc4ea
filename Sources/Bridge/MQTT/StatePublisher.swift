import AlertCore
import FobBase
import Glibc
public import SerialIO
public import Sinks
import Synchronization
import WireProtocol

/// Tells a broker the state of a core, on a thread of its own: what is kept is told anew whenever
/// it differs, all of it with each connection, and each press once. It carries out what is asked at
/// `TOPIC/command`. A broker that hangs delays nothing but itself.
public final class StatePublisher: Sendable {
  /// A press is told no later: an automation must not begin on an old one.
  private static let pressLasts = Interval.seconds(60)
  /// How often is looked for what no event tells, such as the battery.
  private static let every = Interval.seconds(2)
  /// How often a position is told, unless an alarm is open.
  private static let positionEvery = Interval.seconds(10)

  private let sink: MQTTSink
  private let bridge: AlertBridge
  private let topics: StateTopics
  private let state = Mutex(StateInbox())
  private let signal: EventSignal
  /// Never signalled.
  private let rest: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)

  /// Tells nothing yet. `bridge` is what it tells of, and asks.
  public init(_ sink: MQTTSink, of bridge: AlertBridge) throws(IOFailure) {
    self.sink = sink
    self.bridge = bridge
    topics = StateTopics(topic: sink.topic, discovery: sink.discovery)
    signal = try EventSignal()
    rest = try EventSignal()
  }

  /// Connects and tells until `stop`.
  /// - Parameter onConnection: called with nil at each connection, and with what is wrong where one
  ///   ends or fails, or where the broker takes a topic no longer; it must not wait.
  public func start(
    onConnection: @escaping @Sendable (_ trouble: String?) -> Void
  ) throws(IOFailure) {
    state.withLock { $0.onTrouble = onConnection }
    let birth = sink.discovery.map { HomeAssistant(topics: topics, root: $0).birth }
    try sink.connection.start(
      subscribing: [topics.command, topics.availability] + (birth.map { [$0] } ?? []),
      onConnection: { [self] trouble in
        onConnection(trouble)
        if trouble == nil { wake { $0.renew() } }
      },
      onMessage: { [self] message in
        switch message.topic {
        case topics.command: wake { $0.add(MQTTCommand(message.payload)) }
        // Its own, or that of another core with the same topics, which has ended.
        case topics.availability where message.payload == Array(MQTTSink.online.utf8): break
        default: wake { $0.renew() }
        }
      })
    let started = try BlockingThread(name: "state \(sink.name)") { [self] in run() }
    thread.withLock { $0 = started }
  }

  /// Says that nothing is there any more, and ends.
  public func stop() {
    wake { $0.stop() }
    _ = thread.withLock { $0.take() }?.join(within: .seconds(1))
    sink.connection.stop()
  }

  /// Takes an event of the bridge: a watcher, so it does not wait.
  public func tell(_ event: BridgeEvent) {
    switch event {
    case .auditEvent(let auditEvent):
      let press = press(of: auditEvent)
      wake { state in press.map { state.add($0) } }
    case .led, .located, .notice, .stages, .otherAuditEvent: break
    }
  }

  private func press(of auditEvent: AuditEvent) -> StateInbox.Press? {
    guard auditEvent.name == .event, case .event(let event)? = auditEvent.facts?.reason,
      event.rawKind == EventKind.pressed.rawValue, let device = auditEvent.device
    else { return nil }
    let text = StateTopics.json(
      StateTopics.Press(
        device: device, event: auditEvent.event ?? "", at: RFC3339.text(auditEvent.at.wall),
        meaning: event.meaning.rawValue))
    return StateInbox.Press(topic: topics.press(device), text: text, at: BootClock.now())
  }

  private func wake(_ change: (inout StateInbox) -> Void) {
    state.withLock { change(&$0) }
    signal.signal()
  }

  // MARK: The thread

  /// What the broker keeps of a topic, and since when.
  private typealias Told = [String: (text: String, at: Instant)]

  private func run() {
    var told: Told = [:]
    while true {
      signal.clear()
      let now = state.withLock { state in
        if state.isNew { told = [:] }
        defer {
          state.isNew = false
          state.commands = []
        }
        return state
      }
      guard !now.isStopping else { break }
      for command in now.commands { perform(command) }
      if sink.connection.isConnected {
        publishPresses()
        let reading = publishChanges(&told, unless: now.urgent)
        publishOutcomes()
        // Reading holds up the core: a tenth of the time at most, however much happens.
        let pause = Interval.microseconds(reading.microseconds * 9)
        _ = try? Syscall.poll(rest.descriptor, for: POLLIN, until: BootClock.now() + pause)
      }
      _ = try? Syscall.poll(signal.descriptor, for: POLLIN, until: BootClock.now() + Self.every)
    }
    _ = put(MQTTSink.offline, topics.availability, isRetained: true)
  }

  /// The core's own topics first, since they tell of an alarm. Ends early where something else has
  /// happened meanwhile, or the broker does not confirm: the rest is told in the next round.
  /// - Parameter seen: what had come when the round began.
  /// - Returns: how long the core was read.
  private func publishChanges(_ told: inout Told, unless seen: UInt64) -> Interval {
    let began = BootClock.now()
    let (status, readings) = (bridge.status, bridge.readings)
    let reading = BootClock.now() - began
    let texts = topics.retained(status, readings)
    let changed = Set(texts.keys).union(told.keys).filter { topic in
      guard let earlier = told[topic] else { return true }
      guard texts[topic] != earlier.text else { return false }
      let isPosition = topic.hasSuffix(StateTopics.position) && texts[topic] != nil
      return !isPosition || status.state.isOpen
        || BootClock.now() - earlier.at >= Self.positionEvery
    }
    for topic in topics.sorted(changed) {
      // An empty text takes away what the broker keeps.
      if put(texts[topic] ?? "", topic, isRetained: true) {
        told[topic] = texts[topic].map { ($0, BootClock.now()) }
      } else if !sink.connection.isConnected || BootClock.now() - began > Self.every {
        break
      }
      guard state.withLock({ $0.urgent == seen }) else { break }
    }
    return reading
  }

  /// The broker does not keep them.
  private func publishPresses() {
    let oldest = BootClock.now() - Self.pressLasts
    while let press = state.withLock({ $0.presses.first }) {
      guard press.at < oldest || put(press.text, press.topic) else { break }
      state.withLock { _ = $0.presses.removeFirst() }
    }
  }

  private func publishOutcomes() {
    while let outcome = state.withLock({ $0.outcomes.first }) {
      guard put(StateTopics.json(outcome), topics.result) else { return }
      state.withLock { _ = $0.outcomes.removeFirst() }
    }
  }

  private func put(_ text: String, _ topic: String, isRetained: Bool = false) -> Bool {
    do throws(SinkFailure) {
      try sink.connection.publish(Array(text.utf8), to: topic, isRetained: isRetained)
      return true
    } catch {
      // That it has gone is told by the connection.
      guard sink.connection.isConnected else { return false }
      let words = "\(topic) is not told: \(error.reason)"
      let (isNews, notice) = state.withLock { state in
        defer { state.refusal = words }
        return (state.refusal != words, state.onTrouble)
      }
      if isNews { notice?(words) }
      return false
    }
  }

  // MARK: Commands

  private func perform(_ command: MQTTCommand?) {
    guard let command else { return wake { $0.add(MQTTCommand.Outcome.unreadable) } }
    let who = "mqtt:\(sink.name)"
    let answer: @Sendable (Answer) -> Void = { [weak self] answer in
      let refusal = answer.refusal.map { (code: $0.code, text: "\($0)") }
      self?.wake { $0.add(MQTTCommand.Outcome(command, refusal)) }
    }
    let incident = bridge.status.incident
    guard let incident, incident.state.isOpen, incident.id.description == command.incident else {
      let refusal = UserCommand.Refusal.nothingOpen
      let outcome = MQTTCommand.Outcome(
        command, (refusal.code, "the incident that it names is not open"))
      return wake { $0.add(outcome) }
    }
    let contact = command.contact ?? who
    switch command.command {
    // What changes nothing is not logged again: anybody who may write here could fill the disk.
    case .acknowledge where incident.acknowledgedBy.contains(contact),
      .silence where !incident.sounder:
      wake { $0.add(MQTTCommand.Outcome(command, nil)) }
    case .acknowledge: bridge.perform(.acknowledge(contact), by: who, answer: answer)
    case .silence: bridge.perform(.silence, by: who, answer: answer)
    case .disarm:
      bridge.disarm(pin: command.pin ?? "", by: who, source: .token(who), answer: answer)
    }
  }
}
