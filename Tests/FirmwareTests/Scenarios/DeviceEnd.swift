import FobBase
import WireProtocol

@testable import Firmware

/// The keychain as the end under test.
final class DeviceEnd: ScenarioEnd {
  private var bench: Bench?
  /// The board while it has no power.
  private var board = BenchBoard()
  /// Scenario time at which the device's clock began, ms.
  private var booted: Int64 = 0
  private var now: Int64 = 0
  private var sent: [[UInt8]] = []

  init() { board.millivolts = BatteryGauge.millivolts(percent: 87) }

  var wire: [UInt8] { bench?.board.fromDevice.flatMap(\.bytes) ?? [] }

  func run(until ms: Int64) {
    precondition(ms >= now, "the steps before took longer")
    now = ms
    bench?.run(until: .milliseconds(ms - booted))
    keepSent()
  }

  func perform(_ step: ScenarioStep) {
    switch step.action {
    case "boot": boot(step)
    case "close": change { $0.setContact(closed: true) }
    case "open": change { $0.setContact(closed: false) }
    case "presses": press(step.count!, every: step.every!, hold: step.hold!)
    case "battery": change { $0.millivolts = BatteryGauge.millivolts(percent: step.percent!) }
    case "store": change { $0.store.failsWrites = step.state == "failing" }
    default: preconditionFailure("a device does no \(step.action ?? "nothing")")
    }
  }

  func receive(_ wire: [UInt8]) { bench?.board.toDevice += wire }

  func takeSent() -> [[UInt8]] {
    defer { sent = [] }
    return sent
  }

  func takeDelivered() -> [(identity: EventIdentity, isWhole: Bool)] { [] }

  private func change(_ change: (inout BenchBoard) -> Void) {
    if let bench { change(&bench.board) } else { change(&board) }
  }

  private func boot(_ step: ScenarioStep) {
    let cause = ResetCause(rawValue: step.cause!)!
    if step.store == "lost" { change { $0.store.erase() } }
    booted = now
    if let bench {
      bench.reboot(cause, nonce: step.nonce!)
    } else {
      bench = Bench(cause, nonce: step.nonce!) { new in
        new.millivolts = board.millivolts
        new.store = board.store
        new.resumeContact(closed: board.isClosed)
      }
    }
    keepSent()
  }

  private func press(_ count: Int, every: Int64, hold: Int64) {
    for _ in 0..<count {
      let start = now
      change { $0.setContact(closed: true) }
      run(until: start + hold)
      change { $0.setContact(closed: false) }
      run(until: start + every)
    }
  }

  private func keepSent() {
    guard let bench else { return }
    sent += bench.take().map { frame in
      [
        frame.head.rawValue, frame.rawType, UInt8(frame.sequence & 0xFF),
        UInt8(frame.sequence >> 8),
      ] + frame.payload
    }
  }
}
