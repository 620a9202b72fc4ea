import Capture
import FobBase
import Testing
import WireProtocol

/// Captures written by hand, of what a toy keychain does not do.
@Suite struct ReplayStoryTests {
  private static let software = SoftwareVersion(major: 0, minor: 1, patch: 0)

  private static func packet(
    _ seconds: Int64, _ direction: Direction, _ payload: some Payload
  ) -> CapturedPacket {
    CapturedPacket(
      device: "bench", microseconds: seconds * 1_000_000, direction: direction,
      bytes: WireFrame(FrameBody(payload, sequence: 0)).wire)
  }

  private static func hello(answering session: UInt32, boot: UInt32) -> Hello {
    var hello = Hello(role: .device, session: session, software: software)
    hello.deviceID = .bench(3)
    hello.bootCounter = boot
    hello.bootNonce = 100 + boot
    return hello
  }

  private static func idle(_ revision: UInt32, detail: UInt8 = 0) -> Indicate {
    Indicate(
      session: 5, incident: 0, revision: revision, state: detail == 0 ? .idle : .due,
      detail: detail, sounder: false, lease: 15_000)
  }

  @Test func `a boot of then is a boot now, and each session is answered by its boot`() throws {
    let packets = [
      Self.packet(0, .toDevice, Hello(role: .host, session: 5, software: Self.software)),
      Self.packet(0, .toHost, Self.hello(answering: 5, boot: 1)),
      Self.packet(0, .toDevice, Self.idle(1)),
      Self.packet(2, .toHost, Self.hello(answering: 0, boot: 2)),
      Self.packet(2, .toDevice, Hello(role: .host, session: 6, software: Self.software)),
      Self.packet(2, .toHost, Self.hello(answering: 6, boot: 2)),
      Self.packet(3, .toHost, Heartbeat()),
    ]
    let script = try ReplayScript(RecordedLine(packets, line: nil), as: .device)
    var player = ReplayPlayer(script, pace: .asCaptured, patience: .seconds(1))
    var now = Instant(microseconds: 0)
    var link = HostLink(session: 9, software: Self.software, at: now)
    link.indicate(Indication(state: .idle), at: now)
    var boots: [UInt32] = []
    while !player.isFinished(at: now) {
      while let frame = link.nextFrame(at: now) { player.heard(frame.wire, at: now) }
      while let bytes = player.nextBytes(at: now) {
        bytes.withUnsafeBytes { bytes in
          var chunk = bytes
          while let report = link.next(&chunk, at: now) {
            if case .hello(let hello) = report { boots.append(hello.bootNonce) }
          }
        }
      }
      now = now + .milliseconds(10)
    }
    #expect(boots == [101, 102])
    #expect(link.session == 10)
    #expect(ReplayComparison(script, now: player.heardMeanings).isSame)
  }

  @Test func `a state that the host asked for is new, or missing, only where it stays`() throws {
    func asks(_ state: ShownState, _ revision: UInt32) -> Indicate {
      Indicate(
        session: 5, incident: 1, revision: revision, state: state, sounder: false, lease: 15_000)
    }
    let shown = LEDState(
      clock: 0, shown: .accepted, detail: 0, sounder: false, source: .lease, session: 5,
      revision: 2)
    // The device of then heard both at once, and showed the last alone.
    let packets = [
      Self.packet(0, .toDevice, Hello(role: .host, session: 5, software: Self.software)),
      Self.packet(0, .toHost, Self.hello(answering: 5, boot: 1)),
      Self.packet(1, .toDevice, asks(.sending, 1)),
      Self.packet(1, .toDevice, asks(.accepted, 2)),
      Self.packet(1, .toHost, shown),
      Self.packet(9, .toDevice, asks(.accepted, 2)),
    ]
    let script = try ReplayScript(RecordedLine(packets, line: nil), as: .host)
    func verdict(_ state: String, for stay: Int64) -> ReplayComparison.Verdict? {
      var now = script.expected
      now.insert(TimedMeaning(at: 1_000_000, Meaning(.shown, state)), at: 1)
      now[2] = TimedMeaning(at: 1_000_000 + stay, now[2].meaning)
      return ReplayComparison(script, now: now).rows.first { $0.meaning.text == state }?.verdict
    }
    #expect(script.expected.map(\.meaning.text) == ["HELLO", "accepted"])
    #expect(verdict("sending", for: 1_000) == .brief)
    #expect(verdict("sending", for: ReplayComparison.briefly) == .new)
    #expect(verdict("failed", for: 1_000) == .new, "nobody asked for it")

    // The other way round: the device of then showed both.
    func passedOver(after stay: Int64) throws -> ReplayComparison.Verdict? {
      var both = packets
      let sending = LEDState(
        clock: 0, shown: .sending, detail: 0, sounder: false, source: .lease, session: 5,
        revision: 1)
      both.insert(Self.packet(1, .toHost, sending), at: 4)
      both[5].microseconds = both[4].microseconds + stay
      let script = try ReplayScript(RecordedLine(both, line: nil), as: .host)
      #expect(script.expected.map(\.meaning.text) == ["HELLO", "sending", "accepted"])
      let now = script.expected.filter { $0.meaning.text != "sending" }
      return ReplayComparison(script, now: now).rows.first { $0.now == nil }?.verdict
    }
    #expect(try passedOver(after: 1_000) == .brief)
    #expect(try passedOver(after: ReplayComparison.briefly) == .missing)
  }

