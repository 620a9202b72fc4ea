import FobBase
import Foundation
import TestSupport
import Testing

/// `fob bench debounce` as its users call it, on processes of its own.
@Suite struct DebounceCommandTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func bench(_ arguments: [String]) throws -> String {
    let fob = try RunningFob(
      ["bench", "debounce", "--count", "5"] + arguments, in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd(within: .seconds(120)) == 0, "\(fob.output)")
    return fob.output
  }

  private struct Report: Decodable {
    struct Outcome: Decodable {
      struct Kind: Decodable { let missed, doubled, falseAlarms: Int }
      let rule: String
      let time, missed, doubled, falseAlarms: Int
      let kinds: [Kind]
    }
    let bench: String
    let seed: UInt64
    let count: Int
    let outcomes: [Outcome]
  }

  @Test func `the same seed prints the same table, another seed another one, real processes`()
    throws
  {
    let table = try bench(["--seed", "7"])
    #expect(table == (try bench(["--seed", "7"])))
    #expect(table != (try bench(["--seed", "8"])))
    #expect(table.contains("5 contacts of each of") && table.contains("As safe as"))
  }

  @Test func `the JSON has each rule at each time, and its sums, real process`() throws {
    let report = try JSONDecoder().decode(Report.self, from: Data(bench(["--json"]).utf8))
    #expect(report.bench == "debounce" && report.seed == 1 && report.count == 5)
    #expect(Set(report.outcomes.map(\.rule)) == ["integrator", "early", "restart"])
    for rule in Set(report.outcomes.map(\.rule)) {
      #expect(report.outcomes.filter { $0.rule == rule }.map(\.time) == Array(1...50))
    }
    for outcome in report.outcomes {
      #expect(outcome.missed == outcome.kinds.map(\.missed).reduce(0, +))
      #expect(outcome.doubled == outcome.kinds.map(\.doubled).reduce(0, +))
      #expect(outcome.falseAlarms == outcome.kinds.map(\.falseAlarms).reduce(0, +))
    }
  }

  @Test func `the curves go to a file, or alone to standard output, real processes`() throws {
    _ = try bench(["--svg", scratch.path("curves.svg")])
    let written = try String(contentsOfFile: scratch.path("curves.svg"), encoding: .utf8)
    #expect(written.hasPrefix("<svg") && written.hasSuffix("</svg>\n"))
    let fob = try RunningFob(
      ["bench", "debounce", "--count", "5", "--svg", "-"], in: scratch, awaitsReady: false,
      through: ["/bin/sh", "-c", "exec \"$0\" \"$@\" 2>/dev/null"])
    #expect(fob.awaitEnd(within: .seconds(120)) == 0)
    #expect(fob.output == written)
  }

  @Test(arguments: ["0", "100001"])
  func `a count beyond the limits is refused, real process`(_ count: String) throws {
    let fob = try RunningFob(
      ["bench", "debounce", "--count", count], in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() == 64 && fob.output.contains("--count takes 1 to 100000"))
  }
}
