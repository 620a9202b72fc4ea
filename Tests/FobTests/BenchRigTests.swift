import FobBase
import Foundation
import TestSupport
import Testing

/// `fob bench load` and `fob bench recovery` with small numbers: what came of the presses, and that
/// everything was well again; never how fast.
@Suite struct BenchRigTests {
  private struct Load: Decodable {
    let carried: Int?
    let steps: [Step]

    struct Step: Decodable {
      let keychains: Int
      let presses: Int
      let lost: Int
      let doubled: Int
      let refusal: String?
    }
  }

  private struct Recovery: Decodable {
    let rows: [Row]
    let presses: Int
    let lost: Int
    let doubled: Int

    struct Row: Decodable {
      let trouble: String
      let unrecovered: Int
    }
  }

  private func bench(_ arguments: [String]) throws -> (code: Int32?, output: String) {
    let fob = try RunningFob(
      ["bench"] + arguments, in: ScratchDirectory(), awaitsReady: false,
      through: ["/bin/sh", "-c", "exec \"$0\" \"$@\" 2>/dev/null"])
    let code = fob.awaitEnd(within: .seconds(120))
    return (code, fob.output)
  }

  private func read<Report: Decodable>(_ output: String) throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(output.utf8))
  }

  @Test(arguments: ["memory:", "unix:", "pty:"])
  func `a load loses no press and doubles none, on a line of any kind`(line: String) throws {
    // No limit that a slow machine could pass: what is asked is what came of the presses.
    let (code, output) = try bench([
      "load", "--on", line, "--keychains", "1", "8", "--seconds", "2", "--limit", "60000",
      "--rate", "16", "--json",
    ])
    let report: Load = try read(output)
    #expect(report.steps.map(\.keychains) == [1, 8])
    for step in report.steps {
      #expect(step.refusal == nil)
      #expect(step.presses > 0)
      #expect(step.lost == 0)
      #expect(step.doubled == 0)
    }
    #expect(code == 0)
  }

  @Test func `every trouble is recovered from, and each press is one entry`() throws {
    let (code, output) = try bench(["recovery", "--repetitions", "1", "--seed", "3", "--json"])
    let report: Recovery = try read(output)
    #expect(
      report.rows.map(\.trouble) == [
        "stall", "split", "insert", "drop", "flip", "double", "replug", "bridge restart",
        "power cut",
      ])
    #expect(report.rows.allSatisfy { $0.unrecovered == 0 }, "\(output)")
    #expect(report.presses == 9)
    #expect(report.lost == 0)
    #expect(report.doubled == 0)
    #expect(code == 0)
  }
}
