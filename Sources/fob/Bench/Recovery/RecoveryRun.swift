import Bench
import Emulator
import FobBase

/// Every trouble, so many times each, on one rig.
struct RecoveryRun {
  /// So many bytes a press takes on its way, or a little more: each trouble hits one of them.
  private static let reach = 48

  private let repetitions: Int
  private let seed: UInt64
  private var random: SplitMix64

  init(repetitions: Int, seed: UInt64) {
    self.repetitions = repetitions
    self.seed = seed
    random = SplitMix64(state: seed)
  }

  /// - Parameter tell: called with each row when it is complete.
  mutating func report(
    on rig: RecoveryRig, _ tell: (RecoveryReport.Row) -> Void
  ) throws -> RecoveryReport {
    var report = RecoveryReport(seed: seed, repetitions: repetitions)
    for kind in WireFault.Kind.allCases {
      let row = try faults(kind, on: rig)
      tell(row)
      report.rows.append(row)
    }
    let troubles: [(String, () throws -> Int64?)] = [
      ("replug", rig.replug), ("bridge restart", rig.restartBridge), ("power cut", rig.cutPower),
    ]
    for (name, trouble) in troubles {
      let times = try (0..<repetitions).compactMap { _ in try trouble() }
      let row = RecoveryReport.Row(name, times: times, of: repetitions)
      tell(row)
      report.rows.append(row)
    }
    let entries = try rig.entries()
    report.presses = rig.pressed.count
    report.lost = rig.pressed.subtracting(entries).count
    report.doubled = entries.count - Set(entries).count
    return report
  }

  private mutating func faults(
    _ kind: WireFault.Kind, on rig: RecoveryRig
  ) throws -> RecoveryReport.Row {
    var resyncs: [ResyncMeter.Resync] = []
    for _ in 0..<repetitions {
      // What keeps bytes back is felt from the first on.
      let place = kind.damages ? Int.random(in: 0..<Self.reach, using: &random) : 0
      let resync = try rig.fault(kind, at: place, seed: random.next())
      if let resync { resyncs.append(resync) }
    }
    return RecoveryReport.Row(
      kind.rawValue, times: resyncs.map(\.time), bytes: resyncs.map { Int64($0.bytes) },
      of: repetitions)
  }
}
