import FobBase
import Testing
import WireProtocol

struct HostSessionTests {
  @Test func `HELLO is said at once and each 500 ms until it is answered`() {
    let host = FedHost()
    let hellos = host.run(from: 0, to: 2_100)
    #expect(hellos.map(\.at) == [0, 500, 1_000, 1_500, 2_000])
    #expect(hellos.allSatisfy { $0.frame.read(Hello.self)?.session == FedHost.session })
    #expect(hellos[0].frame.read(Hello.self)?.role == .host)
    #expect(host.state == .asking)
  }

  @Test func `the answer of its own session links`() throws {
    let host = FedHost()
    host.send(at: 0)
    let reports = host.receive(Hello.device(session: FedHost.session), at: 10)
    #expect(reports.names == ["hello"])
    #expect(host.state == .linked)
    #expect(host.send(at: 600).allSatisfy { $0.type != .hello })
  }

  @Test func `an answer of another session links nothing`() {
    let host = FedHost()
    host.send(at: 0)
    #expect(host.receive(Hello.device(session: 77), at: 10).isEmpty)
    #expect(host.state == .asking)
  }

  @Test func `the same answer again is no news`() {
    let host = FedHost()
    host.linkUp()
    #expect(host.receive(Hello.device(session: FedHost.session), at: 20).isEmpty)
    #expect(host.state == .linked)
  }

  @Test func `events are reported without any HELLO`() {
    let host = FedHost()
    let reports = host.receive(EventRecord(.sample()), at: 5)
    #expect(reports.names == ["event 1"])
  }

  @Test func `frames are numbered, and a lone zero goes before the first and after a quiet second`()
  {
    let host = FedHost()
    let sent = host.run(from: 0, to: 1_000)
    #expect(sent.map(\.frame.sequence) == [0, 1, 2])
    let quiet = FedHost()
    quiet.sendRaw(EventAck(.sample()), at: 0)
    quiet.sendRaw(EventAck(.sample()), at: 999)
    quiet.sendRaw(EventAck(.sample()), at: 1_999)
    let length = 4 + EventAck.size + 6
    #expect(quiet.wire.count == 3 * length + 2)
    #expect(quiet.wire[0] == 0 && quiet.wire[length] == 0 && quiet.wire[2 * length + 1] == 0)
  }
}

struct DeviceRebootTests {
  @Test func `an unasked HELLO opens a new session`() {
    let host = FedHost()
    host.linkUp()
    #expect(host.receive(Hello.device(session: 0, bootNonce: 9), at: 1_000).isEmpty)
    #expect(host.state == .asking)
    let hello = host.send(at: 1_000).compactMap { $0.read(Hello.self) }
    #expect(hello.map(\.session) == [FedHost.session + 1])
    let again = Hello.device(session: FedHost.session + 1, bootNonce: 9)
    #expect(host.receive(again, at: 1_010).names == ["hello"])
  }

  @Test func `a heartbeat whose clock ran backwards opens a new session`() {
    let host = FedHost()
    host.linkUp()
    host.receive(Heartbeat.after(ms: 60_000), at: 900)
    host.receive(Heartbeat.after(ms: 60_000), at: 950)
    #expect(host.state == .linked)
    #expect(host.receive(Heartbeat.after(ms: 1_000), at: 1_900).names == ["heartbeat"])
    #expect(host.state == .asking)
    #expect(host.session == FedHost.session + 1)
    host.receive(Heartbeat.after(ms: 2_000), at: 2_900)
    #expect(host.session == FedHost.session + 1)
  }

  @Test func `a clock answer of another boot opens a new session`() throws {
    let host = FedHost()
    host.linkUp()
    let request = try #require(host.send(at: 0).compactMap { $0.read(TimeRequest.self) }.first)
    let answer = TimeResponse(to: request, receive: 10, send: 20, bootNonce: 9)
    #expect(host.receive(answer, at: 5).isEmpty)
    #expect(host.session == FedHost.session + 1)
    #expect(host.fit == nil)
  }

