import AlertCore
import FobBase
import SerialIO
import Synchronization
import Transport
import WireProtocol

/// The line of a device: opened, gone, and what is told of it.
extension DeviceSession {
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

  /// As `start`, on a line in memory: it has no thread of its own, and one that has gone stays so.
  func start(by door: MemoryDoor) throws(IOFailure) {
    opened(at: BootClock.now())
    let handlers = ReaderHandlers(
      onBytes: { [unowned self] in received($0, readAt: $1) },
      nextWake: { [unowned self] in nextWake },
      onWake: { [unowned self] in woken(at: $0) },
      onGone: { [unowned self] in gone($0) })
    try start(door.line(handlers))
  }

  /// Known here before a handler is called for it, since that sends.
  private func start(_ line: some HostLine) throws(IOFailure) {
    state.withLock { $0.line = line }
    try line.start()
  }

  func stop() { line?.stop() }

  private var line: (any HostLine)? { state.withLock { $0.line } }

  var isOpen: Bool { state.withLock { $0.host.state != nil } }
  var turns: UInt64 { turned.load(ordering: .relaxed) }

  /// Has the reader of an open line take a turn soon.
  /// - Returns: those that it has taken; nil where there is no reader.
  func askForTurn() -> UInt64? {
    guard isOpen, let line else { return nil }
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

  private func opened(at now: Instant) {
    let indication = core.shown(on: id)
    state.withLock { state in
      state.obstacle = nil
      state.host.opened(
        session: UInt32.random(in: 1...UInt32.max), indication: indication, at: now)
    }
  }

  private func gone(_ reason: GoneReason) {
    let text = "\(reason)"
    state.withLock { $0.obstacle = text }
    turn(at: BootClock.now()) { $0.gone(reason: text) }
  }

  private func notice(
    _ level: BridgeEvent.Notice.Level, _ text: String, _ matter: LineVoice.Matter
  ) {
    let told = state.withLock {
      $0.voice.take(.notice(level, text), matter, at: BootClock.now())
    }
    if let told { devices.events.tell(told) }
  }

  private func unavailable(_ failure: IOFailure) {
    state.withLock { $0.obstacle = "\(failure)" }
    notice(.warning, "\(failure); it is opened as soon as that is mended", .closing)
    core.handle(.unavailable(id, reason: "\(failure)"))
  }
}
