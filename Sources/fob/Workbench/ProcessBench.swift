import Bridge
import Console
import Control
import Emulator
import FobBase
import SerialIO
import Synchronization

/// The bench of this process: its bridge's lines, and the keychains that are emulated in it.
///
/// It stands beside the way of a press. The bridge's event thread and the keychains' threads put
/// what happens into a queue, once somebody has looked at the bench; before that they pay one
/// relaxed load.
final class ProcessBench: Workbench {
  private let bridge: AlertBridge
  private let keychains: [EmulatedKeychain]
  private let recorder: BenchRecorder
  private let presses = LivePresses()
  private let runs: ConformanceRuns
  private let subscriptions = Mutex<[EventSubscription]>([])

  /// - Parameter keychains: those that are emulated in this process.
  init(_ bridge: AlertBridge, _ keychains: [EmulatedKeychain]) throws(IOFailure) {
    self.bridge = bridge
    self.keychains = keychains
    recorder = try BenchRecorder(LineNames { [weak bridge] in bridge?.lines ?? [] })
    runs = ConformanceRuns { [recorder] in recorder.tell(.conformance($0)) }
  }

  /// On the bridge's event thread; never waits.
  func tell(_ event: BridgeEvent) {
    if case .stages(let stages) = event { presses.note(stages) }
    recorder.tell(.bridge(event, at: BootClock.now()))
  }

  func stop() {
    runs.stop()
    let ended = subscriptions.withLock { subscriptions in
      defer { subscriptions = [] }
      return subscriptions
    }
    _ = consume ended
    recorder.close()
  }

  // MARK: What the API asks

  func watch() -> BenchFeed {
    open()
    return recorder.feed
  }

  func snapshot() -> [UInt8] {
    let last = watch().last
    let keychains = keychains.compactMap { keychain -> BenchSnapshot.Keychain? in
      guard case .state(let state)? = try? keychain.perform(.state) else { return nil }
      return BenchSnapshot.Keychain(
        device: state.device, serial: keychain.configuration.serial,
        line: keychain.line.description, state: state,
        track: recorder.tracks.track(of: state.device)
      )
    }
    let snapshot = BenchSnapshot(
      last: last, keychains: keychains, lines: bridge.lines.map { BenchSnapshot.Line(place: $0) })
    return Self.json(snapshot)
  }

  func latency() -> [UInt8] { Self.json(presses.summary) }

  func capture(of device: String?) -> [UInt8] { recorder.wire.capture(of: device) }

  func control(
    _ device: String, _ request: [UInt8],
    answer: @escaping @Sendable (Result<[UInt8], WorkbenchRefusal>) -> Void
  ) {
    guard let keychain = keychains.first(where: { $0.configuration.deviceID.text == device }) else {
      return answer(.failure(.unknown("no keychain \(device) is emulated in this process")))
    }
    keychain.carryOut(request) { result in
      answer(result.mapError { .refused($0.description) })
    }
  }

  // MARK: Conformance

  func conformance() -> [UInt8] { Self.json(runs.view) }

  func judge(chapters: [String], isQuick: Bool) throws(WorkbenchRefusal) {
    open()
    try runs.begin(chapters: chapters, isQuick: isQuick)
  }

  func stopJudging() { runs.stop() }

  func conformanceReport(_ form: WorkbenchReport) throws(WorkbenchRefusal) -> [UInt8] {
    try runs.report(form)
  }

  /// What happens is heard from now on; once.
  private func open() {
    guard (try? recorder.open()) == true else { return }
    let begun = keychains.compactMap { keychain in
      let device = keychain.configuration.deviceID.text
      return keychain.subscribe(light: true) { [recorder] event in
        recorder.tell(.keychain(device: device, event))
      }
    }
    subscriptions.withLock { $0 += begun }
    // Where the tap cannot have a thread there is no wire to be seen; all else is.
    try? bridge.tap.follow { [recorder] chunks, lost in
      recorder.tell(.wire(chunks, lost: lost))
    }
  }

  private static func json(_ value: some Encodable) -> [UInt8] {
    // Of text and numbers alone, which have a JSON form.
    (try? JSONLine.encode(value)) ?? []
  }
}
