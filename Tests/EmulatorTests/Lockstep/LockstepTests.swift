import Foundation
import TestSupport
import Testing

@testable import Emulator

/// The same sources on two processors: one of them in QEMU, whose time the host grants.
struct LockstepTests {
  private static let seeds: UInt64 = Soak.isOn ? 1_000 : 50

  @Test(arguments: BoardFirmware.Board.allCases)
  func `the wire bytes of many seeds are the same in this process and on a board in QEMU`(
    _ board: BoardFirmware.Board
  ) throws {
    let scratch = try ScratchDirectory()
    var bytes = 0
    for seed in 1...Self.seeds {
      let script = LockstepScript(seed: seed)
      var machine = LockstepMachine(try board.inLockstep(in: scratch))
      defer { machine.stop() }
      let difference = try script.difference(on: &machine)
      #expect(difference == nil)
      bytes += script.bytes
    }
    print("lockstep on \(board): \(Self.seeds) seeds, \(bytes) bytes")
  }

  @Test func `a script is the same for the same seed, and another for another`() throws {
    let script = LockstepScript(seed: 7)
    var emulator = LockstepEmulator()
    #expect(script == LockstepScript(seed: 7))
    #expect(try script.difference(on: &emulator) == nil)
    #expect(script.steps != LockstepScript(seed: 8).steps)
  }

  @Test func `a byte that differs is told with its seed and its moment`() throws {
    var other = DamagedDesk()
    let difference = try #require(try LockstepScript(seed: 3).difference(on: &other))
    #expect(difference.hasPrefix("seed 3, step "))
    #expect(difference.contains(" ms after the boot, byte "))
  }

  /// The first byte of each order's is another.
  private struct DamagedDesk: LockstepTarget {
    var emulator = LockstepEmulator()

    mutating func carryOut(_ order: LockstepOrder) -> [UInt8] {
      var sent = emulator.carryOut(order)
      if !sent.isEmpty { sent[0] ^= 1 }
      return sent
    }
  }
}

extension BoardFirmware.Board {
  /// In QEMU, with the firmware in lockstep and an empty store.
  func inLockstep(in scratch: ScratchDirectory) throws -> any QEMUBoard {
    let firmware = try BoardFirmware.lockstep(self).path()
    switch self {
    case .lm3s6965evb:
      let store = scratch.path("eeprom")
      try Data(count: LM3S6965.storeSize).write(to: URL(filePath: store))
      return try LM3S6965(firmware: firmware, store: store, uarts: 3)
    case .microbit: return try NRF51(firmware: firmware, flash: FlashFile(path: nil))
    }
  }
}
