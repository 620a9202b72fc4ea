import Capture
import Conformance
import Foundation

/// `fob conform --merge`: the runs of many machines as one.
struct ConformMerge {
  private let whole: RunDocument

  /// - Parameter files: at least one.
  init(_ files: [String]) throws(Failure) { whole = try Self.merged(files) }

  /// - Parameter isQuick: long cases need not be in any report.
  /// - Throws: `Failure` where a case failed, was not run, or is in no report.
  func tell(isQuick: Bool, asJSON: Bool) throws {
    let known = Set(whole.cases.map(\.id))
    let missing = Suite.cases.filter { !known.contains($0.id) && !(isQuick && $0.isLong) }
    if asJSON { Terminal.output(try whole.json(isPretty: false)) }
    for tested in whole.cases where tested.verdict != .passed { Self.say(tested) }
    for tested in missing { Terminal.error("in no report: \(tested.id)") }
    Terminal.line(
      "\(whole.cases.count) cases on \(PrintableText.of(whole.rig)): \(whole.passed) passed,"
        + " \(whole.failed) failed, \(whole.notTested) not tested, \(whole.notRun) not run")
    guard whole.failed == 0, whole.notRun == 0, missing.isEmpty, whole.passed > 0 else {
      throw Failure(
        .expectationMissed,
        whole.failed > 0 ? "the device does not conform" : "not every case was run")
    }
  }

  private static func say(_ tested: RunDocument.Case) {
    let verdict = tested.verdict.rawValue.replacing("_", with: " ")
    let reason = tested.reason.map { ": \($0)" } ?? ""
    Terminal.line(PrintableText.of("\(verdict): \(tested.id)\(reason)"))
    if let again = tested.repeat { Terminal.line(PrintableText.of("  again: \(again)")) }
  }

  private static func merged(_ files: [String]) throws(Failure) -> RunDocument {
    var whole: RunDocument?
    for file in files {
      let text = try TextFile.read(file)
      guard let one = try? JSONDecoder().decode(RunDocument.self, from: Data(text.utf8)) else {
        throw Failure(.usage, "cannot read \(file): it is no report of fob conform")
      }
      do throws(RunDocument.Mismatch) {
        whole = try whole?.merged(with: one) ?? one
      } catch {
        throw Failure(
          .usage, "cannot merge \(file): it is of \(error.other), the others of \(error.one)")
      }
    }
    guard let whole else { throw Failure(.usage, "there is no report") }
    return whole
  }
}
