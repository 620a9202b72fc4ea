import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// What the core hears of a line.
struct HostSessionTests {
  @Test func `a press reaches the core with when it happened, as far as clocks tell`() {
    let bench = HostBench()
    bench.link()
    bench.compareClocks()
    let press = EventRecord.press(1, clock: 61_000_000, nonce: HostBench.nonce)
    let happened = HostBench.booted.microseconds + 61_000_000
    let doubt = HostBench.travel.microseconds + 1
    #expect(bench.say(press) == ["event 1.1 \(happened - doubt...happened + doubt)"])
  }

  @Test func `when is not said while clocks were not compared, nor of an earlier boot`() {
    let bench = HostBench()
    bench.link()
    #expect(bench.host.fit == nil)
    #expect(bench.say(EventRecord.press(1, nonce: HostBench.nonce)) == ["event 1.1 some time"])
    bench.compareClocks()
    #expect(bench.host.fit != nil)
    #expect(bench.say(EventRecord.press(2, nonce: 9)) == ["event 1.2 some time"])
  }

  @Test func `a clock that lags behind its fit says no when, until it was asked again`() {
    let bench = HostBench()
    bench.link()
    bench.compareClocks()
    func when(_ n: UInt32) -> [String] {
      bench.say(EventRecord.press(n, clock: bench.deviceClock, nonce: HostBench.nonce))
    }
    func beat(behind lag: UInt64) {
      bench.wake(after: .seconds(1))
      var beat = Heartbeat()
      beat.uptime = bench.deviceClock - lag
      bench.say(beat)
    }
    beat(behind: 249_000)
    #expect(when(1) != ["event 1.1 some time"])
    beat(behind: 251_000)
    #expect(when(2) == ["event 1.2 some time"])
    bench.compareClocks()
    #expect(when(3) != ["event 1.3 some time"])
  }

  @Test func `a clock near the end of time says no when, and does not trap`() {
    let bench = HostBench()
    bench.link()
    bench.compareClocks()
    let last = UInt64(Int64.max - HostBench.booted.microseconds)
    let press = EventRecord.press(1, clock: last, nonce: HostBench.nonce)
    #expect(bench.say(press) == ["event 1.1 some time"])
  }

  @Test func `a press counts without any HELLO, and says whose the line is until one comes`() {
    let bench = HostBench()
    bench.open()
    bench.wake()
    #expect(bench.host.device == nil)
    #expect(bench.say(EventRecord.press(1)) == ["event 1.1 some time"])
    #expect(bench.host.device == keychain)
    bench.say(EventRecord.press(1, device: otherKeychain))
    #expect(bench.host.device == keychain)
    #expect(bench.answerHello(otherKeychain) == ["up \(otherKeychain.text)"])
    #expect(bench.host.device == otherKeychain)
  }

  @Test func `a press of another major version reaches the core by its frozen part`() {
    let bench = HostBench()
    bench.link()
    var body = FrameBody(EventRecord.press(3), sequence: 0).withBytes { Array($0) }
    body[0] = 0x20
    let frame = body.withUnsafeBytes { WireFrame(FrameBody(raw: $0)) }
    #expect(bench.hear(frame.bytes).map(\.words) == ["missed", "bare press 1.3"])
  }

  @Test func `heartbeats and positions reach the core; light, battery and clock do not`() {
    let bench = HostBench()
    bench.link()
    #expect(bench.say(Heartbeat()) == ["heartbeat"])
    #expect(bench.say(PositionFix.good(1)) == ["position"])
    #expect(bench.say(LEDState.idle) == [])
    let battery = BatteryReading(clock: 0, millivolts: 4_000, percent: 90, level: .normal)
    #expect(bench.say(battery) == [])
  }

