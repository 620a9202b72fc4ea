import AlertCore
import ArgumentParser
import Bench
import Bridge
import Emulator
import FobBase
import Glibc
import SerialIO
import Sinks
import Storage

/// So many emulated keychains, each with a fix and a heartbeat a second, and a bridge with its
/// store that serves them all, in this process.
final class LoadRig {
  private static let patience = Interval.seconds(60)
  private static let calmLateness = Interval.milliseconds(20)
  private static let hold = Interval.milliseconds(40)
  /// Of one keychain, so that each press is over before the next begins.
  private static let maxPresses = 4.0

  private let line: LoadTransport
  private let owners: BenchOwners
  private let fleet: KeychainFleet
  private let store: AlertStore
  private let bridge: AlertBridge
  private let ledger = PressLedger()
  private var subscriptions: [EventSubscription] = []
  private var memory = (before: 0, emulated: 0)

  /// - Parameter folder: of this rig alone.
  init(_ count: Int, on line: LoadTransport, of owners: BenchOwners, folder: String) throws {
    self.line = line
    self.owners = owners
    memory.before = ProcessUsage.now().resident
    fleet = try KeychainFleet(
      (1...count).map { number in
        EmulatorConfiguration(
          serial: UInt32(number), line: line.spec(number, in: folder),
          gps: .stationary(latitude: 514_778_000, longitude: -15_000), bounceSeed: nil)
      }, isDirect: line == .memory)
    store = try AlertStore(directory: folder + "/state")
    bridge = try AlertBridge(
      account: owners == .one ? BenchAccount.measured : .none, store: store,
      sinks: [SilentSink(ledger: ledger)]
    ) { [ledger] event in
      if case .stages(let stages) = event { Self.note(stages, in: ledger) }
    }
    subscriptions = fleet.keychains.compactMap { keychain in
      let device = keychain.configuration.deviceID.text
      return keychain.subscribe { [ledger] event in Self.note(event, of: device, in: ledger) }
    }
  }

  private static func note(_ stages: PressStages, in ledger: PressLedger) {
    let key = PressLedger.Key(device: stages.device, event: stages.event)
    let known: [(PressLedger.Stage, Int64?)] = [
      (.decided, stages.decided), (.durable, stages.durable), (.lit, stages.lit),
    ]
    for case (let stage, let instant?) in known { ledger.note(stage, of: key, at: instant) }
  }

  private static func note(_ event: EmulatorEvent, of device: String, in ledger: PressLedger) {
    switch event.name {
    case .closed: ledger.closed(device, at: event.at)
    case .committed:
      guard event.kind == "pressed", let number = event.event else { return }
      ledger.note(.stored, of: PressLedger.Key(device: device, event: number), at: event.at)
    default: break
    }
  }

  /// Returns when every keychain is linked.
  func start() throws {
    try fleet.start()
    memory.emulated = ProcessUsage.now().resident
    let endpoints = fleet.keychains.compactMap(\.endpoint)
    if owners == .each {
      for keychain in fleet.keychains {
        _ = try bridge.add(BenchAccount.measured(with: keychain.configuration.deviceID))
      }
    }
    try bridge.start(line == .memory ? [] : fleet.keychains.map(\.line))
    for endpoint in endpoints { try bridge.add(endpoint) }
    let deadline = BootClock.now() + Self.patience
    for keychain in fleet.keychains {
      let left = max(deadline - BootClock.now(), .milliseconds(1))
      do throws(CommandRefusal) {
        _ = try keychain.perform(.wait(.linked, within: left))
      } catch {
        throw Failure(.timedOut, "\(keychain.configuration.deviceID.text) is not linked: \(error)")
      }
    }
  }

  /// Waits until the boots and link-ups of them all are worked off and the fleet is on time again,
  /// or patience ends: what is measured is what goes on, not how it began.
  func calm() throws {
    let deadline = BootClock.now() + Self.patience
    let signal = try EventSignal()
    while BootClock.now() < deadline {
      let before = fleet.pace
      _ = try Syscall.poll(signal.descriptor, for: 0, until: BootClock.now() + .seconds(1))
      guard let pace = fleet.pace?.since(before), pace.lateness(at: 0.99) > Self.calmLateness
      else { return }
    }
  }

  func stop() {
    bridge.stop()
    fleet.stop()
  }

