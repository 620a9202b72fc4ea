import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing

/// What a keychain in QEMU has told is in its store, though `fob emulate` itself is killed.
struct QEMUStoreTests {
  private static let kills = Soak.isOn ? 30 : 3

  @Test(arguments: BoardFirmware.Board.allCases)
  func `fob emulate killed at any moment forgets no press that it has told, real processes`(
    _ board: BoardFirmware.Board
  ) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let scratch = try ScratchDirectory()
    var told: Set<String> = []
    for _ in 0..<Self.kills {
      let keychain = try QEMUKeychain(in: scratch, board)
      for _ in 0..<2 {
        told.insert(try #require(keychain.talk.must(["do": "press"])["event"] as? String))
      }
      try keychain.talk.begin(["do": "press", "hold_ms": 60])
      usleep(UInt32.random(in: 0...90_000, using: &random))
      kill(keychain.process.pid, SIGKILL)
      _ = keychain.process.awaitEnd()
    }
    let keychain = try QEMUKeychain(in: scratch, board)
    #expect(try keychain.talk.must(["do": "press"])["event"] as? String != nil)
    let unacked = try Self.unacked(of: keychain)
    // With no host every press is kept, and each boot; a press more may have been in the making.
    #expect(unacked >= told.count, "seed \(seed): \(unacked) kept, told \(told.sorted())")
    #expect(told.count == Self.kills * 2, "seed \(seed): a number twice")
  }

  /// As its first heartbeat tells.
  private static func unacked(of keychain: QEMUKeychain) throws -> Int {
    let deadline = BootClock.now() + .seconds(20)
    while true {
      if let count = try keychain.talk.must(["do": "state"])["unacked"] as? Int { return count }
      try #require(BootClock.now() < deadline, "no heartbeat has come")
      usleep(5_000)
    }
  }
}
