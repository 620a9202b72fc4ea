import FobBase
import TestSupport
import Testing
import WireProtocol

/// Section 15 of PROTOCOL.md: a paired device and its host believe each other, and nobody else.
struct SealTests {
  private let accepted = Indicate(
    session: FedHost.session, incident: 0, revision: 9, state: .accepted, sounder: false,
    lease: 5_000)
  private let ack = EventAck(number: .init(boot: 1, n: 2), identityCRC: 7)
  private var beat: Heartbeat { Heartbeat() }

  private func linked() -> SealedEnds {
    let ends = SealedEnds()
    ends.link()
    return ends
  }

  private func raw<P: Payload>(_ payload: P) -> [UInt8] { RawFrame.bytes(payload) }

  // MARK: Proof

  @Test func `HELLO, CHALLENGE, PROOF and the first sealed frame open a session at both ends`() {
    let ends = linked()
    #expect(ends.messages.prefix(2) == ["hello", "proof"])
    #expect(ends.requests.prefix(3) == ["hello", "challenge", "indicate"])
    #expect(ends.host.isProved)
    #expect(ends.deviceEnd.trustedSession == FedHost.session)
    #expect(ends.takeProved())
    #expect(!ends.takeProved(), "told once")
    #expect(ends.say(beat) == ["heartbeat"])
  }

  @Test func `without a key at either end all is as in version 1`() {
    let ends = SealedEnds(paired: false)
    ends.hostKey = nil
    ends.link()
    #expect(ends.toDevice(raw(accepted)) == ["indicate"])
    #expect(ends.toHost(raw(beat)) == ["heartbeat"])
    #expect(ends.toDevice([0x18, 0x11, 7, 0] + [UInt8](repeating: 0, count: 28).framed) != ["ack"])
  }

  @Test func `a host that is not the one of the pairing gets no proof that it believes`() {
    let ends = SealedEnds()
    ends.hostKey = PairingKey(low: 1, high: 2)
    ends.link()
    #expect(!ends.host.isProved)
    #expect(!ends.messages.contains("proof"))
    #expect(ends.deviceEnd.trustedSession == 0)
  }

  @Test func `a device that gives no proof is asked on, and told what to show after three seconds`()
  {
    let ends = SealedEnds(paired: false)
    ends.link()
    for _ in 0..<2 {
      ends.run(ms: 1_450)
      ends.say(beat)
    }
    #expect(!ends.requests.contains("indicate"))
    #expect(!ends.takeUnproved())
    ends.run(ms: 200)
    #expect(ends.requests.contains("indicate"))
    #expect(ends.takeUnproved())
    #expect(!ends.takeUnproved(), "told once")
    let asked = ends.requests.count { $0 == "challenge" }
    ends.run(ms: 2_000)
    #expect(ends.requests.count { $0 == "challenge" } > asked)
  }

  @Test func `a reboot of the device begins a new session by itself`() {
    let ends = linked()
    ends.reboot()
    ends.say(beat)
    ends.run(ms: 4_000)
    #expect(ends.host.isProved)
    #expect(ends.deviceEnd.trustedSession == ends.host.session)
    #expect(ends.say(beat) == ["heartbeat"])
  }

  // MARK: Closed to calm: the device

