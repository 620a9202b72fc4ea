import FobBase
import Testing
import WireProtocol

@testable import Firmware

/// Pairing at the keychain, and what a paired one believes (PROTOCOL.md, 15).
struct PairingTests {
  private func outcome(of bench: Bench, after ms: Int64 = 100) -> PairResult.Outcome? {
    let host = PairedHost(bench, key: nil)
    host.run(ms: ms)
    host.pair()
    return host.results.last?.outcome
  }

  // MARK: Presence

  @Test func `a keychain takes a key while its button is held since its power came`() throws {
    let bench = PairedHost.held()
    let host = PairedHost(bench)
    host.run(ms: 100)
    host.pair()
    let result = try #require(host.results.last)
    #expect(result.outcome == .paired)
    let tag = PairedHost.key.pairingTag(session: 81, device: bench.board.deviceID)
    #expect(result.tag == tag)
    #expect(host.link.isProved)
    #expect(bench.keychain.link.isPaired)
  }

  @Test func `nobody who does not hold it pairs it`() {
    #expect(outcome(of: Bench(.powerOn)) == .noPresence)
    for cause in [ResetCause.watchdog, .brownOut, .resetPin, .software, .unknown] {
      let bench = Bench(cause) { $0.resumeContact(closed: true) }
      #expect(outcome(of: bench) == .noPresence, "\(cause)")
    }
    let released = PairedHost.held()
    released.run(ms: 50)
    released.board.setContact(closed: false)
    released.run(ms: 50)
    #expect(outcome(of: released) == .noPresence)
    released.board.setContact(closed: true)
    #expect(outcome(of: released) == .noPresence, "held again is not held since")
  }

  @Test func `a key for another session than the host's is not looked at`() {
    let bench = PairedHost.held()
    bench.hello(session: 81)
    bench.ask(Pair(session: 82, keyLow: 1, keyHigh: 2))
    #expect(bench.sent.all(PairResult.self).isEmpty)
    #expect(!bench.keychain.link.isPaired)
  }

  @Test func `the same PAIR is answered again in the same way`() {
    let bench = PairedHost.held()
    let host = PairedHost(bench, key: nil)
    host.run(ms: 100)
    for _ in 0..<3 { host.pair() }
    #expect(host.results.count == 3)
    #expect(Set(host.results.map(\.tag)).count == 1)
  }

  @Test func `a key is in the store before it is answered, and outlives a power cut`() {
    let host = PairedHost.paired()
    host.bench.reboot(.powerOn, nonce: 77)
    #expect(host.bench.keychain.link.isPaired)
    let again = PairedHost(host.bench, session: 90)
    again.run(ms: 100)
    #expect(again.link.isProved)
  }

  @Test func `a store that fails, or was not read, takes no key`() {
    let failing = PairedHost.held { $0.store.failsWrites = true }
    #expect(outcome(of: failing) == .storeFailed)
    let blind = PairedHost.held { $0.store.failsReads = true }
    #expect(outcome(of: blind) == .storeFailed)
    #expect(!blind.keychain.link.isPaired)
  }

  @Test(arguments: [UInt8(0x00), 0xFF])
  func `a keychain with a factory's key proves it from its first boot on, and misses no counter`(
    _ blank: UInt8
  ) {
    let bench = Bench {
      $0.store.overwrite(0..<EventStore.size, with: blank)
      _ = $0.store.provision(PairedHost.key)
    }
    let host = PairedHost(bench)
    host.run(ms: 100)
    #expect(host.link.isProved)
    #expect(bench.sent.events(.fault).isEmpty)
    #expect(bench.keychain.bootCounter == 1)
  }

