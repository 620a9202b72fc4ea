import FobBase
import Testing
import WireProtocol

@testable import Firmware

/// A store that cannot be read, at boot or for a while: what it holds is neither lost nor claimed.
/// All of this was found by the seeded world (`fob simulate`).
struct UnreadableStoreTests {
  /// Presses that lie in the store.
  private func holding(_ count: Int) -> Bench {
    let bench = Bench(acks: { $0.identity.kind != .pressed })
    bench.run(ms: 30)
    for _ in 0..<count { bench.press(hold: 21, pause: 21) }
    return bench
  }

  /// The same, and then a boot that cannot read it.
  private func blind(after count: Int) -> Bench {
    let bench = holding(count)
    fail(bench)
    bench.reboot(nonce: 77)
    return bench
  }

  private func fail(_ bench: Bench, _ fails: Bool = true) {
    bench.board.store.failsReads = fails
    bench.board.store.failsWrites = fails
  }

  private func mend(_ bench: Bench) { fail(bench, false) }

  /// Presses that a host has taken, each with those that it stands for.
  private func presses(in frames: [DeviceFrame]) -> Int {
    let taken = Dictionary(
      frames.events(.pressed).map { ($0.identity, max(1, Int($0.covered))) },
      uniquingKeysWith: { $1 })
    return taken.values.reduce(0, +)
  }

  @Test func `until it was read the light claims nothing, for a press may lie in it`() {
    let bench = blind(after: 1)
    bench.hello()
    bench.indicate(.accepted)
    bench.run(ms: 100)
    #expect(bench.sent.all(LEDState.self).last?.shown == .sending)
    mend(bench)
    bench.acks = { _ in true }
    bench.run(ms: 1_100)
    bench.indicate(.accepted, revision: 2)
    bench.run(ms: 100)
    #expect(bench.sent.all(LEDState.self).last?.shown == .accepted)
  }

  @Test func `two events may have one number, and each is forgotten by its own ack`() {
    let bench = Bench()
    bench.press(hold: 25, pause: 25)
    fail(bench)
    bench.reboot(nonce: 77)
    bench.press(hold: 25, pause: 25)
    mend(bench)
    bench.run(ms: 1_200)
    #expect(Set(bench.kept.map(\.identity.number)).count < bench.kept.count)
    for record in bench.kept { bench.ack(record) }
    #expect(bench.keychain.unackedCount == 0)
  }

  @Test func `what is made after it was read is numbered behind what it holds`() throws {
    let bench = blind(after: 3)
    mend(bench)
    bench.run(ms: 1_200)
    let newest = try #require(bench.kept.last?.identity.number)
    bench.press(hold: 25, pause: 25)
    let press = try #require(
      bench.sent.events(.pressed).max { $0.identity.clock < $1.identity.clock })
    #expect(press.identity.number > newest && press.identity.bootNonce == 77)
  }

  @Test(arguments: [1, 4, 7])
  func `presses that find no place wait in the store until one is acked`(_ made: Int) {
    let bench = blind(after: 64)
    for _ in 0..<made { bench.press(hold: 25, pause: 25) }
    mend(bench)
    bench.run(ms: 1_500)
    #expect(bench.keychain.unackedCount == 64)
    bench.acks = { _ in true }
    bench.run(ms: 20_000)
    #expect(bench.keychain.unackedCount == 0)
    #expect(presses(in: bench.sent) == 64 + made)
  }

  @Test func `a press merged while it cannot be read stands for all that the last one stood for`() {
    let bench = holding(66)
    fail(bench)
    bench.press(hold: 25, pause: 25)
    let press = bench.sent.events(.pressed).max { $0.identity.number < $1.identity.number }
    #expect(press?.flags.rawValue == 4 | 8 && press?.covered == 4)
  }

  @Test func `what is merged in memory alone leaves the press before it in the store`() {
    let bench = holding(64)
    fail(bench)
    bench.press(hold: 25, pause: 25)
    mend(bench)
    bench.reboot()
    bench.run(ms: 4_000)
    #expect(presses(in: bench.sent) == 64, "the press in memory is gone with the power, no other")
  }

  @Test func `power that goes while the merged press is stored after all leaves the one before it`()
  {
    for bytes in [0, 1, 30, 67] {
      let bench = holding(64)
      fail(bench)
      bench.press(hold: 25, pause: 25)
      mend(bench)
      bench.board.store.powerLeft = bytes
      bench.run(ms: 1_100)
      bench.board.store.restorePower()
      bench.reboot()
      bench.run(ms: 4_000)
      #expect(presses(in: bench.sent) >= 64, "cut after \(bytes) bytes")
    }
  }

  @Test func `an older press in memory is not stored over the one that a merged one stands for`() {
    let bench = holding(40)
    bench.board.store.failsWrites = true
    bench.press(hold: 21, pause: 21)
    bench.board.store.failsWrites = false
    for _ in 0..<23 { bench.press(hold: 21, pause: 21) }
    bench.board.store.failsWrites = true
    bench.press(hold: 21, pause: 21)
    bench.board.store.failsWrites = false
    bench.run(ms: 1_100)
    let held = presses(in: bench.sent)
    bench.reboot()
    bench.run(ms: 4_000)
    #expect(presses(in: bench.sent) >= held - 1, "but for what was in memory alone")
  }

  @Test func `one that takes writes and gives nothing back is one fault, and stays failing`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 500)
    bench.press()
    bench.board.store.failsReads = true
    bench.press()
    bench.board.store.failsWrites = true
    bench.press()
    bench.board.store.failsWrites = false
    bench.run(ms: 5_000)
    #expect(Set(bench.sent.events(.fault).map(\.identity)).count == 1)
    #expect(bench.sent.all(Heartbeat.self).last?.flags.contains(.storeFailing) == true)
  }
}
