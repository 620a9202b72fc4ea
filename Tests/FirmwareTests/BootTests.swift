import FobBase
import Testing
import WireProtocol

@testable import Firmware

struct BootTests {
  @Test func `the order on the wire is HELLO, replays as far as the window goes, boot event`() {
    let bench = Bench()
    bench.run(ms: 500)
    for _ in 0..<3 { bench.press() }
    bench.reboot()
    #expect(bench.sent.first?.type == .hello)
    #expect(bench.sent.prefix(6).map(\.type) == [.hello, .event, .event, .event, .event, .event])
    let events = bench.sent.events
    #expect(events.map(\.identity.number.boot) == [1, 1, 1, 1, 2])
    #expect(events.map(\.flags) == [.replayed, .replayed, .replayed, .replayed, .none])
    #expect(events.last?.identity.kind == .booted)
  }

  @Test func `HELLO says who booted, why, and what is oldest`() {
    let bench = Bench(.powerOn, nonce: 41)
    bench.acks = { $0.identity.kind == .booted }
    bench.run(ms: 500)
    bench.press()
    bench.reboot(.brownOut, nonce: 77)
    let hello = bench.sent.all(Hello.self).first
    #expect(hello?.role == .device && hello?.session == 0)
    #expect(hello?.resetCause == .brownOut && hello?.bootNonce == 77 && hello?.bootCounter == 2)
    #expect(hello?.deviceID == .bench(1))
    #expect(hello?.oldestUnacked == EventNumber(boot: 1, n: 2))
    #expect(bench.sent.events(.booted).last?.detail == ResetCause.brownOut.rawValue)
  }

  @Test func `what was not acked comes again with its number and stamps`() throws {
    let bench = Bench()
    bench.run(ms: 500)
    bench.press()
    let before = try #require(bench.sent.events(.pressed).first)
    bench.reboot()
    let after = try #require(bench.sent.events(.pressed).first)
    #expect(after.identity == before.identity)
    #expect(after.commitDelta == before.commitDelta)
    #expect(after.flags == .replayed)
    bench.ack(after)
    bench.reboot(nonce: 43)
    bench.run(ms: 3_000)
    #expect(bench.sent.events(.pressed).isEmpty)
  }

  @Test func `each boot counts, and its numbers begin at one`() {
    let bench = Bench(acks: { _ in true })
    for boot in UInt32(2)...5 {
      bench.run(ms: 100)
      bench.reboot(nonce: 40 + boot)
      #expect(bench.sent.events(.booted).map(\.identity.number) == [EventNumber(boot: boot, n: 1)])
    }
  }

  @Test func `without a HELLO of any host all is sent`() {
    let bench = Bench()
    bench.run(ms: 1_100)
    #expect(bench.sent.events(.booted).count > 1)
    #expect(bench.sent.contains { $0.type == .heartbeat })
  }

  @Test func `a lost boot counter goes on from the stored events, with a fault`() {
    let bench = Bench()
    bench.run(ms: 100)
    bench.reboot()
    bench.run(ms: 100)
    bench.press()
    bench.board.store.overwrite(0..<32, with: 0xA5)
    bench.board.store.overwrite(3..<4, with: 0x5A)
    bench.reboot(nonce: 43)
    bench.run(ms: 500)
    let fault = bench.sent.events(.fault).first
    #expect(fault?.detail == FaultCode.bootCounterLost.rawValue)
    #expect(fault?.identity.number.boot == 3)
  }

  @Test func `a lost boot counter without stored events is a fault too`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 100)
    bench.board.store.overwrite(0..<12, with: 0x11)
    bench.board.store.overwrite(16..<28, with: 0x22)
    bench.reboot()
    #expect(bench.sent.events(.fault).first?.detail == FaultCode.bootCounterLost.rawValue)
    #expect(bench.sent.events(.booted).first?.identity.number.boot == 1)
  }

  @Test(arguments: [UInt8(0x00), 0xFF])
  func `a blank store is a new device`(_ blank: UInt8) {
    let bench = Bench { $0.store.overwrite(0..<EventStore.size, with: blank) }
    #expect(bench.sent.events(.fault).isEmpty)
    #expect(bench.sent.events(.booted).first?.identity.number == EventNumber(boot: 1, n: 1))
  }

  @Test(arguments: 0...12)
  func `a boot counter whose writing was cut still grows`(_ written: Int) {
    let bench = Bench(acks: { _ in true })
    for boot in UInt32(2)...4 {
      bench.run(ms: 20)
      bench.reboot(nonce: 40 + boot)
    }
    bench.run(ms: 20)
    bench.board.reset(.brownOut, nonce: 50)
    bench.board.store.powerLeft = written
    _ = Keychain(booting: &bench.board)
    bench.reboot(nonce: 51)
    bench.run(ms: 20)
    let boot = bench.sent.events(.booted).first?.identity.number.boot
    #expect(boot == (written == 12 ? 6 : 5))
    #expect(bench.sent.events(.fault).isEmpty)
  }
}
