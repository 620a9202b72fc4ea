package import FobBase

/// The device's end of the seal: its key, the session that was proved, and the one that it has
/// offered to a host (PROTOCOL.md, 15).
package struct DeviceSeal: Sendable {
  /// The device has a key, or a damaged record of one.
  private(set) var isPaired = false
  /// None of the following means anything without it.
  private var hasKey = false
  private var key = PairingKey(low: 0, high: 0)
  private(set) var hasSession = false
  private(set) var session = SealedSession(.none, sends: .device, takes: .host)
  /// The host's session that was proved last, 0 when none was.
  private(set) var provedSession: UInt32 = 0
  /// Sealed sessions proved in this boot.
  private var number: UInt32 = 0
  private(set) var hasOffer = false
  var offer = Offer(challenge: Challenge(session: 0, hostNonce: 0), key: .none)
  /// A session was proved since this was last asked.
  private var isNew = false

  /// Without a key.
  package init() {}

  struct Offer {
    var challenge: Challenge
    var key: SessionKey
  }

  /// Begins with a key from the store.
  /// - Parameter key: nil where the record of it is damaged: nothing can be proved then.
  @inline(never)
  package mutating func pair(_ key: PairingKey?) {
    unpair()
    isPaired = true
    guard let key else { return }
    self.key = key
    hasKey = true
  }

  /// Forgets the key, and all that was proved by it.
  @inline(never)
  package mutating func unpair() {
    let number = number
    self = DeviceSeal()
    self.number = number
  }

  mutating func takeNew() -> Bool {
    defer { isNew = false }
    return isNew
  }

  // MARK: Out

  /// Seals what is to be sealed of a frame whose payload is complete.
  package mutating func seal(_ body: inout FrameBody, at now: Instant) {
    switch body.rawType {
    case MessageType.event.rawValue:
      if hasKey { body.seal(key.sealKey(.event), clock: now.sealClock, counter: 0) }
    case MessageType.hello.rawValue, MessageType.proof.rawValue: break
    default: if hasSession { session.seal(&body, clock: now.sealClock) }
    }
  }

  /// Answers a CHALLENGE of the host whose HELLO was answered last.
  /// - Parameter proof: with all but its tag.
  /// - Returns: false without a key.
  @inline(never)
  package mutating func prove(
    _ challenge: Challenge, device: DeviceID, _ proof: inout Proof
  ) -> Bool {
    guard hasKey else { return false }
    proof.number = number &+ 1
    if !hasOffer || offer.challenge != challenge {
      offer.challenge = challenge
      offer.key = key.sessionKey(hostNonce: challenge.hostNonce, proof, device: device)
      hasOffer = true
    }
    proof.tag = offer.key.tag(of: proof)
    return true
  }

  // MARK: In

  /// Whether a frame of a host counts at a paired device.
  @inline(never)
  mutating func admits(_ frame: ReceivedFrame, at now: Instant) -> Bool {
    if frame.head.isSealed {
      guard let trailer = frame.trailer, takes(frame) else { return false }
      return !Self.isDated(frame.rawType) || trailer.isFresh(at: now)
    }
    return !Self.isDated(frame.rawType) && frame.rawType != MessageType.eventAck.rawValue
  }

  /// A request that is obeyed for a while after it was made, and not later.
  private static func isDated(_ rawType: UInt8) -> Bool {
    switch rawType {
    case MessageType.indicate.rawValue, MessageType.ledSet.rawValue, MessageType.config.rawValue,
      MessageType.unpair.rawValue:
      true
    default: false
    }
  }

  /// Whether a sealed frame of a host is proved. A frame that an offered session proves opens it.
  @inline(never)
  mutating func takes(_ frame: ReceivedFrame) -> Bool {
    if hasSession, session.takes(frame) { return true }
    guard hasOffer else { return false }
    var offered = SealedSession(offer.key, sends: .device, takes: .host)
    guard offered.takes(frame) else { return false }
    session = offered
    hasSession = true
    provedSession = offer.challenge.session
    number &+= 1
    hasOffer = false
    isNew = true
    return true
  }
}

extension DeviceSeal {
  /// As `takes`, for a frame that stands alone.
  /// - Parameter body: head, type, seq, payload and trailer: at least four bytes.
  package mutating func takes(body: UnsafeRawBufferPointer) -> Bool { takes(ReceivedFrame(body)) }
}

extension SealTrailer {
  /// The oldest clock of the device that a host may repeat: 3 s in units of 1024 µs.
  static let maxAge: UInt32 = 2_930

  /// Whether a frame of the host was made by what the device said at most 3 s ago.
  func isFresh(at now: Instant) -> Bool { now.sealClock &- clock <= Self.maxAge }
}

extension Instant {
  /// In units of 1024 µs, modulo 2^32: a shift, where a processor has no division.
  var sealClock: UInt32 { UInt32(truncatingIfNeeded: microseconds >> 10) }
}
