import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// Rule 9 with real processes: from the moment the firmware stored it, a press becomes exactly one
/// entry, and opens exactly one incident if none is open, whoever dies when.
@Suite(.serialized) struct KillTests {
  @Test func `a bridge killed between press and ack loses and doubles no press, real processes`()
    throws
  {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let two = try TwoProcesses()
    var pressed: [String] = []
    for _ in 0..<Count.kills {
      try two.toKeychain.begin(["do": "press", "hold_ms": 40])
      let isEarly = Bool.random(using: &random)
      if isEarly { usleep(UInt32.random(in: 13_000...28_000, using: &random)) }
      let answer = isEarly ? nil : two.toKeychain.answer()
      if !isEarly { usleep(UInt32.random(in: 0...2_500, using: &random)) }
      two.bridge.kill9()
      let event = try #require((answer ?? two.toKeychain.answer())?["event"] as? String)
      pressed.append(event)
      try two.startBridge()
      try two.awaitAck(event)
      try two.clear()
    }
    let entries = try two.presses()
    #expect(entries.map(\.event) == pressed, "seed \(seed)")
    #expect(Set(entries.compactMap(\.incident)).count == pressed.count, "seed \(seed)")
    #expect(try two.incidents().count == pressed.count, "seed \(seed)")
    try expectEveryoneTold(two, seed)
    print("killed the bridge \(Count.kills) times: \(entries.count) entries, seed \(seed)")
  }

  @Test func `a keychain killed after it stored a press loses and doubles none, real processes`()
    throws
  {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let two = try TwoProcesses()
    var committed: Set<String> = []
    for _ in 0..<Count.kills {
      try two.toKeychain.begin(["do": "press", "hold_ms": 40])
      usleep(UInt32.random(in: 14_000...36_000, using: &random))
      two.keychain.kill9()
      if let event = two.toKeychain.answer()?["event"] as? String { committed.insert(event) }
      committed.formUnion(try StoredPresses.read(two.storePath))
      try two.startKeychain()
      try two.toKeychain.must(["do": "wait", "for": "linked"])
      try awaitNothingUnacked(two)
      if try two.isOpen { try two.clear() }
    }
    let entries = try two.presses()
    #expect(committed.isSubset(of: entries.map(\.event)), "seed \(seed)")
    #expect(Set(entries.map(\.event)).count == entries.count, "an entry twice, seed \(seed)")
    #expect(Set(entries.compactMap(\.incident)).count == entries.count, "seed \(seed)")
    #expect(try two.incidents().count == entries.count, "seed \(seed)")
    try expectEveryoneTold(two, seed)
    print(
      "killed the keychain \(Count.kills) times: \(committed.count) presses known to be stored,"
        + " \(entries.count) entries, seed \(seed)")
  }

  /// Every incident was told to both contacts, and its end, too.
  private func expectEveryoneTold(_ two: TwoProcesses, _ seed: UInt64) throws {
    let messages = try two.messages()
    for incident in try two.incidents().compactMap({ $0["id"] as? String }) {
      for contact in ["contact-1", "contact-2"] {
        let kinds = messages.filter {
          $0["incident"] as? String == incident
            && ($0["contact"] as? [String: Any])?["id"] as? String == contact
        }.compactMap { $0["kind"] as? String }
        #expect(kinds.first == "raise", "\(incident) to \(contact): \(kinds), seed \(seed)")
      }
    }
  }

  private func awaitNothingUnacked(_ two: TwoProcesses) throws {
    let deadline = BootClock.now() + .seconds(20)
    while try two.toKeychain.must(["do": "state"])["unacked"] as? Int != 0 {
      try #require(BootClock.now() < deadline, "events stay unacked: \(two.bridge.output)")
      usleep(2_000)
    }
  }
}
