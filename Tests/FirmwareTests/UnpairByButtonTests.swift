import FobBase
import Testing
import WireProtocol

@testable import Firmware

/// Who has a keychain in hand, and no core that has its key, takes the key from it (PROTOCOL.md,
/// 15.2).
struct UnpairByButtonTests {
  /// A paired keychain whose power comes while its button is held, let go after `held` ms.
  private func letGo(
    after held: Int64, reset: ResetCause = .powerOn, _ prepare: (Bench) -> Void = { _ in }
  ) -> Bench {
    let bench = PairedHost.paired().bench
    prepare(bench)
    bench.board.setContact(closed: true)
    bench.reboot(reset, nonce: 77)
    bench.run(ms: held)
    bench.board.setContact(closed: false)
    bench.run(ms: 100)
    return bench
  }

  /// The button, pressed once `wait` ms later.
  private func pressed(_ bench: Bench, after wait: Int64) -> Bench {
    bench.run(ms: wait)
    bench.press()
    bench.run(ms: 100)
    return bench
  }

  @Test func `ten seconds, let go, and a press while the light says so`() {
    let bench = letGo(after: 10_000)
    #expect(bench.keychain.display.shown.state == .identify)
    #expect(bench.keychain.link.isPaired, "not before it is confirmed")
    #expect(!pressed(bench, after: 4_500).keychain.link.isPaired)
    bench.reboot(.powerOn, nonce: 78)
    #expect(!bench.keychain.link.isPaired)
  }

  @Test func `the press that confirms it counts as any other`() {
    let bench = pressed(letGo(after: 11_000), after: 1_000)
    #expect(!bench.keychain.link.isPaired)
    #expect(bench.sent.all(EventRecord.self).contains { $0.identity.kind == .pressed })
    #expect(bench.keychain.unackedCount > 0)
    #expect(bench.keychain.display.shown.state == .sending)
  }

  @Test func `shorter, later or after another reset it takes nothing`() {
    let short = letGo(after: 9_900)
    #expect(short.keychain.display.shown.state != .identify)
    #expect(pressed(short, after: 1_000).keychain.link.isPaired)
    #expect(pressed(letGo(after: 10_000), after: 5_000).keychain.link.isPaired)
    for cause in [ResetCause.watchdog, .brownOut, .resetPin, .software, .unknown] {
      #expect(pressed(letGo(after: 12_000, reset: cause), after: 500).keychain.link.isPaired)
    }
  }

  @Test func `a press that no host has acked goes before it`() {
    let bench = letGo(after: 12_000) { bench in
      bench.press()
      bench.run(ms: 100)
    }
    #expect(bench.keychain.display.shown.state == .sending)
    #expect(pressed(bench, after: 500).keychain.link.isPaired)
  }

  @Test func `a store that fails keeps the key`() {
    let bench = letGo(after: 10_000)
    bench.board.store.failsWrites = true
    #expect(pressed(bench, after: 500).keychain.link.isPaired)
    bench.board.store.failsWrites = false
    bench.reboot(.powerOn, nonce: 78)
    #expect(bench.keychain.link.isPaired)
  }
}
