import ArgumentParser
import Bench

/// `fob bench recovery`: how soon a rig is well again after each trouble.
struct RecoveryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recovery",
    abstract: "How soon a bridge and its keychain are well again after each trouble.",
    discussion: """
      An emulated keychain on a socket and a bridge with its store run in this process. Each fault \
      of the wire hits one byte near a press, drawn by --seed: the time is from that byte to the \
      end of the first good frame behind it, the bytes are those of frames that were refused. \
      After a replug, a restart of the bridge and a power cut (from the boot on) it is the time \
      until the keychain is linked. A press is made in each trouble; it ends with 1 if one of \
      them was lost or doubled, or if something was not well again within 10 s.
      """)

  @Option(help: "How often each trouble is made (1 to 10000).")
  var repetitions: Int = 20

  @Option(help: "Of the bytes that are hit: the same seed hits the same.")
  var seed: UInt64 = 1

  @Flag(help: "Print JSON in place of the table.")
  var json = false

  func validate() throws {
    guard (1...10_000).contains(repetitions) else {
      throw ValidationError("--repetitions takes 1 to 10000")
    }
  }

  func run() throws {
    try Failure.mapped {
      let folder = try StateFolder.temporary()
      defer { StateFolder.remove(folder) }
      let rig = try RecoveryRig(folder: folder)
      defer { rig.stop() }
      try rig.start()
      if !json { Terminal.line(RecoveryTable.head) }
      var run = RecoveryRun(repetitions: repetitions, seed: seed)
      let report = try run.report(on: rig) { row in
        if !json { Terminal.line(RecoveryTable.row(row)) }
      }
      if json {
        try Terminal.json(report, isPretty: true)
      } else {
        Terminal.line(RecoveryTable.summary(report))
      }
      guard report.isWell else {
        throw Failure(.expectationMissed, "not everything was well again: see the table")
      }
    }
  }
}
