import AlertCore
import ArgumentParser
import Bridge
import Emulator
import FobBase
import SerialIO
import Synchronization
import Transport
import WireProtocol

/// The times of one run, µs, a press each.
struct RealTimeTimes: Codable, Equatable {
  /// First edge to decided.
  var decided: [Int64] = []
  /// Frame written by the keychain to read returned at the bridge.
  var wire: [Int64] = []
  /// Read returned to decided, t2 to t3.
  var engine: [Int64] = []
}

/// One short run: presses one after the other, each awaited.
struct RealTimeBlock {
  private let tuning: LineTuning
  private static let hold = Interval.milliseconds(40)
  private static let patience = Interval.seconds(20)

  init(_ tuning: LineTuning) { self.tuning = tuning }

  /// The stages of the press that was told of last.
  private final class Seen: Sendable {
    let stages = Mutex<PressStages?>(nil)
    let isIdle = Atomic(false)
    let signal: EventSignal

    init() throws(IOFailure) { signal = try EventSignal() }

    func add(_ event: BridgeEvent) {
      switch event {
      case .stages(let new): stages.withLock { $0 = new }
      case .led(_, let light) where light.shown == .idle: isIdle.store(true, ordering: .releasing)
      default: return
      }
      signal.signal()
    }
  }

  func times(ofPresses count: Int) throws -> RealTimeTimes {
    let scratch = try StateFolder.temporary()
    defer { StateFolder.remove(scratch) }
    let keychain = try EmulatedKeychain(EmulatorConfiguration(linkPath: scratch + "/keychain"))
    try keychain.start()
    defer { keychain.stop() }
    var plan = CoreService.Plan(
      folder: scratch, controlPath: scratch + "/bridge.sock", alarm: try AlarmOptions.parse([]))
    plan.tuning = tuning
    plan.isQuiet = true
    let coreService = try CoreService(
      plan, timeline: Timeline(isJSON: true, began: BootClock.now()))
    defer { coreService.stop() }
    let seen = try Seen()
    coreService.watch { seen.add($0) }
    try coreService.start([keychain.line])
    try wait(seen, for: "the keychain") { seen.isIdle.load(ordering: .acquiring) }
    var times = RealTimeTimes()
    for _ in 0..<count {
      guard case .event(let number) = try keychain.perform(.press(hold: Self.hold)) else {
        continue
      }
      try wait(seen, for: "press \(number.text)") {
        seen.stages.withLock { $0?.event == number.text }
      }
      guard let stages = seen.stages.withLock({ $0 }), let edge = stages.edge,
        let written = stages.written
      else { continue }
      times.decided.append(stages.decided - edge)
      times.wire.append(stages.read - written)
      times.engine.append(stages.decided - stages.read)
    }
    return times
  }

  private func wait(_ seen: Seen, for what: String, until isSo: () -> Bool) throws {
    let deadline = BootClock.now() + Self.patience
    while true {
      seen.signal.clear()
      if isSo() { return }
      guard BootClock.now() < deadline else {
        throw Failure(.timedOut, "the run waited 20 s for \(what), in vain")
      }
      _ = try Syscall.poll(seen.signal.descriptor, for: 1, until: deadline)
    }
  }
}
