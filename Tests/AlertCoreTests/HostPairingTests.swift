import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// A host's session with a keychain that its core is paired with (PROTOCOL.md, 15).
final class HostPairingTests {
  private let key = PairingKey(low: 5, high: 6)
  private var host = HostSession(line, software: SoftwareVersion(major: 0, minor: 1, patch: 0))
  private var device = DeviceLink()
  private var now = Instant(microseconds: 60_000_000)
  private var inputs: [CoreInput] = []
  private var events: [LinkEvent] = []
  /// What the keychain does with the host's frames.
  private var requests: [HostRequest] = []
  private var isMute = false

  private func open(_ key: PairingKey?) {
    host.keys = key.map { [keychain: $0] } ?? [:]
    host.opened(session: 7, nonce: 70, indication: Indication(state: .idle), at: now)
    run(.milliseconds(5))
  }

  private func run(_ span: Interval) {
    let end = now + span
    while now < end {
      take(host.wake(at: now))
      now = now + .milliseconds(1)
    }
  }

  private func take(_ output: HostOutput) {
    inputs += output.inputs
    events += output.events
    for frame in output.frames { toDevice(frame) }
  }

  private func toDevice(_ frame: WireFrame) {
    frame.withBytes { raw in
      var chunk = raw
      while let request = device.next(&chunk, at: now) {
        requests.append(request)
        if !isMute, let answer = device.answer(request, at: now) { hear(answer) }
      }
    }
  }

  private func say(_ payload: some Payload) { hear(device.frame(payload, at: now)) }

  private func hear(_ frame: WireFrame) {
    frame.withBytes { take(host.receive($0, at: now)) }
  }

  private func hearUnsealed(_ payload: some Payload) {
    hear(WireFrame(FrameBody(payload, sequence: 9)))
  }

  private func ask(_ request: PairingTalk.Request) -> Bool { host.ask(request, at: now) }

  private func ack(_ press: EventRecord) -> WireFrame? {
    host.acknowledge(EventAck(press.identity), at: now)
  }

  private var ends: [PairingTalk.End] {
    events.compactMap { if case .pairing(let end) = $0 { end } else { nil } }
  }

  private var proofs: [LineProof] {
    inputs.compactMap { if case .proof(_, let proof) = $0 { proof } else { nil } }
  }

  private var acks: Int {
    requests.count { if case .ack = $0 { true } else { false } }
  }

  // MARK: What counts

  @Test func `a paired keychain is linked with its proof, and not before`() {
    device.pair(with: key)
    open(key)
    #expect(inputs.map(\.words).first == "up \(keychain.text)")
    inputs = []
    device = DeviceLink()
    open(key)
    for _ in 0..<4 {
      run(.seconds(1))
      say(Heartbeat())
    }
    #expect(!inputs.contains { if case .linkUp = $0 { true } else { false } })
    #expect(events.contains { if case .unproved = $0 { true } else { false } })
  }

  @Test func `the core hears once that a keychain has shown its key, or that it shows none`() {
    device.pair(with: key)
    open(key)
    #expect(proofs == [.given])
    device = DeviceLink()
    inputs = []
    open(key)
    for _ in 0..<8 {
      run(.seconds(1))
      say(Heartbeat())
    }
    #expect(proofs == [.missing(keychain)])
    isMute = true
    run(.seconds(4))
    #expect(proofs == [.missing(keychain), .over], "nothing answers there any more")
  }

  @Test func `the core hears that a line has gone whose keychain showed no key`() {
    open(key)
    for _ in 0..<4 {
      run(.seconds(1))
      say(Heartbeat())
    }
    for _ in 0..<2 { take(host.gone(reason: "unplugged")) }
    #expect(proofs == [.missing(keychain), .over])
  }

  @Test func `where the key is forgotten a keychain that shows none is linked by its word`() {
    open(key)
    for _ in 0..<4 {
      run(.seconds(1))
      say(Heartbeat())
    }
    inputs = []
    host.use([:], at: now)
    for _ in 0..<2 { run(.milliseconds(2)) }
    let told = inputs.map(\.words).filter { !$0.hasPrefix("proof") }
    #expect(told == ["up \(keychain.text)"])
    #expect(proofs == [.over])
  }

  @Test func `of what is not proved only a press reaches the core, and as unproved`() {
    device.pair(with: key)
    open(key)
    inputs = []
    hearUnsealed(EventRecord.press(1))
    hearUnsealed(EventRecord.press(2, kind: .released))
    hearUnsealed(Heartbeat())
    hearUnsealed(PositionFix())
    let heard = inputs.filter { if case .missed = $0 { false } else { true } }
    #expect(heard.count == 1)
    guard case .unprovedPress(_, let identity) = heard.first else {
      Issue.record("\(heard)")
      return
    }
    #expect(identity == EventRecord.press(1).identity)
  }