  /// Presses on a schedule that waits for no answer, one keychain after the other, and what came of
  /// it.
  /// - Parameters:
  ///   - rate: presses a second of all keychains together, as far as they can make them; or 0.
  ///   - warmUp: before the stretch that counts.
  func measure(_ stretch: Interval, rate: Double, warmUp: Interval) throws -> LoadStep {
    let count = fleet.keychains.count
    var step = LoadStep(keychains: count, rate: rate)
    let pause =
      rate == 0
      ? nil : Interval.microseconds(Int64(1e6 / min(rate, Double(count) * Self.maxPresses)))
    try press(from: BootClock.now(), for: warmUp, every: pause)
    let before = ProcessUsage.now()
    let paceBefore = fleet.pace
    let began = BootClock.now()
    try press(from: began, for: stretch, every: pause)
    let after = ProcessUsage.now()
    let spent = BootClock.now() - began
    step.seconds = Double(spent.microseconds) / 1e6
    let each = Double(count) * step.seconds
    let emulator =
      after.spent(by: "keychains", since: before) + after.spent(by: "keychain", since: before)
    let all = after.processorTime - before.processorTime
    step.emulatorTime = Double(emulator) / each
    step.bridgeTime = Double(all - emulator) / each
    step.emulatorMemory = (memory.emulated - memory.before) / count
    step.bridgeMemory = (after.resident - memory.emulated) / count
    step.uses = after.uses(busy: all, in: spent.microseconds)
    if let pace = fleet.pace?.since(paceBefore) {
      step.lateP99 = pace.lateness(at: 0.99).microseconds
      step.lateMost = pace.longest.microseconds
    }
    try settle(&step)
    let start = began.microseconds
    step.pressToDecided = ledger.spread(to: .decided, after: start)
    step.storedToDecided = ledger.spread(from: .stored, to: .decided, after: start)
    step.pressToDurable = ledger.spread(to: .durable, after: start)
    step.pressToTold = ledger.spread(to: .told, after: start)
    step.pressToLight = ledger.spread(to: .lit, after: start)
    step.unseen = ledger.unseen(.decided, after: start)
    return step
  }

  private func press(
    from start: Instant, for stretch: Interval, every pause: Interval?
  ) throws {
    let alarm = try TimerFD()
    var next = start
    var keychain = 0
    while let pause, next < start + stretch {
      alarm.set(at: next)
      _ = try Syscall.poll(alarm.descriptor, for: POLLIN)
      fleet.keychains[keychain].perform(.press(hold: Self.hold)) { _ in }
      keychain = (keychain + 1) % fleet.keychains.count
      next = next + pause
    }
    alarm.set(at: start + stretch)
    _ = try Syscall.poll(alarm.descriptor, for: POLLIN)
  }

  /// Until the core has every press, each once, or patience ends.
  private func settle(_ step: inout LoadStep) throws {
    let deadline = BootClock.now() + Self.patience
    let signal = try EventSignal()
    while true {
      let entries = try bridge.accounts.flatMap { try $0.store.presses() }.map {
        PressLedger.Key(device: $0.device, event: $0.event)
      }
      let pressed = ledger.pressed
      step.presses = pressed.count
      step.lost = pressed.subtracting(entries).count
      step.doubled = entries.count - Set(entries).count
      if step.lost == 0 || BootClock.now() >= deadline { break }
      _ = try Syscall.poll(signal.descriptor, for: 0, until: BootClock.now() + .milliseconds(50))
    }
    // The stamps of the last presses are on their way behind their acks.
    _ = try Syscall.poll(signal.descriptor, for: 0, until: BootClock.now() + .milliseconds(500))
  }
}

/// A notification channel that ends here.
struct SilentSink: Sink {
  /// Notes when the first message of each alarm came.
  var ledger: PressLedger?
  let name = "silent"
  let isTest = true

  func deliver(_ message: OutgoingMessage) {
    let now = BootClock.now().microseconds
    guard message.kind == .raise, let press = Self.opening(message.incident) else { return }
    ledger?.note(.told, of: press, at: now)
  }

  /// The press that the id of its alarm is made of (`IncidentID`).
  private static func opening(_ incident: String) -> PressLedger.Key? {
    let parts = incident.split(separator: "-")
    guard parts.count == 3, let number = UInt32(parts[0].suffix(8), radix: 16),
      let boot = UInt32(parts[1], radix: 16)
    else { return nil }
    return PressLedger.Key(device: String(parts[2]), event: "\(boot).\(number)")
  }
}

/// What the keychains of a load are joined to their bridge by.
enum LoadTransport: String, ExpressibleByArgument, CaseIterable {
  /// In this process, without the kernel: emulator and sessions share a thread.
  case memory = "memory:"
  case unix = "unix:"
  case pty = "pty:"

  /// - Parameter folder: of the rig, short enough for a socket's name.
  func spec(_ number: Int, in folder: String) -> DeviceSpec {
    switch self {
    case .memory: DeviceSpec(.memory(name: "\(number)"))
    case .unix: DeviceSpec(.unix(path: "\(folder)/\(number)"))
    case .pty: DeviceSpec(pty: "\(folder)/\(number)")
    }
  }
}