  @Test func `a factory writes its key once: a memory that was used keeps what it has`() {
    let other = PairingKey(low: 5, high: 6)
    let unpaired = Bench(.powerOn)
    let isGiven = unpaired.board.store.provision(other)
    #expect(!isGiven && !unpaired.keychain.link.isPaired)
    let paired = PairedHost.paired().bench
    let before = paired.board.store.bytes
    let isChanged = paired.board.store.provision(other)
    let isKept = paired.board.store.provision(PairedHost.key)
    #expect(!isChanged && isKept, "it has this one already")
    #expect(paired.board.store.bytes == before)
  }

  @Test func `power that goes at any byte of a key's write leaves no key that is half one`() {
    let host = PairedHost.paired()
    let other = PairingKey(low: 5, high: 6)
    for left in 0...24 {
      var board = host.bench.board
      board.store.powerLeft = left
      _ = EventStore.write(other, &board)
      board.store.restorePower()
      switch EventStore.pairing(&board) {
      case .none: Issue.record("\(left) bytes: as if it were not paired")
      case .key(let key): #expect(key == PairedHost.key || key == other, "\(left) bytes")
      case .damaged: break
      }
    }
  }

  @Test(arguments: [UInt8(0x00), 0xFF, 0xA5, 0x55, 0x5A, 0x0F, 0x66])
  func `memory that is worn, and never held a key, makes no keychain a paired one`(_ byte: UInt8) {
    for from in 0..<64 {
      let bench = Bench(.watchdog) { $0.store.overwrite(from..<64, with: byte) }
      #expect(!bench.keychain.link.isPaired, "from byte \(from)")
    }
  }

  @Test func `a damaged key proves nothing and believes nobody`() {
    let host = PairedHost.paired()
    host.bench.board.store.overwrite(40..<41, with: 0x55)
    host.bench.reboot(.watchdog, nonce: 77)
    let again = PairedHost(host.bench, session: 90)
    again.run(ms: 3_500)
    #expect(!again.link.isProved)
    #expect(host.bench.keychain.link.isPaired)
    host.bench.press()
    again.ackAll()
    #expect(host.bench.keychain.unackedCount > 0)
    #expect(again.events.allSatisfy { !$0.isProved })
  }

  // MARK: What it believes

  @Test func `a paired keychain shows and forgets by its own host alone`() {
    let host = PairedHost.paired()
    host.ackAll()
    #expect(host.bench.keychain.unackedCount == 0)
    host.indicate(.acknowledged)
    #expect(host.lights.last?.shown == .acknowledged)
    host.bench.press()
    host.run(ms: 2)
    // Somebody on the wire, who knows all that was said.
    let press = host.events.last { $0.event.identity.kind == .pressed }!.event
    host.bench.ask(EventAck(press.identity))
    host.bench.indicate(.accepted, revision: 900)
    host.bench.hello(session: 82)
    host.bench.indicate(.accepted, revision: 1, session: 82)
    host.run(ms: 50)
    #expect(host.bench.keychain.unackedCount > 0)
    #expect(host.bench.keychain.display.shown.state == .sending)
    host.ackAll()
    #expect(host.bench.keychain.unackedCount == 0)
  }

  @Test func `at a host that knows of no pairing it raises, and shows that it sends`() {
    let host = PairedHost.paired()
    host.bench.reboot(.watchdog, nonce: 77)
    let stranger = PairedHost(host.bench, session: 90, key: nil)
    stranger.run(ms: 50)
    host.bench.press()
    for _ in 0..<5 {
      stranger.run(ms: 1_000)
      stranger.ackAll()
    }
    #expect(stranger.events.contains { $0.event.identity.kind == .pressed })
    #expect(host.bench.keychain.display.shown.state == .sending)
  }

  @Test func `events of before the pairing and of earlier boots carry the tag of the key`() {
    let bench = PairedHost.held()
    let host = PairedHost(bench)
    host.run(ms: 100)
    #expect(host.events.contains { !$0.isProved })
    host.pair()
    let before = host.events.count
    host.run(ms: 3_000)
    #expect(host.events.count > before)
    #expect(host.events[before...].allSatisfy { $0.isProved })
    bench.board.setContact(closed: false)
    bench.reboot(.powerOn, nonce: 77)
    let again = PairedHost(bench, session: 90)
    again.run(ms: 500)
    #expect(again.events.contains { $0.event.flags.contains(.replayed) })
    #expect(again.events.allSatisfy { $0.isProved })
  }

