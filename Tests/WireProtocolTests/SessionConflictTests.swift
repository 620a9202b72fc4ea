import FobBase
import Testing
import WireProtocol

/// A device whose answers contradict each other, and another host on the line.
struct SessionConflictTests {
  /// HELLO and TIME_RESP are never of one boot.
  private func contradict(_ host: FedHost, at ms: Int64) -> (hellos: Int, links: Int) {
    var hellos = 0
    var links = 0
    // Else the link falls silent, and HELLO is said for that.
    if ms % 1_000 == 0 {
      var beat = Heartbeat()
      beat.uptime = UInt64(ms) * 1_000
      host.receive(beat, at: ms)
    }
    for frame in host.send(at: ms) {
      if let hello = frame.read(Hello.self) {
        hellos += 1
        links += host.receive(Hello.device(session: hello.session, bootNonce: 1), at: ms).count
      } else if let request = frame.read(TimeRequest.self) {
        let clock = UInt64(ms) * 1_000
        host.receive(
          TimeResponse(to: request, receive: clock, send: clock, bootNonce: 2), at: ms)
      }
    }
    return (hellos, links)
  }

  @Test func `answers that contradict each other lead to one session a second, and to fewer`() {
    let host = FedHost()
    var hellos: [Int64] = []
    for ms in Int64(0)..<120_000 where contradict(host, at: ms).hellos > 0 { hellos.append(ms) }
    // The opening's, the first contradiction's at once, then 1, 2, 4, 8 s and no more often.
    #expect(hellos.count(where: { $0 < 10_000 }) <= 6)
    #expect(zip(hellos.dropFirst(2), hellos.dropFirst(3)).allSatisfy { $1 - $0 >= 1_000 })
    #expect(hellos.count <= 22)
  }

  @Test func `presses are reported while no session is opened`() {
    let host = FedHost()
    for ms in Int64(0)..<5_000 {
      _ = contradict(host, at: ms)
      if ms % 100 == 0 {
        #expect(host.receive(EventRecord(.sample()), at: ms).names == ["event 1"])
      }
    }
  }

  @Test func `contradictions are summed up, a single boot is not told`() {
    let host = FedHost()
    host.linkUp()
    host.receive(Hello.device(session: 0, bootNonce: 9), at: 1_000)
    host.receive(Hello.device(session: host.session, bootNonce: 9), at: 1_001)
    #expect(host.contestSummary() == nil)
    for ms in Int64(1_002)..<1_902 {
      host.receive(Hello.device(session: 0, bootNonce: UInt32(ms)), at: ms)
    }
    #expect(host.contestSummary() == nil)
    host.send(at: 2_000)
    let summary = host.contestSummary()
    #expect(summary?.contradictions == 900 && summary?.isForeign == false)
    #expect(host.contestSummary() == nil)
  }

  @Test func `a boot that is said twice opens one session`() {
    let host = FedHost()
    host.linkUp()
    for _ in 0..<2 { host.receive(Hello.device(session: 0, bootNonce: 9), at: 1_000) }
    host.receive(Hello.device(session: host.session, bootNonce: 9), at: 1_010)
    let sent = host.run(from: 1_010, to: 3_000)
    #expect(sent.allSatisfy { $0.frame.type != .hello })
    #expect(host.session == FedHost.session + 1 && host.contestSummary() == nil)
  }

  @Test func `a foreign session in an answer brings HELLO at once, by a new session`() {
    for foreign in [0x0BAD_0001, FedHost.session &- 1] {
      let host = FedHost()
      host.linkUp()
      let request = TimeRequest(hostSend: 0, session: foreign)
      let answer = TimeResponse(to: request, receive: 1, send: 1, bootNonce: 7)
      // One may be late, of the host before.
      host.receive(answer, at: 490)
      #expect(host.session == FedHost.session)
      host.receive(answer, at: 500)
      expectNewSession(host, at: 500)
      host.linkUp(at: 600)
      host.receive(Hello.device(session: foreign), at: 2_700)
      expectNewSession(host, at: 2_700)
    }
  }

  @Test func `a late answer to an earlier session of this host is no other host's`() {
    let host = FedHost()
    host.linkUp()
    host.receive(Hello.device(session: 0, bootNonce: 9), at: 100)
    host.receive(Hello.device(session: host.session, bootNonce: 9), at: 110)
    let session = host.session
    host.receive(Hello.device(session: FedHost.session), at: 120)
    let late = TimeRequest(hostSend: 0, session: FedHost.session)
    host.receive(TimeResponse(to: late, receive: 1, send: 1, bootNonce: 9), at: 130)
    #expect(host.session == session && host.state == .linked)
  }

  @Test func `a light that obeys another host brings HELLO at once, one of the past does not`() {
    let host = FedHost()
    host.linkUp()
    // Of the host before: what the device obeyed last.
    host.receive(light(of: 0x0BAD_0001), at: 10)
    host.receive(light(of: 0x0BAD_0001), at: 20)
    #expect(host.session == FedHost.session)
    host.receive(light(of: FedHost.session), at: 30)
    host.receive(light(of: 0), at: 40)
    #expect(host.session == FedHost.session)
    host.receive(light(of: 0x0BAD_0001), at: 50)
    expectNewSession(host, at: 50)
    host.send(at: 60)
    #expect(host.contestSummary()?.isForeign == true)
  }

  @Test func `another host that is heard on the line brings HELLO at once, one's own echo none`() {
    let host = FedHost()
    host.linkUp()
    host.receive(TimeRequest(hostSend: 0, session: FedHost.session), at: 10)
    #expect(host.session == FedHost.session)
    host.receive(
      Hello(role: .host, session: 0x0BAD_0001, software: FedHost.software), at: 20)
    expectNewSession(host, at: 20)
  }

  @Test func `two hosts that fight for a device do it once a second at most`() {
    let host = FedHost()
    var hellos = 0
    for ms in Int64(0)..<20_000 {
      for frame in host.send(at: ms) {
        guard let hello = frame.read(Hello.self) else { continue }
        hellos += 1
        host.receive(Hello.device(session: hello.session), at: ms)
      }
      host.receive(Hello.device(session: 0x0BAD_0000 + UInt32(ms)), at: ms)
    }
    #expect(hellos <= 8)
  }

  private func expectNewSession(_ host: FedHost, at ms: Int64) {
    let before = host.session
    let hellos = host.send(at: ms).compactMap { $0.read(Hello.self) }
    #expect(hellos.map(\.session) == [before] && before != FedHost.session)
  }

  private func light(of session: UInt32) -> LEDState {
    LEDState(
      clock: 1, shown: .idle, detail: 0, sounder: false, source: .lease, session: session,
      // This host has said none yet.
      revision: session == FedHost.session ? 0 : 1)
  }
}
