import ArgumentParser
import Bench
import Emulator
import FobBase
import Simulation

/// `fob bench recovery`: how soon a rig is well again after each trouble.
struct RecoveryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recovery",
    abstract: "Measure how soon a bridge and its keychain recover from each fault.",
    discussion: """
      An emulated keychain on a socket and a bridge with its store run in this process. Each fault \
      of the wire hits one byte near a press, drawn by --seed: the time is from that byte to the \
      end of the first good frame behind it, the bytes are those of frames that were refused. \
      After a replug, a restart of the bridge and a power cut (from the boot on) it is the time \
      until the keychain is linked. A press is made in each trouble; it ends with 1 if one of them \
      was lost or doubled, or if something was not well again within 10 s.
      """)

  @Option(help: "How often each fault is made, 1 to 10000.")
  var repetitions: Int = 20

  @Option(help: "Random seed for the bytes that are damaged.")
  var seed: UInt64 = 1

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard (1...10_000).contains(repetitions) else {
      throw ValidationError("--repetitions takes 1 to 10000")
    }
  }

  func run() throws {
    try Failure.mapped {
      try output.begin()
      try Interruption.cleansUp()
      let folder = try StateFolder.temporary()
      defer { StateFolder.remove(folder) }
      let rig = try RecoveryRig(folder: folder)
      defer { rig.stop() }
      try rig.start()
      Terminal.line(RecoveryTable.head)
      var run = RecoveryRun(repetitions: repetitions, seed: seed)
      var progress = ProgressLine("troubles", of: RecoveryRun.kinds * repetitions)
      let report = try run.report(on: rig, { Terminal.line(RecoveryTable.row($0)) }) {
        progress.show($0)
      }
      Terminal.line(RecoveryTable.summary(report))
      if output.json { try Terminal.json(report) }
      guard report.isWell else {
        throw Failure(.expectationMissed, "not everything was well again: see the table")
      }
    }
  }
}

/// Troubles as a table, a row each.
enum RecoveryTable {
  private static let widths = [16, 6, 12, 12, 12, 8, 8, 8]

  static var head: String {
    row(["trouble", "times", "p50", "p99", "most", "bytes", "p99", "most"])
  }

  static func row(_ row: RecoveryReport.Row) -> String {
    let times = [row.time?.median, row.time?.p99, row.time?.largest].map {
      $0.map { NumberText.length(.microseconds($0)) } ?? "-"
    }
    let bytes = [row.bytes?.median, row.bytes?.p99, row.bytes?.largest].map {
      $0.map { "\($0)" } ?? "-"
    }
    let text = self.row([row.trouble, "\(row.time?.count ?? 0)"] + times + bytes)
    return row.unrecovered == 0 ? text : text + "  \(row.unrecovered) never recovered"
  }

  static func summary(_ report: RecoveryReport) -> String {
    "\(report.presses) presses,"
      + " \(report.lost) lost, \(report.doubled) doubled; seed \(report.seed)"
  }

  private static func row(_ fields: [String]) -> String {
    zip(fields, widths).enumerated().map { index, pair in
      index == 0 ? NumberText.left(pair.0, pair.1) : NumberText.right(pair.0, pair.1)
    }.joined(separator: "  ")
  }
}

/// Every trouble, so many times each, on one rig.
struct RecoveryRun {
  /// So many bytes a press takes on its way, or a little more: each trouble hits one of them.
  private static let reach = 48

  /// Kinds of trouble.
  static var kinds: Int { WireFault.Kind.allCases.count + 3 }

  private let repetitions: Int
  private let seed: UInt64
  private var random: SplitMix64
  private var made = 0

  init(repetitions: Int, seed: UInt64) {
    self.repetitions = repetitions
    self.seed = seed
    random = SplitMix64(state: seed)
  }

  /// - Parameters:
  ///   - tell: called with each row when it is complete.
  ///   - count: called after each trouble with how many were made.
  mutating func report(
    on rig: RecoveryRig, _ tell: (RecoveryReport.Row) -> Void, _ count: (Int) -> Void
  ) throws -> RecoveryReport {
    var report = RecoveryReport(seed: seed, repetitions: repetitions)
    for kind in WireFault.Kind.allCases {
      let row = try faults(kind, on: rig, count)
      tell(row)
      report.rows.append(row)
    }
    let troubles: [(String, () throws -> Int64?)] = [
      ("replug", rig.replug), ("bridge restart", rig.restartBridge), ("power cut", rig.cutPower),
    ]
    for (name, trouble) in troubles {
      var times: [Int64] = []
      for _ in 0..<repetitions {
        if let time = try trouble() { times.append(time) }
        made += 1
        count(made)
      }
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
    _ kind: WireFault.Kind, on rig: RecoveryRig, _ count: (Int) -> Void
  ) throws -> RecoveryReport.Row {
    var resyncs: [ResyncMeter.Resync] = []
    for _ in 0..<repetitions {
      // What keeps bytes back is felt from the first on.
      let place = kind.damages ? Int.random(in: 0..<Self.reach, using: &random) : 0
      let resync = try rig.fault(kind, at: place, seed: random.next())
      if let resync { resyncs.append(resync) }
      made += 1
      count(made)
    }
    return RecoveryReport.Row(
      kind.rawValue, times: resyncs.map(\.time), bytes: resyncs.map { Int64($0.bytes) },
      of: repetitions)
  }
}
