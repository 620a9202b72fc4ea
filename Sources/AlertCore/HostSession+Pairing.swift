public import FobBase
public import WireProtocol

/// Keys: what a device has proved, and how it gets its key (PROTOCOL.md, 15).
extension HostSession {
  /// Looks at a message while its frame is still there: a HELLO begins the asking for a proof, an
  /// event is proved or not.
  /// Of an event that is not proved only a press counts, of that only the frozen part.
  mutating func judged(_ message: DeviceMessage, at now: Instant) -> Judged {
    if isRelay { return Judged(message: message, sealed: sealedFrame(of: message)) }
    switch message {
    case .hello(let hello):
      nonce &+= 1
      link.trust(keys[hello.deviceID], of: hello.deviceID, nonce: nonce, at: now)
    case .event(let record):
      guard let key = keys[record.identity.deviceID] else { break }
      switch proved.judge(record, isProved: link.isEventProved(by: key)) {
      case .proved: break
      case .unprovedPress: return Judged(message: .barePress(record.identity), isUnproved: true)
      case .ignored: return Judged(message: .nothing)
      }
    // An event may have named the device before its HELLO: what else it says is not proved yet.
    case .heartbeat, .position, .ledState:
      if let device, keys[device] != nil, !link.isFrameProved { return Judged(message: .nothing) }
    case .proof(let proof) where !link.isProofOurs:
      return Judged(
        message: pairing?.takes(proof) == true ? message : .nothing, isOfLabel: true)
    case .pairResult where pairing?.needsProof == true && !link.isFrameProved:
      return Judged(message: .nothing)
    case .barePress(let identity):
      return Judged(message: message, isUnproved: keys[identity.deviceID] != nil)
    default: break
    }
    return Judged(message: message)
  }

  /// The frame that a core on another host is to judge; nil where the message counts as it is.
  private func sealedFrame(of message: DeviceMessage) -> RelayedFrame? {
    switch message {
    case .event, .heartbeat, .position:
      link.isFrameSealed ? link.withBody { RelayedFrame(body: $0) } : nil
    case .proof: link.withBody { RelayedFrame(body: $0) }
    default: nil
    }
  }

  /// A frame of a core on another host, which alone has the key.
  /// - Parameters:
  ///   - frame: for this line, sealed or CHALLENGE.
  ///   - now: the host's boot clock.
  /// - Returns: nil while the line is closed, or where the frame is not for a bridge to carry.
  public mutating func relay(_ frame: RelayedFrame, at now: Instant) -> WireFrame? {
    guard isOpen else { return nil }
    return (frame.payload + frame.trailer).withUnsafeBytes {
      link.relay(
        head: FrameHead(rawValue: frame.head), rawType: frame.rawType, payload: $0, at: now)
    }
  }

  /// The device is there: without a key by its word, else by its proof.
  mutating func greet(_ output: inout HostOutput) {
    guard let hello = greeting else { return }
    greeting = nil
    isUp = true
    output.inputs.append(.linkUp(id, hello))
  }

  /// The device has shown that it has its key.
  mutating func proveLine(_ output: inout HostOutput) {
    lacksProof = false
    greet(&output)
    output.inputs.append(.proof(id, .given))
    tellOffer(isTaken: false, &output)
  }

  /// Tells once that the device has shown no key, and once that nothing answers there any more.
  mutating func tellProof(_ output: inout HostOutput) {
    if link.takeUnproved(), let device {
      lacksProof = true
      output.events.append(.unproved)
      output.inputs.append(.proof(id, .missing(device)))
    } else if lacksProof, !isOpen || link.state == .silent || device.flatMap({ keys[$0] }) == nil {
      lacksProof = false
      output.inputs.append(.proof(id, .over))
    }
  }

  /// Takes the keys as they are now. A device that has answered is asked for its proof anew, where
  /// its key has changed.
  /// - Parameters:
  ///   - keys: of the devices that are paired.
  ///   - offered: keys that devices were given in a pairing of which nobody knows the end.
  ///   - now: the host's boot clock.
  public mutating func use(
    _ keys: [DeviceID: PairingKey], offered: [DeviceID: PairingKey] = [:], at now: Instant
  ) {
    let old = device.flatMap { self.keys[$0] }
    let isOffered = device.map { self.offered[$0] == nil && offered[$0] != nil } ?? false
    self.keys = keys
    self.offered = offered
    guard isOpen, link.state == .linked, let device else { return }
    let new = keys[device]
    // It may have taken the key that it was offered: then it does not prove the old one.
    if let old, let new, old == new, !isOffered { return }
    guard old != nil || new != nil else { return }
    nonce &+= 1
    link.trust(new, of: device, nonce: nonce, at: now)
  }

  // MARK: Pairing

  /// Begins to give the device a key, to take it from it, or to ask whether it has one. A key that
  /// is given must be kept durably before: the device may have it although no answer comes.
  /// - Parameters:
  ///   - request: what the device is asked.
  ///   - now: the host's boot clock.
  /// - Returns: false where no device is linked, where one is being asked already, or where a key
  ///   is to be taken from a device that has not proved that it has one.
  public mutating func ask(_ request: PairingTalk.Request, at now: Instant) -> Bool {
    guard isOpen, link.state == .linked, let device, pairing?.isSettling != false else {
      return false
    }
    if case .unpair = request, !link.isProved { return false }
    nonce &+= 1
    pairing = PairingTalk(request, of: device, session: link.session, nonce: nonce, at: now)
    return true
  }

