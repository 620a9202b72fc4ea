public import AlertCore
public import FobBase
import SerialIO
import Synchronization
public import WireProtocol

/// Why a keychain was not paired, or not un-paired.
public enum PairingRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The PIN is missing or wrong, or must wait; or an alarm is open.
  case refused(UserCommand.Refusal)
  /// No line has this keychain now.
  case notLinked
  /// It is on a line of a bridge on another host, which must not hear a key.
  case remote
  /// Several lines name it, and none has proved that it is there.
  case severalLines
  /// It is being paired or un-paired already.
  case underWay
  /// This core has no key for it.
  case notPaired
  /// It does not know sealed frames, or no answer came that its key proves.
  case unanswered
  /// Its button was not held since power-on.
  case noPresence
  /// Its memory did not take the change.
  case storeFailed
  /// The label is that of another keychain: this one.
  case labelOf(DeviceID)
  /// It has not proved that it has the key of the label.
  case notProved
  /// The file of the keys could not be written; why.
  case notKept(String)

  /// What a person reads.
  public var description: String {
    switch self {
    case .refused(let refusal): "\(refusal)"
    case .notLinked: "the keychain is on no line of this core now"
    case .remote:
      "the keychain is on a bridge on another host: pair it by its label, or plug it in where the"
        + " core is, and pair it there"
    case .severalLines:
      "several lines say that they are this keychain, and none proves it: unplug all but the one in"
        + " your hand"
    case .underWay: "the keychain is being paired already"
    case .notPaired: "the keychain is not paired with this core"
    case .unanswered:
      "the keychain has not answered: does its firmware know pairing, and is its line quiet? If it"
        + " has taken the key all the same, it is paired once it proves that"
    case .noPresence:
      "the keychain wants to be held: take its power, press its button, give it power, and hold the"
        + " button until this says that it is paired"
    case .storeFailed: "the keychain's memory did not take the change"
    case .labelOf(let device): "that is the label of the keychain \(device.text)"
    case .notProved:
      "the keychain does not prove that it has the key of this label: it was paired or un-paired"
        + " since, or it is another one; nothing has changed"
    case .notKept(let words): "the key cannot be kept: \(words)"
    }
  }
}

extension PairingRefusal {
  /// Of `unpair`: this core has forgotten the key all the same; what that means. Nil where nothing
  /// has changed.
  public var warning: String? {
    switch self {
    case .notLinked, .severalLines, .unanswered, .storeFailed, .noPresence:
      "the key is forgotten here, and the keychain has not said so: it believes nobody until it is"
        + " paired anew, or its key is taken from it by its button"
    default: nil
    }
  }
}

/// Pairing of keychains on lines of this process (PROTOCOL.md, 15).
extension AlertBridge {
  /// Pairs a keychain with this core: its button has been held since its power-on. A new key takes
  /// the place of an old one. Not in an alarm: it would end what the keychain shows.
  /// - Parameters:
  ///   - device: of a line of this process.
  ///   - text: the PIN as it was typed; nil if the request had none.
  ///   - who: for the log: a role or a token's name, never a person's.
  ///   - source: where the PIN was typed, as in `disarm`.
  ///   - answer: called once, within eleven seconds, on one of the bridge's threads.
  public func pair(
    _ device: DeviceID, pin text: String?, by who: String, source: PINSource = .here,
    answer: @escaping @Sendable (PairingRefusal?) -> Void
  ) {
    allow(device, pin: text, by: who, source) { [self] refusal in
      if let refusal { return answer(refusal) }
      guard let keyring = devices.keyring else { return answer(.notLinked) }
      let session: DeviceSession
      switch devices.place(of: device) {
      case .one(let place): session = place
      case .several: return answer(.severalLines)
      case .none: return answer(isRemote(device) ? .remote : .notLinked)
      }
      guard !session.isAsked else { return answer(.underWay) }
      // It may have taken the key of an earlier try, which a new one must not take the place of.
      let key =
        keyring.table.offered[device]
        ?? PairingKey(low: .random(in: 0 ... .max), high: .random(in: 0 ... .max))
      // Kept before it is sent: a keychain with a key that nobody has would believe nobody.
      do {
        try keyring.offer(key, to: device)
      } catch {
        return answer(.notKept("\(error)"))
      }
      let finish: @Sendable (PairingTalk.End) -> Void = { [self] end in
        // An erasure may have come between: nobody has the key then.
        guard keyring.table.offered[device].map({ $0 == key }) ?? false else {
          return answer(.notKept("the pairing was ended meanwhile"))
        }
        if end == .paired { return take(key, of: device, keyring, .byCable, by: who, answer) }
        // It may have taken the key: then it proves that, and else the older one.
        devices.renewKeys()
        answer(Self.refusal(end, done: .paired))
      }
      if !session.ask(.pair(key), answer: finish) { answer(.underWay) }
    }
  }

