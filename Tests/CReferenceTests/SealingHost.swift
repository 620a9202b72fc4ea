import FobBase

@testable import WireProtocol

/// A host with a key, as far as it makes frames and hears proofs. It never checks what it is told:
/// the devices under test are to judge what it says.
struct SealingHost {
  var key = PairingKey(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908)
  private var sequence: UInt16 = 0
  private var challenge: Challenge?
  private var session: SealedSession?
  /// The device's clock, as its newest sealed frame has it.
  private var clock: UInt32 = 0
  /// How the next frames are sealed.
  var sealing = Sealing.none
  /// The last frame that was sealed, on the wire.
  private(set) var lastSealed: [UInt8] = []
  /// Sessions that began, and frames of the device that its key proves.
  private(set) var proofs = 0
  private(set) var proved = 0

  enum Sealing {
    case none, right
    /// One bit of the tag is turned.
    case wrongTag
    /// As if the device's clock were so much more, in units of 1024 µs.
    case clock(UInt32)
  }

  var isSealing: Bool { session != nil }

  /// On the wire.
  mutating func frame<P: Payload>(_ payload: P) -> [UInt8] {
    sequence &+= 1
    return wire(FrameBody(payload, sequence: sequence))
  }

  mutating func frame(_ type: MessageType) -> [UInt8] {
    sequence &+= 1
    return wire(FrameBody(type: type, sequence: sequence))
  }

  mutating func challenge(_ new: Challenge) -> [UInt8] {
    challenge = new
    return frame(new)
  }

  private mutating func wire(_ payload: FrameBody) -> [UInt8] {
    var body = payload
    switch sealing {
    case .none: return WireFrame(body).withBytes { Array($0) }
    case .right, .wrongTag: session?.seal(&body, clock: clock)
    case .clock(let ahead): session?.seal(&body, clock: clock &+ ahead)
    }
    var bytes = body.withBytes { Array($0) }
    if case .wrongTag = sealing { bytes[bytes.count - 8] ^= 4 }
    lastSealed = bytes.framed
    return lastSealed
  }

  /// Takes a proof of the challenge that was made last, and the clock of what is sealed.
  mutating func hear(_ frame: DeviceFrame) {
    if let proof: Proof = frame.read(), let challenge, proof.session == challenge.session {
      let new = key.sessionKey(hostNonce: challenge.hostNonce, proof, device: .bench(1))
      guard new.tag(of: proof) == proof.tag else { return }
      session = SealedSession(new, sends: .host, takes: .device)
      clock = proof.clock
      proofs += 1
      self.challenge = nil
    } else if frame.head.isSealed {
      let number = [UInt8(frame.sequence & 0xFF), UInt8(frame.sequence >> 8)]
      let body = [frame.head.rawValue, frame.rawType] + number + frame.payload
      body.withUnsafeBytes { hearSealed(ReceivedFrame($0)) }
    }
  }

  private mutating func hearSealed(_ frame: ReceivedFrame) {
    let isEvent = frame.rawType == MessageType.event.rawValue
    guard isEvent ? key.proves(event: frame) : session?.takes(frame) == true else { return }
    proved += 1
    clock = frame.trailer?.clock ?? clock
  }
}
