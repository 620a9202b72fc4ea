public import AlertCore
public import FobBase
import SerialIO
import Synchronization
import WireProtocol

/// Why a keychain was not paired, or not un-paired.
public enum PairingRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The PIN is missing or wrong, or must wait.
  case refused(String)
  /// No line of this process has this keychain now, or it is being asked already.
  case notLinked
  /// It does not know sealed frames, or no answer came that its key proves.
  case unanswered
  /// Its button was not held since power-on.
  case noPresence
  /// Its memory did not take the change.
  case storeFailed
  /// The file of the keys could not be written; why.
  case notKept(String)

  public var description: String {
    switch self {
    case .refused(let words): words
    case .notLinked: "the keychain is on no line of this core now, or is being paired already"
    case .unanswered:
      "the keychain has not answered: does its firmware know pairing, and is its line quiet?"
    case .noPresence:
      "the keychain wants to be held: take its power, press its button, give it power, and hold the"
        + " button until this says that it is paired"
    case .storeFailed: "the keychain's memory did not take the change"
    case .notKept(let words): "the key cannot be kept: \(words)"
    }
  }
}

/// Pairing of keychains on lines of this process (PROTOCOL.md, 15).
extension AlertBridge {
  /// Pairs a keychain with this core: its button has been held since its power-on. A new key takes
  /// the place of an old one.
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
    prove(pin: text, by: who, source: source) { [self] proof in
      if let refusal = proof.refusal { return answer(.refused("\(refusal)")) }
      guard let keyring = devices.keyring, let session = devices.session(of: device) else {
        return answer(.notLinked)
      }
      let key = PairingKey(low: .random(in: 0 ... .max), high: .random(in: 0 ... .max))
      let old = keyring.keys[device]
      // Kept before it is sent: a keychain with a key that nobody has would believe nobody.
      do {
        try keyring.keep(key, of: device)
      } catch {
        return answer(.notKept("\(error)"))
      }
      let finish: @Sendable (PairingTalk.End?) -> Void = { [self] end in
        if end != .paired { try? keyring.keep(old, of: device) }
        devices.renewKeys()
        answer(Self.refusal(end, done: .paired))
      }
      if !session.ask(.pair(key), answer: finish) { finish(nil) }
    }
  }

  /// Ends the pairing of a keychain. This core forgets the key also where the keychain does not
  /// answer: it then believes nobody until it is paired anew.
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
    prove(pin: text, by: who, source: source) { [self] proof in
      if let refusal = proof.refusal { return answer(.refused("\(refusal)")) }
      guard let keyring = devices.keyring, keyring.keys[device] != nil else {
        return answer(.refused("the keychain \(device.text) is not paired with this core"))
      }
      endPairing(of: device, keyring, answer: answer)
    }
  }

  /// A keychain that is the owner's no longer is asked to forget its key, and forgotten here
  /// whatever it answers. Nobody waits for that.
  func endPairings(after change: AccountChange) {
    guard let keyring = devices.keyring else { return }
    let left: [DeviceID] =
      switch change {
      case .disconnect(let device): [device]
      case .erase: Array(keyring.keys.keys)
      default: []
      }
    let paired = left.filter { keyring.keys[$0] != nil }
    guard !paired.isEmpty else { return }
    // The file of the keys is written, which a commit must not wait for.
    let end: @Sendable () -> Void = { [self] in
      for device in paired {
        endPairing(of: device, keyring) { [devices] refusal in
          guard let refusal else { return }
          devices.events.notice(
            .warning, "the keychain \(device.text) was let go of, and keeps its key: \(refusal)")
        }
      }
    }
    if (try? BlockingThread(name: "pairing", end)) == nil { end() }
  }

  private func endPairing(
    of device: DeviceID, _ keyring: Keyring, answer: @escaping @Sendable (PairingRefusal?) -> Void
  ) {
    let finish: @Sendable (PairingTalk.End?) -> Void = { [self] end in
      do {
        try keyring.keep(nil, of: device)
      } catch {
        return answer(.notKept("\(error)"))
      }
      devices.renewKeys()
      answer(Self.refusal(end, done: .unpaired))
    }
    guard let session = devices.session(of: device), session.ask(.unpair, answer: finish) else {
      return finish(nil)
    }
  }

  private static func refusal(
    _ end: PairingTalk.End?, done: PairingTalk.End
  ) -> PairingRefusal? {
    switch end {
    case done: nil
    case nil: .notLinked
    case .noPresence: .noPresence
    case .storeFailed: .storeFailed
    case .paired, .unpaired, .unanswered: .unanswered
    }
  }
}
