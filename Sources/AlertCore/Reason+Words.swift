import FobBase
import WireProtocol

/// For people alone: no program reads them.
extension Reason {
  /// Never a PIN, number or position.
  public var words: String {
    switch self {
    case .event(let event): event.words
    case .became(let transition): "\(transition)"
    case .message(let message): message.words
    case .reading(let reading): reading.words
    case .slot(let slot): "slot \(slot): NOT sent, this version sends no panic slots"
    case .state(let state): state.rawValue
    case .trigger(let source): source.rawValue
    case .survey(let survey): survey.words
    case .account(let change): change.words
    case .battery(let percent): "\(percent) %"
    case .doubt(let reason):
      "\(reason): until its next start no press of it is taken for an older one"
    case .lost(let lines): "\(lines) lines: too many waited"
    case .remark(let remark): remark.words
    case .failure(let reason): reason
    }
  }
}

extension Reason.Event {
  fileprivate var words: String {
    var words = EventKind(rawValue: rawKind).map { "\($0)" } ?? "kind \(rawKind)"
    if flags.contains(.atBoot) { words += ", held at boot" }
    if flags.contains(.replayed) { words += ", replayed" }
    if flags.contains(.merged) { words += ", stands for \(covered)" }
    if flags.contains(.volatile) { words += ", not stored by the device" }
    switch meaning {
    case .alarm: return words + ": alarm"
    case .open: return words + ": not known yet what it means"
    case .acknowledge, .slot, .noted: return words
    }
  }
}

extension Reason.Message {
  /// As in "raise 1, attempt 2: refused".
  fileprivate var words: String {
    "\(kind.rawValue) \(sequence)" + ((attempt ?? 1) > 1 ? ", attempt \(attempt ?? 1)" : "")
      + (error.map { ": \($0)" } ?? "")
  }
}

extension Reason.Reading {
  fileprivate var words: String {
    (reason.isEmpty ? meaning.rawValue : "\(reason): \(meaning.rawValue)")
      + (isAgeUnknown ? ", age unknown" : "")
  }
}

extension Reason.Remark {
  fileprivate var words: String {
    switch self {
    case .outOfReach: "made out of reach"
    case .setAside: "made out of reach, before the alarm was switched off: set aside"
    case .byOneClick: "by one click"
    case .ackedAgain: "committed: acked again"
    case .lineTooFast: "too many events on its line"
    case .storeBehind: "too many wait for the store"
    }
  }
}

extension Survey {
  fileprivate var words: String {
    let fell = fell.map { $0 ? "I fell" : "I didn't fall" }
    return [fell, outcome.map { "outcome \($0.rawValue)" }].compactMap(\.self)
      .joined(separator: ", ")
  }
}

extension AccountChange.Summary {
  fileprivate var words: String {
    switch kind {
    case .created: "created"
    case .edited: "edited"
    case .pinSet: "PIN set"
    case .pinMailed: "PIN mailed"
    case .mailedPINUsed: "mailed PIN used for the first time"
    case .contactAdded: "contact added"
    case .contactEdited: "\(contact ?? "") edited"
    case .contactRemoved: "\(contact ?? "") removed"
    case .contactsImported: "contacts imported"
    case .setUp: "set up"
    case .keychainClaimed: "keychain \(device?.text ?? "") claimed"
    case .keychainDisconnected: "keychain \(device?.text ?? "") disconnected"
    case .loggedIn: "logged in"
    case .loggedOut: "logged out"
    case .emailConfirmed: "mail address confirmed"
    case .protectionStarted: "protection started"
    case .protectionStopped: "protection stopped"
    }
  }
}
