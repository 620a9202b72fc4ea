import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import Firmware

struct PressTests {
  @Test func `a press is sent in the poll that settles it, with both stamps`() throws {
    let bench = Bench()
    bench.run(ms: 1_000)
    bench.at(1_000, closed: true)
    bench.run(ms: 14)
    #expect(bench.sent.events(.pressed).isEmpty)
    bench.run(ms: 1)
    let frame = try #require(bench.sent.first { $0.event?.identity.kind == .pressed })
    #expect(frame.at == .milliseconds(1_015))
    #expect(frame.event?.identity.clock == 1_000_000)
    #expect(frame.event?.commitDelta == 15_000)
    #expect(!frame.head.isResent)
  }

  @Test func `a press and its release are two events in a row`() {
    let bench = Bench()
    bench.run(ms: 2_000)
    bench.press(hold: 100)
    let pressed = bench.sent.events(.pressed).first
    let released = bench.sent.events(.released).first
    #expect(pressed?.identity.number == EventNumber(boot: 1, n: 2))
    #expect(released?.identity.number == EventNumber(boot: 1, n: 3))
    #expect(released?.identity.clock == 2_100_000)
  }

  @Test func `the stamp is that of the edge however late the board is polled`() {
    let bench = Bench()
    bench.run(ms: 500)
    bench.board.setContact(closed: true)
    bench.board.clock = .milliseconds(700)
    bench.poll()
    let press = bench.sent.events(.pressed).first
    #expect(press?.identity.clock == 500_000)
    #expect(press?.commitDelta == 200_000)
  }

  @Test func `press and release within one late poll are both told`() {
    let bench = Bench()
    bench.run(ms: 500)
    bench.board.setContact(closed: true)
    bench.board.clock = .milliseconds(530)
    bench.board.setContact(closed: false)
    bench.board.clock = .milliseconds(600)
    bench.poll()
    #expect(bench.sent.events(.pressed).count == 1 && bench.sent.events(.released).count == 1)
  }

  @Test func `held at power-on is a stuck fault, and the first press comes after a release`() {
    let bench = Bench(.powerOn) { $0.resumeContact(closed: true) }
    bench.run(ms: 2_000)
    let fault = bench.sent.events(.fault).first
    #expect(fault?.detail == FaultCode.buttonStuck.rawValue)
    #expect(bench.sent.events(.pressed).isEmpty)
    bench.board.setContact(closed: false)
    bench.run(ms: 100)
    #expect(!bench.sent.events(.released).isEmpty)
    bench.press()
    #expect(bench.sent.events(.pressed).first?.flags == EventRecord.Flags.none)
  }

  @Test(arguments: [ResetCause.unknown, .resetPin, .watchdog, .brownOut, .software])
  func `held at any other reset is a press at boot`(_ cause: ResetCause) {
    let bench = Bench(cause) { $0.resumeContact(closed: true) }
    bench.run(ms: 100)
    let press = bench.sent.events(.pressed).first
    #expect(press?.flags == .atBoot)
    #expect(press?.identity.clock == 0 && press?.commitDelta == 15_000)
    #expect(bench.sent.events(.fault).isEmpty)
  }

  @Test func `a clean press is sure after 15 ms, or three quarters of what CONFIG says`() {
    let bench = Bench()
    bench.ask(Config(key: .debounce, value: 50))
    bench.press(hold: 37, pause: 200)
    #expect(bench.sent.events(.pressed).isEmpty)
    bench.press(hold: 55, pause: 200)
    #expect(bench.sent.events(.pressed).first?.commitDelta == 37_500)
    bench.reboot()
    bench.acks = { _ in true }
    bench.run(ms: 500)
    bench.press(hold: 25, pause: 100)
    let own = bench.sent.events(.pressed).filter { $0.identity.bootNonce == 42 }
    #expect(own.first?.commitDelta == 15_000)
  }

  @Test(arguments: [
    (UInt32(0), ConfigResult.Outcome.done, UInt32(0)), (50, .done, 50),
    (51, .outOfRange, 20), (.max, .outOfRange, 20),
  ])
  func `CONFIG takes 0 to 50 ms`(
    _ value: UInt32, _ outcome: ConfigResult.Outcome, _ inForce: UInt32
  ) {
    let answers = Bench().ask(Config(key: .debounce, value: value)).all(ConfigResult.self)
    #expect(answers == [ConfigResult(key: 1, value: inForce, outcome: outcome)])
  }

  @Test(arguments: [ConfigKey.nmeaRaw, .logLevel])
  func `the keys that this firmware lacks are unknown`(_ key: ConfigKey) {
    let answers = Bench().ask(Config(key: key, value: 1)).all(ConfigResult.self)
    #expect(answers.map(\.outcome) == [.unknownKey])
  }

  @Test(arguments: UInt64(1)...6)
  func `each settled change of the contact is one event, in order`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bench = Bench(acks: { _ in true })
    var at: Int64 = 10
    for _ in 0..<20 {
      at += Int64.random(in: 25...120, using: &random)
      bench.at(at, closed: true)
      for _ in 0..<Int.random(in: 0..<3, using: &random) {
        bench.at(at + 2, closed: false)
        bench.at(at + 3, closed: true)
        at += 3
      }
      at += Int64.random(in: 25...120, using: &random)
      bench.at(at, closed: false)
    }
    bench.run(ms: at + 200)
    let kinds = bench.sent.filter { !$0.head.isResent }.compactMap(\.event?.identity.kind)
      .filter { $0 == .pressed || $0 == .released }
    #expect(kinds == (0..<20).flatMap { _ in [EventKind.pressed, .released] })
    #expect(bench.keychain.unackedCount == 0)
  }
}