  @Test func `settings, refusals and check-ins are compared, repetitions are not`() throws {
    let reject = Reject(type: 0x30, reason: .badValue, sequence: 4)
    let said: [CapturedPacket] = [
      Self.packet(1, .toDevice, Self.idle(1)), Self.packet(2, .toDevice, Self.idle(1)),
      Self.packet(3, .toDevice, Self.idle(2, detail: 2)),
      Self.packet(4, .toDevice, Self.idle(3, detail: 3)),
      Self.packet(5, .toDevice, Config(key: .debounce, value: 30)),
      Self.packet(6, .toDevice, Config(key: .debounce, value: 30)),
      Self.packet(7, .toDevice, reject),
    ]
    let packets = [Self.packet(0, .toHost, Heartbeat())] + said
    let script = try ReplayScript(RecordedLine(packets, line: nil), as: .device)
    #expect(
      script.expected.map(\.meaning) == [
        Meaning(.shown, "idle"), Meaning(.shown, "due 2"), Meaning(.shown, "due 3"),
        Meaning(.configured, "debounce in ms, 30"), Meaning(.rejected, "BATTERY, bad value"),
      ])
    let less = script.expected.filter { $0.meaning.subject != .configured }
    let comparison = ReplayComparison(script, now: less)
    #expect(comparison.count(.missing) == 1 && comparison.count(.new) == 0)
  }

  @Test func `what is missing is waited for in vain, and no longer than it may take`()
    throws
  {
    let packets = [
      Self.packet(0, .toHost, Heartbeat()), Self.packet(1, .toDevice, Self.idle(1)),
      Self.packet(3, .toHost, Heartbeat()), Self.packet(4, .toDevice, Self.idle(2, detail: 2)),
    ]
    let script = try ReplayScript(RecordedLine(packets, line: nil), as: .device)
    let hello = WireFrame(
      FrameBody(Hello(role: .host, session: 1, software: Self.software), sequence: 0))
    func end(_ pace: ReplayPlayer.Pace, goneAt: Int64? = nil) -> (Int64, played: Int) {
      var player = ReplayPlayer(script, pace: pace, patience: .seconds(2))
      #expect(player.nextWake(at: Instant(microseconds: 0)) == nil && !player.hasBegun)
      var now = Instant(microseconds: 0)
      player.heard(hello.wire, at: now)
      while !player.isFinished(at: now) {
        while player.nextBytes(at: now) != nil {}
        if let goneAt, now.microseconds >= goneAt { player.gone() }
        guard let wake = player.nextWake(at: now) else { continue }
        #expect(wake > now, "it would spin")
        now = max(wake, now + .milliseconds(1))
      }
      return (now.microseconds, player.played)
    }
    #expect(end(.asCaptured) == (6_000_000, 2))
    // 3 s between the two frames and 2 of patience; then 1 s to the end and 2 of patience.
    #expect(end(.fast) == (8_000_000, 2))
    #expect(end(.asCaptured, goneAt: 0) == (0, 1))
  }
}