  @Test func `nothing that calms is obeyed without a seal`() {
    let ends = linked()
    #expect(ends.toDevice(raw(ack)) == ["ignored: unproved"])
    #expect(ends.toDevice(raw(accepted)) == ["ignored: unproved"])
    #expect(
      ends.toDevice(raw(LEDSet(state: .idle, detail: 0, duration: 9))) == ["ignored: unproved"])
    #expect(ends.toDevice(raw(Config(key: .debounce, value: 0))) == ["ignored: unproved"])
    #expect(ends.toDevice(raw(Unpair(session: FedHost.session))) == ["ignored: unproved"])
    #expect(ends.toDevice(ends.frame(ack)) == ["ack"])
    #expect(ends.toDevice(ends.frame(accepted)) == ["indicate"])
  }

  @Test func `a sealed frame counts once, and none before it`() {
    let ends = linked()
    let (first, second) = (ends.frame(ack), ends.frame(ack))
    #expect(ends.toDevice(second) == ["ack"])
    #expect(ends.toDevice(second) == ["ignored: unproved"])
    #expect(ends.toDevice(first) == ["ignored: unproved"])
    #expect(ends.toDevice(ends.frame(ack)) == ["ack"])
  }

  @Test func `a frame of the device is none of the host, and the other way round`() {
    let ends = linked()
    let ack = ends.frame(ack)
    #expect(ends.toHost(ack).isEmpty)
    let beat = ends.deviceEnd.frame(beat, at: .milliseconds(ends.now)).bytes
    #expect(ends.toDevice(beat) == ["ignored: unproved"])
    #expect(ends.toHost(beat) == ["heartbeat"])
  }

  @Test func `what another session has sealed is worth nothing in this one`() {
    let ends = linked()
    let old = ends.said
    let kept = ends.frame(ack)
    ends.reboot()
    ends.say(beat)
    ends.run(ms: 4_000)
    #expect(ends.host.isProved)
    for frame in old { ends.toDevice(frame) }
    #expect(ends.toDevice(kept) == ["ignored: unproved"])
    #expect(ends.deviceEnd.trustedSession == ends.host.session)
    #expect(ends.toDevice(ends.frame(ack)) == ["ack"])
  }

  @Test func `a whole session played back to the device proves nothing`() {
    let ends = linked()
    let session = ends.said
    ends.reboot()
    for _ in 0..<3 {
      for frame in session { ends.toDevice(frame) }
    }
    #expect(ends.deviceEnd.trustedSession == 0)
  }

  @Test func `a stranger's HELLO and CHALLENGE end nothing`() {
    let ends = linked()
    let hello = Hello(role: .host, session: 0x0BAD_0001, software: FedHost.software)
    ends.toDevice(raw(hello))
    ends.toDevice(raw(Challenge(session: 0x0BAD_0001, hostNonce: 5)))
    #expect(ends.deviceEnd.trustedSession == FedHost.session)
    #expect(ends.toDevice(ends.frame(ack)) == ["ack"])
    ends.run(ms: 6_000)
    #expect(ends.host.isProved)
    #expect(ends.toDevice(ends.frame(accepted)) == ["indicate"])
  }

  @Test func `a light that was held back for more than three seconds is not shown`() {
    let ends = linked()
    let held = ends.frame(accepted)
    ends.run(ms: 2_900)
    #expect(ends.toDevice(ends.frame(accepted)) == ["indicate"])
    let late = linked()
    let frame = late.frame(accepted)
    for _ in 0..<32 {
      late.run(ms: 100)
    }
    #expect(late.toDevice(frame) == ["ignored: unproved"])
    #expect(ends.toDevice(held) == ["ignored: unproved"], "and its counter is old")
  }

  @Test func `a host that hears the device is believed for ever`() {
    let ends = linked()
    for _ in 0..<100 {
      ends.run(ms: 1_000)
      ends.say(beat)
    }
    #expect(ends.toDevice(ends.frame(accepted)) == ["indicate"])
    #expect(ends.host.isProved)
  }

  @Test func `of every single bit that is turned over, none passes for the host's word`() {
    let ends = linked()
    let body = Decoded(ends.frame(ack)).bodies[0]
    // seq is not sealed: bridges number frames.
    for bit in 0..<body.count * 8 where !(16..<32).contains(bit) {
      var wrong = body
      wrong[bit / 8] ^= 1 << (bit % 8)
      let heard = ends.toDevice(wrong.framed)
      #expect(heard.allSatisfy { $0 != "ack" }, "bit \(bit): \(heard)")
    }
    #expect(ends.toDevice(body.framed) == ["ack"])
  }

  // MARK: Closed to calm: the host

  @Test func `a host with a key takes nothing unsealed but events and what begins a session`() {
    let ends = linked()
    #expect(ends.toHost(raw(beat)).isEmpty)
    #expect(ends.toHost(raw(PositionFix())).isEmpty)
    #expect(ends.toHost(raw(EventRecord(.sample(.released)))) == ["event 2"])
    #expect(!ends.host.isEventProved(by: SealedEnds.key))
    #expect(ends.toHost(raw(EventRecord(.sample(.pressed)))) == ["event 1"])
    #expect(!ends.host.isEventProved(by: SealedEnds.key))
  }

  @Test func `unsealed frames do not keep a silent device linked`() {
    let ends = linked()
    ends.say(beat)
    for _ in 0..<40 {
      ends.run(ms: 100)
      ends.toHost(raw(beat))
    }
    #expect(ends.requests.count { $0 == "hello" } > 1, "it asks whether somebody is there")
  }

  @Test func `an event is proved by its own tag, in a session, before it and after a reboot`() {
    for prepare in [
      { _ in }, { $0.link() },
      {
        $0.link()
        $0.reboot()
      },
    ] as [(SealedEnds) -> Void] {
      let ends = SealedEnds()
      prepare(ends)
      #expect(ends.say(EventRecord(.sample())) == ["event 1"])
      #expect(ends.host.isEventProved(by: SealedEnds.key))
      #expect(!ends.host.isEventProved(by: PairingKey(low: 1, high: 2)))
    }
  }

  @Test func `a tag belongs to one event: on another it proves nothing`() {
    let ends = linked()
    let body = Decoded(ends.deviceEnd.frame(EventRecord(.sample()), at: .milliseconds(0)).bytes)
      .bodies[0]
    for at in 4..<body.count {
      var wrong = body
      wrong[at] ^= 1
      ends.toHost(wrong.framed)
      #expect(!ends.host.isEventProved(by: SealedEnds.key), "byte \(at)")
    }
  }
}