  @Test func `watchers are told a light that changes, a place, and what was not understood`() {
    let bench = HostBench()
    bench.link()
    var beat = Heartbeat()
    beat.shown = .idle
    bench.say(beat)
    bench.say(beat)
    bench.say(LEDState.idle)
    beat.shown = .sending
    bench.say(beat)
    bench.say(PositionFix.good(1))
    bench.say(Reject(type: 9, reason: .unknownType, sequence: 1))
    #expect(
      bench.events.map(\.words) == [
        "light idle", "light idle", "light sending", "position", "rejected 9",
      ])
  }

  @Test func `silence is told once, and again only after a new link`() {
    let bench = HostBench()
    bench.link()
    #expect(bench.wake(after: .milliseconds(2_999)) == nil)
    #expect(bench.wake(after: .milliseconds(1)) == "down: nothing heard for 3 s")
    #expect(bench.wake(after: .seconds(3)) == nil)
    bench.say(Heartbeat())
    #expect(bench.wake(after: .seconds(3)) == nil)
    #expect(bench.answerHello() == ["up \(keychain.text)"])
    #expect(bench.wake(after: .seconds(3)) == "down: nothing heard for 3 s")
  }

  @Test func `a line that goes is told once, and not if it was silent or never linked`() {
    let bench = HostBench()
    #expect(bench.close() == nil)
    bench.open()
    #expect(bench.close() == nil)
    bench.link()
    #expect(bench.close() == "down: unplugged")
    #expect(bench.close() == nil)
    bench.link()
    #expect(bench.wake(after: .seconds(3)) != nil)
    #expect(bench.close() == nil)
  }

  @Test func `nothing in answer to HELLO is said once, three seconds after the opening`() {
    let bench = HostBench()
    bench.open()
    bench.wake(after: .milliseconds(2_999))
    #expect(bench.events.isEmpty)
    bench.wake(after: .milliseconds(1))
    #expect(bench.events.map(\.words) == ["unanswered"])
    bench.link()
    bench.wake(after: .seconds(4))
    #expect(bench.events.count == 1)
  }
}

/// A line that comes and goes.
struct HostOpeningTests {
  @Test func `a gap in seq is told once, before what came behind it`() {
    let bench = HostBench()
    bench.link()
    _ = bench.bytes(Heartbeat())
    #expect(bench.say(Heartbeat()) == ["missed", "heartbeat"])
    #expect(bench.say(Heartbeat()) == ["heartbeat"])
  }

  @Test func `a closed line sends nothing, hears nothing and wakes nobody`() {
    let bench = HostBench()
    func expectClosed() {
      #expect(bench.host.state == nil && bench.host.nextWake == nil && bench.host.fit == nil)
      #expect(bench.say(EventRecord.press(1)) == [])
      #expect(!bench.acknowledge(.press(1)))
      bench.indicate(Indication(state: .sending))
      #expect(bench.wake(after: .seconds(20)) == nil)
      #expect(bench.asked() == [] && bench.events.isEmpty)
    }
    expectClosed()
    bench.link()
    #expect(bench.host.state == .linked && bench.host.nextWake != nil)
    _ = bench.close()
    expectClosed()
  }

  @Test func `whose the line was is kept until it is opened again`() {
    let bench = HostBench()
    bench.link()
    _ = bench.close()
    #expect(bench.host.device == keychain)
    bench.open()
    #expect(bench.host.device == nil)
  }

  @Test func `a new opening begins the session that it is given, without device, fit and trace`() {
    let bench = HostBench()
    bench.link()
    bench.compareClocks()
    bench.sayTrace(from: 0, .some(14))
    _ = bench.asked()
    _ = bench.close()
    bench.open(session: 99)
    bench.sayTrace(from: 0, .some(3))
    #expect(bench.host.device == nil && bench.host.fit == nil)
    #expect(bench.host.state == .asking)
    bench.wake()
    bench.acknowledge(.press(1))
    bench.wake(after: .milliseconds(20))
    #expect(bench.asked() == ["hello 99", "ack 1.1", "trace 0"])
  }

  @Test func `a linked device is told what the opening was given, then what changes`() {
    let bench = HostBench()
    bench.open(indication: Indication(state: .accepted))
    bench.wake()
    bench.answerHello()
    bench.wake()
    #expect(bench.asked() == ["hello 7", "indicate accepted"])
    bench.indicate(Indication(state: .ended))
    #expect(bench.asked() == ["indicate ended"])
  }

  @Test func `noise is summed up when it is over`() {
    let bench = HostBench()
    bench.link()
    bench.hear([1, 2, 3, 0])
    #expect(bench.events.isEmpty)
    bench.wake(after: .seconds(1))
    #expect(bench.events.map(\.words) == ["1 damaged frames"])
  }
}

extension LEDState {
  static var idle: LEDState {
    LEDState(
      clock: 0, shown: .idle, detail: 0, sounder: false, source: .lease, session: 7, revision: 1)
  }
}

extension LinkEvent {
  fileprivate var words: String {
    switch self {
    case .light(let light): "light \(light.shown.map { "\($0)" } ?? "unknown")"
    case .position: "position"
    case .rejected(let reject): "rejected \(reject.rejectedType)"
    case .noise(let noise): "\(noise.damagedFrames) damaged frames"
    case .unanswered: "unanswered"
    default: "\(self)"
    }
  }
}
