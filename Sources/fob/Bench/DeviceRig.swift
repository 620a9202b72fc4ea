import AlertCore
import Bench
import Bridge
import Conformance
import FobBase
import SerialIO
import Sinks
import Storage
import Synchronization

/// A keychain that is elsewhere: the bridge is in this process, and its clock is fitted to ours, as
/// uncertain as each sample says. An actuator presses, or a person.
final class DeviceRig: LatencyRig {
  let devices: [String?] = [nil]
  let name: String
  let lead = Interval.zero
  let isPaced: Bool
  private let line: DeviceSpec
  private let bridge: AlertBridge
  private let hand: Mutex<any Actuator>
  private let gate: OneShot<Void>

  init(_ line: DeviceSpec, actuator: ActuatorSpec?, folder: String, book: LatencyBook) throws {
    self.line = line
    name = line.description
    let found = actuator == nil ? ConformBench.emulator(of: line) : nil
    let chosen = actuator ?? found.map { .control(path: $0.path) } ?? .none
    isPaced = chosen != .none
    let hand = try chosen.open(serial: found?.serial) { _ in
      throw Failure(.usage, "a prompt cannot press on time: leave --actuator away to press by hand")
    }
    if isPaced, let obstacle = hand.obstacle(to: .button) { throw Failure(.usage, obstacle) }
    self.hand = Mutex(hand)
    let gate = try OneShot<Void>()
    self.gate = gate
    let meter = CommitMeter()
    bridge = try AlertBridge(
      account: BenchAccount.measured, policy: BenchAccount.measuredPolicy,
      store: try AlertStore(directory: folder + "/state"),
      sinks: [try LogSink(path: folder + "/alerts.jsonl")],
      commit: meter.measuring { AlertStore.commit($0) }
    ) { event in
      switch event {
      case .stages(let stages):
        book.note(LatencyBook.Key(device: stages.device, event: stages.event)) {
          $0.take(stages)
          $0.committing = meter.work(of: stages.durable)
        }
      case .auditEvent(let auditEvent) where auditEvent.name == .committed:
        guard let device = auditEvent.device, let event = auditEvent.event else { return }
        book.committed(LatencyBook.Key(device: device, event: event))
      case .led: gate.open(with: ())
      default: break
      }
    }
  }

  func start() throws {
    try bridge.start([line])
    guard try gate.pass(until: BootClock.now() + Self.patience) != nil else {
      throw Failure(.timedOut, "nothing is heard from \(line) within 10 s: is it a keychain?")
    }
  }

  func press(_ keychain: Int, at due: Instant) throws {
    try hand.withLock { try $0.perform(.touch(PressSchedule.hold)) }
  }

  func stop() { bridge.stop() }

  private static let patience = Interval.seconds(10)
}

extension LatencySample {
  /// All that the bridge knows of a press, in place of what stood there.
  mutating func take(_ stages: PressStages) {
    (edge, stored, written) = (stages.edge, stages.stored, stages.written)
    (read, decided, durable) = (stages.read, stages.decided, stages.durable)
    (acked, lit, uncertainty) = (stages.acked, stages.lit, stages.uncertainty)
  }
}
