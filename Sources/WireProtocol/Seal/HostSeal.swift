import FobBase

/// The host's end of the seal with one device, from its key to a proved session (PROTOCOL.md, 15).
struct HostSeal: Sendable {
  let device: DeviceID
  private let key: PairingKey
  private let challenge: Challenge
  var session: SealedSession?
  /// The device's clock as the newest proved frame has it.
  private var clock: UInt32 = 0
  /// How far the proof is.
  private(set) var state = State.waiting
  private var nextChallenge: Instant
  private let patience: Instant

  enum State {
    /// Nothing but CHALLENGE is said: it would not be believed.
    case waiting
    case proved
    /// No proof has come for 3 s. What is said is not sealed, and CHALLENGE goes on.
    case unproved
  }

  static let challengeEvery = Interval.milliseconds(500)
  static let patience = Interval.seconds(3)

  /// - Parameters:
  ///   - session: the host's, which the device has answered.
  ///   - nonce: never used before with this key.
  init(_ key: PairingKey, of device: DeviceID, session: UInt32, nonce: UInt64, at now: Instant) {
    self.key = key
    self.device = device
    challenge = Challenge(session: session, hostNonce: nonce)
    nextChallenge = now
    patience = now + Self.patience
  }

  /// When CHALLENGE is due, or the waiting ends; nil once the proof is there.
  var nextWake: Instant? {
    switch state {
    case .waiting: min(nextChallenge, patience)
    case .unproved: nextChallenge
    case .proved: nil
    }
  }

  /// Whether the waiting ends now, without a proof.
  mutating func givesUp(at now: Instant) -> Bool {
    guard state == .waiting, now >= patience else { return false }
    state = .unproved
    return true
  }

  /// A counter is near its end.
  var isWornOut: Bool { session?.isWornOut ?? false }

  mutating func takeChallenge(at now: Instant) -> Challenge? {
    guard state != .proved, now >= nextChallenge else { return nil }
    nextChallenge = now + Self.challengeEvery
    return challenge
  }

  // MARK: In

  /// Takes the device's answer to CHALLENGE.
  /// - Returns: whether it proves a session; a second one does not.
  mutating func take(_ proof: Proof) -> Bool {
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

  // MARK: Out

  mutating func seal(_ body: inout FrameBody) {
    switch body.rawType {
    case MessageType.hello.rawValue, MessageType.challenge.rawValue: break
    default: session?.seal(&body, clock: clock)
    }
  }
}

extension PairingKey {
  /// Whether an EVENT was made by the device that has this key.
  func proves(event frame: ReceivedFrame) -> Bool { sealKey(.event).proves(frame) }
}