  /// Takes the device's answer to what it is being asked.
  mutating func takeAnswer(_ result: PairResult, _ output: inout HostOutput) {
    if let end = pairing?.end(by: result) { endPairing(end, &output) }
  }

  /// Asks again, or no longer.
  mutating func askDue(at now: Instant, _ output: inout HostOutput) {
    settleOffer(at: now)
    if let frame = pairing?.frame(&link, at: now) { output.frames.append(frame) }
    if pairing?.isOver(at: now) == true { endPairing(.unanswered, &output) }
  }

  /// Asks a device that does not prove its key, or of which none is here, for the one that it was
  /// offered: whatever its HELLO says, for that may be anybody's.
  private mutating func settleOffer(at now: Instant) {
    guard pairing == nil, isOpen, link.state == .linked, let device, let key = offered[device],
      keys[device] == nil ? mayHaveTaken : !link.isProved && !link.awaitsProof
    else { return }
    nonce &+= 1
    pairing = PairingTalk(.settle(key), of: device, session: link.session, nonce: nonce, at: now)
  }

  /// The device has shown whether it has taken the key that it was offered.
  mutating func tellOffer(isTaken: Bool, _ output: inout HostOutput) {
    guard let device, offered[device] != nil, pairing?.isSettling != false else { return }
    pairing = nil
    output.events.append(.offer(device, isTaken: isTaken))
  }

  mutating func endPairing(_ end: PairingTalk.End, _ output: inout HostOutput) {
    guard let ended = pairing else { return }
    if ended.isSettling {
      if end == .paired { tellOffer(isTaken: true, &output) }
      // It is asked again behind its next HELLO.
      mayHaveTaken = false
    } else {
      // Whatever it has answered.
      mayHaveTaken = end != .paired
      output.events.append(.pairing(end))
    }
    pairing = nil
  }
}

/// A message as a session has judged it while its frame was there.
struct Judged {
  var message: DeviceMessage
  /// It is a press that its keychain has not proved.
  var isUnproved = false
  /// It is a proof of the key that a label tells.
  var isOfLabel = false
  /// The frame for a core on another host, which judges it in its turn.
  var sealed: RelayedFrame?
}

/// One device being asked about its key, until it answers or ten seconds are over.
public struct PairingTalk: Sendable {
  /// What the device is asked.
  public enum Request: Sendable {
    /// To take this key, while its button is held since power-on.
    case pair(PairingKey)
    /// To forget its key.
    case unpair
    /// To prove that it has this key, as its label tells. Its sealed session goes on meanwhile.
    case prove(PairingKey)
    /// To prove that it has taken this key, in a pairing of which nobody knows the end.
    case settle(PairingKey)
  }

  /// What became of it.
  public enum End: Equatable, Sendable {
    case paired, unpaired, noPresence, storeFailed
    /// No answer came, or one that the key does not prove.
    case unanswered
  }

  static let askEvery = Interval.milliseconds(500)
  static let patience = Interval.seconds(10)

  private let request: Request
  private let device: DeviceID
  private let session: UInt32
  private let nonce: UInt64
  private var nextAsk: Instant
  private let ends: Instant
  /// Asks for the proof; nil until nothing else waits for one.
  private var seal: HostSeal?

  init(
    _ request: Request, of device: DeviceID, session: UInt32, nonce: UInt64, at now: Instant
  ) {
    self.request = request
    self.device = device
    self.session = session
    self.nonce = nonce
    nextAsk = now
    ends = now + Self.patience
  }

  /// Whether nobody waits for the answer.
  var isSettling: Bool { if case .settle = request { true } else { false } }

  /// Whether only a sealed answer counts: anybody could say any other.
  var needsProof: Bool { if case .unpair = request { true } else { false } }

  var nextWake: Instant { min(nextAsk, ends) }

  /// Whether nobody has answered in time.
  mutating func isOver(at now: Instant) -> Bool { now >= ends || seal?.givesUp(at: now) == true }

  /// Whether this PROOF shows the key that the device was asked for.
  mutating func takes(_ proof: Proof) -> Bool { seal?.take(proof) == true }

  /// The frame that is due.
  mutating func frame(_ link: inout HostLink, at now: Instant) -> WireFrame? {
    guard now >= nextAsk, now < ends else { return nil }
    nextAsk = now + Self.askEvery
    switch request {
    case .pair(let key):
      return link.frame(Pair(session: session, keyLow: key.low, keyHigh: key.high), at: now)
    case .unpair: return link.frame(Unpair(session: session), at: now)
    case .prove(let key), .settle(let key):
      // The answer to one CHALLENGE takes the place of that to another.
      guard !link.awaitsProof else { return nil }
      if seal == nil {
        seal = HostSeal(key, of: device, session: session, nonce: nonce, at: now)
      }
      return seal?.takeChallenge(at: now).map { link.frame($0, at: now) }
    }
  }

  /// - Returns: how it ended; nil where this is no answer to what was asked.
  func end(by result: PairResult) -> End? {
    guard result.session == session else { return nil }
    switch (request, result.outcome) {
    case (.pair(let key), .paired):
      let tag = key.pairingTag(session: session, device: device)
      return tag ^ result.tag == 0 ? .paired : nil
    case (.pair, .noPresence): return .noPresence
    case (.pair, .storeFailed), (.unpair, .storeFailed): return .storeFailed
    case (.unpair, .unpaired): return .unpaired
    default: return nil
    }
  }
}
