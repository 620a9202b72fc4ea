import AlertCore
import FobBase
import Testing
import WireProtocol

/// Keychains whose stamps or numbers are wrong while HEARTBEAT and the clock exchange are right:
/// their presses are alarms all the same, and it is said once that they prove nothing.
struct DefectiveKeychainTests {
  /// Presses after a disarm, a minute apart: each is told.
  private func expectTold(_ keychain: inout KeychainBench, _ count: Int = 7) {
    let (raised, updated) = (keychain.told(.raise).count, keychain.told(.update).count)
    for _ in 0..<count {
      keychain.press()
      keychain.run(for: .minutes(1))
    }
    #expect(keychain.setAside == 0)
    #expect(keychain.told(.raise).count == raised + 1)
    #expect(keychain.told(.update).count == updated + count - 1)
    #expect(keychain.bench.state == .emergencySent)
  }

  @Test func `stamps that wrap at 32 bits of microseconds silence none of seven presses`() {
    var keychain = KeychainBench()
    keychain.stamp = { UInt64(UInt32(truncatingIfNeeded: $0)) }
    keychain.link()
    keychain.make(.booted)
    keychain.deliver()
    keychain.run(for: .minutes(60))
    keychain.press()
    keychain.run(for: .minutes(1))
    keychain.disarm()
    keychain.run(for: .minutes(15))
    expectTold(&keychain)
    #expect(keychain.doubts.count == 1)
    #expect(keychain.doubts.first?.contains("contradict those before") == true)
  }

  @Test(arguments: [16, 20, 24]) func `nor do those that wrap sooner`(_ bits: Int) {
    var keychain = KeychainBench()
    keychain.stamp = { UInt64($0) & (1 << UInt64(bits) - 1) }
    keychain.link()
    keychain.make(.booted)
    keychain.deliver()
    keychain.run(for: .minutes(2))
    keychain.press()
    keychain.disarm()
    expectTold(&keychain)
    #expect(keychain.doubts.count == 1)
  }

  @Test func `a clock that stands, or runs backwards, or a hundred times too fast`() {
    let clocks: [(Int64) -> UInt64] = [
      { UInt64(min($0, 90_000_000)) },
      { UInt64(max(0, 180_000_000 - $0)) },
      { UInt64($0) * 100 },
    ]
    for clock in clocks {
      var keychain = KeychainBench()
      keychain.link()
      keychain.run(for: .minutes(2))
      keychain.stamp = clock
      keychain.press()
      keychain.run(for: .seconds(20))
      keychain.disarm()
      keychain.run(for: .seconds(20))
      expectTold(&keychain, 3)
      #expect(keychain.doubts.count == 1)
    }
  }

  @Test func `heartbeats that stand or go back are told, and prove nothing`() {
    for clock: @Sendable (Int64) -> UInt64 in [
      { UInt64(min($0, 60_000_000)) }, { UInt64(max(0, 120_000_000 - $0)) },
    ] {
      var keychain = KeychainBench.linked()
      keychain.uptime = clock
      keychain.run(for: .minutes(3))
      #expect(keychain.doubts.count == 1)
    }
  }

  @Test func `a press stamped before the keychain kept nothing is told, also by the next run`() {
    var keychain = KeychainBench()
    keychain.link()
    keychain.make(.booted)
    keychain.deliver()
    keychain.run(for: .seconds(5))
    keychain.stamp = { UInt64($0) & 0xFFFF }
    keychain.press()
    let after = keychain.next
    keychain.next = EventNumber(rawValue: after.rawValue + 40)
    keychain.stamp = { UInt64($0) - 2_500_000 }
    keychain.hear(keychain.makeLive(.released))
    keychain.next = after
    keychain.stamp = { UInt64($0) & 0xFFFF }
    keychain.disarm()
    let evidence = keychain.bench.incident?.seenAtDisarm.first
    #expect(evidence?.clock.map { evidence?.emptyAt ?? 0 > $0 } == true, "that alone tells")
    keychain.restart()
    keychain.make()
    keychain.link()
    keychain.deliver()
    #expect(keychain.bench.state == .emergencySent && keychain.setAside == 0)
  }

