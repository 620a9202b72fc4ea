import AlertCore
import Control
import FobBase
import SerialIO
import Synchronization
import Transport
import WireProtocol

/// One device at the bridge: its line, and the way of a press into the core. What it decides is
/// `HostSession`; here are the lock, the line and those who watch.
///
/// `onBytes` is the alarm path: it runs on the device's reader thread, from the read that returned
/// to the effects of the engine, without a hop.
final class DeviceSession: Sendable {
  let id: LinkID
  let spec: DeviceSpec
  /// As a tap calls it: made once, since that costs an allocation.
  private let name: String
  private unowned let bridge: any CoreGate
  private let state: Mutex<State>
  /// How often `due` was called: that its reader lives.
  private let turned = Atomic<UInt64>(0)
  /// Set once, before the line is started.
  private let line = Mutex<(any SessionLine)?>(nil)

  private struct State {
    var host: HostSession
    /// As it was told last.
    var light: BridgeEvent.Light?
    /// Why it cannot be opened, or how it ended.
    var obstacle: String?
    var voice = LineVoice()
    /// Filled and emptied by the reader thread alone; kept for its room.
    var reports: [DeviceReport] = []
  }

  init(_ id: LinkID, _ spec: DeviceSpec, bridge: any CoreGate) {
    self.id = id
    self.spec = spec
    name = spec.description
    self.bridge = bridge
    state = Mutex(State(host: HostSession(id, software: AlertBridge.software)))
  }

