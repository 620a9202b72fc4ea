import Foundation
import TestSupport
import Testing

/// The press of the real firmware on a Cortex-M, through the real bridge.
@Suite(.serialized) struct QEMUPressTests {
  private static let presses = Soak.isOn ? 100 : 10

  @Test(arguments: BoardFirmware.Board.allCases)
  func `each press in QEMU is one incident, and its light says so, real processes`(
    _ board: BoardFirmware.Board
  ) throws {
    let rig = try QEMURig(board)
    var pressed: [String] = []
    var shortest = Int64.max
    var longest: Int64 = 0
    for _ in 0..<Self.presses {
      // In the dark between two of its flashes, so that the press lights it.
      try rig.events(upToShown: "idle")
      try rig.events(upTo: "the end of a flash") { $0["led"] as? Bool == false }
      let answer = try rig.keychain.talk.must(["do": "press"])
      let event = try #require(answer["event"] as? String)
      pressed.append(event)
      // A press shows `sending` at once, whose every flash is short; `accepted` stays on for 0.7 s.
      let until = try rig.events(upToShown: "accepted")
      #expect(until.contains { $0["shown"] as? String == "sending" }, "\(event)")
      let accepted = try at(until.last)
      // The end of a flash before it may be told behind what the firmware says.
      let flash = try rig.events(upTo: "the light off") {
        $0["led"] as? Bool == false && ($0["at"] as? NSNumber)?.int64Value ?? 0 > accepted
      }
      #expect((until + flash).contains { $0["led"] as? Bool == true }, "\(event) gave no light")
      let length = try at(flash.last) - accepted
      #expect((400_000...3_000_000).contains(length), "\(event): accepted is lit for \(length) µs")
      shortest = min(shortest, length)
      longest = max(longest, length)
      try rig.keychain.talk.must(["do": "wait", "for": "acked", "event": event])
      try rig.clear()
    }
    let entries = try rig.presses()
    #expect(entries.map(\.event) == pressed)
    #expect(Set(entries.compactMap(\.incident)).count == pressed.count)
    #expect(try rig.incidents().count == pressed.count)
    print(
      "\(pressed.count) presses in QEMU: \(entries.count) incidents, accepted lit for"
        + " \(shortest / 1_000) to \(longest / 1_000) ms")
  }

  private func at(_ event: [String: Any]?) throws -> Int64 {
    try #require((event?["at"] as? NSNumber)?.int64Value)
  }
}
