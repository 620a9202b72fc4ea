import FobBase
import Testing
import WireProtocol

@testable import Firmware

struct StoreTests {
  @Test func `an event is stored before its first byte is sent`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 500)
    let before = bench.board.writes.count
    bench.board.setContact(closed: true)
    bench.run(ms: 20)
    #expect(bench.board.writes[before...].prefix(2) == [.store, .link])
  }

  @Test func `a failing store stops no event`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 500)
    bench.acks = { _ in false }
    bench.board.store.failsWrites = true
    bench.press()
    let press = bench.sent.events(.pressed).first
    #expect(press?.flags == .volatile && press?.commitDelta == 15_000)
    let faults = bench.sent.events(.fault)
    #expect(faults.first?.detail == FaultCode.storeFailed.rawValue)
    #expect(faults.first?.flags == .volatile)
    bench.run(ms: 1_000)
    let beat = bench.sent.all(Heartbeat.self).last
    #expect(beat?.flags.contains(.storeFailing) == true && beat?.unacked == 3)
  }

  @Test func `a failing store is one fault until it works again`() {
    let bench = Bench(acks: { _ in true })
    bench.board.store.failsWrites = true
    for _ in 0..<20 { bench.press() }
    #expect(Set(bench.sent.events(.fault).map(\.identity)).count == 1)
    bench.board.store.failsWrites = false
    bench.run(ms: 1_100)
    #expect(bench.sent.all(Heartbeat.self).last?.flags.contains(.storeFailing) == false)
    bench.board.store.failsWrites = true
    bench.press()
    #expect(Set(bench.sent.events(.fault).map(\.identity)).count == 2)
  }

  @Test func `what the store refused is stored when it works again`() {
    let bench = Bench()
    bench.run(ms: 500)
    bench.board.store.failsWrites = true
    bench.press()
    bench.board.store.failsWrites = false
    bench.run(ms: 4_000)
    #expect(bench.sent.events(.pressed).last?.flags == EventRecord.Flags.none)
    bench.reboot()
    #expect(bench.sent.events(.pressed).first?.flags == .replayed)
  }

  @Test func `while the store fails at most eight are kept, of them the presses`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 500)
    bench.acks = { _ in false }
    bench.board.store.failsWrites = true
    for _ in 0..<12 { bench.press() }
    #expect(bench.keychain.unackedCount == Limits.volatileEvents)
    bench.board.store.failsWrites = false
    bench.run(ms: 2_000)
    bench.reboot()
    bench.run(ms: 2_000)
    let replayed = Dictionary(
      bench.sent.events(.pressed).map { ($0.identity.number.n, $0) }, uniquingKeysWith: { $1 })
    #expect(replayed.count == Limits.volatileEvents)
    let merged = replayed.values.filter { $0.flags.contains(.merged) }
    #expect(merged.map(\.covered) == [5])
  }

  @Test func `a store that cannot be read at boot is read later, and nothing of it overwritten`() {
    let bench = Bench()
    bench.run(ms: 30)
    for _ in 0..<3 { bench.press(hold: 21, pause: 21) }
    bench.board.reset(.brownOut, nonce: 42)
    bench.board.store.failsReads = true
    bench.reboot(.brownOut)
    bench.press()
    #expect(bench.sent.events(.pressed).first?.flags == .volatile)
    bench.board.store.failsReads = false
    bench.run(ms: 2_000)
    let presses = bench.kept.filter { $0.identity.kind == .pressed }
    #expect(presses.filter { $0.identity.bootNonce == 41 }.count == 3)
    #expect(presses.filter { $0.identity.bootNonce == 42 }.count == 1)
    #expect(presses.allSatisfy { !$0.flags.contains(.volatile) })
  }

  @Test func `while the store cannot be read nothing is resent, it is told, and then goes on`() {
    let bench = Bench(acks: { $0.identity.kind != .pressed })
    bench.run(ms: 500)
    bench.press()
    let press = bench.sent.events(.pressed).first
    bench.board.store.failsReads = true
    _ = bench.take()
    bench.run(ms: 300)
    let told = bench.take()
    #expect(told.events(.pressed).isEmpty)
    #expect(told.events(.fault).map(\.detail) == [FaultCode.storeFailed.rawValue])
    bench.board.store.failsReads = false
    bench.run(ms: 3_000)
    let again = bench.take().events(.pressed)
    #expect(again.first?.identity == press?.identity && press != nil)
  }

  @Test func `an ack is obeyed while the store cannot clear`() throws {
    let bench = Bench(acks: { $0.identity.kind != .pressed })
    bench.run(ms: 500)
    bench.press()
    let press = try #require(bench.sent.events(.pressed).first)
    bench.board.store.failsWrites = true
    bench.ack(press)
    _ = bench.take()
    bench.run(ms: 5_000)
    #expect(bench.take().events(.pressed).isEmpty)
  }

  @Test func `a full ring loses no press while the store fails and memory is full`() {
    let bench = Bench(acks: { $0.identity.kind != .pressed })
    bench.ask(Config(key: .debounce, value: 0))
    bench.run(until: .milliseconds(1_010))
    for n in 0..<70 {
      bench.board.store.failsWrites = n < 8 || n >= 64
      bench.press(hold: 4, pause: 4)
    }
    let presses = bench.kept.filter { $0.identity.kind == .pressed }
    #expect(presses.count == 64)
    #expect(presses.reduce(0) { $0 + max(1, Int($1.covered)) } == 70)
  }

  @Test func `a merged press that skipped stored ones does not wipe them at boot`() {
    let bench = Bench(acks: { $0.identity.kind != .pressed })
    bench.run(ms: 10)
    bench.board.store.failsWrites = true
    for _ in 0..<8 { bench.press(hold: 22, pause: 22) }
    bench.board.store.failsWrites = false
    for _ in 0..<4 { bench.press(hold: 22, pause: 22) }
    bench.board.store.failsWrites = true
    bench.press(hold: 22, pause: 22)
    bench.board.store.failsWrites = false
    bench.run(ms: 2_000)
    bench.reboot()
    bench.run(ms: 2_000)
    let replayed = Dictionary(
      bench.sent.events(.pressed).map { ($0.identity.number.n, Int($0.covered)) },
      uniquingKeysWith: { $1 })
    #expect(replayed.values.reduce(0) { $0 + max(1, $1) } == 13)
  }
}
