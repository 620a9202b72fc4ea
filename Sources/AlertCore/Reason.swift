public import FobBase
public import WireProtocol

/// Why something happened and what came of it, as types. The words for people (`words`) and the
/// JSON for programs and the database (`Facts`) are both made from this, so they cannot differ.
public enum Reason: Equatable, Sendable {
  case event(Event)
  case became(Transition)
  /// Boxed, since it is by far the largest case and no press waits for it.
  indirect case message(Message)
  case reading(Reading)
  /// A slot of the five messages; of its message the attempt and the refusal, where there are any.
  indirect case slot(UInt8, attempt: Int?, error: String?)
  /// The state of an incident.
  case state(EmergencyState)
  case trigger(Trigger.Source)
  case survey(Survey)
  indirect case account(AccountChange.Summary)
  case battery(percent: UInt8)
  case doubt(Contradiction)
  /// The check-in that the entry is about.
  indirect case checkIn(CheckIn.ID)
  /// A series of check-ins, and what was done to it.
  indirect case series(Int, SeriesChange)
  /// A review, and which step of it; never a word of an answer.
  indirect case review(Int, step: Int?)
  /// An exercise that began, or that ended so, after so many seconds.
  indirect case exercise(Exercise, end: ExerciseSession.End?, seconds: Int?)
  /// Log entries that the store never got.
  case lost(lines: Int)
  case remark(Remark)
  /// A failure of the store, a line or a notification channel, in its own words.
  case failure(String)

  /// What was done to a series of check-ins.
  public enum SeriesChange: String, Codable, Sendable, CaseIterable {
    case added, edited, removed, ended, reactivated
  }

  /// An event's own data and its meaning.
  public struct Event: Equatable, Sendable {
    /// The kind as sent; 1 is a press.
    public let rawKind: UInt8
    /// The flags as sent: at boot, replayed, merged, volatile.
    public let flags: EventRecord.Flags
    /// How many presses it stands for, where it is merged.
    public let covered: UInt16
    /// The press detector's reading in that step; `.open` where it needs more edges or time.
    public let meaning: PressDetector.Meaning
  }

  /// The fate of a message to one contact.
  public struct Message: Equatable, Sendable {
    /// Whether it was the first message, an update, a repeat or the end.
    public let kind: Notification.Kind
    /// From 1, over all kinds of one incident (G2).
    public let sequence: Int
    /// How often it was handed out so far; nil: written by an older version.
    public let attempt: Int?
    /// The refusal in the notification channel's words; nil: it did not refuse.
    public let error: String?

    /// Made anew from a stored log entry.
    package init(kind: Notification.Kind, sequence: Int, attempt: Int?, error: String?) {
      self.kind = kind
      self.sequence = sequence
      self.attempt = attempt
      self.error = error
    }
  }

  /// Remarks that carry no number.
  public enum Remark: String, Codable, Sendable, CaseIterable {
    /// A press was made while its keychain could not be heard.
    case outOfReach
    /// A press was made out of reach before the alarm was switched off: nobody is told.
    case setAside
    case byOneClick
    /// A durable event came again.
    case ackedAgain
    /// An event stays with its keychain for now: its line brings too many, or the store is behind.
    case lineTooFast, storeBehind
    /// How a keychain was paired: over its cable, or by the key that its label tells.
    case byCable, byLabel
  }
}

extension Reason {
  static func event(_ record: EventRecord, _ meaning: PressDetector.Meaning) -> Reason {
    .event(
      Event(
        rawKind: record.identity.rawKind, flags: record.flags, covered: record.covered,
        meaning: meaning))
  }
}

extension PressDetector.Verdict {
  /// The verdict as a log entry's reason.
  func reading(as meaning: PressDetector.Meaning) -> Reason {
    .reading(Reason.Reading(meaning: meaning, cause: cause, isAgeUnknown: isAgeUnknown))
  }
}

extension Notification {
  /// A message's fate for the log: what became of it, which notification channel took or refused
  /// it, and when it is tried next.
  struct Outcome {
    let message: Reason.Message
    let route: AuditEvent.Route?
  }

  /// The message's fate for the log.
  /// - Parameter sink: the notification channel that took or refused the message; nil: the one of
  ///   this attempt.
  func facts(_ error: String?, by sink: String? = nil) -> Outcome {
    let isTriedAgain = error != nil && delivery == .due
    return Outcome(
      message: Reason.Message(kind: kind, sequence: sequence, attempt: attempts, error: error),
      route: AuditEvent.Route(
        sink: sink ?? way, nextWall: isTriedAgain ? nextAttempt?.wall : nil))
  }
}

extension Reason {
  /// How the presses of a gesture were read.
  public struct Reading: Equatable, Sendable {
    /// The meaning of the whole gesture; each of its presses is stored with it.
    public let meaning: PressDetector.Meaning
    /// Nil: the meaning says it all.
    public let cause: Cause?
    /// No edge of the gesture could be placed on the host's clock.
    public let isAgeUnknown: Bool
  }

  /// Why the presses of a gesture mean what they mean. Times are µs.
  public enum Cause: Equatable, Sendable {
    case clicks(Int)
    /// This many clicks, but heard too late to act on.
    case lateClicks(Int)
    case held(Int64)
    /// The release came this much later than the press, by the host's clock.
    case lateRelease(Int64)
    case other(Oddity)
  }

  /// Circumstances that make presses an alarm, whatever their number and length.
  public enum Oddity: String, Codable, Sendable, CaseIterable {
    /// The gesture that they belong to has raised the alarm.
    case raised
    case moreClicks, noRelease, edgesMissing, endUnheard, pressedTwice, clockBackwards
    /// Only the frozen part of the event can be read.
    case unreadable
    case clockDoubted, heldAtBoot, merged, numberReused, tooManyEvents, tooManyKeychains
  }

  /// A contradiction within one boot of a keychain. Until its next start none of its presses counts
  /// as made before a disarm.
  public enum Contradiction: Equatable, Sendable {
    case numbersLeap(from: EventNumber, to: EventNumber)
    case clockAhead, clockBehind
    case numberTwice(EventNumber)
    /// The number and the clock of an event contradict those of events before it.
    case disorder(EventNumber)
    case stampedAhead(EventNumber)
    case stampedLongBefore(EventNumber)
  }
}