  @Test func `a keychain that its event has named before its HELLO is not believed unsealed`() {
    isMute = true
    device.pair(with: key)
    open(key)
    say(EventRecord.press(1))
    hearUnsealed(Heartbeat())
    hearUnsealed(PositionFix())
    #expect(inputs.count == 1)
    #expect(inputs.contains { if case .event = $0 { true } else { false } })
    #expect(events.isEmpty)
  }

  @Test func `a press that is not proved is not acked in a sealed session; its proved copy is`() {
    device.pair(with: key)
    open(key)
    let press = EventRecord.press(1)
    hearUnsealed(press)
    #expect(ack(press) == nil)
    say(press)
    let ack = ack(press)
    #expect(ack != nil)
    if let ack { toDevice(ack) }
    #expect(acks == 1)
  }

  @Test func `a keychain that has lost its key is acked, for a paired one would not believe it`() {
    open(key)
    for _ in 0..<4 {
      run(.seconds(1))
      say(Heartbeat())
    }
    let press = EventRecord.press(1)
    say(press)
    #expect(ack(press) != nil)
  }

  // MARK: Pairing

  @Test func `a key is given until the keychain shows that it has it`() {
    open(nil)
    #expect(ask(.pair(key)))
    #expect(!ask(.pair(key)), "one at a time")
    run(.milliseconds(1_200))
    let asked = requests.count { if case .pair = $0 { true } else { false } }
    #expect(asked == 3)
    let wrong = PairResult(session: 7, outcome: .paired, tag: 1)
    say(wrong)
    #expect(ends.isEmpty, "a tag of another key shows nothing")
    say(
      PairResult(
        session: 7, outcome: .paired, tag: key.pairingTag(session: 7, device: keychain)))
    #expect(ends == [.paired])
    device.pair(with: key)
    host.use([keychain: key], at: now)
    run(.milliseconds(20))
    inputs = []
    say(Heartbeat())
    #expect(inputs.map(\.words) == ["heartbeat"])
  }

  @Test(arguments: [
    (PairResult.Outcome.noPresence, PairingTalk.End.noPresence), (.storeFailed, .storeFailed),
  ])
  func `a refusal is told`(_ outcome: PairResult.Outcome, _ end: PairingTalk.End) {
    open(nil)
    #expect(ask(.pair(key)))
    say(PairResult(session: 7, outcome: outcome, tag: 0))
    #expect(ends == [end])
    #expect(ask(.pair(key)), "and it can be asked again")
  }

  @Test func `after ten seconds without an answer nobody is asked any more`() {
    open(nil)
    #expect(ask(.pair(key)))
    run(.milliseconds(9_900))
    #expect(ends.isEmpty)
    for _ in 0..<2 { run(.milliseconds(100)) }
    #expect(ends == [.unanswered])
  }

  @Test func `only a proved keychain is un-paired, and only its sealed answer counts`() {
    open(nil)
    #expect(!ask(.unpair))
    device.pair(with: key)
    host.use([keychain: key], at: now)
    run(.milliseconds(20))
    #expect(ask(.unpair))
    run(.milliseconds(2))
    #expect(requests.contains { if case .unpair = $0 { true } else { false } })
    hearUnsealed(PairResult(session: 7, outcome: .unpaired, tag: 0))
    #expect(ends.isEmpty)
    say(PairResult(session: 7, outcome: .unpaired, tag: 0))
    #expect(ends == [.unpaired])
  }

  @Test func `a line that goes while a key is given ends that, too`() {
    open(nil)
    let isAsked = ask(.pair(key))
    #expect(isAsked)
    take(host.gone(reason: "unplugged"))
    #expect(ends == [.unanswered])
    take(host.gone(reason: "unplugged"))
    #expect(ends.count == 1, "told once")
  }

  @Test func `nobody is paired where no keychain has answered`() {
    isMute = true
    open(nil)
    #expect(!ask(.pair(key)))
  }

  @Test func `one that has said HELLO and nothing else is told as not proved, too`() {
    device.pair(with: other)
    open(key)
    isMute = true
    run(.seconds(5))
    #expect(events.count { if case .unproved = $0 { true } else { false } } == 1)
  }

  // MARK: A pairing of which nobody knows the end

  private var offers: [Bool] {
    events.compactMap { if case .offer(keychain, let isTaken) = $0 { isTaken } else { nil } }
  }

