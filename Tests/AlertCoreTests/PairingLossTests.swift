import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

/// A keychain is paired on a line that loses frames, on which a stranger answers in its name, at a
/// core that is killed at any moment (PROTOCOL.md, 15.2).
struct PairingLossTests {
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `the core ends with the key that the keychain has`(seed: UInt64) {
    var pairing = LossyPairing(seed: seed)
    for _ in 0..<3_000 { pairing.step(isCalm: false) }
    pairing.plugInAnew()
    for _ in 0..<3_000 { pairing.step(isCalm: true) }
    let (kept, has) = (pairing.kept, pairing.has)
    #expect(kept.map { $0.low } == has.map { $0.low }, "\(pairing.story)")
    #expect(pairing.isProved == (has != nil), "\(pairing.story)")
  }
}

/// Steps of 10 ms.
private struct LossyPairing {
  private var random: SeededGenerator
  private var now = Instant(microseconds: 60_000_000)
  private var host = HostSession(line, software: SoftwareVersion(major: 0, minor: 1, patch: 0))
  private var device = DeviceLink()
  private var session: UInt32 = 0
  private var beatAt = Instant(microseconds: 61_000_000)
  /// What the core has on its disk.
  private(set) var kept: PairingKey?
  private var offered: PairingKey?
  /// How often frames are lost and a stranger answers, per mille.
  private let loss: Int
  private let lies: Int
  /// The key that the keychain has.
  private(set) var has: PairingKey?
  private var isHeld = false
  private(set) var story: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    loss = [0, 100, 500, 900][Int.random(in: 0..<4, using: &random)]
    lies = [0, 20][Int.random(in: 0..<2, using: &random)]
    if Bool.random(using: &random) {
      kept = key()
      has = kept
      device.pair(with: has)
    }
    plugInAnew()
  }

  var isProved: Bool { host.isProved }

  mutating func plugInAnew() {
    session += 1
    host.opened(session: session, nonce: UInt64(session) << 32, indication: nil, at: now)
    use()
  }

  private mutating func use() {
    host.use(
      kept.map { [keychain: $0] } ?? [:], offered: offered.map { [keychain: $0] } ?? [:], at: now)
  }

  private mutating func key() -> PairingKey {
    PairingKey(
      low: .random(in: 1 ... .max, using: &random), high: .random(in: 1 ... .max, using: &random))
  }

  private mutating func chance(_ perMille: Int) -> Bool {
    Int.random(in: 0..<1_000, using: &random) < perMille
  }

  mutating func step(isCalm: Bool) {
    if !isCalm { disturb() }
    if now >= beatAt {
      beatAt = now + .seconds(1)
      say(device.frame(Heartbeat(), at: now), loss: isCalm ? 0 : loss)
    }
    take(host.wake(at: now), loss: isCalm ? 0 : loss)
    now = now + .milliseconds(10)
  }

  /// A person, a stranger or a power cut does something.
  private mutating func disturb() {
    if chance(10) { isHeld.toggle() }
    if chance(3) { ask() }
    if chance(lies) {
      let outcome = [PairResult.Outcome.storeFailed, .noPresence, .paired, .unpaired][
        Int.random(in: 0..<4, using: &random)]
      let lie = PairResult(session: host.link.session, outcome: outcome, tag: 7)
      say(WireFrame(FrameBody(lie, sequence: 0)), loss: 0)
    }
    if chance(1) {
      story.append("killed")
      host = HostSession(line, software: SoftwareVersion(major: 0, minor: 1, patch: 0))
      plugInAnew()
    }
    if chance(2) {
      story.append("unplugged")
      take(host.gone(reason: "unplugged"), loss: 1_000)
      plugInAnew()
    }
  }

  /// As a bridge does it: the key is on the disk before it goes out.
  private mutating func ask() {
    let key = offered ?? key()
    // Refused while one is under way.
    guard host.ask(.pair(key), at: now) else { return }
    offered = key
    story.append("asked")
  }

  private mutating func take(_ output: HostOutput, loss: Int) {
    for event in output.events {
      switch event {
      case .pairing(let end):
        story.append("\(end)")
        if end == .paired { (kept, offered) = (offered, nil) }
        use()
      case .offer(_, let isTaken):
        guard let key = offered, host.pairing == nil else { continue }
        story.append("taken: \(isTaken)")
        if isTaken { kept = key }
        offered = nil
        use()
      default: break
      }
    }
    for frame in output.frames where !chance(loss) {
      frame.withBytes { raw in
        var chunk = raw
        while let request = device.next(&chunk, at: now) { answer(request, loss: loss) }
      }
    }
  }

  private mutating func answer(_ request: HostRequest, loss: Int) {
    guard case .pair(let pair) = request else {
      if let answer = device.answer(request, at: now) { say(answer, loss: loss) }
      return
    }
    guard isHeld else {
      return say(
        device.frame(PairResult(session: pair.session, outcome: .noPresence, tag: 0), at: now),
        loss: loss)
    }
    let key = PairingKey(low: pair.keyLow, high: pair.keyHigh)
    if has.map({ !($0 == key) }) ?? true { story.append("took it") }
    has = key
    device.pair(with: key)
    let tag = key.pairingTag(session: pair.session, device: keychain)
    say(
      device.frame(PairResult(session: pair.session, outcome: .paired, tag: tag), at: now),
      loss: loss)
  }

  private mutating func say(_ frame: WireFrame, loss: Int) {
    guard !chance(loss) else { return }
    let output = frame.withBytes { host.receive($0, at: now) }
    take(output, loss: loss)
  }
}
