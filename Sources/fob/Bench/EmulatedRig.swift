import AlertCore
import Bench
import Bridge
import Emulator
import FobBase
import SerialIO
import Sinks
import Storage
import Synchronization
import WireProtocol

/// Keychains on ptys, and a bridge with its store, in this process: what `fob bench latency`
/// measures where it is given no device. They share a clock, so no stamp is uncertain.
///
/// Bench identity, a role for a contact, and a file for its messages: nobody is paged.
final class EmulatedRig: LatencyRig {
  let devices: [String?]
  let name = "emulated"
  let lead = PressSchedule.lead
  let isPaced = true
  private let keychains: [EmulatedKeychain]
  /// Of the keychains that are to be paired; else there are none.
  private let labels: [LabelCode]
  private let subscriptions: [EventSubscription]
  private let bridge: AlertBridge
  /// Opened when the bridge has heard of the light of each.
  private let linked: OneShot<Void>
  private static let patience = Interval.seconds(10)

  /// - Parameters:
  ///   - isSealed: they are paired with the core (PROTOCOL.md, 15).
  ///   - folder: of this run alone.
  ///   - server: has the rows; nil: SQLite in `folder` has them.
  ///   - plant: a delay to be found.
  init(
    keychains count: Int, isSealed: Bool, folder: String, server: PostgresServer?,
    book: LatencyBook, plant: PlantedDelay?
  ) throws {
    let store = try Self.store(folder + "/state", server)
    let numbers = 1...UInt32(count)
    // No secrets: nobody else is on these lines.
    let labels =
      isSealed
      ? numbers.map { LabelCode(PairingKey(low: UInt64($0), high: 0), of: .bench($0)) }
      : []
    self.labels = labels
    keychains = try numbers.map { number in
      var configuration = EmulatorConfiguration(
        serial: number, linkPath: "\(folder)/keychain-\(number)", bounceSeed: nil)
      configuration.label = isSealed ? labels[Int(number) - 1] : nil
      return try EmulatedKeychain(configuration)
    }
    devices = keychains.map { $0.configuration.deviceID.text }
    subscriptions = keychains.compactMap { keychain in
      let stamps = KeychainStamps(device: keychain.configuration.deviceID.text, book: book)
      return keychain.subscribe { stamps.note($0) }
    }
    let linked = try OneShot<Void>()
    self.linked = linked
    let dark = Mutex(Set(devices.compactMap(\.self)))
    let meter = CommitMeter()
    bridge = try AlertBridge(
      account: BenchAccount.measured, policy: BenchAccount.measuredPolicy, store: store,
      sinks: [try LogSink(path: folder + "/alerts.jsonl")],
      commit: meter.measuring(PlantedDelay.commit(plant))
    ) { event in
      switch event {
      case .stages(let stages):
        book.note(LatencyBook.Key(device: stages.device, event: stages.event)) { sample in
          (sample.read, sample.decided) = (stages.read, stages.decided)
          (sample.durable, sample.committing) = (stages.durable, meter.work(of: stages.durable))
        }
      case .auditEvent(let auditEvent) where auditEvent.name == .committed:
        guard let device = auditEvent.device, let event = auditEvent.event else { return }
        book.committed(LatencyBook.Key(device: device, event: event))
      case .led(let device, _):
        dark.withLock { dark in
          if dark.remove(device) != nil, dark.isEmpty { linked.open(with: ()) }
        }
      default: break
      }
    }
    plant?.put(into: bridge, keychains)
  }

  /// - Throws: `Failure` where the server has what a person may need.
  private static func store(_ folder: String, _ server: PostgresServer?) throws -> AlertStore {
    guard let server else { return try AlertStore(directory: folder) }
    let store = try AlertStore(on: server, directory: folder)
    guard try store.accounts().isEmpty, try store.presses(after: 0, limit: 1).rows.isEmpty else {
      throw Failure(
        .usage, "--store \(server.url) has an account or presses: name a database that is empty")
    }
    return store
  }

  func start() throws {
    for keychain in keychains { try keychain.start() }
    try bridge.start(keychains.map(\.line))
    guard try linked.pass(until: BootClock.now() + Self.patience) != nil else {
      throw Failure(.timedOut, "an emulated keychain is not linked within 10 s")
    }
    for label in labels { try pair(by: label) }
  }

  private func pair(by label: LabelCode) throws {
    let end = try OneShot<PairingRefusal?>()
    bridge.pair(label.device, by: label, pin: nil, by: "bench") { end.open(with: $0) }
    if let refusal = try end.pass() {
      throw Failure(.timedOut, "the emulated keychain is not paired: \(refusal)")
    }
  }

  func press(_ keychain: Int, at due: Instant) throws {
    // Answered long after, if at all: what is not committed is counted as lost.
    keychains[keychain].perform(.pressAt(due, hold: PressSchedule.hold)) { _ in }
  }

  func stop() {
    bridge.stop()
    for keychain in keychains { keychain.stop() }
  }
}

/// The keychain's own stamps of its presses, as its emulator tells them.
private final class KeychainStamps: Sendable {
  private struct State {
    /// The last closing of the contact.
    var edge: Int64?
    /// Acked, and not yet shown as accepted.
    var dark: LatencyBook.Key?
    var presses: Set<String> = []
  }

  private let device: String
  private let book: LatencyBook
  private let state = Mutex(State())

  init(device: String, book: LatencyBook) {
    self.device = device
    self.book = book
  }

  /// On the keychain's thread, when it has done what it tells of.
  func note(_ event: EmulatorEvent) {
    state.withLock { state in
      let key = event.event.map { LatencyBook.Key(device: device, event: $0) }
      switch (event.name, key) {
      case (.closed, _): state.edge = event.at
      case (.committed, let key?) where event.kind == "pressed":
        state.presses.insert(key.event)
        let edge = state.edge
        book.note(key) { ($0.edge, $0.stored, $0.uncertainty) = (edge, event.at, 0) }
      case (.written, let key?) where state.presses.contains(key.event):
        book.note(key) { $0.written = event.at }
      case (.acked, let key?) where state.presses.remove(key.event) != nil:
        book.note(key) { $0.acked = event.at }
        state.dark = key
      case (.shown, _):
        guard event.shown == "accepted", let key = state.dark else { return }
        state.dark = nil
        book.note(key) { $0.lit = event.at }
      default: break
      }
    }
  }
}
