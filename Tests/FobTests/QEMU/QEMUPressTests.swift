import TestSupport
import Testing

/// The press of the real firmware on a Cortex-M, through the real bridge.
@Suite(.serialized) struct QEMUPressTests {
  private static let presses = Soak.isOn ? 100 : 10

  @Test func `each press in QEMU is one incident, and its light says so, real processes`() throws {
    let rig = try QEMURig()
    var pressed: [String] = []
    var shortest = Int64.max
    var longest: Int64 = 0
    for _ in 0..<Self.presses {
      let answer = try rig.keychain.talk.must(["do": "press"])
      let event = try #require(answer["event"] as? String)
      pressed.append(event)
      // A press shows `sending` at once, whose every flash is short; `accepted` stays on for 0.7 s.
      let sending = try rig.shown("sending")
      #expect(try rig.light(true) >= sending - 100_000, "\(event) was not shown")
      let accepted = try rig.shown("accepted")
      let flash = try rig.light(false) - accepted
      #expect((400_000...3_000_000).contains(flash), "\(event) shows accepted for \(flash) µs")
      shortest = min(shortest, flash)
      longest = max(longest, flash)
      try rig.keychain.talk.must(["do": "wait", "for": "acked", "event": event])
      try rig.clear()
      try rig.shown("idle")
    }
    let entries = try rig.presses()
    #expect(entries.map(\.event) == pressed)
    #expect(Set(entries.compactMap(\.incident)).count == pressed.count)
    #expect(try rig.incidentCount() == pressed.count)
    print(
      "\(pressed.count) presses in QEMU: \(entries.count) incidents, accepted lit for"
        + " \(shortest / 1_000) to \(longest / 1_000) ms")
  }
}