  /// The keychain is asked to take `key`, and somebody on the line says in its name that it has
  /// not; the bridge has kept both keys.
  private func offer(hadKey: Bool, isTaken: Bool) {
    if hadKey { device.pair(with: other) }
    open(hadKey ? other : nil)
    #expect(ask(.pair(key)))
    run(.milliseconds(2))
    hearUnsealed(PairResult(session: 7, outcome: .storeFailed, tag: 0))
    #expect(ends == [.storeFailed])
    if isTaken { device.pair(with: key) }
    host.use(hadKey ? [keychain: other] : [:], offered: [keychain: key], at: now)
    beat(for: 12)
  }

  @Test(arguments: [false, true])
  func `a keychain that took a key proves it, whatever was answered in its name`(hadKey: Bool) {
    offer(hadKey: hadKey, isTaken: true)
    #expect(offers.last == true)
    host.use([keychain: key], at: now)
    run(.milliseconds(20))
    #expect(proofs.last == .given)
  }

  @Test func `one that has not taken it proves the key that it had, and goes on with that`() {
    offer(hadKey: true, isTaken: false)
    #expect(offers == [false])
    #expect(proofs == [.given, .given], "asked anew, and at once")
    #expect(!events.contains { if case .unproved = $0 { true } else { false } })
  }

  @Test(arguments: [false, true])
  func `no HELLO settles it, for anybody may say one: it is asked behind each`(isTaken: Bool) {
    offer(hadKey: false, isTaken: false)
    if isTaken { device.pair(with: key) }
    host.opened(session: 8, nonce: 80, indication: nil, at: now)
    run(.milliseconds(5))
    #expect(offers == (isTaken ? [true] : []))
    #expect(proofs.isEmpty, "it is believed by its word meanwhile")
  }

  @Test func `a person may pair it again meanwhile`() {
    offer(hadKey: false, isTaken: true)
    events = []
    #expect(ask(.pair(other)))
    run(.milliseconds(2))
    #expect(!ask(.pair(other)))
    let tag = other.pairingTag(session: 7, device: keychain)
    say(PairResult(session: 7, outcome: .paired, tag: tag))
    #expect(ends == [.paired])
  }

  // MARK: The key of a label

  private var other: PairingKey { PairingKey(low: 7, high: 8) }

  private func beat(for seconds: Int) {
    for _ in 0..<seconds {
      run(.seconds(1))
      say(Heartbeat())
    }
  }

  @Test func `a keychain proves at once the key that its label tells, which the core then has`() {
    device.pair(with: key)
    open(nil)
    #expect(ask(.prove(key)))
    run(.milliseconds(2))
    #expect(ends == [.paired])
    #expect(proofs.isEmpty, "nothing counts before the core has the key")
    host.use([keychain: key], at: now)
    run(.milliseconds(2))
    #expect(proofs == [.given])
  }

  @Test func `the label of another keychain is refused, and the sealed session goes on`() {
    device.pair(with: key)
    open(key)
    #expect(ask(.prove(other)))
    beat(for: 4)
    #expect(ends == [.unanswered])
    #expect(proofs == [.given])
    requests = []
    if let light = host.indicate(Indication(state: .sending), at: now) { toDevice(light) }
    #expect(requests.contains { if case .indicate = $0 { true } else { false } })
  }

  @Test func `the right label is taken where the core has had a wrong key`() {
    device.pair(with: key)
    open(other)
    beat(for: 4)
    #expect(proofs == [.missing(keychain)])
    #expect(ask(.prove(key)))
    run(.seconds(1))
    #expect(ends == [.paired])
    host.use([keychain: key], at: now)
    run(.milliseconds(20))
    #expect(proofs.last == .given)
  }

  @Test func `a refusal that somebody makes up does not end the asking`() {
    open(other)
    beat(for: 4)
    #expect(ask(.prove(key)))
    for outcome in [PairResult.Outcome.storeFailed, .noPresence, .paired, .unpaired] {
      hearUnsealed(PairResult(session: 7, outcome: outcome, tag: 0))
    }
    #expect(ends.isEmpty)
    device.pair(with: key)
    run(.seconds(1))
    #expect(ends == [.paired])
  }

  @Test func `while one proof is awaited no other is asked for`() {
    open(other)
    requests = []
    #expect(ask(.prove(key)))
    beat(for: 2)
    let asked = Set(
      requests.compactMap { if case .challenge(let asked) = $0 { asked.hostNonce } else { nil } })
    #expect(asked.count == 1)
    beat(for: 6)
    #expect(ends == [.unanswered], "it has no key, and says nothing")
  }
}
