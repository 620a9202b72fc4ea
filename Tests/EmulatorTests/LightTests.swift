import FobBase
import TestSupport
import Testing

@testable import Emulator

@Suite struct LightTests {
  @Test func `an unacked press blinks at the pace of sending, without drift`() throws {
    let rig = try Rig(light: true)
    _ = try rig.press()
    let shown = try rig.events.first("the state") { $0.shown == "sending" }
    let edges = try rig.events.wait("eleven edges") { events -> [EmulatorEvent]? in
      let edges = events.filter { $0.name == .light && $0.at >= shown.at }
      return edges.count >= 11 ? Array(edges.prefix(11)) : nil
    }
    // A busy machine may be late with some, but lateness never adds up.
    #expect(edges.map { punctual(edges, as: $0) }.max() ?? 0 >= 6)
    guard case .lightTrace(let trace) = try rig.keychain.perform(.lightTrace) else {
      throw CommandRefusal("no trace")
    }
    let told = edges.map { LightEdge(isOn: $0.led == true, at: Instant(microseconds: $0.at)) }
    #expect(told.allSatisfy { trace.contains($0) })
  }

  /// How many edges lie on the grid of 100 ms on, 100 ms off on which `base` lies.
  private func punctual(_ edges: [EmulatorEvent], as base: EmulatorEvent) -> Int {
    edges.count { edge in
      let steps = (edge.at - base.at + 10_050_000) / 100_000 - 100
      return (edge.led == base.led) == (steps % 2 == 0)
        && abs(edge.at - base.at - steps * 100_000) < 20_000
    }
  }

  @Test func `light is told only to those who ask for it`() throws {
    let rig = try Rig()
    _ = try rig.press()
    #expect(!rig.events.all.contains { $0.name == .light })
  }

  @Test func `the light's trace keeps the newest edges in order, and no level twice`() {
    var trace = LightTrace()
    var random = SeededGenerator(seed: 11)
    var expected: [LightEdge] = []
    for i in 0..<5_000 {
      let on = Bool.random(using: &random)
      let at = Instant(microseconds: Int64(i))
      if on != trace.isOn { expected.append(LightEdge(isOn: on, at: at)) }
      trace.set(on, at: at)
    }
    #expect(trace.edges() == expected.suffix(1_024))
    #expect(trace.edges(from: trace.next - 3) == expected.suffix(3))
    #expect(trace.edges(from: trace.next).isEmpty)
  }
}