  func start() throws(IOFailure) {
    let line = try DeviceLine(
      spec, tuning: bridge.tuning,
      handlers: DeviceLineHandlers(
        onOpen: { [unowned self] in opened(at: $0) },
        onBytes: { [unowned self] in received($0, readAt: $1) },
        nextWake: { [unowned self] in nextWake },
        onWake: { [unowned self] in due(at: $0) },
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
    self.line.withLock { $0 = line }
    try line.start()
  }

  /// As `start`, on a line in memory: it has no thread of its own, and one that has gone stays so.
  func start(by door: MemoryDoor) throws(IOFailure) {
    opened(at: BootClock.now())
    let handlers = ReaderHandlers(
      onBytes: { [unowned self] in received($0, readAt: $1) },
      nextWake: { [unowned self] in nextWake },
      onWake: { [unowned self] in due(at: $0) },
      onGone: { [unowned self] in gone($0) })
    // Known here before a handler is called for it, since that sends.
    try door.open(handlers) { line in self.line.withLock { $0 = line } }
  }

  func stop() { line.withLock { $0 }?.stop() }

  var isOpen: Bool { state.withLock { $0.host.state != nil } }
  var turns: UInt64 { turned.load(ordering: .relaxed) }

  /// Has the reader of an open line take a turn soon.
  /// - Returns: those that it has taken; nil where there is no reader.
  func askForTurn() -> UInt64? {
    guard isOpen, let line = line.withLock({ $0 }) else { return nil }
    defer { line.wake() }
    return turns
  }

  /// As it is now.
  var place: LinePlace {
    state.withLock { state in
      LinePlace(
        spec: spec, device: state.host.device?.text, isOpen: state.host.state != nil,
        obstacle: state.obstacle)
    }
  }

  // MARK: In

  private func received(_ bytes: UnsafeRawBufferPointer, readAt: UInt64) {
    let now = Instant(microseconds: Int64(readAt / 1_000))
    if bridge.tap.isTapped {
      // In turn with what another thread writes: no answer is tapped before what it answers.
      state.withLock { _ in bridge.tap.pass(bytes, device: name, to: .host, at: now) }
    }
    var chunk = bytes
    // Taken out of the lock: what the core answers goes out through it again.
    var (reports, traced, missed, fits, device) = state.withLock { state in
      var reports: [DeviceReport] = []
      swap(&reports, &state.reports)
      var traced: [PressStages] = []
      while let report = state.host.next(
        &chunk, at: now,
        readTrace: { entry, device, fit in
          if let stages = bridge.stages.traced(entry, of: device, fit: fit) {
            traced.append(stages)
          }
        })
      {
        reports.append(report)
      }
      return (
        reports, traced, state.host.missed(),
        (any: state.host.fit, proven: state.host.provenFit), state.host.device
      )
    }
    if let missed { bridge.handle(missed) }
    for stages in traced { tell(.stages(stages), .stages, at: now) }
    for report in reports { handle(report, &device, fits, readAt: now.microseconds) }
    reports.removeAll(keepingCapacity: true)
    state.withLock { swap(&reports, &$0.reports) }
    due(at: now)
  }

  private func handle(
    _ report: DeviceReport, _ device: inout DeviceID?,
    _ fits: (any: TimeSync.Fit?, proven: TimeSync.Fit?), readAt: Int64
  ) {
    if HostSession.learns(from: report, knowing: device) {
      device = state.withLock { state in
        state.host.learn(from: report)
        return state.host.device
      }
    }
    if case .linked(let hello) = report, let trouble = hello.versionTrouble {
      notice(.error, "\(spec): \(trouble)", .version)
    }
    let decided = HostSession.input(of: report, from: id, fit: fits.proven).map {
      bridge.handle($0)
    }
    switch report {
    case .event(let record):
      guard let decided else { return }
      bridge.stages.decided(record, read: readAt, decided: decided.microseconds, fit: fits.any)
    case .heartbeat(let beat):
      let light = BridgeEvent.Light(shown: beat.shown, sounder: beat.flags.contains(.sounder))
      // LED_STATE is said once, and may have been lost.
      if light != state.withLock({ $0.light }) { tellLight(light, of: device) }
    case .position(let fix):
      if let device { tell(.located(device: device.text, fix), .position) }
    case .ledState(let led):
      tellLight(BridgeEvent.Light(shown: led.shown, sounder: led.sounder), of: device)
      reply(to: report)
    case .refused, .trace: reply(to: report)
    case .rejected(let reject):
      notice(
        .warning, "\(spec) did not understand a frame of type \(reject.rejectedType)", .rejected)
    case .linked, .barePress, .clock, .battery, .configResult, .log, .firmwareInfo, .nmeaRaw,
      .nothing:
      break
    }
  }

  private func tellLight(_ light: BridgeEvent.Light, of device: DeviceID?) {
    guard let device else { return }
    state.withLock { $0.light = light }
    tell(.led(device: device.text, light), .light)
  }

  // MARK: Telling, at a pace

  private func tell(
    _ event: BridgeEvent, _ matter: LineVoice.Matter, at now: Instant = BootClock.now()
  ) {
    let told = state.withLock { $0.voice.take(event, matter, at: now) }
    if let told { bridge.tell(told) }
  }

  private func notice(
    _ level: BridgeEvent.Notice.Level, _ text: String, _ matter: LineVoice.Matter
  ) {
    tell(.notice(BridgeEvent.Notice(level: level, text: text)), matter)
  }

  // MARK: Out

  func acknowledge(_ ack: EventAck) {
    if let device = state.withLock({ $0.host.device }) {
      bridge.stages.durable(device, ack.number, at: BootClock.now().microseconds)
    }
    let now = BootClock.now()
    state.withLock { state in
      guard let frames = state.host.acknowledge(ack, at: now) else { return }
      write(frames.ack)
      write(frames.question)
    }
  }

  /// Nil: nobody says now what is true.
  func indicate(_ indication: Indication?) {
    let now = BootClock.now()
    state.withLock { state in
      state.host.indicate(indication, at: now)
      while let frame = state.host.nextFrame(at: now) { write(frame) }
    }
  }

  private func reply(to report: DeviceReport) {
    let now = BootClock.now()
    state.withLock { state in
      if let frame = state.host.reply(to: report, at: now) { write(frame) }
    }
  }

  private func write(_ frame: WireFrame) {
    let line = line.withLock { $0 }
    frame.withBytes { bytes in
      let sent = bridge.tap.isTapped ? BootClock.now() : nil
      let outcome = line?.send(bytes)
      if let sent, outcome == .written || outcome == .queued {
        bridge.tap.pass(bytes, device: name, to: .device, at: sent)
      }
    }
  }

  private var nextWake: Instant? {
    state.withLock { .earlier($0.host.nextWake, $0.voice.due) }
  }

  /// Sends what the clock alone makes due, and tells of noise and silence.
  private func due(at now: Instant) {
    defer { turned.add(1, ordering: .relaxed) }
    let (noise, contest, silence, isUnanswered, held) = state.withLock { state in
      while let frame = state.host.nextFrame(at: now) { write(frame) }
      return (
        state.host.noiseSummary(at: now), state.host.contestSummary(), state.host.silence(),
        state.host.isUnanswered(at: now), state.voice.takeHeld(at: now)
      )
    }
    for event in held { bridge.tell(event) }
    if let noise { notice(.warning, "\(spec): \(Self.words(noise))", .noise) }
    if let contest { notice(.warning, "\(spec): \(Self.words(contest))", .contest) }
    if isUnanswered {
      notice(
        .warning, "\(spec) is open, but nothing answers HELLO: is it a keychain, and is it on?",
        .unanswered)
    }
    if let silence { bridge.handle(silence) }
  }

  private static func words(_ noise: NoiseSummary) -> String {
    var parts: [String] = []
    if noise.damagedFrames > 0 { parts.append("damaged frames: \(noise.damagedFrames)") }
    if noise.echoedFrames > 0 { parts.append("frames of our own: \(noise.echoedFrames)") }
    return "line noise, \(noise.bytes) bytes passed over; \(parts.joined(separator: ", "))"
  }

  private static func words(_ contest: ContestSummary) -> String {
    let times = contest.contradictions == 1 ? "once" : "\(contest.contradictions) times"
    let what =
      contest.isForeign
      ? "its answers name another host's session, \(times): does another program use the line?"
      : "its answers contradict each other, \(times): boot, clock or HELLO are not of one run."
    return what + " New sessions are paced; presses count all the same"
  }

  // MARK: The line itself

  private func opened(at now: Instant) {
    let indication = bridge.shown(on: id)
    state.withLock { state in
      state.host.opened(
        session: UInt32.random(in: 1...UInt32.max), indication: indication, at: now)
      state.light = nil
      state.obstacle = nil
    }
  }

  private func gone(_ reason: GoneReason) {
    let text = "\(reason)"
    let input = state.withLock { state in
      state.obstacle = text
      return state.host.gone(reason: text)
    }
    if let input { bridge.handle(input) }
  }

  private func unavailable(_ failure: IOFailure) {
    state.withLock { $0.obstacle = "\(failure)" }
    notice(.warning, "\(failure); it is opened as soon as that is mended", .closing)
    bridge.handle(.unavailable(id, reason: "\(failure)"))
  }
}
