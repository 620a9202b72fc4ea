import FobBase
import Testing

@testable import WireProtocol

/// How a sealed session begins, ends and begins anew (PROTOCOL.md, 15.3 and 15.4).
struct SealSessionTests {
  private let ack = EventAck(number: .init(boot: 1, n: 2), identityCRC: 7)
  private let accepted = Indicate(
    session: FedHost.session, incident: 0, revision: 9, state: .accepted, sounder: false,
    lease: 5_000)

  private func linked() -> SealedEnds {
    let ends = SealedEnds()
    ends.link()
    return ends
  }

  /// A frame that the device seals with this counter in the session of its last PROOF.
  private func beat(_ ends: SealedEnds, counter: UInt32) throws -> [UInt8] {
    let challenge = try #require(
      ends.said.compactMap { SentFrame(Decoded($0).bodies[0]).read(Challenge.self) }.last)
    let proof = try #require(
      ends.answered.compactMap { SentFrame(Decoded($0).bodies[0]).read(Proof.self) }.last)
    let key = SealedEnds.key.sessionKey(
      hostNonce: challenge.hostNonce, proof, device: SealedEnds.device)
    var body = FrameBody(Heartbeat(), sequence: 9)
    body.seal(key.sealKey(.device), clock: 0, counter: counter)
    return WireFrame(body).bytes
  }

  // MARK: Waiting

  @Test
  func `while the proof is to come nothing is said but HELLO and CHALLENGE, each half second`() {
    let ends = SealedEnds(paired: false)
    ends.link()
    ends.run(ms: 2_500)
    #expect(Set(ends.requests) == ["hello", "challenge"])
    #expect(ends.requests.count { $0 == "challenge" } == 6)
  }

  @Test func `what is due is said when it is due: no waking is for nothing`() {
    for paired in [true, false] {
      let ends = SealedEnds(paired: paired)
      ends.host.indicate(Indication(state: .accepted), at: .milliseconds(0))
      var now = Instant.milliseconds(0)
      for _ in 0..<400 {
        ends.now = now.microseconds / 1_000
        while let frame = ends.host.nextFrame(at: now) { ends.toDevice(frame.bytes) }
        #expect(ends.host.nextWake > now, "paired: \(paired), \(now)")
        now = max(now + .microseconds(1), ends.host.nextWake)
      }
    }
  }

  @Test func `a lost CHALLENGE, a lost PROOF and a lost first frame are made up for`() {
    for lost in [MessageType.challenge, .proof, .indicate] {
      let ends = SealedEnds()
      ends.host.indicate(Indication(state: .idle), at: .milliseconds(0))
      ends.loses = lost
      for _ in 0..<100 {
        ends.run(ms: 100)
        ends.say(Heartbeat())
      }
      #expect(ends.host.isProved, "\(lost)")
      #expect(ends.deviceEnd.trustedSession == ends.host.session, "\(lost)")
      #expect(ends.toDevice(ends.frame(ack)) == ["ack"], "\(lost)")
    }
  }

  @Test func `a stranger's HELLO, the answer to which is lost, holds up the proof for two seconds`()
  {
    let ends = SealedEnds()
    ends.host.indicate(Indication(state: .idle), at: .milliseconds(0))
    ends.loses = .challenge
    ends.run(ms: 5)
    ends.loses = .hello
    ends.toDevice(
      RawFrame.bytes(Hello(role: .host, session: 0x0BAD_0001, software: FedHost.software)))
    ends.run(ms: 1_500)
    #expect(!ends.host.isProved, "or this shows nothing")
    ends.run(ms: 600)
    #expect(ends.host.isProved)
    #expect(ends.toDevice(ends.frame(ack)) == ["ack"])
  }

  @Test(arguments: [true, false])
  func `whoever answers HELLO in a device's place is not believed for longer than he is there`(
    _ hasItsBoot: Bool
  ) {
    let ends = SealedEnds()
    ends.isDeaf = true
    ends.run(ms: 5)
    var hello = Hello(role: .device, session: ends.host.session, software: FedHost.software)
    hello.deviceID = .bench(2)
    hello.bootNonce = hasItsBoot ? ends.bootNonce : 0x0BAD_0001
    #expect(ends.toHost(RawFrame.bytes(hello)) == ["hello"])
    ends.isDeaf = false
    ends.run(ms: 1_000)
    for _ in 0..<12 {
      ends.say(EventRecord(.sample()))
      ends.run(ms: 1_000)
    }
    #expect(ends.host.isProved)
    #expect(ends.toDevice(ends.frame(ack)) == ["ack"])
  }

  @Test func `a bridge says HELLO again with every fourth CHALLENGE that it carries`() throws {
    var bridge = HostLink(
      session: FedHost.session, software: FedHost.software, isRelay: true, at: .milliseconds(0))
    func next(_ ms: Int64) -> String? {
      guard let frame = bridge.nextFrame(at: .milliseconds(ms)) else { return nil }
      return MessageType(rawValue: Decoded(frame.bytes).bodies[0][1]).map { "\($0)" }
    }
    #expect(next(0) == "hello")
    let answer = RawFrame.bytes(Hello.device(session: FedHost.session))
    answer.withUnsafeBytes { raw in
      var rest = raw
      while bridge.next(&rest, at: .milliseconds(1)) != nil {}
    }
    var said: [String] = []
    for n in 0..<8 {
      let payload = FrameBody(Challenge(session: FedHost.session, hostNonce: 7), sequence: 0)
        .withBytes { Array($0.dropFirst(4)) }
      let now = Int64(n + 1) * 100
      let frame = payload.withUnsafeBytes {
        bridge.relay(
          head: FrameHead(resent: false), rawType: MessageType.challenge.rawValue, payload: $0,
          at: .milliseconds(now))
      }
      try #require(frame != nil)
      if bridge.nextWake <= .milliseconds(now) {
        while let name = next(now) { if name == "hello" { said.append("\(n)") } }
      }
    }
    #expect(said == ["3", "7"])
  }

  // MARK: Old words

  @Test func `a PROOF or a CHALLENGE that is played back ends nothing`() throws {
    let ends = linked()
    let challenge = try #require(
      ends.said.first { Decoded($0).bodies[0][1] == MessageType.challenge.rawValue })
    let proof = try #require(
      ends.answered.first { Decoded($0).bodies[0][1] == MessageType.proof.rawValue })
    for _ in 0..<3 {
      #expect(ends.toHost(proof).isEmpty)
      ends.toDevice(challenge)
    }
    #expect(ends.toDevice(ends.frame(ack)) == ["ack"])
    #expect(ends.say(Heartbeat()) == ["heartbeat"])
    // In a later session the old PROOF shows nothing either.
    ends.reboot()
    ends.isDeaf = true
    ends.run(ms: 4_000)
    ends.toHost(proof)
    #expect(ends.host.state != .linked || !ends.host.isProved)
  }

  @Test func `a light whose clock is ahead of the device's is not shown`() throws {
    let ends = linked()
    ends.now = 5_000
    ends.say(Heartbeat())
    let frame = ends.frame(accepted)
    // A device that has just lost some of its clock.
    ends.now = 1_000
    #expect(ends.toDevice(frame) == ["ignored: unproved"])
  }

  @Test func `a question, sealed long ago, is answered as one that is not sealed`() {
    let ends = linked()
    let question = ends.frame(TimeRequest(hostSend: 1, session: FedHost.session))
    let trace = ends.frame(TraceFrame(first: 0))
    let (light, late) = (ends.frame(accepted), ends.frame(ack))
    ends.now = 60_000
    #expect(ends.toDevice(question) == ["time"])
    #expect(ends.toDevice(trace) == ["trace"])
    #expect(ends.toDevice(light) == ["ignored: unproved"])
    #expect(ends.toDevice(late) == ["ack"])
  }

  // MARK: New sessions

  @Test func `a device that was silent for a while proves itself anew`() {
    let ends = linked()
    ends.say(Heartbeat())
    ends.isDeaf = true
    ends.run(ms: 5_000)
    #expect(ends.host.state == .silent)
    ends.isDeaf = false
    ends.run(ms: 1_000)
    #expect(ends.host.isProved)
    #expect(ends.toDevice(ends.frame(ack)) == ["ack"])
    #expect(ends.say(Heartbeat()) == ["heartbeat"])
  }

  @Test func `a host begins a new session before a counter ends`() throws {
    let ends = linked()
    let session = ends.host.session
    #expect(ends.toHost(try beat(ends, counter: 0xFFFE_FFFF)) == ["heartbeat"])
    ends.run(ms: 10)
    #expect(ends.host.session == session)
    #expect(ends.toHost(try beat(ends, counter: 0xFFFF_0000)) == ["heartbeat"])
    ends.run(ms: 10)
    #expect(ends.host.session != session)
    #expect(ends.host.isProved)
    #expect(ends.toDevice(ends.frame(ack)) == ["ack"])
    #expect(ends.say(Heartbeat()) == ["heartbeat"])
  }

  // MARK: Other keychains, and other sizes

  @Test func `of two keychains with one host's keys neither is taken for the other`() {
    let one = linked()
    let stranger = SealedEnds(paired: false)
    stranger.hostKey = PairingKey(low: 8, high: 9)
    stranger.deviceEnd.pair(with: PairingKey(low: 8, high: 9))
    stranger.link()
    #expect(stranger.host.isProved)
    let beat = stranger.deviceEnd.frame(Heartbeat(), at: .milliseconds(9)).bytes
    #expect(one.toHost(beat).isEmpty)
    #expect(stranger.toHost(beat) == ["heartbeat"])
    #expect(one.toDevice(stranger.frame(ack)) == ["ignored: unproved"])
    one.toHost(stranger.deviceEnd.frame(EventRecord(.sample()), at: .milliseconds(9)).bytes)
    #expect(!one.host.isEventProved(by: SealedEnds.key))
  }

  @Test func `the longest sealed payload has 229 bytes`() {
    let ends = linked()
    #expect(ends.deviceEnd.maxPayload == 229)
    let text = [UInt8](repeating: 0x41, count: 229)
    let frame = ends.deviceEnd.frame(.log, at: .milliseconds(9)) { body in
      text.withUnsafeBytes { body.append($0) }
    }
    #expect(frame.bytes.count <= 255)
    #expect(ends.toHost(frame.bytes) == ["log"])
    #expect(ends.host.withPayload { Array($0) } == text)
  }

  // MARK: Without a key

  @Test func `a device that is not paired rejects sealed frames, but never a REJECT or an echo`() {
    let device = FedDevice()
    let trailer = [UInt8](repeating: 0, count: 16)
    #expect(
      device.receive(RawFrame.bytes(ack, head: 0x18, extra: trailer)) == ["refused: reservedBits"])
    let reject = Reject(type: 1, reason: .version, sequence: 2)
    #expect(
      device.receive(RawFrame.bytes(reject, head: 0x18, extra: trailer)) == ["ignored: rejected"])
    let press = EventRecord(.sample())
    #expect(device.receive(RawFrame.bytes(press, head: 0x18, extra: trailer)) == ["ignored: echo"])
    #expect(device.receive(RawFrame.bytes(ack, head: 0x28, extra: trailer)) == ["refused: version"])
  }
}
