import FobBase
import TestSupport
import Testing

@testable import WireProtocol

/// Whatever a stranger plays back, in whatever order, no frame of the host counts twice at a
/// device, and none of an end counts at that end (PROTOCOL.md, 15.4). Planted mistakes show that
/// it would be seen.
@Suite struct SealReplayTests {
  private static let ack = EventAck(number: .init(boot: 1, n: 2), identityCRC: 7)

  /// Frames of the host that counted more than once, when all that was said is said again at
  /// random between new frames.
  /// - Parameter isRestored: the mistake: a HELLO that comes again sets the session back to where
  ///   it began.
  private static func countedAgain(seed: UInt64, isRestored: Bool) -> Int {
    var random = SeededGenerator(seed: seed)
    let ends = SealedEnds()
    ends.link()
    let began = ends.deviceEnd
    var acks: [[UInt8]] = []
    var counts: [[UInt8]: Int] = [:]
    for _ in 0..<60 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        ends.run(ms: Int64.random(in: 1...60, using: &random))
        ends.say(Heartbeat())
      case 1:
        let frame = ends.frame(ack)
        acks.append(frame)
        if ends.toDevice(frame) == ["ack"] { counts[frame, default: 0] += 1 }
      case 2:
        guard let old = ends.said.randomElement(using: &random) else { continue }
        ends.toDevice(old)
        let isHello = Decoded(old).bodies.first?[1] == MessageType.hello.rawValue
        if isRestored, isHello { ends.deviceEnd = began }
      default:
        guard let old = acks.randomElement(using: &random) else { continue }
        if ends.toDevice(old) == ["ack"] { counts[old, default: 0] += 1 }
      }
    }
    return counts.values.count { $0 > 1 }
  }

  @Test func `no frame counts twice, whatever HELLO and CHALLENGE come again between`() {
    let seeds: ClosedRange<UInt64> = Soak.isOn ? 1...1_000 : 1...20
    for seed in seeds { #expect(Self.countedAgain(seed: seed, isRestored: false) == 0, "\(seed)") }
  }

  @Test func `a HELLO that restored a session would be seen`() {
    let found = (1...20).filter { Self.countedAgain(seed: $0, isRestored: true) > 0 }
    #expect(!found.isEmpty, "\(found)")
  }

  /// Whether an end takes its own frame, when it is sent back to it.
  private static func takesItsOwn(sends: SealPerson, takes: SealPerson) -> Bool {
    let proof = Proof(
      session: 1, bootCounter: 2, bootNonce: 3, number: 4, clock: 5, tag: 6)
    let key = SealedEnds.key.sessionKey(hostNonce: 7, proof, device: SealedEnds.device)
    var end = SealedSession(key, sends: sends, takes: takes)
    var body = FrameBody(Self.ack, sequence: 8)
    end.seal(&body, clock: 9)
    return body.withBytes { end.takes(ReceivedFrame($0)) }
  }

  @Test func `an end does not take its own frames, as it would with one key for both directions`() {
    #expect(!Self.takesItsOwn(sends: .host, takes: .device))
    #expect(!Self.takesItsOwn(sends: .device, takes: .host))
    #expect(Self.takesItsOwn(sends: .host, takes: .host))
  }
}
