public import FobBase
public import WireProtocol

/// Why something happened, and what came of it, in types. What people read of it (`words`) and what
/// programs and the database get (`Facts`) are made of this alone, so the two cannot differ.
public enum Reason: Equatable, Sendable {
  case event(Event)
  case became(Transition)
  /// Boxed, since it is by far the largest and no press waits for it.
  indirect case message(Message)
  case reading(Reading)
  /// A panic slot that was asked for.
  case slot(UInt8)
  /// What an incident stands at.
  case state(EmergencyState)
  case trigger(Trigger.Source)
  case survey(Survey)
  indirect case account(AccountChange.Summary)
  case battery(percent: UInt8)
  case doubt(Contradiction)
  /// Log entries that the store never got.
  case lost(lines: Int)
  case remark(Remark)
  /// What the store, a line or a notification channel says of its failure, in its own words.
  case failure(String)

  /// What an event says of itself, and what it means.
  public struct Event: Equatable, Sendable {
    /// As sent; 1 is a press.
    public let rawKind: UInt8
    /// As the keychain sent them: at boot, replayed, merged, volatile.
    public let flags: EventRecord.Flags
    /// How many presses it stands for, where it is merged.
    public let covered: UInt16
    /// As the press detector read it in that step; `.open` where it needs more edges or time.
    public let meaning: PressDetector.Meaning
  }

  /// What became of a message to one contact.
  public struct Message: Equatable, Sendable {
    /// Whether it was the first message, an update, a repeat or the end.
    public let kind: Notification.Kind
    /// From 1, over all kinds of one incident (G2).
    public let sequence: Int
    /// How often it was handed out so far; nil: an older version did not say.
    public let attempt: Int?
    /// Why its notification channel refused it, in that one's words.
    public let error: String?

    /// Made anew from a stored log entry.
    package init(kind: Notification.Kind, sequence: Int, attempt: Int?, error: String?) {
      self.kind = kind
      self.sequence = sequence
      self.attempt = attempt
      self.error = error
    }
  }

  /// What has nothing to count.
  public enum Remark: String, Codable, Sendable, CaseIterable {
    /// A press was made while its keychain could not be heard.
    case outOfReach
    /// The same, before the alarm was switched off: nobody is told.
    case setAside
    case byOneClick
    /// An event came again that is durable.
    case ackedAgain
    /// An event stays with its keychain for now: its line brings too many, or the store is behind.
    case lineTooFast, storeBehind
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
  /// For the log.
  var reading: Reason {
    .reading(Reason.Reading(meaning: meaning, cause: cause, isAgeUnknown: isAgeUnknown))
  }
}

extension Notification {
  /// What the log says of a message: what became of it, which notification channel took or refused
  /// it, and when it is tried next.
  struct Outcome {
    let message: Reason.Message
    let route: AuditEvent.Route?
  }

  /// For the log.
  /// - Parameter sink: the notification channel that took the message or refused it; nil: the
  ///   attempt's own.
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
    /// Of the whole gesture; each of its presses is stored with it.
    public let meaning: PressDetector.Meaning
    /// Nil: no more is to be said of it.
    public let cause: Cause?
    /// No edge of the gesture could be placed on the host's clock.
    public let isAgeUnknown: Bool
  }

  /// Why the presses of a gesture mean what they mean. Times are µs.
  public enum Cause: Equatable, Sendable {
    case clicks(Int)
    /// So many, but too late to act on.
    case lateClicks(Int)
    case held(Int64)
    /// By the host's clock its release came so much later.
    case lateRelease(Int64)
    case other(Oddity)
  }

  /// What makes presses an alarm without being counted or timed.
  public enum Oddity: String, Codable, Sendable, CaseIterable {
    /// The gesture that they belong to has raised the alarm.
    case raised
    case moreClicks, noRelease, edgesMissing, endUnheard, pressedTwice, clockBackwards
    /// Only the frozen part of the event can be read.
    case unreadable
    case clockDoubted, heldAtBoot, merged, numberReused, tooManyEvents, tooManyKeychains
  }

  /// What in a keychain's boot contradicts itself: until its next start no press of it is taken for
  /// an older one.
  public enum Contradiction: Equatable, Sendable {
    case numbersLeap(from: EventNumber, to: EventNumber)
    case clockAhead, clockBehind
    case numberTwice(EventNumber)
    /// Its number and its clock contradict those before.
    case disorder(EventNumber)
    case stampedAhead(EventNumber)
    case stampedLongBefore(EventNumber)
  }
}
