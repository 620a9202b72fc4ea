import Foundation
import TestSupport
import Testing

@testable import Emulator

/// The same sources on two processors: one of them in QEMU, whose time the host grants.
struct LockstepTests {
  private static let seeds: UInt64 = Soak.isOn ? 1_000 : 50

  @Test
  func `the wire bytes of many seeds are the same in this process and on the Cortex-M in QEMU`()
    throws
  {
    let firmware = try BoardFirmware.lockstep.path()
    let scratch = try ScratchDirectory()
    var bytes = 0
    for seed in 1...Self.seeds {
      let store = scratch.path("eeprom")
      try Data(count: LM3S6965.storeSize).write(to: URL(filePath: store))
      let script = LockstepScript(seed: seed)
      var machine = try LockstepMachine(firmware: firmware, store: store)
      defer { machine.stop() }
      let difference = try script.difference(on: &machine)
      #expect(difference == nil)
      bytes += script.bytes
    }
    print("lockstep: \(Self.seeds) seeds, \(bytes) bytes")
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
