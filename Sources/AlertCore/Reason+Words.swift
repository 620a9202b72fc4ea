import FobBase
import WireProtocol

/// Reasons in words, for people alone: no program reads them.
extension Reason {
  /// Never a PIN, number or position.
  public var words: String {
    switch self {
    case .event(let event): event.words
    case .became(let transition): "\(transition)"
    case .message(let message): message.words
    case .reading(let reading): reading.words
    case .slot(let slot, let attempt, let error):
      "slot \(slot)" + ((attempt ?? 1) > 1 ? ", attempt \(attempt ?? 1)" : "")
        + (error.map { ": \($0)" } ?? "")
    case .state(let state): state.rawValue
    case .trigger(let source): source.rawValue
    case .survey(let survey): survey.words
    case .account(let change): change.words
    case .battery(let percent): "\(percent) %"
    case .doubt(let doubt):
      "\(doubt.words): until its next start no press of it is taken for an older one"
    case .checkIn(let checkIn): "series \(checkIn.series), \(checkIn.key.text)"
    case .series(let id, let change): "series \(id) \(change.rawValue)"
    case .review(let id, let step): "review \(id)" + (step.map { ", step \($0)" } ?? "")
    case .exercise(let exercise, let end, let seconds):
      exercise.rawValue + (seconds.map { " after \($0) s" } ?? "")
        + (end.map { ": \($0.rawValue)" } ?? "")
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
    case .acknowledge, .checkIn, .exercise, .breathing, .slot, .noted: return words
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
    switch meaning {
    case .checkIn: return "one click: answers a check-in"
    case .exercise: return "one click: stops breathing, or counts one item of grounding"
    case .breathing: return "one click: starts breathing"
    case .open, .alarm, .acknowledge, .slot, .noted:
      return (cause.map { "\($0.words): " } ?? "") + meaning.rawValue
        + (isAgeUnknown ? ", age unknown" : "")
    }
  }
}

extension Reason.Cause {
  fileprivate var words: String {
    switch self {
    case .clicks(let count): Self.clicks(count)
    case .lateClicks(let count): Self.clicks(count) + ", too late to act on"
    case .held(let time): "held for \(Self.seconds(time))"
    case .lateRelease(let time): "its release came \(Self.seconds(time)) later"
    case .other(let oddity): oddity.words
    }
  }

  private static func clicks(_ count: Int) -> String {
    count == 1 ? "one click" : "\(count) clicks"
  }

  private static func seconds(_ microseconds: Int64) -> String {
    let tenths = microseconds / 100_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}

extension Reason.Oddity {
  fileprivate var words: String {
    switch self {
    case .raised: "of a gesture that has raised it"
    case .moreClicks: "more clicks than were counted"
    case .noRelease: "held, and no release has come"
    case .edgesMissing: "edges are missing"
    case .endUnheard: "its end was not heard"
    case .pressedTwice: "pressed twice without a release"
    case .clockBackwards: "its clock runs backwards"
    case .unreadable: "only its frozen part can be read"
    case .clockDoubted: "its clock cannot be relied on"
    case .heldAtBoot: "held at boot"
    case .merged: "one record for several presses"
    case .numberReused: "its number was used before"
    case .tooManyEvents: "too many events at once"
    case .tooManyKeychains: "too many keychains at once"
    }
  }
}

extension Reason.Contradiction {
  fileprivate var words: String {
    switch self {
    case .numbersLeap(let first, let last): "its numbers leap from \(first.text) to \(last.text)"
    case .clockAhead: "its clock runs ahead"
    case .clockBehind: "its clock stands or went back"
    case .numberTwice(let number): "two events are numbered \(number.text)"
    case .disorder(let number):
      "the number and the clock of event \(number.text) contradict those before"
    case .stampedAhead(let number): "event \(number.text) is stamped ahead of time"
    case .stampedLongBefore(let number): "event \(number.text) is stamped long before it came"
    }
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
    case .byCable: "over its cable"
    case .byLabel: "by its label"
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
    case .erased: "account erased"
    }
  }
}
