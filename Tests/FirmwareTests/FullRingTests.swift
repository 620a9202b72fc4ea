import FobBase
import Testing
import WireProtocol

@testable import Firmware

struct FullRingTests {
  /// A device that holds `count` presses and nothing else.
  private func full(of count: Int) -> Bench {
    let bench = Bench(acks: { $0.identity.kind != .pressed })
    bench.run(ms: 30)
    for _ in 0..<count { bench.press(hold: 21, pause: 21) }
    return bench
  }

  private func beat(_ bench: Bench) -> Heartbeat? {
    bench.run(ms: 1_000)
    return bench.sent.all(Heartbeat.self).last
  }

  @Test func `64 presses are all kept`() {
    let bench = full(of: 64)
    #expect(bench.keychain.unackedCount == 64)
    let beat = beat(bench)
    #expect(beat?.flags.contains(.ringFull) == true)
    #expect(beat?.mergedPresses == 0 && beat?.unacked == 64)
  }

  @Test(arguments: [65, 70])
  func `presses beyond 64 are merged into the newest, each under its own number`(_ count: Int) {
    let bench = full(of: 64)
    let last = bench.sent.events(.pressed).map(\.identity.number).max()!
    _ = bench.take()
    for n in 1...(count - 64) {
      bench.press(hold: 21, pause: 21)
      let told = bench.take().filter { !$0.head.isResent }.events(.pressed)
      #expect(told.count == 1)
      #expect(told.first?.flags == .merged)
      #expect(told.first?.firstCovered == last)
      #expect(told.first?.covered == UInt16(n + 1))
      #expect((told.first?.identity.number ?? .none) > last)
    }
    #expect(bench.keychain.unackedCount == 64)
    #expect(beat(bench)?.mergedPresses == UInt32(count - 64))
  }

  @Test func `the number taken over is never sent again, and its ack is unknown`() throws {
    let bench = full(of: 64)
    let last = try #require(
      bench.sent.events(.pressed).max { $0.identity.number < $1.identity.number })
    bench.press()
    bench.ack(last)
    #expect(bench.keychain.unackedCount == 64)
    bench.hello()
    _ = bench.take()
    bench.run(ms: 3_000)
    #expect(!bench.take().numbers.contains(last.identity.number.n))
  }

  @Test func `merging is told by a fault as soon as there is room`() throws {
    let bench = full(of: 65)
    bench.run(ms: 500)
    #expect(bench.sent.events(.fault).isEmpty)
    bench.ack(try #require(bench.sent.events(.pressed).first))
    #expect(bench.sent.events(.fault).map(\.detail) == [FaultCode.pressesMerged.rawValue])
  }

  @Test func `others give way first, then releases, presses never`() {
    let bench = Bench()
    for _ in 0..<4 {
      bench.board.millivolts = BatteryGauge.millivolts(percent: 20)
      bench.run(ms: 1_000)
      bench.board.millivolts = 3_900
      bench.run(ms: 1_000)
    }
    for _ in 0..<64 { bench.press(hold: 21, pause: 21) }
    #expect(bench.kept.map(\.identity.kind) == [EventKind](repeating: .pressed, count: 64))
    let evicted = beat(bench)?.evictedEvents
    #expect(evicted == UInt32(1 + 8 + 64))
  }

  @Test func `the oldest of the others gives way, before any release`() {
    let bench = Bench()
    for _ in 0..<31 { bench.press(hold: 21, pause: 21) }
    bench.board.millivolts = BatteryGauge.millivolts(percent: 20)
    bench.run(ms: 1_100)
    #expect(bench.kept.count == 64 && bench.kept.first?.identity.kind == .booted)
    bench.press(hold: 25, pause: 0)
    #expect(bench.kept.last?.identity.kind == .pressed)
    #expect(bench.kept.contains { $0.identity.kind == .batteryLow })
    bench.run(ms: 25)
    let kinds = bench.kept.map(\.identity.kind)
    #expect(kinds.filter { $0 == .pressed }.count == 32)
    #expect(kinds.filter { $0 == .released }.count == 32)
  }

  @Test func `what is no press and finds no place is told once`() {
    let bench = full(of: 64)
    bench.acks = { _ in false }
    bench.run(ms: 200)
    _ = bench.take()
    bench.board.millivolts = BatteryGauge.millivolts(percent: 20)
    bench.run(ms: 5_000)
    let told = bench.take().events(.batteryLow)
    #expect(told.map(\.flags) == [.volatile])
    #expect(bench.keychain.unackedCount == 64)
  }

  @Test func `64 presses and a reset come again, all of them`() {
    let bench = full(of: 66)
    bench.reboot()
    bench.run(ms: 4_000)
    let presses = Dictionary(
      bench.sent.events(.pressed).map { ($0.identity.number.n, Int($0.covered)) },
      uniquingKeysWith: { $1 })
    #expect(presses.count == 64)
    #expect(presses.values.reduce(0) { $0 + max(1, $1) } == 66)
  }
}