  @Test func `only the first answer to a question that this host has asked fits the clock`() throws
  {
    let host = FedHost()
    host.linkUp()
    let asked = try #require(host.send(at: 0).compactMap { $0.read(TimeRequest.self) }.first)
    let stranger = TimeRequest(hostSend: asked.hostSend + 1, session: asked.session)
    let boot: UInt32 = 0xB007_0001
    host.receive(TimeResponse(to: stranger, receive: 10, send: 20, bootNonce: boot), at: 5)
    #expect(host.fit == nil)
    let answer = TimeResponse(to: asked, receive: 10, send: 20, bootNonce: boot)
    #expect(host.receive(answer, at: 5).names == ["time"])
    #expect(host.fit != nil)
    #expect(host.receive(answer, at: 9).isEmpty, "a copy would only seem slower")
  }

  @Test func `an answer to HELLO of another boot opens a new session`() {
    let host = FedHost()
    host.linkUp()
    #expect(host.receive(Hello.device(session: FedHost.session, bootNonce: 9), at: 50).isEmpty)
    #expect(host.session == FedHost.session + 1)
    let again = Hello.device(session: FedHost.session + 1, bootNonce: 9)
    #expect(host.receive(again, at: 60).names == ["hello"])
  }

  @Test func `a session is never zero`() {
    var link = HostLink(session: .max, software: FedHost.software, at: .milliseconds(0))
    RawFrame.bytes(Hello.device(session: 0)).withUnsafeBytes { raw in
      var rest = raw
      while link.next(&rest, at: .milliseconds(1)) != nil {}
    }
    #expect(link.session == 1)
  }

  @Test func `a clock answer of an earlier session is ignored`() {
    let host = FedHost()
    host.linkUp()
    host.receive(Hello.device(session: 0, bootNonce: 9), at: 1)
    host.linkUp(bootNonce: 9, at: 2)
    let old = TimeRequest(hostSend: 0, session: FedHost.session)
    let answer = TimeResponse(to: old, receive: 10, send: 20, bootNonce: 7)
    #expect(host.receive(answer, at: 5).isEmpty)
    #expect(host.state == .linked)
  }
}

struct SupervisionTests {
  @Test func `three seconds without a whole frame are silence, and HELLO goes on`() {
    let host = FedHost()
    host.linkUp()
    host.receive(Heartbeat.after(ms: 100), at: 1_000)
    let sent = host.run(from: 1_000, to: 5_100).filter { $0.frame.type == .hello }
    #expect(sent.map(\.at) == [4_000, 4_500, 5_000])
    #expect(host.state == .silent)
  }

  @Test func `damage is no sign of life`() {
    let host = FedHost()
    host.linkUp()
    for ms in stride(from: Int64(100), to: 3_000, by: 100) { host.receive([1, 2, 3, 0], at: ms) }
    host.send(at: 3_000)
    #expect(host.state == .silent)
  }

  @Test func `whatever is heard after silence brings HELLO at once, and its answer links`() {
    let host = FedHost()
    host.linkUp()
    host.send(at: 3_000)
    #expect(host.state == .silent)
    #expect(host.receive(Heartbeat.after(ms: 9_000), at: 3_100).names == ["heartbeat"])
    #expect(host.send(at: 3_100).map(\.type) == [.hello])
    #expect(host.receive(Hello.device(session: host.session), at: 3_110).names == ["hello"])
    #expect(host.send(at: 3_110).contains { $0.type == .indicate })
  }

  @Test func `while silent nothing but HELLO is sent`() {
    let host = FedHost()
    host.linkUp()
    let sent = host.run(from: 3_000, to: 9_000)
    #expect(!sent.isEmpty && sent.allSatisfy { $0.frame.type == .hello })
  }

  @Test func `it is woken for nothing in no state`() {
    let host = FedHost()
    host.indicate(Indication(state: .sending), at: 0)
    #expect(host.run(from: 0, to: 2_000).count == 5)
    host.linkUp(at: 2_000)
    host.receive([1, 2, 3, 0], at: 2_100)
    #expect(host.run(from: 2_100, to: 20_000).count < 100)
  }
}
