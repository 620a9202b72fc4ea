import FobBase
import Testing
import WireProtocol

@testable import Firmware

/// The sealed link step by step (PROTOCOL.md, 15): C and Swift say the same bytes, and these are
/// what they are to say.
struct PairedComparisonTests {
  private var pair = DevicePair(seed: 15, isHeld: true)

  @Test mutating func `held since power-on, both take a key and prove it`() throws {
    try paired()
    let hello = try #require(heard(Hello.self).last)
    #expect(hello.capabilities == Hello.seals, "not paired yet")
    let results = heard(PairResult.self)
    #expect(results.map(\.outcome) == [.paired])
    #expect(results.first?.tag == tag(), "by the new key")
    try say { $0.greet() }
    #expect(heard(Hello.self).last?.capabilities == Hello.seals | Hello.isPaired)
  }

  @Test mutating func `the same PAIR is answered again in the same way`() throws {
    try paired()
    try say { $0.send($0.key) }
    let results = heard(PairResult.self)
    #expect(results.map(\.outcome) == [.paired, .paired] && results[0] == results[1])
  }

  @Test mutating func `PAIR without presence is refused, and names its session`() throws {
    try say { $0.greet() }
    pair.setContact(false)
    try run(40)
    pair.setContact(true)
    try run(40)
    try say { $0.pair() }
    #expect(heard(PairResult.self).map(\.outcome) == [.noPresence])
    #expect(pair.c.store == pair.swift.board.store.bytes)
  }

  @Test mutating func `PAIR that the store refuses pairs nobody`() throws {
    pair.setStore(fails: true)
    try say { $0.greet() }
    try say { $0.send($0.key) }
    #expect(heard(PairResult.self).map(\.outcome) == [.storeFailed])
    try say { $0.greet() }
    #expect(heard(Hello.self).last?.capabilities == Hello.seals)
  }

  @Test mutating func `a sealed INDICATE is shown, and what is not proved is not`() throws {
    try proved()
    try say(.none) { $0.indicate(.ended, revision: 2) }
    try say(.wrongTag) { $0.indicate(.ended, revision: 3) }
    try say(.clock(0 &- 3_000)) { $0.indicate(.ended, revision: 4) }
    try say(.clock(100)) { $0.indicate(.ended, revision: 5) }
    #expect(heard(LEDState.self).allSatisfy { $0.shown != .ended })
    try say(.right) { $0.indicate(.ended, revision: 6) }
    #expect(heard(LEDState.self).last?.shown == .ended)
    try say(.right) { $0.indicate(.breathing, revision: 7) }
    let old = pair.host.lastSealed
    try say(.right) { $0.indicate(.ended, revision: 7) }
    try say { $0.send(old) }
    #expect(heard(LEDState.self).map(\.shown) == [.breathing, .ended], "an old counter")
  }

  @Test mutating func `an event is kept until a sealed ack, and every event is sealed`() throws {
    try proved()
    pair.setContact(false)
    try run(60)
    let released = try #require(heard(EventRecord.self).last)
    #expect(released.identity.kind == .released)
    let kept = pair.c.unacked
    let ack = EventAck(released.identity)
    try say(.none) { $0.send(ack) }
    try say(.wrongTag) { $0.send(ack) }
    #expect(pair.c.unacked == kept)
    try say(.clock(0 &- 9_000)) { $0.send(ack) }
    #expect(pair.c.unacked == kept - 1, "an ack does not age")
    #expect(pair.swift.keychain.unackedCount == kept - 1)
    let events = pair.heard.filter { $0.type == .event }
    #expect(events.allSatisfy { $0.head.isSealed })
  }

  @Test mutating func `answers in a proved session are sealed`() throws {
    try proved()
    pair.heard = []
    try say(.right) { $0.send(TimeRequest(hostSend: 9, session: $0.session)) }
    try say(.right) { $0.send($0.host.frame(.firmwareInfo)) }
    try say(.none) { $0.send(TimeRequest(hostSend: 10, session: $0.session)) }
    try say(.none) { $0.send($0.host.frame(.firmwareInfo)) }
    let answers = pair.heard.filter { $0.type == .timeResponse || $0.type == .firmwareInfo }
    #expect(answers.count == 4 && answers.allSatisfy { $0.head.isSealed })
  }

