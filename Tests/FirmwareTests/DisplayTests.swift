import FobBase
import Testing
import WireProtocol

@testable import Firmware

struct DisplayTests {
  /// A device whose boot event is acked, with a session.
  private func linked(acks: @escaping (EventRecord) -> Bool = { _ in true }) -> Bench {
    let bench = Bench(acks: acks)
    bench.hello()
    bench.run(ms: 10)
    _ = bench.take()
    return bench
  }

  private func shown(_ bench: Bench) -> LEDState? { bench.sent.all(LEDState.self).last }

  /// R3.
  @Test func `without a host it flashes discoverably`() {
    let bench = Bench()
    #expect(bench.sent.all(LEDState.self).map(\.shown) == [.unclaimed])
    #expect(shown(bench)?.source == .own && bench.board.isLit)
  }

  @Test(arguments: (0...10).map { ShownState(rawValue: $0)! })
  func `INDICATE alone says what is shown`(_ state: ShownState) {
    let bench = linked()
    bench.indicate(state, detail: 7, revision: 5)
    let shown = shown(bench)
    #expect(shown?.shown == state && shown?.detail == 7 && shown?.source == .lease)
    #expect(shown?.session == 81 && shown?.revision == 5)
  }

  @Test func `an INDICATE of another session is ignored`() {
    let bench = Bench()
    bench.indicate(.idle, session: 0)
    bench.indicate(.idle, session: 81)
    #expect(shown(bench)?.shown == .unclaimed)
    bench.hello(session: 81)
    bench.indicate(.idle, session: 82)
    #expect(shown(bench)?.shown == .unclaimed)
    bench.hello(session: 82)
    bench.indicate(.identify, session: 81)
    #expect(shown(bench)?.shown == .unclaimed)
  }

  @Test func `an older revision is ignored, the same one renews the lease`() {
    let bench = linked()
    bench.indicate(.idle, revision: 5, lease: 1_000)
    bench.indicate(.ended, revision: 4, lease: 1_000)
    #expect(shown(bench)?.shown == .idle)
    bench.run(ms: 800)
    bench.indicate(.idle, revision: 5, lease: 1_000)
    bench.run(ms: 900)
    #expect(shown(bench)?.shown == .idle)
    bench.run(ms: 100)
    #expect(shown(bench)?.shown == .unclaimed)
  }

  @Test func `a lower revision counts in a new session`() {
    let bench = linked()
    bench.indicate(.idle, revision: 900)
    bench.hello(session: 82)
    bench.indicate(.ended, revision: 1, session: 82)
    #expect(shown(bench)?.shown == .ended)
  }

  @Test func `a lease ends at its time, and a new session does not end it`() {
    let bench = linked()
    bench.indicate(.accepted, lease: 5_000)
    let start = bench.ms
    bench.hello(session: 82)
    bench.run(ms: 4_990)
    #expect(shown(bench)?.shown == .accepted)
    bench.run(ms: 20)
    let change = bench.sent.last { $0.type == .ledState }
    #expect(change?.read(LEDState.self)?.shown == .unclaimed)
    #expect(abs((change?.at ?? .milliseconds(0)).microseconds / 1_000 - start - 5_000) <= 1)
  }

  /// R49.
  @Test func `an ended lease never silences the sounder`() {
    let bench = linked()
    bench.indicate(.accepted, sounder: true, lease: 1_000)
    #expect(bench.board.sounds)
    bench.run(ms: 60_000)
    #expect(shown(bench)?.shown == .unclaimed && shown(bench)?.sounder == true)
    #expect(bench.board.sounds)
    bench.indicate(.idle, revision: 2, sounder: false)
    #expect(!bench.board.sounds)
  }

  @Test func `a reset forgets lease and sounder`() {
    let bench = linked()
    bench.indicate(.accepted, sounder: true)
    bench.reboot()
    #expect(shown(bench)?.shown == .unclaimed && !bench.board.sounds)
    #expect(shown(bench)?.session == 0)
  }

  @Test(arguments: (0...10).map { ShownState(rawValue: $0)! })
  func `while a press is unacked only countdown, sending and failed are shown`(
    _ state: ShownState
  ) {
    let bench = linked(acks: { $0.identity.kind != .pressed })
    bench.indicate(state, lease: 60_000)
    bench.press()
    let allowed = [ShownState.countdown, .sending, .failed].contains(state)
    #expect(shown(bench)?.shown == (allowed ? state : .sending))
    #expect(shown(bench)?.source == (allowed ? .lease : .own))
    let sending = ShownState.sending
    bench.indicate(state, revision: 2, lease: 60_000)
    #expect(shown(bench)?.shown == (allowed ? state : sending))
    bench.ack(bench.sent.events(.pressed)[0])
    #expect(shown(bench)?.shown == state)
  }

