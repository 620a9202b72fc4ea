package import FobBase

/// The host's end of the seal with one device, from its key to a proved session (PROTOCOL.md, 15).
/// `HostLink` has it for a line of this process, a core itself for a line of a bridge.
package struct HostSeal: Sendable {
  package let device: DeviceID
  private let key: PairingKey
  private let challenge: Challenge
  var session: SealedSession?
  /// The device's clock as the newest proved frame has it.
  private var clock: UInt32 = 0
  /// How far the proof is.
  package private(set) var state = State.waiting
  private var nextChallenge: Instant
  private let patience: Instant

  package enum State: Sendable {
    /// Nothing but CHALLENGE is said: it would not be believed.
    case waiting
    case proved
    /// No proof has come for 3 s. What is said is not sealed, and CHALLENGE goes on.
    case unproved
  }

  static let challengeEvery = Interval.milliseconds(500)
  package static let patience = Interval.seconds(3)

  /// - Parameters:
  ///   - session: the host's, which the device has answered.
  ///   - nonce: never used before with this key.
  ///   - now: CHALLENGE is due then.
  package init(
    _ key: PairingKey, of device: DeviceID, session: UInt32, nonce: UInt64, at now: Instant
  ) {
    self.key = key
    self.device = device
    challenge = Challenge(session: session, hostNonce: nonce)
    nextChallenge = now
    patience = now + Self.patience
  }

  /// When CHALLENGE is due, or the waiting ends; nil once the proof is there.
  package var nextWake: Instant? {
    switch state {
    case .waiting: min(nextChallenge, patience)
    case .unproved: nextChallenge
    case .proved: nil
    }
  }

  /// Whether the waiting ends now, without a proof.
  package mutating func givesUp(at now: Instant) -> Bool {
    guard state == .waiting, now >= patience else { return false }
    state = .unproved
    return true
  }

  /// A counter is near its end.
  package var isWornOut: Bool { session?.isWornOut ?? false }

  /// CHALLENGE, where it is due.
  package mutating func takeChallenge(at now: Instant) -> Challenge? {
    guard state != .proved, now >= nextChallenge else { return nil }
    nextChallenge = now + Self.challengeEvery
    return challenge
  }

  // MARK: In

  /// Takes the device's answer to CHALLENGE.
  /// - Returns: whether it proves a session; a second one does not.
  package mutating func take(_ proof: Proof) -> Bool {
    guard state != .proved, proof.session == challenge.session else { return false }
    let new = key.sessionKey(hostNonce: challenge.hostNonce, proof, device: device)
    guard new.tag(of: proof) ^ proof.tag == 0 else { return false }
    session = SealedSession(new, sends: .host, takes: .device)
    clock = proof.clock
    state = .proved
    return true
  }

  /// Whether a frame of the device, other than EVENT, is proved.
  mutating func takes(_ frame: ReceivedFrame) -> Bool {
    guard session?.takes(frame) == true, let trailer = frame.trailer else { return false }
    clock = trailer.clock
    return true
  }

  /// As `takes`, for a frame that a bridge has carried.
  /// - Parameter body: head, type, any sequence, payload and trailer: at least four bytes.
  package mutating func takes(body: UnsafeRawBufferPointer) -> Bool { takes(ReceivedFrame(body)) }

  // MARK: Out

  /// Seals a frame whose payload is complete, where it is to be sealed.
  package mutating func seal(_ body: inout FrameBody) {
    switch body.rawType {
    case MessageType.hello.rawValue, MessageType.challenge.rawValue: break
    default: session?.seal(&body, clock: clock)
    }
  }
}

extension PairingKey {
  /// Whether an EVENT was made by the device that has this key.
  func proves(event frame: ReceivedFrame) -> Bool { sealKey(.event).proves(frame) }

  /// The same, for an EVENT that a bridge has carried.
  /// - Parameter body: head, type, any sequence, payload and trailer: at least four bytes.
  package func proves(eventBody body: UnsafeRawBufferPointer) -> Bool {
    proves(event: ReceivedFrame(body))
  }
}