  /// A keychain has proved a key, which takes the place of all others that it had.
  private func take(
    _ key: PairingKey, of device: DeviceID, _ keyring: Keyring, _ change: PairingChange,
    by who: String, _ answer: @Sendable (PairingRefusal?) -> Void
  ) {
    do {
      try keyring.keep(key, of: device)
    } catch {
      // One that was offered is kept all the same, and settled by the next proof.
      devices.renewKeys()
      return answer(.notKept("\(error)"))
    }
    // The lines first: what the core takes for proved they have judged.
    devices.renewKeys()
    handle(.keyTrouble(keyring.damage))
    handle(.pairing(device, change, by: who))
    answer(nil)
  }

  /// Pairs a keychain that has the key which its label tells, once it has proved that: here or at a
  /// bridge on another host, for the key goes over no line. Until then, and where the label is of
  /// another, an older pairing goes on as it was.
  /// - Parameters:
  ///   - device: of a line of this process or of a bridge.
  ///   - label: as it was typed or scanned, and read.
  ///   - text: the PIN as it was typed; nil if the request had none.
  ///   - who: for the log: a role or a token's name, never a person's.
  ///   - source: where the PIN was typed, as in `disarm`.
  ///   - answer: as of `pair`.
  public func pair(
    _ device: DeviceID, by label: LabelCode, pin text: String?, by who: String,
    source: PINSource = .here, answer: @escaping @Sendable (PairingRefusal?) -> Void
  ) {
    guard label.device == device else { return answer(.labelOf(label.device)) }
    allow(device, pin: text, by: who, source) { [self] refusal in
      if let refusal { return answer(refusal) }
      guard let keyring = devices.keyring else { return answer(.notLinked) }
      let finish: @Sendable (PairingTalk.End) -> Void = { [self] end in
        guard end == .paired else { return answer(.notProved) }
        take(label.key, of: device, keyring, .byLabel, by: who, answer)
      }
      let refusal: PairingRefusal? =
        switch devices.place(of: device) {
        case .one(let session): session.ask(.prove(label.key), answer: finish) ? nil : .underWay
        case .several: .severalLines
        case .none:
          if let outlet = devices.outlet {
            outlet.ask(for: label.key, of: device, answer: finish)
          } else {
            .notLinked
          }
        }
      if let refusal { answer(refusal) }
    }
  }

  /// Ends the pairing of a keychain. This core forgets the key also where the keychain does not
  /// answer: it then believes nobody until it is paired anew. Not in an alarm.
  /// - Parameters:
  ///   - device: the one that is paired; it need not be there.
  ///   - text: the PIN as it was typed; nil if the request had none.
  ///   - who: for the log: a role or a token's name, never a person's.
  ///   - source: where the PIN was typed, as in `disarm`.
  ///   - answer: as of `pair`; nil where the keychain has said that it is no longer paired.
  public func unpair(
    _ device: DeviceID, pin text: String?, by who: String, source: PINSource = .here,
    answer: @escaping @Sendable (PairingRefusal?) -> Void
  ) {
    allow(device, pin: text, by: who, source) { [self] refusal in
      if let refusal { return answer(refusal) }
      guard let keyring = devices.keyring, keyring.table.knows(device) else {
        return answer(.notPaired)
      }
      guard !devices.isAsked(device) else { return answer(.underWay) }
      endPairing(of: device, keyring, by: who, answer: answer)
    }
  }

