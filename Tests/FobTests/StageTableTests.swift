import Bridge
import Foundation
import Testing

@testable import fob

/// The stages of a press, of which some lie between two clocks.
@Suite struct StageTableTests {
  private func stages(_ uncertainty: String) throws -> PressStages {
    let json = """
      {"event":"1.2","device":"f0b0000000000001","edge":0,"stored":25000,"written":25100,
      "read":25088,"decided":25150,"durable":27000,"acked":27100,"lit":27300\(uncertainty)}
      """
    return try JSONDecoder().decode(PressStages.self, from: Data(json.utf8))
  }

  @Test func `a duration between two clocks stands beside what they leave open`() throws {
    let lines = StageTable(stages: try stages(",\"uncertainty\":40")).lines
    let wire = try #require(lines.first { $0.contains("wire ") })
    #expect(wire.hasSuffix("-0.012 ms  ±40 µs"))
    for name in ["ack ", "press → decided", "press → durable"] {
      #expect(lines.first { $0.contains(name) }?.hasSuffix("±40 µs") == true, "\(lines)")
    }
    for name in ["debounce", "frame", "decide", "durable   "] {
      #expect(lines.first { $0.contains(name) }?.contains("±") == false, "\(lines)")
    }
  }

  @Test func `where no clock was fitted, that stands beside it`() throws {
    let lines = StageTable(stages: try stages("")).lines
    #expect(lines.first { $0.contains("wire ") }?.hasSuffix("-0.012 ms  not fitted") == true)
  }

  @Test func `fob bench realtime says what the clocks leave open`() {
    let times = RealTimeTimes(decided: [25_000], wire: [-12], engine: [60], uncertainty: 40)
    let effect = RealTimeEffect(option: "--realtime", off: [times], on: [times])
    let wire = effect.lines.filter { $0.contains("wire") }
    #expect(!wire.isEmpty && wire.allSatisfy { $0.contains("±40 µs") })
    #expect(wire.contains { $0.contains("-0.012") })
  }
}
