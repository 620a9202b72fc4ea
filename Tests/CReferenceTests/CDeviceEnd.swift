import Firmware
import WireProtocol

/// The device in C as the end under test of a scenario.
final class CDeviceEnd: ScenarioEnd {
  private let bench = CBench()
  private var isOn = false
  /// Scenario time at which the device's clock began, ms.
  private var booted: Int64 = 0
  private var now: Int64 = 0
  private var sent: [[UInt8]] = []

  init() { setBattery(percent: 87) }

  var wire: [UInt8] { bench.wire }

  func run(until ms: Int64) {
    now = ms
    guard isOn else { return }
    bench.run(until: UInt64(ms - booted) * 1_000)
    sent += bench.takeSent()
  }

  func perform(_ step: ScenarioStep) {
    switch step.action {
    case "boot": boot(step)
    case "close": bench.setContact(closed: true)
    case "open": bench.setContact(closed: false)
    case "presses": press(step.count!, every: step.every!, hold: step.hold!)
    case "battery": setBattery(percent: step.percent!)
    case "store": bench.failsWrites = step.state == "failing"
    default: preconditionFailure("a device does no \(step.action ?? "nothing")")
    }
  }

  func receive(_ wire: [UInt8]) { bench.toDevice += wire }

  func takeSent() -> [[UInt8]] {
    defer { sent = [] }
    return sent
  }

  func takeDelivered() -> [(identity: EventIdentity, isWhole: Bool)] { [] }

  private func boot(_ step: ScenarioStep) {
    if step.store == "lost" { bench.eraseStore() }
    booted = now
    isOn = true
    bench.boot(step.cause!, nonce: step.nonce!)
    sent += bench.takeSent()
  }

  private func press(_ count: Int, every: Int64, hold: Int64) {
    for _ in 0..<count {
      let start = now
      bench.setContact(closed: true)
      run(until: start + hold)
      bench.setContact(closed: false)
      run(until: start + every)
    }
  }

  private func setBattery(percent: UInt8) {
    let millivolts = BatteryGauge.millivolts(percent: percent)
    bench.battery = (millivolts, BatteryGauge.percent(millivolts))
  }
}