  @Test func `what an unproved host has lit and sounded ends with the pairing`() {
    let bench = PairedHost.held()
    let host = PairedHost(bench, key: nil)
    host.run(ms: 100)
    host.indicate(.accepted, sounder: true)
    #expect(bench.board.sounds)
    host.pair()
    bench.run(ms: 5)
    #expect(!bench.board.sounds)
    #expect(bench.keychain.display.shown.source == .own)
  }

  @Test func `a key that is found late ends what an unproved host has said`() {
    let host = PairedHost.paired()
    host.bench.board.store.failsReads = true
    host.bench.board.store.failsWrites = true
    host.bench.reboot(.watchdog, nonce: 77)
    host.bench.hello(session: 82)
    host.bench.indicate(.idle, session: 82, sounder: true)
    #expect(host.bench.board.sounds)
    host.bench.board.store.failsReads = false
    host.bench.board.store.failsWrites = false
    host.bench.run(ms: 1_100)
    #expect(host.bench.keychain.link.isPaired)
    #expect(!host.bench.board.sounds)
  }

  @Test func `by USB a paired keychain is lit for identify alone`() {
    let host = PairedHost.paired()
    host.ackAll()
    #expect(!host.bench.setLight([1, 0, 100, 0]))
    #expect(host.bench.setLight([10, 0, 100, 0]))
  }

  @Test func `a sealed TRACE has thirteen entries at most, and all of them come`() {
    let host = PairedHost.paired()
    for _ in 0..<8 { host.bench.press() }
    host.run(ms: 20)
    host.bench.run(ms: 20)
    let before = host.bench.sent.count
    host.send(TraceFrame(first: host.bench.keychain.trace.first))
    host.run(ms: 5)
    let trace = host.bench.sent[before...].first { $0.type == .trace }
    #expect(trace.map { $0.payload.count } == 4 + 13 * 17 + 16)
    #expect(trace.map { $0.head.isSealed } == true)
  }

  // MARK: The end of it

  @Test func `UNPAIR in the session takes the key away, and from then on all is as before`() {
    let host = PairedHost.paired()
    host.send(Unpair(session: host.link.session))
    host.run(ms: 5)
    #expect(host.results.last?.outcome == .unpaired)
    #expect(!host.bench.keychain.link.isPaired)
    host.bench.reboot(.powerOn, nonce: 77)
    #expect(!host.bench.keychain.link.isPaired)
    host.bench.acks = { _ in true }
    host.bench.press()
    host.bench.run(ms: 4_000)
    #expect(host.bench.keychain.unackedCount == 0)
  }

  @Test func `a store that fails keeps the pairing`() {
    let host = PairedHost.paired()
    host.bench.board.store.failsWrites = true
    host.send(Unpair(session: host.link.session))
    host.run(ms: 5)
    #expect(host.results.last?.outcome == .storeFailed)
    #expect(host.bench.keychain.link.isPaired)
  }

  @Test func `a new key with presence takes the place of the old one`() {
    let host = PairedHost.paired()
    host.bench.board.setContact(closed: true)
    host.bench.reboot(.powerOn, nonce: 77)
    let bench = host.bench
    bench.hello(session: 90)
    let key = PairingKey(low: 5, high: 6)
    bench.ask(Pair(session: 90, keyLow: key.low, keyHigh: key.high))
    #expect(bench.sent.all(PairResult.self).last?.outcome == .paired)
    let old = PairedHost(bench, session: 91)
    old.run(ms: 3_500)
    #expect(!old.link.isProved)
  }
}