  @Test
  mutating func `a stranger's CHALLENGE ends nothing, and the next proof has the next number`()
    throws
  {
    try proved()
    var stranger = SealingHost()
    try say { $0.send(stranger.challenge(Challenge(session: $0.session, hostNonce: 77))) }
    #expect(heard(Proof.self).map(\.number) == [2])
    try say(.right) { $0.indicate(.ended, revision: 9) }
    #expect(heard(LEDState.self).last?.shown == .ended)
    try challenge()
    try say(.right) { $0.indicate(.breathing, revision: 1) }
    #expect(heard(LEDState.self).last?.shown == .breathing, "revisions began anew")
    try challenge()
    #expect(heard(Proof.self).map(\.number) == [2, 3], "one more than the last proved")
  }

  @Test mutating func `UNPAIR counts in a sealed session alone`() throws {
    try proved()
    try say(.none) { $0.send(Unpair(session: $0.session)) }
    try say(.wrongTag) { $0.send(Unpair(session: $0.session)) }
    #expect(heard(PairResult.self).isEmpty)
    try say(.right) { $0.indicate(.ended, revision: 9) }
    try say(.right) { $0.send(Unpair(session: $0.session)) }
    let result = try #require(pair.heard.last { $0.type == .pairResult })
    #expect(result.head.isSealed && result.read(PairResult.self)?.outcome == .unpaired)
    try run(20)
    #expect(heard(LEDState.self).last?.shown != .ended, "what the host has said is forgotten")
    try say(.right) { $0.indicate(.ended, revision: 10) }
    #expect(heard(Reject.self).map(\.reason) == [.reservedBits])
    #expect(pair.c.store[32..<56].allSatisfy { $0 == 0 })
  }

  @Test mutating func `a key stays over a reset; a damaged one proves nothing`() throws {
    try paired()
    pair.reboot(3)
    try say { $0.greet() }
    #expect(heard(Hello.self).last?.capabilities == Hello.seals | Hello.isPaired)
    try challenge()
    #expect(heard(Proof.self).count == 1)
    pair.damageStore(at: 40)
    pair.reboot(3)
    try say { $0.greet() }
    #expect(heard(Hello.self).last?.capabilities == Hello.seals | Hello.isPaired)
    try say { $0.challenge() }
    #expect(heard(Proof.self).isEmpty)
  }

  @Test mutating func `a key that is read late ends what an unproved host has said`() throws {
    try paired()
    pair.setReads(fail: true)
    pair.reboot(3)
    try say { $0.greet() }
    #expect(heard(Hello.self).last?.capabilities == Hello.seals)
    try say(.none) { $0.indicate(.countdown, revision: 1, sounder: true) }
    #expect(heard(LEDState.self).last?.sounder == true)
    pair.setReads(fail: false)
    try run(1_200)
    #expect(heard(LEDState.self).last?.sounder == false)
    try say { $0.greet() }
    #expect(heard(Hello.self).last?.capabilities == Hello.seals | Hello.isPaired)
  }

  @Test mutating func `held for ten seconds, let go and pressed again, both lose their key`()
    throws
  {
    try paired()
    try run(10_000)
    pair.setContact(false)
    try run(1_000)
    #expect(pair.swift.keychain.link.isPaired)
    pair.setContact(true)
    try run(100)
    #expect(!pair.swift.keychain.link.isPaired)
    try say { $0.greet() }
    #expect(heard(Hello.self).last?.capabilities == Hello.seals)
  }

  // MARK: What the host does

  private func tag() -> UInt64 {
    pair.host.key.pairingTag(session: pair.session, device: .bench(1))
  }

  private mutating func paired() throws {
    try say { $0.greet() }
    try say { $0.send($0.key) }
  }

  /// A CHALLENGE and the first sealed frame.
  private mutating func proved() throws {
    try paired()
    try challenge()
    try say(.right) { $0.send(TimeRequest(hostSend: 1, session: $0.session)) }
    #expect(pair.proofs == 1)
    pair.heard = []
  }

  private mutating func challenge() throws {
    let nonce = UInt64(pair.proofs + 1)
    try say {
      let asked = Challenge(session: $0.session, hostNonce: nonce)
      $0.host.sealing = .none
      $0.send($0.host.challenge(asked))
    }
  }

  /// Says it to both, and lets them answer.
  private mutating func say(
    _ sealing: SealingHost.Sealing = .none, _ words: (inout DevicePair) -> Void
  ) throws {
    pair.host.sealing = sealing
    words(&pair)
    try run(2)
  }

  private mutating func run(_ ms: Int64) throws {
    let difference = pair.run(ms: ms)
    try #require(difference == nil)
  }

  /// The messages of a type that both have sent since this was last asked for it.
  private mutating func heard<P: Payload>(_ type: P.Type) -> [P] {
    defer { pair.heard.removeAll { $0.type == P.type } }
    return pair.heard.all(P.self)
  }
}
