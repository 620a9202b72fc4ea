#if !hasFeature(Embedded)
  public import FobBase

  /// Who listens to one line and has the keys of devices: it tells of each frame whether its tag is
  /// right (PROTOCOL.md, 15). It decides nothing: a counter that does not grow is told by the ends.
  public struct SealObserver: Sendable {
    /// What a frame's tag says.
    public enum Verdict: String, Sendable {
      /// The tag is right.
      case right
      /// The tag is another key's, or of other bytes.
      case wrong
      /// The frame carries no tag.
      case unsealed
      /// There is no key for this device, or the beginning of its session was not heard.
      case unknown
    }

    private let keys: [DeviceID: PairingKey]
    /// The line's device, as HELLO or an event named it last.
    private var device: DeviceID?
    private var challenge: Challenge?
    /// The newest session, and the one before: the host decides by its first sealed frame.
    private var sessions: [SessionKey] = []

    /// - Parameter keys: of any devices; a line has one at a time.
    public init(_ keys: [DeviceID: PairingKey]) { self.keys = keys }

    /// Takes the line's next run, damaged or not.
    /// - Parameters:
    ///   - wire: the bytes of one run, delimiters included.
    ///   - isToHost: the device has sent it.
    /// - Returns: nil where it holds no whole frame.
    public mutating func judge(_ wire: [UInt8], isToHost: Bool) -> Verdict? {
      var decoder = FrameDecoder()
      return wire.withUnsafeBytes { raw in
        var rest = raw
        while let outcome = decoder.next(&rest) {
          guard outcome == .frame else { continue }
          return decoder.withBody { $0.count < 4 ? nil : judge(ReceivedFrame($0), isToHost) }
        }
        return nil
      }
    }

    private mutating func judge(_ frame: ReceivedFrame, _ isToHost: Bool) -> Verdict {
      switch (MessageType(rawValue: frame.rawType), isToHost) {
      case (.hello, true):
        if case .value(let hello) = frame.read(Hello.self) { meet(hello.deviceID) }
        return .unsealed
      case (.challenge, false):
        if case .value(let asked) = frame.read(Challenge.self) { challenge = asked }
        return .unsealed
      case (.proof, true):
        guard case .value(let proof) = frame.read(Proof.self) else { return .unsealed }
        return judge(proof)
      case (.event, true):
        if case .value(let event) = frame.read(EventRecord.self) { meet(event.identity.deviceID) }
        guard frame.trailer != nil else { return .unsealed }
        return key.map { $0.proves(event: frame) ? .right : .wrong } ?? .unknown
      case (.pairResult, true) where frame.trailer == nil:
        guard case .value(let result) = frame.read(PairResult.self), result.outcome == .paired
        else { return .unsealed }
        guard let key, let device else { return .unknown }
        return key.pairingTag(session: result.session, device: device) == result.tag
          ? .right : .wrong
      default:
        guard frame.trailer != nil else { return .unsealed }
        guard !sessions.isEmpty else { return .unknown }
        let person: SealPerson = isToHost ? .device : .host
        return sessions.contains { $0.sealKey(person).proves(frame) } ? .right : .wrong
      }
    }

    private var key: PairingKey? { device.flatMap { keys[$0] } }

    private mutating func meet(_ new: DeviceID) {
      if new != device { sessions = [] }
      device = new
    }

    private mutating func judge(_ proof: Proof) -> Verdict {
      guard let key, let device, let challenge, challenge.session == proof.session else {
        return .unknown
      }
      let session = key.sessionKey(hostNonce: challenge.hostNonce, proof, device: device)
      guard session.tag(of: proof) == proof.tag else { return .wrong }
      sessions = [session] + sessions.prefix(1)
      return .right
    }
  }
#endif