  private static let leaps: [UInt64] = [.max, 0x1_FFFF_FFFF, 0x1_0000_0200]

  @Test(arguments: leaps)
  func `a number that leaps makes no later press old`(_ number: UInt64) {
    for isMerged in [false, true] {
      var keychain = KeychainBench.linked()
      keychain.press()
      let after = keychain.next
      keychain.next = EventNumber(rawValue: number)
      var leap = keychain.make()
      _ = keychain.takeKept(at: 0)
      if isMerged {
        leap.flags.insert(.merged)
        leap.firstCovered = after
        leap.covered = 9
      }
      keychain.hear(leap)
      keychain.next = after
      keychain.disarm()
      keychain.run(for: .seconds(5))
      expectTold(&keychain)
      #expect(keychain.doubts.count == 1)
      #expect(keychain.doubts.first?.hasPrefix("its numbers leap") == true)
    }
  }

  @Test func `a leap in an outage proves nothing, until it is said what was given up`() {
    for given: UInt32 in [0, 400] {
      var keychain = KeychainBench.linked()
      keychain.unplug()
      let old = keychain.makeOutOfReach(1)
      keychain.run(for: .minutes(1))
      keychain.next = EventNumber(boot: 1, n: 400)
      keychain.link()
      keychain.press()
      keychain.counters.evictedEvents = given
      keychain.run(for: .seconds(2))
      keychain.disarm()
      keychain.deliver()
      #expect(keychain.setAside == (given == 0 ? 0 : 1))
      #expect(keychain.bench.state.isOpen == (given == 0))
      #expect(keychain.bench.isAcked(old[0]))
    }
  }

  @Test func `what was doubted stays so over a restart of the core, for that boot`() {
    var keychain = KeychainBench.linked()
    keychain.stamp = { _ in 5 }
    keychain.run(for: .minutes(1))
    keychain.press()
    #expect(keychain.doubts.count == 1)
    keychain.disarm()
    keychain.restart()
    keychain.stamp = { UInt64($0) }
    #expect(keychain.bench.core.status(at: keychain.bench.now).warnings.isEmpty)
    keychain.link()
    let warnings = keychain.bench.core.status(at: keychain.bench.now).warnings
    #expect(warnings.contains { $0.contains("do not fit what was heard before") })
    keychain.make(.booted)
    keychain.deliver()
    keychain.run(for: .seconds(30))
    keychain.unplug()
    keychain.makeOutOfReach(1)
    keychain.link()
    keychain.press()
    keychain.disarm()
    keychain.deliver()
    #expect(keychain.bench.state == .emergencySent && keychain.setAside == 0)
    keychain.unplug()
    keychain.reset(nonce: 8)
    keychain.link()
    #expect(keychain.bench.core.status(at: keychain.bench.now).warnings.isEmpty)
  }

  @Test func `a slow line is not taken for a slow clock`() {
    var keychain = KeychainBench.linked()
    keychain.uptime = { UInt64(max(0, $0 - ($0 > 60_000_000 ? 15_000_000 : 0))) }
    keychain.run(for: .seconds(38))
    keychain.uptime = { UInt64($0) }
    keychain.run(for: .minutes(1))
    #expect(keychain.doubts.isEmpty)
  }

  @Test func `a clock that drifts by 1000 ppm is well for a month`() {
    var keychain = KeychainBench.linked()
    keychain.uptime = { UInt64($0 - $0 / 1_000) }
    keychain.stamp = { UInt64($0 - $0 / 1_000) }
    for _ in 0..<30 {
      keychain.bench.run(for: .minutes(24 * 60))
      keychain.beat()
      keychain.make(.batteryLow)
      keychain.deliver()
    }
    #expect(keychain.doubts.isEmpty)
  }
}
