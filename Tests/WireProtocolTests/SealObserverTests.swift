import FobBase
import Testing

@testable import WireProtocol

/// What somebody with the key reads of a line (PROTOCOL.md, 15).
struct SealObserverTests {
  private typealias Verdict = SealObserver.Verdict

  private func linked() -> SealedEnds {
    let ends = SealedEnds()
    ends.link()
    ends.run(ms: 2_000)
    ends.say(Heartbeat())
    return ends
  }

  /// All that was said, the host's frames and the device's in the order of the session's beginning.
  private func verdicts(
    _ ends: SealedEnds, _ observer: inout SealObserver
  ) -> [(type: UInt8, verdict: Verdict?)] {
    let begin: Set<UInt8> = [
      MessageType.hello.rawValue, MessageType.challenge.rawValue, MessageType.proof.rawValue,
    ]
    let frames =
      ends.said.map { ($0, isToHost: false) } + ends.answered.map { ($0, isToHost: true) }
    let typed = frames.map { (type: Decoded($0.0).bodies[0][1], frame: $0) }
    let ordered =
      begin.sorted().flatMap { type in typed.filter { $0.type == type } }
      + typed.filter { !begin.contains($0.type) }
    return ordered.map { ($0.type, observer.judge($0.frame.0, isToHost: $0.frame.isToHost)) }
  }

  @Test func `with the key every sealed frame of a session is right`() throws {
    let ends = linked()
    var observer = SealObserver([SealedEnds.device: SealedEnds.key])
    let seen = verdicts(ends, &observer)
    let sealed = seen.filter { $0.verdict != .unsealed }
    #expect(sealed.allSatisfy { $0.verdict == .right })
    #expect(sealed.contains { $0.type == MessageType.proof.rawValue })
    #expect(sealed.contains { $0.type == MessageType.indicate.rawValue })
    #expect(sealed.contains { $0.type == MessageType.heartbeat.rawValue })
  }

  @Test func `with another key the proof is wrong, without one nothing is known`() {
    let ends = linked()
    var other = SealObserver([SealedEnds.device: PairingKey(low: 1, high: 2)])
    let seen = verdicts(ends, &other)
    #expect(seen.contains { $0.type == MessageType.proof.rawValue && $0.verdict == .wrong })
    #expect(!seen.contains { $0.verdict == .right })
    var none = SealObserver([:])
    #expect(Set(verdicts(ends, &none).compactMap(\.verdict)) == [.unsealed, .unknown])
  }

  @Test func `one changed bit of a sealed frame is wrong, and no frame is no verdict`() throws {
    let ends = linked()
    var observer = SealObserver([SealedEnds.device: SealedEnds.key])
    _ = verdicts(ends, &observer)
    let beat = try #require(
      ends.answered.last { Decoded($0).bodies[0][1] == MessageType.heartbeat.rawValue })
    var body = Decoded(beat).bodies[0]
    body[4] ^= 1
    var changed = FrameBody()
    body.withUnsafeBytes { changed.append($0) }
    #expect(observer.judge(WireFrame(changed).bytes, isToHost: true) == .wrong)
    #expect(observer.judge(beat, isToHost: false) == .wrong, "one key a direction")
    #expect(observer.judge(beat, isToHost: true) == .right)
    #expect(observer.judge([1, 2, 3, 0], isToHost: true) == nil)
    #expect(observer.judge([], isToHost: true) == nil)
  }

  @Test func `the answer to PAIR is right with the key that it gave, and wrong with another`() {
    func verdict(_ key: PairingKey?, _ outcome: PairResult.Outcome = .paired) -> Verdict? {
      let ends = SealedEnds(paired: false)
      ends.link()
      var observer = SealObserver(key.map { [SealedEnds.device: $0] } ?? [:])
      _ = verdicts(ends, &observer)
      let tag = SealedEnds.key.pairingTag(session: 7, device: SealedEnds.device)
      ends.say(PairResult(session: 7, outcome: outcome, tag: outcome == .paired ? tag : 0))
      return observer.judge(ends.answered.last ?? [], isToHost: true)
    }
    #expect(verdict(SealedEnds.key) == .right)
    #expect(verdict(PairingKey(low: 1, high: 2)) == .wrong)
    #expect(verdict(nil) == .unknown)
    #expect(verdict(SealedEnds.key, .noPresence) == .unsealed)
  }

  @Test func `an event is proved without a session, by its device's key`() throws {
    let ends = SealedEnds()
    ends.say(EventRecord(EventIdentity.sample()))
    var observer = SealObserver([SealedEnds.device: SealedEnds.key])
    #expect(observer.judge(try #require(ends.answered.last), isToHost: true) == .right)
    var none = SealObserver([:])
    #expect(none.judge(try #require(ends.answered.last), isToHost: true) == .unknown)
  }
}
