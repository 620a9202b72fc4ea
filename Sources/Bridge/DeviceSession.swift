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
  let owner: LineOwner
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
    /// Told how the pairing that is under way has ended.
    var pairing: (@Sendable (PairingTalk.End) -> Void)?
  }

  init(_ id: LinkID, _ spec: DeviceSpec, _ core: any CoreEndpoint, _ devices: DeviceRegistry) {
    self.id = id
    self.spec = spec
    name = spec.description
    owner = LineOwner(id, core)
    self.devices = devices
    var host = HostSession(
      id, software: AlertBridge.software, isRelay: devices.isRelay)
    if let table = devices.keyring?.table {
      host.keys = table.keys
      host.offered = table.offered
    }
    state = Mutex(State(host: host))
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

  /// Puts a frame of a core on another host on the line.
  func relay(_ frame: RelayedFrame) {
    state.withLock { state in
      if let frame = state.host.relay(frame, at: BootClock.now()) { write(frame, to: state.line) }
    }
  }

  /// Frames are numbered and written under the lock, so that they leave in order. Inputs go to the
  /// core outside the lock, since the core's effects come back through it.
  func turn(at now: Instant, _ body: (inout HostSession) -> HostOutput) {
    let (inputs, relayed, told, pairing) = state.withLock { state in
      let output = body(&state.host)
      for frame in output.frames { write(frame, to: state.line) }
      let told = output.events.compactMap { paced($0, at: now, &state) }
      return (output.inputs, output.relayed, told, pairingEnd(output.events, &state))
    }
    for input in inputs {
      if let device = owner.newcomer(in: input) { devices.greet(device) }
      let decided = owner.core(for: input).handle(input)
      if case .event(_, let record, _) = input {
        devices.stages.heard(
          record, read: now.microseconds, decided: devices.isRelay ? nil : decided.microseconds)
      }
    }
    for frame in relayed { owner.core.relay(frame, from: id) }
    for event in told { devices.events.tell(event) }
    if let pairing { BlockingThread.run(named: "pairing", pairing) }
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

  /// Hands a frame to a core on another host, which alone can judge it.
  func relay(_ frame: HostOutput.Relayed, from link: LinkID)

  /// The core of the account that a keychain is of.
  func core(of device: DeviceID) -> any CoreEndpoint

  /// A line has a keychain of this core's account, or it is gone to another account.
  func take(_ link: LinkID, isGone: Bool)
}

extension CoreEndpoint {
  /// A core in this process has the keys: its sessions judge by themselves, and relay nothing.
  func relay(_ frame: HostOutput.Relayed, from link: LinkID) {}

  /// Whose a keychain is, a core on another host decides.
  func core(of device: DeviceID) -> any CoreEndpoint { self }

  func take(_ link: LinkID, isGone: Bool) {}
}
