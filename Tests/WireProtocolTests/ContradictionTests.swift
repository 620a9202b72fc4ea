import FobBase
import Testing

@testable import WireProtocol

/// A device that obeys what was not said here ignores what is.
struct ContradictionTests {
  private func led(_ session: UInt32, _ revision: UInt32) -> LEDState {
    LEDState(
      clock: 1, shown: .idle, detail: 0, sounder: false, source: .lease, session: session,
      revision: revision)
  }

  @Test(arguments: [1, 7, 0x8000_0000, .max] as [UInt32])
  func `a revision that was never said opens a new session`(_ further: UInt32) {
    let host = FedHost()
    host.linkUp()
    host.indicate(Indication(state: .sending), at: 1_500)
    let said = host.send(at: 1_500).compactMap { $0.read(Indicate.self)?.revision }
    #expect(said == [1])
    host.receive(led(host.session ^ 1, .max), at: 1_510)
    host.receive(led(host.session, 1), at: 1_520)
    #expect(host.state == .linked)
    #expect(host.receive(led(host.session, 1 &+ max(1, further - 1)), at: 1_600).names == ["led"])
    let hello = host.send(at: 1_600).compactMap { $0.read(Hello.self) }
    #expect(hello.map(\.session) == [FedHost.session + 1])
    host.receive(Hello.device(session: host.session), at: 1_610)
    // What it obeyed belongs to the session before.
    host.receive(led(FedHost.session, .max), at: 1_620)
    #expect(host.state == .linked)
    #expect(host.send(at: 1_620).contains { $0.read(Indicate.self)?.state == .sending })
  }

  @Test func `behind the last revision a new session begins with the first`() {
    var link = HostLink(session: 7, software: FedHost.software, at: .milliseconds(0))
    link.revision = .max - 1
    func sent(at ms: Int64) -> [SentFrame] {
      var frames: [SentFrame] = []
      while let frame = link.nextFrame(at: .milliseconds(ms)) { frames.append(SentFrame(frame)) }
      return frames
    }
    func answer(at ms: Int64) {
      RawFrame.bytes(Hello.device(session: link.session)).withUnsafeBytes { raw in
        var rest = raw
        while link.next(&rest, at: .milliseconds(ms)) != nil {}
      }
    }
    _ = sent(at: 0)
    answer(at: 0)
    link.indicate(Indication(state: .idle), at: .milliseconds(2_000))
    #expect(sent(at: 2_000).compactMap { $0.read(Indicate.self)?.revision } == [.max])
    link.indicate(Indication(state: .sending), at: .milliseconds(2_100))
    let hello = sent(at: 2_100)
    #expect(hello.map(\.type) == [.hello] && hello[0].read(Hello.self)?.session == 8)
    answer(at: 2_110)
    let indicate = sent(at: 2_110).compactMap { $0.read(Indicate.self) }
    #expect(indicate.map(\.revision) == [0] && indicate.map(\.session) == [8])
    #expect(indicate.map(\.state) == [.sending])
  }
}
