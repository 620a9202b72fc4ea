import Capture
import FobBase
import Foundation
import FoundationXML
import Testing

@testable import Conformance

struct ReportTests {
  /// Some cases passed, one failed, one not tested, one not run.
  private static let report: RunReport = {
    func outcome(_ id: String, _ verdict: CaseOutcome.Verdict) -> CaseOutcome {
      CaseOutcome(
        tested: Suite.cases.first { $0.id == id }!, verdict: verdict,
        steps: ["0 ms: say \"<HELLO>\" & wait"], took: .milliseconds(1_005), packets: [])
    }
    var report = RunReport(
      application: "fob 0", rig: "pty:/tmp/a b", actuator: "control:/tmp/c", seed: .max,
      outcomes: [
        outcome("protocol/longest", .passed),
        outcome("protocol/own-echo", .failed("\"it\" answered <itself>\u{1}")),
        outcome("led/light-urgent", .notTested("nothing here can see the light")),
        outcome("gps/fix", .notRun("the run was stopped")),
      ])
    report.options = ["--slack", "600"]
    report.captures = ["protocol/own-echo": "/tmp/out/protocol-own-echo.pcapng"]
    return report
  }()

  @Test func `JSON has every case, with its verdict and the command that repeats it`() throws {
    struct Document: Decodable {
      struct Case: Decodable {
        let id, verdict: String
        let reason, `repeat`, capture: String?
        let steps: [String]
      }
      let seed: String
      let passed, failed, not_tested, not_run: Int
      let cases: [Case]
    }
    let text = try Self.report.json()
    let document = try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    #expect(document.cases.map(\.verdict) == ["passed", "failed", "not_tested", "not_run"])
    #expect(document.passed == 1 && document.failed == 1)
    #expect(document.not_tested == 1 && document.not_run == 1)
    #expect(document.seed == "18446744073709551615")
    #expect(document.cases[1].steps == ["0 ms: say \"<HELLO>\" & wait"])
    #expect(document.cases[1].capture == "/tmp/out/protocol-own-echo.pcapng")
    #expect(
      document.cases[1].repeat == "fob conform 'pty:/tmp/a b' --actuator control:/tmp/c"
        + " --case protocol/own-echo --seed 18446744073709551615 --slack 600")
    #expect(document.cases.map { $0.repeat != nil } == [false, true, false, false])
  }

  private static func document(_ change: (inout String) -> Void = { _ in }) throws -> RunDocument {
    var text = try report.json()
    change(&text)
    return try JSONDecoder().decode(RunDocument.self, from: Data(text.utf8))
  }

  @Test func `of runs of one case a failure stands, or else what some run could test`() throws {
    let one = try Self.document()
    let other = try Self.document { text in
      text = text.replacing("protocol/own-echo", with: "protocol/other")
        .replacing("not_tested", with: "passed").replacing("not_run", with: "failed")
        .replacing("pty:/tmp/a b", with: "pty:/tmp/c")
    }
    let whole = try one.merged(with: other)
    let verdicts = Dictionary(uniqueKeysWithValues: whole.cases.map { ($0.id, $0.verdict) })
    #expect(
      verdicts == [
        "protocol/longest": .passed, "protocol/own-echo": .failed, "protocol/other": .failed,
        "led/light-urgent": .passed, "gps/fix": .failed,
      ])
    #expect(whole.passed == 2 && whole.failed == 3 && whole.notTested + whole.notRun == 0)
    #expect(whole.rig == "pty:/tmp/a b; pty:/tmp/c" && whole.seed == one.seed)
    #expect(try other.merged(with: one).cases.count == 5)
    #expect(try whole.merged(with: one) == whole, "what is in it already changes nothing")
  }

  @Test func `runs of two versions do not make one, and counts of a file are not believed`() throws
  {
    let other = try Self.document { $0 = $0.replacing("fob 0", with: "fob 1") }
    #expect(throws: RunDocument.Mismatch(one: "fob 0", other: "fob 1")) {
      try Self.document().merged(with: other)
    }
    let wrong = try Self.document { $0 = $0.replacing("\"failed\" : 1", with: "\"failed\" : 0") }
    #expect(wrong.failed == 1)
  }

  @Test func `JUnit XML parses, and counts failures and what was skipped`() throws {
    let reader = JUnitReader()
    let parser = XMLParser(data: Data(Self.report.junit().utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
    #expect(reader.suites == ["protocol", "led", "gps"])
    #expect(reader.cases == 4)
    #expect(reader.failures == ["\"it\" answered <itself>\u{FFFD}"])
    #expect(reader.skipped.count == 2)
    #expect(reader.totals["tests"] == "4" && reader.totals["failures"] == "1")
    #expect(reader.totals["skipped"] == "2" && reader.totals["time"] == "4.020")
  }

  @Test func `the text says what was not tested, and why`() {
    #expect(Self.report.gaps == ["not tested: led/light-urgent: nothing here can see the light"])
    #expect(
      Self.report.summary == "4 cases on pty:/tmp/a b: 1 passed, 1 failed, 1 NOT TESTED, 1 not run,"
        + " seed 18446744073709551615")
    #expect(!Self.report.isGood)
  }

  @Test func `a failed case leaves a capture of both directions`() throws {
    let tested = try #require(Suite.cases.first { $0.id == "protocol/own-echo" })
    let outcome = ConformanceRun(on: MemoryRig(tampering: { AnswersEcho() }), seed: 1)
      .run([tested])[0]
    #expect(outcome.isFailed && outcome.fileName == "protocol-own-echo.pcapng")
    var reader = PcapngReader()
    reader.append(outcome.capture(application: "fob 0"))
    var packets: [CapturedPacket] = []
    while let packet = try reader.next() { packets.append(packet) }
    #expect(packets == outcome.packets)
    #expect(Set(packets.map(\.direction)) == [.toHost, .toDevice])
    #expect(packets.map(\.microseconds) == packets.map(\.microseconds).sorted())
  }
}

private final class JUnitReader: NSObject, XMLParserDelegate {
  var totals: [String: String] = [:]
  var suites: [String] = []
  var cases = 0
  var failures: [String] = []
  var skipped: [String] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    switch name {
    case "testsuites": totals = attributes
    case "testsuite": suites.append(attributes["name"] ?? "")
    case "testcase": cases += 1
    case "failure": failures.append(attributes["message"] ?? "")
    case "skipped": skipped.append(attributes["message"] ?? "")
    default: break
    }
  }
}
