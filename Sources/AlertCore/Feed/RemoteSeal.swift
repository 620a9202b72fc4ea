import FobBase
import WireProtocol

/// A core's end of the seal with the keychain of a bridge's line (PROTOCOL.md, 15). The bridge
/// carries its frames and cannot make one.
struct RemoteSeal: Sendable {
  /// A session ends where no proved frame has come for so long.
  static let silentAfter = Interval.seconds(10)

  private let session: UInt32
  private var seal: HostSeal
  private var proved = ProvedEvents()
  private var revision: UInt32 = 0
  private var shown: Indication?
  /// When the newest proved frame came; nil before the proof.
  private var heardAt: Instant?

  /// - Parameters:
  ///   - key: of the keychain that HELLO named.
  ///   - hello: as the bridge has told it.
  ///   - nonce: never used before with this key.
  ///   - now: CHALLENGE is due then.
  init(_ key: PairingKey, _ hello: Hello, nonce: UInt64, at now: Instant) {
    session = hello.session
    seal = HostSeal(key, of: hello.deviceID, session: hello.session, nonce: nonce, at: now)
  }

  var isProved: Bool { seal.state == .proved }
  /// No proof has come for 3 s: the keychain is told what it was told before there were keys.
  var isUnproved: Bool { seal.state == .unproved }

  // MARK: The clock

  var nextWake: Instant? { heardAt.map { $0 + Self.silentAfter } ?? seal.nextWake }

  /// CHALLENGE, where it is due.
  mutating func challenge(at now: Instant) -> RelayedFrame? {
    seal.takeChallenge(at: now).map { RelayedFrame(FrameBody($0, sequence: 0)) }
  }

  /// Whether the waiting for a proof ends now, without one.
  mutating func givesUp(at now: Instant) -> Bool { seal.givesUp(at: now) }

  /// Whether the keychain of a proved session is no longer heard.
  func isSilent(at now: Instant) -> Bool { heardAt.map { now - $0 >= Self.silentAfter } ?? false }

  /// A counter is near its end: a new session is to begin.
  var isWornOut: Bool { seal.isWornOut }

  // MARK: In

  /// Whether this PROOF opens the session.
  mutating func take(_ proof: Proof, at now: Instant) -> Bool {
    guard seal.take(proof) else { return false }
    heardAt = now
    return true
  }

  /// Whether this frame, other than EVENT, is the keychain's, and newer than all before it.
  mutating func takes(_ frame: RelayedFrame, at now: Instant) -> Bool {
    guard frame.withBody({ seal.takes(body: $0) }) else { return false }
    heardAt = now
    return true
  }

  mutating func judge(_ record: EventRecord, isProved: Bool) -> ProvedEvents.Verdict {
    proved.judge(record, isProved: isProved)
  }

  // MARK: Out

  /// The sealed ack of an event; nil where the event is not proved.
  mutating func frame(_ ack: EventAck) -> RelayedFrame? {
    proved.contains(ack) ? sealed(ack) : nil
  }

  /// What the keychain is to show, sealed. It is as old as the newest proved frame: to be said
  /// again behind each one.
  mutating func frame(_ indication: Indication) -> RelayedFrame {
    if indication != shown { revision &+= 1 }
    shown = indication
    return sealed(Indicate(indication, session: session, revision: revision))
  }

  private mutating func sealed(_ payload: some Payload) -> RelayedFrame {
    var body = FrameBody(payload, sequence: 0)
    seal.seal(&body)
    return RelayedFrame(body)
  }
}
