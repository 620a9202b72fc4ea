import AlertCore
import Control
import FobBase
public import SerialIO
import Synchronization
import Transport
import WireProtocol

/// One device at the bridge: its line, and the way of a press into the core. `HostSession` makes
/// the decisions; this class has the lock, the line and the watchers.
///
/// `received` is the alarm path: it runs on the device's reader thread, from the returned read to
/// the effects of the engine, without a hop.
final class DeviceSession: Sendable {
  let id: LinkID
  let spec: DeviceSpec
  /// The device's name for the tap, made once to save an allocation.
  private let name: String
  unowned let core: any CoreEndpoint
  unowned let devices: DeviceRegistry
  let state: Mutex<State>
  /// Counts the reader's turns: it shows that the reader lives.
  let turned = Atomic<UInt64>(0)

  struct State {
    var host: HostSession
    /// Set once, before the line is started.
    var line: (any HostLine)?
    /// Why the line cannot be opened, or how it ended.
    var obstacle: String?
    var voice = LineThrottle()
  }

  init(_ id: LinkID, _ spec: DeviceSpec, _ core: any CoreEndpoint, _ devices: DeviceRegistry) {
    self.id = id
    self.spec = spec
    name = spec.description
    self.core = core
    self.devices = devices
    state = Mutex(State(host: HostSession(id, software: AlertBridge.software)))
  }

  // MARK: Its line

  func start() throws(IOFailure) {
    let line = try DeviceLine(
      spec, tuning: devices.tuning,
      handlers: DeviceLineHandlers(
        onOpen: { [unowned self] in opened(at: $0) },
        onBytes: { [unowned self] in received($0, readAt: $1) },
        nextWake: { [unowned self] in nextWake },
        onWake: { [unowned self] in woken(at: $0) },
        onGone: { [unowned self] in gone($0) },
        onUnavailable: { [unowned self] in unavailable($0) },
        onTuned: { [unowned self] in notice(.info, "\(spec): \($0)", .opening) },
        onModeRestored: { [unowned self] in
          notice(
            .warning,
            "\(spec) was set by another program, as stty does, and is raw again: what came"
              + " meanwhile is damaged; find that program",
            .mode)
        }))
    try start(line)
  }

  /// As `start`, for a line in memory: it has no thread, and does not come back once it is gone.
  func start(by endpoint: MemoryEndpoint) throws(IOFailure) {
    opened(at: BootClock.now())
    let handlers = ReaderHandlers(
      onBytes: { [unowned self] in received($0, readAt: $1) },
      nextWake: { [unowned self] in nextWake },
      onWake: { [unowned self] in woken(at: $0) },
      onGone: { [unowned self] in gone($0) })
    try start(endpoint.line(handlers))
  }

  /// Stores the line before it starts, since its first handler sends on it.
  private func start(_ line: some HostLine) throws(IOFailure) {
    state.withLock { $0.line = line }
    try line.start()
  }

  // MARK: Its turns

  func received(_ bytes: UnsafeRawBufferPointer, readAt: UInt64) {
    let now = Instant(microseconds: Int64(readAt / 1_000))
    turn(at: now) { host in
      // Tapped under the lock, so that the tap shows no answer before its question.
      if devices.tap.isTapped { devices.tap.pass(bytes, device: name, to: .host, at: now) }
      return host.receive(bytes, at: now)
    }
    turned.add(1, ordering: .relaxed)
  }

  /// Nil: the present state is unknown.
  func indicate(_ indication: Indication?) {
    state.withLock { state in
      if let frame = state.host.indicate(indication, at: BootClock.now()) {
        write(frame, to: state.line)
      }
    }
  }

  /// Frames are numbered and written under the lock, so that they leave in order. Inputs go to the
  /// core outside the lock, since the core's effects come back through it.
  func turn(at now: Instant, _ body: (inout HostSession) -> HostOutput) {
    let (inputs, told) = state.withLock { state -> ([CoreInput], [BridgeEvent]) in
      let output = body(&state.host)
      for frame in output.frames { write(frame, to: state.line) }
      return (output.inputs, output.events.compactMap { paced($0, at: now, &state) })
    }
    for input in inputs {
      let decided = core.handle(input)
      if case .event(_, let record, _) = input {
        devices.stages.decided(
          record, read: now.microseconds, decided: decided.microseconds)
      }
    }
    for event in told { devices.events.tell(event) }
  }

