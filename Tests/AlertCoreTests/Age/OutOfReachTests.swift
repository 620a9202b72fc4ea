import AlertCore
import FobBase
import Testing
import WireProtocol

/// Presses made out of reach whose age nobody can prove: those of one reconnect are one alarm, with
/// one message.
struct OutOfReachTests {
  private static func back(with count: Int) -> KeychainBench {
    var keychain = KeychainBench.linked()
    keychain.press()
    keychain.run(for: .minutes(1))
    keychain.disarm()
    keychain.unplug()
    keychain.makeOutOfReach(count)
    keychain.run(for: .minutes(1))
    return keychain
  }

  @Test func `64 that nothing covers are exactly one alarm, told once with their count`() {
    var keychain = Self.back(with: 64)
    let stored = keychain.kept
    keychain.bench.storeBehaviour = .commits(after: .milliseconds(90))
    keychain.link()
    for _ in stored { keychain.hear(keychain.takeKept(at: 0)) }
    keychain.run(for: .seconds(30))
    #expect(keychain.bench.store.incidents.count == 2)
    #expect(keychain.told(.raise).count == 2 && keychain.told(.update).isEmpty)
    #expect(keychain.told(.raise).last?.context.outOfReach == 64)
    #expect(keychain.bench.incident?.outOfReach == 64)
    #expect(keychain.bench.incident?.presses.count == 64)
    #expect(keychain.bench.incident?.presses.allSatisfy { $0.isAgeUnknown == true } == true)
    #expect(keychain.setAside == 0)
    #expect(stored.allSatisfy { keychain.bench.isAcked($0) })
  }

  @Test func `the first is told at once, and a repeat says how many they were`() {
    var keychain = Self.back(with: 5)
    keychain.link()
    keychain.deliver()
    #expect(keychain.told(.raise).last?.context.outOfReach == 1)
    keychain.run(for: .minutes(6))
    #expect(keychain.told(.again).last?.context.outOfReach == 5)
  }

  @Test func `a press that is made after the reconnect is told as an update`() {
    var keychain = Self.back(with: 5)
    keychain.link()
    keychain.deliver()
    keychain.press()
    #expect(keychain.told(.update).count == 1)
    #expect(keychain.bench.incident?.outOfReach == 5)
  }

  @Test func `so is one of which it is in doubt, and each once somebody has it in hand`() {
    var keychain = Self.back(with: 5)
    keychain.link()
    keychain.hear(keychain.takeKept(at: 0))
    keychain.bench.perform(.acknowledge("contact-1"))
    keychain.hear(keychain.takeKept(at: 0))
    #expect(keychain.told(.update).count == 1)
    var restarted = Self.back(with: 3)
    restarted.restart()
    restarted.link()
    restarted.deliver()
    #expect(restarted.told(.update).count == 2, "nothing says when they were made")
  }

  @Test func `a keychain that says it keeps nothing has sent what is new`() {
    var keychain = Self.back(with: 0)
    keychain.run(for: .minutes(5))
    keychain.link()
    keychain.stamp = { UInt64($0 - 200_000_000) }
    for _ in 0..<3 {
      keychain.press()
      keychain.run(for: .seconds(1))
    }
    #expect(keychain.told(.raise).count == 2 && keychain.told(.update).count == 2)
  }

  @Test func `each reconnect is told`() {
    var keychain = Self.back(with: 3)
    keychain.link()
    keychain.deliver()
    keychain.run(for: .seconds(30))
    keychain.goAndComeBack(with: 4)
    #expect(keychain.told(.raise).count == 2 && keychain.told(.update).count == 1)
    #expect(keychain.bench.incident?.outOfReach == 7)
  }

  @Test func `those of an earlier boot are known by what the keychain says of them`() {
    var keychain = Self.back(with: 6)
    keychain.reset(nonce: 8)
    keychain.link()
    keychain.deliver()
    #expect(keychain.told(.raise).count == 2 && keychain.told(.update).isEmpty)
    #expect(keychain.bench.incident?.outOfReach == 6)
  }

  @Test func `a press that comes back into an open incident is told, the rest is counted`() {
    var keychain = KeychainBench.linked()
    keychain.press()
    keychain.run(for: .seconds(30))
    keychain.goAndComeBack(with: 4)
    #expect(keychain.told(.raise).count == 1 && keychain.told(.update).count == 1)
    #expect(keychain.told(.update).last?.context.outOfReach == 1)
  }

  /// The new clock of a defective keychain is behind the old one by all that has passed: its
  /// presses are none the older for that.
  @Test func `boots that share a nonce do not share a clock`() {
    var keychain = KeychainBench()
    keychain.link()
    keychain.make(.booted)
    keychain.deliver()
    keychain.run(for: .seconds(3))
    keychain.press()
    keychain.run(for: .seconds(1))
    keychain.unplug()
    keychain.run(for: .seconds(20))
    keychain.reset(nonce: 7)
    keychain.make()
    keychain.link()
    keychain.deliver()
    keychain.run(for: .milliseconds(500))
    keychain.press()
    #expect(keychain.told(.raise).count == 1 && keychain.told(.update).count == 2)
    #expect(keychain.bench.incident?.outOfReach == nil)
  }
}
