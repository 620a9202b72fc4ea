import FobBase
import Testing
import WireProtocol

@testable import Firmware

struct ResendTests {
  @Test func `an event is sent again at growing intervals, marked RESENT, for ever`() {
    let bench = Bench()
    bench.run(ms: 9_300)
    let boots = bench.sent.filter { $0.event?.identity.kind == .booted }
    let times = boots.map { $0.at.microseconds / 1_000 }
    for (time, goal) in zip(times, [Int64(0), 100, 300, 700, 1_500, 3_100, 5_100, 7_100, 9_100]) {
      #expect(abs(time - goal) <= 15, "\(times)")
    }
    #expect(boots.count == 9)
    #expect(boots.map(\.head.isResent) == [false] + [Bool](repeating: true, count: 8))
    #expect(boots.allSatisfy { $0.event?.flags == EventRecord.Flags.none })
  }

  @Test func `an ack ends it, in the store too`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 1_000)
    #expect(bench.sent.events(.booted).count == 1)
    #expect(bench.keychain.unackedCount == 0)
    bench.reboot()
    #expect(bench.sent.events(.booted).map(\.identity.number.boot) == [2])
  }

  @Test func `an ack of another identity or number is ignored without an answer`() throws {
    let bench = Bench()
    let boot = try #require(bench.sent.events.first)
    var other = boot.identity
    other.clock += 1
    bench.ask(EventAck(number: boot.identity.number, identityCRC: other.crc))
    bench.ask(EventAck(number: EventNumber(boot: 9, n: 9), identityCRC: boot.identity.crc))
    #expect(bench.keychain.unackedCount == 1)
    #expect(bench.sent.all(Reject.self).isEmpty)
    bench.ack(boot)
    bench.ack(boot)
    #expect(bench.keychain.unackedCount == 0)
  }

  @Test func `a new press is sent at once while four resends wait`() throws {
    let bench = Bench()
    for _ in 0..<4 { bench.press() }
    bench.run(ms: 8_000)
    bench.hello()
    bench.board.setContact(closed: true)
    _ = bench.take()
    bench.run(ms: 40)
    let sent = bench.take().filter { $0.type == .event }
    #expect(sent.count == 1)
    #expect(sent.first?.event?.identity.kind == .pressed && sent.first?.head.isResent == false)
    #expect(sent.first?.event?.commitDelta == 15_000)
  }

  @Test func `HELLO brings every unacked event again, four in each 100 ms, presses first`() {
    let bench = Bench()
    for _ in 0..<6 { bench.press() }
    bench.run(ms: 20_000)
    _ = bench.take()
    bench.hello()
    #expect(bench.take().events.map(\.identity.kind) == [.pressed, .pressed, .pressed, .pressed])
    bench.run(ms: 101)
    #expect(bench.take().events.map(\.identity.kind) == [.pressed, .pressed, .pressed, .pressed])
  }

  @Test func `a link that takes nothing loses no event, and nothing else blocks`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 100)
    bench.board.linkRoom = 0
    bench.run(ms: 30_000)
    bench.press()
    #expect(bench.keychain.wantsToTransmit)
    bench.board.linkRoom = .max
    bench.run(ms: 500)
    #expect(bench.sent.events(.pressed).count == 1)
    bench.run(ms: 1_000)
    let beat = bench.sent.all(Heartbeat.self).last
    #expect((beat?.droppedFrames ?? 0) > 10)
    #expect(beat?.unacked == 0)
  }

  @Test func `a press waits for one trace at the most on a stalled link`() throws {
    let bench = Bench(acks: { _ in true })
    for _ in 0..<8 { bench.press() }
    _ = bench.take()
    bench.board.linkRoom = 0
    for _ in 0..<4 {
      bench.send(TraceFrame(first: 0))
      bench.run(ms: 1)
    }
    bench.board.setContact(closed: true)
    bench.run(ms: 40)
    _ = bench.take()
    bench.board.linkRoom = .max
    bench.run(ms: 1)
    let sent = bench.take()
    let press = try #require(sent.firstIndex { $0.event?.identity.kind == .pressed })
    #expect(sent[press].head.isResent == false)
    #expect(sent[..<press].filter { $0.type == .trace }.count == 1)
  }

  @Test func `short writes cut no frame`() {
    let bench = Bench()
    for _ in 0..<40 {
      bench.board.linkRoom = 7
      bench.run(ms: 5)
    }
    bench.board.linkRoom = .max
    bench.press()
    #expect(bench.sent.map(\.sequence) == Array(0..<UInt16(bench.sent.count)))
    #expect(bench.sent.events(.pressed).count == 1)
  }

  @Test func `a press passes what has not been begun`() throws {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 100)
    bench.board.linkRoom = 0
    for _ in 0..<12 { bench.ask(Config(key: .debounce, value: 20)) }
    bench.press(hold: 30, pause: 30)
    bench.board.linkRoom = .max
    let before = bench.sent.count
    bench.run(ms: 1)
    let place = try #require(bench.sent[before...].firstIndex { $0.event != nil })
    #expect(place - before <= 13)
  }
}
