import AlertCore
import Bench
import Bridge
import Control
import Emulator
import FobBase
import Glibc
import SerialIO
import Storage
import Synchronization
import WireProtocol

/// An emulated keychain on a socket and a bridge with its store, in this process, and what can
/// befall them. In each trouble a press is made, which has to reach the core.
final class RecoveryRig {
  static let patience = Interval.seconds(10)
  private static let hold = Interval.milliseconds(40)

  private let folder: String
  private let keychain: EmulatedKeychain
  private let receiver: WireReceiver
  private let seen: SeenLinks
  private var subscription: EventSubscription?
  private var running: (bridge: AlertBridge, store: AlertStore)?
  private(set) var pressed: Set<EventNumber> = []

  /// - Parameter folder: of this rig alone.
  init(folder: String) throws {
    self.folder = folder
    keychain = try EmulatedKeychain(
      EmulatorConfiguration(
        line: DeviceSpec(.unix(path: folder + "/line")),
        gps: .stationary(latitude: 514_778_000, longitude: -15_000), bounceSeed: nil))
    let receiver = try WireReceiver()
    self.receiver = receiver
    keychain.tap.listen { direction, bytes, at in
      if direction == .host { receiver.hear(bytes, at: at) }
    }
    let seen = SeenLinks()
    self.seen = seen
    subscription = keychain.subscribe { seen.note($0) }
  }

  func start() throws {
    try keychain.start()
    try startBridge()
    try wait(.linked)
  }

  func stop() {
    subscription?.cancel()
    running?.bridge.stop()
    running = nil
    keychain.stop()
  }

  // MARK: Troubles

  /// One byte of a press's way to the host is hit.
  /// - Parameter place: the byte, counted from the next that the keychain sends.
  /// - Returns: nil if the host was not in step again in time.
  func fault(_ kind: WireFault.Kind, at place: Int, seed: UInt64) throws -> ResyncMeter.Resync? {
    let fault = WireFault(kind, .at(Int64(place)), to: .host, seed: seed)
    let deadline = BootClock.now() + Self.patience
    receiver.begin(
      ResyncMeter(place: place, pause: kind.damages ? 0 : fault.pause.microseconds))
    try perform(.fault(fault))
    let number = try press()
    let resync = try receiver.resync(by: deadline)
    try? wait(.acked(number))
    try perform(.clearFaults)
    return resync
  }

  /// Unplugged, pressed, and plugged in again.
  func replug() throws -> Int64? {
    try perform(.unplug)
    receiver.reset()
    let number = try press()
    let began = BootClock.now().microseconds
    try perform(.replug)
    return try linked(after: began, number)
  }

  /// The bridge ends, the button is pressed, and a bridge starts on the same state.
  func restartBridge() throws -> Int64? {
    running?.bridge.stop()
    running = nil
    let number = try press()
    let began = BootClock.now().microseconds
    try startBridge()
    return try linked(after: began, number)
  }

  /// The button is pressed and the power goes; the time counts from the boot.
  func cutPower() throws -> Int64? {
    let number = try press()
    let cut = BootClock.now().microseconds
    try perform(.powerCut(.milliseconds(50)))
    guard try linked(after: cut, number) != nil else { return nil }
    let times = seen.times
    return times.linked - times.booted
  }

  /// What the core has of the presses.
  func entries() throws -> [EventNumber] {
    try running?.store.presses().compactMap { EventNumber(text: $0.event) } ?? []
  }

  // MARK: Steps

  private func startBridge() throws {
    let store = try AlertStore(directory: folder + "/state")
    let bridge = try AlertBridge(
      account: BenchAccount.measured, policy: BenchAccount.measuredPolicy, store: store,
      sinks: [SilentSink()]
    ) { _ in }
    running = (bridge, store)
    try bridge.start([keychain.line])
  }

  private func press() throws -> EventNumber {
    guard case .event(let number) = try perform(.press(hold: Self.hold)) else {
      throw Failure(.refused, "the keychain made no event of a press")
    }
    pressed.insert(number)
    return number
  }

  /// How long after `began` the keychain was linked, with its press acked; nil if it was not.
  private func linked(after began: Int64, _ number: EventNumber) throws -> Int64? {
    do {
      try wait(.acked(number))
      try wait(.linked)
    } catch {
      return nil
    }
    let linked = seen.times.linked
    return linked >= began ? linked - began : nil
  }

  private func wait(_ goal: EmulatorCommand.Goal) throws {
    try perform(.wait(goal, within: Self.patience))
  }

  @discardableResult
  private func perform(_ command: EmulatorCommand) throws -> EmulatorAnswer {
    do throws(CommandRefusal) {
      return try keychain.perform(command)
    } catch {
      throw Failure(.refused, error.description)
    }
  }
}

/// When a keychain has booted and was linked last, as its emulator tells it: CLOCK_BOOTTIME, µs.
final class SeenLinks: Sendable {
  struct Times: Sendable {
    var booted: Int64 = 0
    var linked: Int64 = 0
  }

  private let state = Mutex(Times())

  var times: Times { state.withLock { $0 } }

  func note(_ event: EmulatorEvent) {
    state.withLock { times in
      if event.name == .booted { times.booted = event.at }
      if event.name == .linked { times.linked = event.at }
    }
  }
}

/// Hears the bytes of an emulated keychain as its faulty line lets them out, and decodes them as a
/// host does.
final class WireReceiver: Sendable {
  private struct State {
    var decoder = FrameDecoder()
    var meter: ResyncMeter?
  }

  private let state = Mutex(State())
  private let signal: EventSignal

  init() throws(IOFailure) { signal = try EventSignal() }

  /// From now on one byte's trouble is measured.
  func begin(_ meter: ResyncMeter) { state.withLock { $0.meter = meter } }

  /// The line was opened anew.
  func reset() { state.withLock { $0 = State() } }

  func hear(_ bytes: UnsafeRawBufferPointer, at now: Instant) {
    let isDone = state.withLock { state in
      var chunk = bytes
      state.meter?.arrived(bytes.count, at: now.microseconds)
      while let outcome = state.decoder.next(&chunk) {
        state.meter?.ended(isGood: outcome == .frame, before: chunk.count)
      }
      return state.meter?.resync != nil
    }
    if isDone { signal.signal() }
  }

  /// Nil if it is not in step by the deadline.
  func resync(by deadline: Instant) throws -> ResyncMeter.Resync? {
    while true {
      if let resync = state.withLock({ $0.meter?.resync }) { return resync }
      guard try Syscall.poll(signal.descriptor, for: POLLIN, until: deadline) != 0 else {
        return nil
      }
      signal.clear()
    }
  }
}
