import FobBase
import Testing
import WireProtocol

struct IndicateTests {
  private let open = Indication(incident: 0x1122, state: .countdown, detail: 90, sounder: true)

  /// A linked host, its indications sent from `start` to `end` while the device lives.
  private func indications(_ host: FedHost, from start: Int64, to end: Int64) -> [(Int64, Indicate)]
  {
    var sent: [(Int64, Indicate)] = []
    for ms in start...end {
      if ms % 1_000 == 0 { host.receive(Heartbeat.after(ms: UInt64(ms)), at: ms) }
      for frame in host.send(at: ms) {
        if let indicate = frame.read(Indicate.self) { sent.append((ms, indicate)) }
      }
    }
    return sent
  }

  @Test func `without an incident it is repeated each 5 s with a lease of 15 s`() {
    let host = FedHost()
    host.linkUp()
    let sent = indications(host, from: 0, to: 10_100)
    #expect(sent.map(\.0) == [0, 5_000, 10_000])
    #expect(sent.allSatisfy { $0.1.lease == 15_000 && $0.1.state == .unclaimed })
    #expect(sent.allSatisfy { $0.1.session == FedHost.session && !$0.1.sounder })
  }

  @Test func `with an incident it is repeated each second with a lease of 5 s`() {
    let host = FedHost()
    host.linkUp()
    host.send(at: 0)
    host.indicate(open, at: 100)
    let sent = indications(host, from: 100, to: 3_200)
    #expect(sent.map(\.0) == [100, 1_100, 2_100, 3_100])
    #expect(sent.allSatisfy { $0.1.lease == 5_000 && $0.1.revision == 1 })
    #expect(sent[0].1.incident == 0x1122 && sent[0].1.detail == 90 && sent[0].1.sounder)
  }

  @Test(arguments: [ShownState.countdown, .sending, .accepted, .acknowledged, .failed])
  func `these states mean an open incident`(_ state: ShownState) {
    let host = FedHost()
    host.linkUp()
    host.indicate(Indication(state: state), at: 0)
    #expect(indications(host, from: 0, to: 0).map(\.1.lease) == [5_000])
  }

  @Test func `a change is sent at once with the next revision, what stays is not`() {
    let host = FedHost()
    host.linkUp()
    host.send(at: 0)
    host.indicate(open, at: 10)
    #expect(indications(host, from: 10, to: 10).map(\.1.revision) == [1])
    host.indicate(open, at: 20)
    #expect(indications(host, from: 20, to: 20).isEmpty)
    host.indicate(Indication(state: .accepted), at: 30)
    #expect(indications(host, from: 30, to: 30).map(\.1.revision) == [2])
  }

  @Test func `what was said before the link is said when it is up`() {
    let host = FedHost()
    host.indicate(open, at: 0)
    #expect(host.send(at: 0).map(\.type) == [.hello])
    host.linkUp(at: 40)
    #expect(indications(host, from: 40, to: 40).map(\.1.state) == [.countdown])
  }
}