  /// R44.
  @Test func `sending is shown in the poll that makes the press`() {
    let bench = linked(acks: { $0.identity.kind != .pressed })
    bench.indicate(.idle)
    bench.run(ms: 100)
    bench.board.setContact(closed: true)
    bench.run(ms: 20)
    let event = bench.sent.first { $0.event?.identity.kind == .pressed }
    let led = bench.sent.last { $0.type == .ledState }
    #expect(led?.read(LEDState.self)?.shown == .sending)
    #expect(event?.at == led?.at && bench.board.light.last?.at == event?.at)
  }

  /// R44.
  @Test(arguments: (0...12).map { UInt8($0) })
  func `a press is sent as early under due as under idle`(n: UInt8) {
    func sent(_ state: ShownState) -> [Instant] {
      let bench = linked(acks: { $0.identity.kind != .pressed })
      bench.indicate(state, detail: n, lease: 60_000)
      bench.run(ms: 740)
      bench.press()
      return bench.sent.filter { $0.event?.identity.kind == .pressed }.map(\.at)
    }
    #expect(!sent(.due).isEmpty && sent(.due) == sent(.idle))
  }

  @Test func `without a lease an unacked press is sending, another event is not`() {
    let bench = Bench()
    #expect(shown(bench)?.shown == .unclaimed)
    bench.press()
    #expect(shown(bench)?.shown == .sending)
    bench.ack(bench.sent.events(.pressed)[0])
    #expect(shown(bench)?.shown == .unclaimed && bench.keychain.unackedCount > 0)
  }

  @Test func `a low battery is shown in the place of idle and of nothing else`() {
    let bench = linked()
    bench.board.millivolts = BatteryGauge.millivolts(percent: 10)
    bench.indicate(.idle, lease: 60_000)
    bench.run(ms: 1_100)
    #expect(shown(bench)?.shown == .lowBattery)
    bench.indicate(.ended, revision: 2, lease: 60_000)
    #expect(shown(bench)?.shown == .ended)
    bench.run(ms: 60_000)
    #expect(shown(bench)?.shown == .unclaimed)
  }

  @Test func `LED_SET shows for its time`() {
    let bench = linked()
    bench.ask(LEDSet(state: .identify, detail: 0, duration: 300))
    #expect(shown(bench)?.shown == .identify && shown(bench)?.source == .bench)
    bench.run(ms: 290)
    #expect(shown(bench)?.shown == .identify)
    bench.run(ms: 10)
    #expect(shown(bench)?.shown == .unclaimed)
  }

  @Test(arguments: [ShownState.countdown, .sending, .accepted, .acknowledged, .failed])
  func `LED_SET is rejected while an incident is open, and gives way to one`(_ state: ShownState) {
    let bench = linked()
    bench.indicate(state)
    #expect(isRejected(bench.ask(LEDSet(state: .identify, detail: 0, duration: 300))))
    #expect(shown(bench)?.shown == state)
    bench.indicate(.idle, revision: 2)
    bench.ask(LEDSet(state: .identify, detail: 0, duration: 60_000))
    #expect(shown(bench)?.shown == .identify)
    bench.indicate(state, revision: 3)
    #expect(shown(bench)?.shown == state)
  }

  private func isRejected(_ answer: [DeviceFrame]) -> Bool {
    answer.all(Reject.self).map(\.reason) == [.notNow]
  }

  @Test func `LED_SET is rejected while presses may lie in a store that was not read`() {
    let bench = Bench(.powerOn, { $0.store.failsReads = true })
    #expect(isRejected(bench.ask(LEDSet(state: .identify, detail: 0, duration: 300))))
    #expect(shown(bench)?.shown == .sending)
    bench.board.store.failsReads = false
    bench.run(ms: 1_100)
    #expect(bench.ask(LEDSet(state: .identify, detail: 0, duration: 300)).all(Reject.self).isEmpty)
    #expect(shown(bench)?.shown == .identify)
  }

  @Test func `LED_SET is rejected while a press is unacked, and gives way to one`() {
    let bench = linked(acks: { $0.identity.kind != .pressed })
    bench.ask(LEDSet(state: .identify, detail: 0, duration: 60_000))
    bench.press()
    #expect(shown(bench)?.shown == .sending)
    #expect(isRejected(bench.ask(LEDSet(state: .ended, detail: 0, duration: 60_000))))
    #expect(shown(bench)?.shown == .sending)
  }

  @Test func `LED_STATE is said at each change, after each HELLO, and else not`() {
    let bench = linked()
    bench.indicate(.countdown, detail: 90, revision: 1)
    bench.indicate(.countdown, detail: 89, revision: 2)
    bench.indicate(.countdown, detail: 89, revision: 2)
    bench.run(ms: 500)
    let said = bench.take().all(LEDState.self)
    #expect(said.map(\.detail) == [90, 89])
    #expect(said.map(\.clock) == [said[0].clock, said[0].clock])
    bench.hello()
    #expect(bench.take().all(LEDState.self).map(\.shown) == [.countdown])
  }
}