  /// A keychain that is the owner's no longer is asked to forget its key, and forgotten here
  /// whatever it answers. Nobody waits for that.
  /// - Parameter paired: as of `pairings(leftBy:)`, before the change.
  func endPairings(of paired: [DeviceID], by who: String) {
    guard let keyring = devices.keyring, !paired.isEmpty else { return }
    // The file of the keys is written, which a commit must not wait for.
    BlockingThread.run(named: "pairing") { [self] in
      for device in paired {
        endPairing(of: device, keyring, by: who) { [devices] refusal in
          guard let refusal else { return }
          devices.events.notice(
            .warning, "the keychain \(device.text) was let go of, and keeps its key: \(refusal)")
        }
      }
    }
  }

  /// The paired keychains that the account has no longer after a change.
  func pairings(leftBy change: AccountChange) -> [DeviceID] {
    guard let table = devices.keyring?.table else { return [] }
    return switch change {
    case .disconnect(let device): table.knows(device) ? [device] : []
    case .erase: table.devices.filter { (process.owner(of: $0) ?? .first) == number }
    default: []
    }
  }

  /// Tells the core which of its keychains are paired: again when some have changed their owner.
  func tellPaired() {
    let paired = devices.keyring?.keys.keys.filter {
      (process.owner(of: $0) ?? .first) == number
    }
    handle(.paired(Set(paired ?? [])))
  }

  /// As `DeviceRegistry.settle`, for a keychain at a bridge on another host.
  func settle(_ device: DeviceID, isTaken: Bool) {
    devices.settle(device, isTaken: isTaken, runner.core(of: device))
  }

  private func endPairing(
    of device: DeviceID, _ keyring: Keyring, by who: String,
    answer: @escaping @Sendable (PairingRefusal?) -> Void
  ) {
    let finish: @Sendable (PairingRefusal?) -> Void = { [self] refusal in
      do {
        try keyring.keep(nil, of: device)
      } catch {
        return answer(.notKept("\(error)"))
      }
      handle(.pairing(device, .ended, by: who))
      devices.renewKeys()
      answer(refusal)
    }
    switch devices.place(of: device) {
    case .one(let session):
      let isAsked = session.ask(.unpair) { finish(Self.refusal($0, done: .unpaired)) }
      if !isAsked { finish(.unanswered) }
    case .several: finish(.severalLines)
    case .none: finish(.notLinked)
    }
  }

  /// Whether the keychain is linked by a bridge on another host.
  private func isRemote(_ device: DeviceID) -> Bool {
    status.links.contains { $0.device == device.text }
  }

  /// The keychain is nobody else's, the PIN is right, or none is needed, and no alarm is open.
  private func allow(
    _ device: DeviceID, pin text: String?, by who: String, _ source: PINSource,
    then: @escaping @Sendable (PairingRefusal?) -> Void
  ) {
    prove(pin: text, by: who, source: source) { [self] proof in
      if let refusal = proof.refusal { return then(.refused(refusal)) }
      if let refusal = obstacle(toPairing: device) { return then(.refused(refusal)) }
      let isLocked = runner.read { core, _ in core.isLocked }
      then(isLocked ? .refused(.locked) : nil)
    }
  }

  private static func refusal(
    _ end: PairingTalk.End, done: PairingTalk.End
  ) -> PairingRefusal? {
    switch end {
    case done: nil
    case .noPresence: .noPresence
    case .storeFailed: .storeFailed
    case .paired, .unpaired, .unanswered: .unanswered
    }
  }
}
