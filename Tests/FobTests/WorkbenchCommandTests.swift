import Capture
import Foundation
import TestSupport
import Testing

/// The bench of `fob run`, real processes: what a test engineer does through the API alone.
struct WorkbenchCommandTests {
  private static let control = "/v1/bench/keychains/8000000000000001/control"

  /// A bench whose keychain is linked, asked by an administrator.
  private struct Bench {
    let scratch: ScratchDirectory
    let fob: RunningFob
    let api: Asking

    init() throws {
      scratch = try ScratchDirectory()
      fob = try RunningFob(
        ["run", "--listen", "127.0.0.1:0", "--state", scratch.path("state")], in: scratch,
        awaitsReady: false)
      try fob.awaitOutput("the page is at http://127.0.0.1:", "linked")
      api = try Asking(fob, state: scratch.path("state"))
    }
  }

  private struct Snapshot: Decodable {
    let keychains: [Keychain]
    let lines: [Line]
    let patterns: [String: Pattern]

    struct Keychain: Decodable {
      let device: String
      let state: State
    }
    struct State: Decodable { let battery: Int }
    struct Line: Decodable {
      let device: String?
      let isOpen: Bool
    }
    struct Pattern: Decodable { let repeats: Bool }
  }

  private struct Latency: Decodable {
    let presses: Int
    let stages: [Stage]

    struct Stage: Decodable {
      let stage: String
      let count: Int
    }
  }

  private func read<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  @Test func `a press through the API goes its way before the eyes of the bench`() throws {
    let bench = try Bench()
    let before: Snapshot = try read(try bench.api.ask("/v1/bench"))
    #expect(before.keychains.map(\.device) == ["8000000000000001"])
    #expect(before.lines.map(\.device) == ["8000000000000001"])
    #expect(before.lines.map(\.isOpen) == [true])
    #expect(before.patterns["idle"]?.repeats == true && before.patterns.count == 13)
    var event = ""
    let heard = try bench.api.stream(
      "/v1/bench/events?wire=1",
      until: [
        "event: stages\n", "event: light\n", #""shown":"accepted""#, #""name":"acked""#,
        #""type":"EVENT""#, #""type":"EVENT_ACK""#, #""lit":"#,
      ]
    ) {
      let answer = try bench.api.must("POST", Self.control, #"{"do":"press"}"#)
      event = String(try #require(answer.text.firstMatch(of: /"event":"([0-9.]+)"/)?.output.1))
    }
    #expect(heard.contains(#""event":"\#(event)""#))
    #expect(heard.contains(#""keychain":"8000000000000001""#))
    #expect(!heard.contains("event: gap"))
    let latency: Latency = try read(try bench.api.ask("/v1/bench/latency"))
    #expect(latency.presses == 1)
    #expect(latency.stages.count == 12 && latency.stages.allSatisfy { $0.count == 1 })
    bench.fob.interrupt()
    #expect(bench.fob.awaitEnd() == 0)
  }

  @Test func `what went over the wire can be had as a capture, of one keychain or of all`() throws {
    let bench = try Bench()
    _ = try bench.api.ask("/v1/bench")
    _ = try bench.api.stream("/v1/bench/events?wire=1", until: [#""type":"EVENT_ACK""#]) {
      try bench.api.must("POST", Self.control, #"{"do":"press"}"#)
    }
    for (query, isThere) in [
      ("", true), ("?device=8000000000000001", true), ("?device=8000000000000002", false),
    ] {
      var reader = PcapngReader()
      reader.append(try bench.api.must("GET", "/v1/bench/capture" + query, nil).body)
      var packets: [CapturedPacket] = []
      while let packet = try reader.next() { packets.append(packet) }
      #expect(reader.unfinishedBytes == 0)
      #expect(!packets.isEmpty == isThere, "\(query)")
      #expect(packets.allSatisfy { $0.comment == nil })
      if isThere { #expect(Set(packets.map(\.direction)) == [.toHost, .toDevice]) }
    }
  }

  @Test func `the keychain says why it does not do what it is asked`() throws {
    let bench = try Bench()
    try bench.api.must("POST", Self.control, #"{"do":"battery","percent":14}"#)
    let after: Snapshot = try read(try bench.api.ask("/v1/bench"))
    #expect(after.keychains.map(\.state.battery) == [14])
    let refused = try bench.api.tell("POST", Self.control, #"{"do":"powercut"}"#)
    #expect(refused.status == 409 && refused.text.contains("1 to 600000"), "\(refused.text)")
    let other = Self.control.replacing("0001", with: "0002")
    #expect(try bench.api.tell("POST", other, #"{"do":"press"}"#).status == 404)
  }

  @Test func `a conformance run tells of each case, and leaves its reports`() throws {
    let bench = try Bench()
    let heard = try bench.api.stream("/v1/bench/events", until: [#""ended":true"#]) {
      let begun = try bench.api.tell(
        "POST", "/v1/bench/conformance", #"{"chapter":["led","time"],"quick":true}"#)
      #expect(begun.status == 202, "\(begun.text)")
    }
    #expect(heard.contains(#""isGood":true"#))
    #expect(heard.components(separatedBy: #""verdict":"passed""#).count - 1 > 10)
    let report = try bench.api.ask("/v1/bench/conformance/report?form=junit")
    #expect(report.contains(#"<testsuite name="led""#) && report.contains(#"failures="0""#))
    let wrong = try bench.api.tell("POST", "/v1/bench/conformance", #"{"chapter":["lamp"]}"#)
    #expect(wrong.status == 422 && wrong.text.contains("one of protocol"))
  }
}
