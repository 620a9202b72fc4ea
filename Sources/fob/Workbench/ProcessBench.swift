import Bench
import Bridge
import Console
import Control
import Emulator
import FobBase
import SerialIO
import Synchronization
import WireProtocol

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
        hasLabel: keychain.configuration.label != nil,
        track: recorder.tracks.track(of: state.device)
      )
    }
    let snapshot = BenchSnapshot(
      last: last, keychains: keychains, lines: bridge.lines.map { BenchSnapshot.Line(place: $0) })
    return Self.json(snapshot)
  }

  private func keychain(_ device: String) -> EmulatedKeychain? {
    keychains.first { $0.configuration.deviceID.text == device }
  }

  func label(of device: String) throws(WorkbenchRefusal) -> LabelCode {
    guard let label = keychain(device)?.configuration.label else {
      throw .unknown("no keychain \(device) with a label is emulated in this process")
    }
    return label
  }

  func latency() -> [UInt8] { Self.json(presses.summary) }

  func capture(of device: String?) -> [UInt8] { recorder.wire.capture(of: device) }

  func control(
    _ device: String, _ request: [UInt8],
    answer: @escaping @Sendable (Result<[UInt8], WorkbenchRefusal>) -> Void
  ) {
    guard let keychain = keychain(device) else {
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

/// How long the presses of this process have taken: counted as they come, in so much memory and no
/// more.
final class LivePresses: Sendable {
  private struct State {
    var histograms = StageHistograms()
    var count = 0
    var last: PressStages?
  }

  /// µs since 1970.
  private let since = WallClock.now()
  private let state = Mutex(State())

  /// On the bridge's event thread; some microseconds of work.
  ///
  /// Of each press the stages are told twice: when it is acked, without its light, and when the
  /// light has said so.
  func note(_ stages: PressStages) {
    var sample = LatencySample()
    sample.take(stages)
    state.withLock { state in
      if sample.lit == nil {
        state.count += 1
      } else {
        // The rest is counted already.
        (sample.stored, sample.written, sample.durable) = (nil, nil, nil)
        (sample.read, sample.decided) = (nil, nil)
      }
      state.histograms.add(sample)
      state.last = stages
    }
  }

  var summary: LatencySummary {
    // A copy, which is read while the next press is counted.
    let state = state.withLock { $0 }
    return LatencySummary(
      presses: state.count, since: since,
      stages: (LatencyStage.inOrder + LatencyStage.sums).map { stage in
        LatencySummary.Stage(stage, state.histograms.summary(of: stage))
      }, last: state.last)
  }
}

/// `GET /v1/bench/latency`, µs.
struct LatencySummary: Encodable {
  struct Stage: Encodable {
    let stage: String
    let meaning: String
    let crossesClocks: Bool
    let isSum: Bool
    let count: Int
    /// These are nil where nothing was counted.
    let min: Int64?
    let p50: Int64?
    let p90: Int64?
    let p99: Int64?
    let max: Int64?
    let mean: Int64?
    /// [up to, count], where there were any.
    let buckets: [[Int64]]

    init(_ stage: LatencyStage, _ summary: StageHistograms.Summary?) {
      self.stage = stage.rawValue
      meaning = stage.meaning
      crossesClocks = stage.crossesClocks
      isSum = LatencyStage.sums.contains(stage)
      count = summary?.count ?? 0
      (min, p50, p90) = (summary?.min, summary?.p50, summary?.p90)
      (p99, max, mean) = (summary?.p99, summary?.max, summary?.mean)
      buckets = summary?.buckets.map { [$0.upper, Int64($0.count)] } ?? []
    }
  }

  let presses: Int
  let since: Int64
  let stages: [Stage]
  /// The last press that was acked; without `lit` where its light has not said so yet, or did so
  /// for one before. Nil before the first.
  let last: PressStages?
}
