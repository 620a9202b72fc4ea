import FobBase
import TestSupport
import WireProtocol

@testable import Firmware

/// What happens to paired devices (PROTOCOL.md, 15), besides all that happens to others.
extension DevicePair {
  var proofs: Int { host.proofs }
  var sealedFrames: Int { host.proved }

  /// As `step`, most of it said by a host that has the key, some of it wrongly.
  mutating func stepSealed() -> String? {
    host.sealing = sealing()
    switch Int.random(in: 0..<60, using: &random) {
    case 0..<3: pair()
    case 3..<7: challenge()
    case 7, 8: greet()
    case 9: replay()
    case 10 where Int.random(in: 0..<6, using: &random) == 0: send(Unpair(session: session))
    case 11 where Bool.random(using: &random): powerUpHeld()
    case 12: setContact(true)
    case 13..<17: indicate()
    case 17..<21: acknowledge()
    default: happen()
    }
    let pause: Int64 = Int.random(in: 0..<8, using: &random) == 0 ? 600 : 12
    return run(ms: .random(in: 0...pause, using: &random))
  }

  private mutating func sealing() -> SealingHost.Sealing {
    guard host.isSealing else { return .none }
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1: return .none
    case 2: return .wrongTag
    case 3: return .clock(.random(in: 0...3, using: &random))
    case 4: return .clock(0 &- .random(in: 2_900...2_960, using: &random))
    default: return .right
    }
  }

  mutating func send<P: Payload>(_ payload: P) { send(host.frame(payload)) }

  /// The button is held while the power comes, and a host pairs the device.
  mutating func powerUpHeld() {
    setContact(true)
    reboot(1)
    greet()
    pair()
  }

  mutating func greet() {
    host.sealing = .none
    send(Hello(role: .host, session: newSession(), software: Keychain.software))
  }

  var key: Pair {
    Pair(session: session, keyLow: host.key.low, keyHigh: host.key.high)
  }

  mutating func pair() {
    var key = key
    if Int.random(in: 0..<12, using: &random) == 0 { key.session = 99 }
    send(key)
  }

  mutating func challenge() {
    host.sealing = .none
    let nonce = UInt64.random(in: 1...3, using: &random)
    send(host.challenge(Challenge(session: session, hostNonce: nonce)))
  }

  /// - Parameter revision: within the host's session.
  mutating func indicate(_ state: ShownState, revision: UInt32, sounder: Bool = false) {
    send(
      Indicate(
        session: session, incident: 7, revision: revision, state: state, detail: 0,
        sounder: sounder, lease: 5_000))
  }

  /// A frame that was sealed rightly once.
  func replay() { send(host.lastSealed) }
}
