import FobBase
import Glibc
import TestSupport
import Testing

/// Rule 9 on the board: what the firmware has stored becomes exactly one entry,
/// though the power goes at any moment of the press.
@Suite(.serialized) struct QEMUPowerCutTests {
  private static let cuts = Soak.isOn ? 100 : 5

  @Test(arguments: BoardFirmware.Board.allCases)
  func `a power cut in the middle of a press in QEMU loses and doubles none, real processes`(
    _ board: BoardFirmware.Board
  ) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let rig = try QEMURig(board)
    let keychain = rig.keychain
    var committed: Set<String> = []
    for _ in 0..<Self.cuts {
      let machine = try keychain.machine()
      try keychain.talk.begin(["do": "press", "hold_ms": 60])
      usleep(UInt32.random(in: 20_000...80_000, using: &random))
      kill(machine, SIGKILL)
      let answer = try #require(keychain.talk.answer())
      if let event = answer["event"] as? String { committed.insert(event) }
      try rig.events(upTo: "the death of QEMU") { $0["name"] as? String == "died" }
      // A micro:bit's flash is as of the last frame, of which the answer above has told.
      if board == .lm3s6965evb { committed.formUnion(try StoredPresses.read(keychain.storePath)) }
      try keychain.talk.must(["do": "reset"])
      try keychain.talk.must(["do": "wait", "for": "linked"])
      try rig.awaitNothingUnacked()
      if try rig.isOpen { try rig.clear() }
    }
    let entries = try rig.presses()
    #expect(committed.isSubset(of: entries.map(\.event)), "seed \(seed)")
    #expect(Set(entries.map(\.event)).count == entries.count, "an entry twice, seed \(seed)")
    #expect(Set(entries.compactMap(\.incident)).count == entries.count, "seed \(seed)")
    #expect(try rig.incidents().count == entries.count, "seed \(seed)")
    print(
      "killed \(board) in QEMU \(Self.cuts) times: \(committed.count) presses known to be stored,"
        + " \(entries.count) entries, seed \(seed)")
  }
}
