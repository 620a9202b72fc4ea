import FobBase
import Testing
import WireProtocol

@testable import Firmware

/// A board's clock is not to go back; one that does must not stop the firmware.
struct ClockTests {
  @Test(arguments: [Int64(0), 5_000, 99_000])
  func `a press after the clock went back is told at once`(_ ms: Int64) {
    let bench = Bench()
    bench.run(ms: 100_000)
    bench.board.clock = .milliseconds(ms)
    bench.press(hold: 50)
    let press = bench.sent.events(.pressed).first
    #expect(press?.identity.clock == UInt64(ms * 1_000) && press?.commitDelta == 15_000)
    #expect(bench.sent.events(.released).count > 0)
  }

  @Test func `a press of which nobody heard before the clock went back is not lost`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 100_000)
    bench.board.setContact(closed: true)
    bench.board.clock = .milliseconds(100_050)
    bench.board.setContact(closed: false)
    bench.board.clock = .milliseconds(5_000)
    bench.run(ms: 200)
    let press = bench.sent.events(.pressed)
    #expect(press.count == 1 && bench.sent.events(.released).count == 1)
    #expect(press.first?.identity.clock == 5_000_000)
    #expect(press.first?.commitDelta == 0, "the commit's clock says less than the edge's end")
  }

  @Test func `a contact of before the clock went back keeps its count`() {
    let bench = Bench()
    bench.run(ms: 100_000)
    bench.board.setContact(closed: true)
    bench.run(ms: 10)
    bench.board.clock = .milliseconds(1_000)
    bench.run(ms: 4)
    #expect(bench.sent.events(.pressed).isEmpty)
    bench.run(ms: 2)
    #expect(bench.sent.events(.pressed).count == 1)
  }

  @Test func `a heartbeat says it before any event is stamped by the new clock`() {
    let bench = Bench()
    bench.run(ms: 100_000)
    _ = bench.take()
    bench.board.setContact(closed: true)
    bench.run(ms: 14)
    bench.board.clock = .milliseconds(1_000)
    bench.run(ms: 5)
    let types = bench.take().map(\.type)
    #expect(types.first == .heartbeat && types.contains(.event))
  }

  @Test func `resending, heartbeat and light go on`() {
    let bench = Bench()
    bench.run(ms: 100_000)
    bench.press(hold: 50)
    bench.run(ms: 10_000)
    bench.board.clock = .milliseconds(2_000)
    let (sent, light) = (bench.sent.count, bench.board.light.count)
    bench.run(ms: 3_000)
    let since = bench.sent[sent...]
    #expect(since.filter { $0.event?.identity.kind == .pressed }.count >= 3)
    #expect(since.filter { $0.type == .heartbeat }.count >= 3)
    #expect(bench.board.light.count - light >= 25)
  }

  @Test func `a lease lasts no longer for it, and a light set for the bench neither`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 100_000)
    bench.hello()
    bench.indicate(.accepted, lease: 5_000)
    bench.run(ms: 3_000)
    bench.board.clock = .milliseconds(500)
    bench.run(ms: 1_000)
    #expect(bench.keychain.display.shown.source == .lease)
    bench.run(ms: 1_500)
    #expect(bench.keychain.display.shown.source == .own)
  }

  @Test func `a clock that is back by less than a millisecond changes nothing`() {
    let bench = Bench()
    bench.run(ms: 10_500)
    let sent = bench.sent.count
    bench.board.clock = Instant(microseconds: bench.board.clock.microseconds - 900)
    bench.poll()
    #expect(bench.sent.count == sent)
  }
}