  func acknowledge(_ ack: EventAck) {
    let now = BootClock.now()
    let line = state.withLock { state -> (any HostLine)? in
      if let device = state.host.device {
        devices.stages.durable(device, ack.number, at: now.microseconds)
      }
      guard let frame = state.host.acknowledge(ack, at: now) else { return nil }
      write(frame, to: state.line)
      return state.line
    }
    // Wakes the reader, since the device's trace is now to be asked for.
    line?.wake()
  }

  private func write(_ frame: WireFrame, to line: (any HostLine)?) {
    frame.withBytes { bytes in
      let sent = devices.tap.isTapped ? BootClock.now() : nil
      let outcome = line?.send(bytes)
      if let sent, outcome == .written || outcome == .queued {
        devices.tap.pass(bytes, device: name, to: .device, at: sent)
      }
    }
  }
}

/// The device's line: it opens, it goes, and watchers are told.
extension DeviceSession {
  func woken(at now: Instant) {
    turn(at: now) { $0.wake(at: now) }
    let held = state.withLock { $0.voice.takeHeld(at: now) }
    for event in held { devices.events.tell(event) }
    turned.add(1, ordering: .relaxed)
  }

  var nextWake: Instant? {
    state.withLock { .earlier($0.host.nextWake, $0.voice.due) }
  }

  func stop() { line?.stop() }

  private var line: (any HostLine)? { state.withLock { $0.line } }

  var isOpen: Bool { state.withLock { $0.host.state != nil } }
  var turns: UInt64 { turned.load(ordering: .relaxed) }

  /// Asks the reader of an open line to take a turn soon.
  /// - Returns: the number of turns so far; nil if there is no reader.
  func askForTurn() -> UInt64? {
    guard isOpen, let line else { return nil }
    defer { line.wake() }
    return turns
  }

  /// The line as it is now.
  var place: LineState {
    state.withLock { state in
      LineState(
        spec: spec, device: state.host.device?.text, isOpen: state.host.state != nil,
        obstacle: state.obstacle)
    }
  }

  func opened(at now: Instant) {
    let indication = core.shown(on: id)
    state.withLock { state in
      state.obstacle = nil
      state.host.opened(
        session: UInt32.random(in: 1...UInt32.max), indication: indication, at: now)
    }
  }

  func gone(_ reason: GoneReason) {
    let text = "\(reason)"
    state.withLock { $0.obstacle = text }
    turn(at: BootClock.now()) { $0.gone(reason: text) }
  }

  func notice(
    _ level: BridgeEvent.Notice.Level, _ text: String, _ matter: LineThrottle.Matter
  ) {
    let told = state.withLock {
      $0.voice.take(.notice(level, text), matter, at: BootClock.now())
    }
    if let told { devices.events.tell(told) }
  }

  func unavailable(_ failure: IOFailure) {
    state.withLock { $0.obstacle = "\(failure)" }
    notice(.warning, failure.whileRetrying, .closing)
    core.handle(.unavailable(id, reason: "\(failure)"))
  }

  // MARK: Telling, at a pace

  func paced(
    _ event: LinkEvent, at now: Instant, _ state: inout State
  ) -> BridgeEvent? {
    guard let (news, matter) = event.told(of: spec, state.host.device, devices.stages) else {
      return nil
    }
    return state.voice.take(news, matter, at: now)
  }
}

/// A bridge's line at one moment.
public struct LineState: Equatable, Sendable {
  /// Where the device is looked for, as it was configured or found.
  public let spec: DeviceSpec
  /// The keychain that was heard since the line opened, sixteen hexadecimal digits; nil if none
  /// was.
  public let device: String?
  /// The line is open now; a keychain need not have answered.
  public let isOpen: Bool
  /// Why the line cannot be opened, or how it ended; nil while it is open.
  public let obstacle: String?
}

/// The core as a device's session sees it: in this process or on another host.
protocol CoreEndpoint: AnyObject, Sendable {
  /// Hands one input to the core.
  /// - Returns: when the core had decided; for a core on another host, when the input was queued.
  @discardableResult
  func handle(_ input: CoreInput) -> Instant

  /// The indication that a device shows now; nil while the core cannot be asked.
  func shown(on link: LinkID) -> Indication?
}
