import FobBase
import Testing
import WireProtocol

@testable import Firmware

/// What a paired keychain does at its line beyond its pairing (PROTOCOL.md, 15.3 and 15.4).
struct PairedSessionTests {
  @Test func `a bounce that is shorter than the debounce time does not end the presence`() {
    let bench = PairedHost.held()
    let host = PairedHost(bench)
    host.run(ms: 50)
    bench.board.setContact(closed: false)
    bench.run(ms: 3)
    bench.board.setContact(closed: true)
    bench.run(ms: 50)
    host.pair()
    #expect(host.results.last?.outcome == .paired)
  }

  @Test func `a session that is proved anew counts its revisions from anew, and LED_STATE tells`() {
    let host = PairedHost.paired()
    host.ackAll()
    for state in [ShownState.accepted, .idle, .acknowledged] { host.indicate(state) }
    #expect(host.lights.last?.shown == .acknowledged)
    // The same host with the same session number, begun again.
    let again = PairedHost(host.bench)
    again.run(ms: 600)
    #expect(again.link.isProved)
    #expect(!again.lights.isEmpty)
    again.indicate(.breathing)
    #expect(again.lights.last?.shown == .breathing)
  }

  @Test func `a stranger's HELLO makes events due at once and ends no lease`() {
    let host = PairedHost.paired()
    host.ackAll()
    host.indicate(.acknowledged)
    let before = host.bench.sent.count
    host.bench.hello(session: 82)
    host.bench.ask(Challenge(session: 82, hostNonce: 5))
    host.bench.indicate(.accepted, session: 82)
    #expect(host.bench.keychain.display.shown.state == .acknowledged)
    #expect(host.bench.sent[before...].contains { $0.type == .proof }, "it answers anybody")
    host.indicate(.idle)
    #expect(host.bench.keychain.display.shown.state == .idle)
  }

  @Test func `UNPAIR that is not sealed takes nothing, and is not answered`() {
    let host = PairedHost.paired()
    let before = host.results.count
    host.bench.ask(Unpair(session: 81))
    host.run(ms: 5)
    #expect(host.results.count == before)
    #expect(host.bench.keychain.link.isPaired)
  }

  @Test func `the answer to UNPAIR is the last frame that it seals`() {
    let host = PairedHost.paired()
    host.send(Unpair(session: host.link.session))
    let before = host.bench.sent.count
    host.run(ms: 1_500)
    let frames = host.bench.sent[before...]
    let answer = frames.first { $0.type == .pairResult }
    #expect(answer?.head.isSealed == true)
    let beats = frames.filter { $0.type == .heartbeat }
    #expect(!beats.isEmpty && beats.allSatisfy { !$0.head.isSealed })
  }

  @Test func `with no presence a paired keychain keeps its key and its session`() {
    let host = PairedHost.paired()
    host.bench.ask(Pair(session: 81, keyLow: 5, keyHigh: 6))
    host.run(ms: 2)
    #expect(host.results.last?.outcome == .noPresence)
    host.indicate(.acknowledged)
    #expect(host.bench.keychain.display.shown.state == .acknowledged)
  }

  @Test func `power that goes while the first key is written leaves no key, or one nobody has`() {
    for left in 0...24 {
      let bench = PairedHost.held()
      bench.board.store.powerLeft = left
      bench.hello(session: 81)
      bench.ask(Pair(session: 81, keyLow: PairedHost.key.low, keyHigh: PairedHost.key.high))
      bench.reboot(.powerOn, nonce: 77)
      switch EventStore.pairing(&bench.board) {
      // Of less than its magic nobody can say that it was to be a key.
      case .none: #expect(left < 3, "\(left) bytes")
      case .damaged: #expect((3..<24).contains(left), "\(left) bytes")
      case .key(let key): #expect(left == 24 && key == PairedHost.key, "\(left) bytes")
      }
      #expect(bench.keychain.link.isPaired == (left >= 3))
    }
  }
}
