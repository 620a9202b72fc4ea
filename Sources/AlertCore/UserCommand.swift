public import FobBase

/// A request of a person or program to the core. Silence, cancel, quit and resume stay four
/// commands (R42, R50 to R54); disarming is the cancel that a PIN has allowed (R38).
public enum UserCommand: Equatable, Sendable {
  /// The PIN was right; it was checked outside the core.
  case disarm
  /// Allowed only where no PIN is set.
  case cancel
  case silence
  /// Silences and opens the survey; does not cancel.
  case quit
  /// The person's answers about the incident (R52, R53, R61).
  case survey(Survey)
  /// The same of an incident that is over, as the store has it: people find out later.
  indirect case surveyOfPast(Incident, Survey)
  case resume
  case acknowledge(ContactID)
  /// A fall or an overdue check-in begins the countdown (G20).
  case trigger(Trigger)
  /// An administrator ends an incident that belongs to nobody (G5).
  case endUnowned
  /// - isProven: the PIN was right; it is checked outside the core.
  indirect case change(AccountChange, isProven: Bool)
  /// - isProven: the PIN was right, as for `change`.
  indirect case checkIn(CheckInCommand, isProven: Bool)
  /// - isProven: the PIN was right, as for `change`.
  indirect case message(MessageCommand, isProven: Bool)
  /// - isProven: the PIN was right, as for `change`.
  indirect case review(ReviewCommand, isProven: Bool)
  indirect case exercise(ExerciseCommand)
  indirect case affirmation(AffirmationCommand)
  /// Which reminders the owner gets; it needs no PIN.
  indirect case remind(ReminderSettings)

  /// Why the core did nothing. `description` is for people, `code` for programs.
  public enum Refusal: Error, Equatable, Sendable {
    /// `wrongPIN`: it was not right (R8); `pinBlocked`: the next try must wait (G16).
    case nothingOpen, nobodyTold, nothingEnded, pinNeeded, wrongPIN, pinBlocked, unknownContact
    case unknownDevice, unownedDevice, notProtecting, unowned, notUnowned
    /// While an alarm is active nothing but the alarm is reachable (R36). A keychain whose press is
    /// being read is not given up.
    case locked
    case noAccount, accountExists, notLoggedIn
    case unchanged
    /// The device belongs to an account; this is its mail address, masked (R4, R11).
    case claimed(by: String)
    /// The part of the request that is wrong, and what is wrong with it.
    case invalid(String, String)
    case tooMany(String, limit: Int)
    /// A mail could not be sent, and why.
    case notSent(String)
    /// A new PIN was mailed too often (R10).
    case tooOften
    /// Protection needs these parts (R57).
    case missing([String])
    /// What a series must not be given (R108, G14).
    case startPast, endPast, movedPast, noDescription
    case unknownSeries, unknownCheckIn, unknownAffirmation
    /// The check-in cannot be answered yet.
    case tooEarly
    /// The check-in is answered or over, or cannot be brought back.
    case checkInClosed
    /// The series has not ended, so it cannot be reactivated.
    case seriesRuns
    /// The slot has no recipient who can be reached, or no text.
    case incomplete
    case unknownReview
    /// The alarm has a review.
    case reviewExists
    /// The answer was saved by another window since this one read it.
    case changed
    /// These steps of the review have no answer.
    case unanswered([Int])
    /// One exercise at a time.
    case exerciseRuns
    /// There is nothing to stop or to count.
    case noExercise
    /// A check-in that raises an alarm is overdue: no exercise hides it.
    case checkInOverdue
  }
}

/// A cause that raises an alarm without a press (G20).
public struct Trigger: Equatable, Sendable {
  /// A detected fall, or a check-in that is overdue.
  public enum Source: String, Codable, Sendable, CaseIterable { case fall, checkIn }

  /// Which detection it was.
  public let source: Source
  /// The keychain that the person carries.
  public let device: DeviceID
  /// Chosen by the caller: the same trigger sent again opens no second incident.
  public let key: String
  /// The check-in of this core that nobody answered; nil for all other triggers.
  let question: UnansweredCheckIn?

  /// Triggers with the same source, device and key name the same incident.
  public init(source: Source, device: DeviceID, key: String) {
    self.init(source: source, device: device, key: key, question: nil)
  }

  init(source: Source, device: DeviceID, key: String, question: UnansweredCheckIn?) {
    self.source = source
    self.device = device
    self.key = key
    self.question = question
  }
}

/// What contacts are told of a check-in that nobody answered (R124).
public struct UnansweredCheckIn: Codable, Equatable, Sendable {
  /// The owner's words, 1 to 160 bytes.
  public let description: String
  /// When it fell due, µs since 1970.
  public let due: Int64
}

/// A person's answers about an incident (R52, R53), kept to improve detection (R61).
public struct Survey: Codable, Equatable, Sendable {
  /// Whether the alarm was real, in the person's own judgement.
  public enum Outcome: String, Codable, Sendable, CaseIterable {
    case real = "true"
    case falseAlarm = "false"
    case test
  }

  /// "I fell" or "I didn't fall".
  public var fell: Bool?
  /// Nil: not answered.
  public var outcome: Outcome?

  /// Nil leaves what was answered before as it is.
  public init(fell: Bool? = nil, outcome: Outcome? = nil) {
    self.fell = fell
    self.outcome = outcome
  }
}

extension UserCommand.Refusal: CustomStringConvertible {
  /// In words, with a hint where there is one.
  public var description: String {
    switch self {
    case .nothingOpen: "no emergency is open"
    case .nobodyTold: "nobody has been told yet: the countdown is still running"
    case .nothingEnded: "there is no ended emergency to resume from"
    case .pinNeeded: "the PIN is needed"
    case .wrongPIN: "wrong PIN"
    case .pinBlocked: "too many wrong PINs: wait before the next try"
    case .unknownContact: "no such contact"
    case .unknownDevice:
      "the account has no such keychain; plug it in, or look at the list of devices"
    case .unownedDevice: "this keychain belongs to no account; claim it first"
    case .notProtecting: "protection is not started: automatic triggers do not count"
    case .unowned: "the incident belongs to no account: an administrator ends it"
    case .notUnowned: "the incident belongs to an account: its PIN ends it"
    case .locked:
      "locked while an alarm is active, or a press is being read: switch the alarm off with the"
        + " PIN, or try again in a few seconds"
    case .noAccount: "there is no account yet; make one first"
    case .accountExists: "there is an account already; log in to it"
    case .notLoggedIn: "nobody is logged in"
    case .unchanged: "nothing has changed"
    case .claimed(let owner):
      "a keychain can only be connected to one account at a time; this one is \(owner)'s"
    case .invalid(let part, let reason): "\(part): \(reason)"
    case .tooMany(let what, let limit): "no more than \(limit) \(what)"
    case .notSent(let reason): "the mail was not sent: \(reason)"
    case .tooOften: "a new PIN was mailed a short time ago: look for it, or wait an hour"
    case .missing(let parts): "protection needs \(parts.joined(separator: ", "))"
    case .startPast: "the first day, or the time on it, is in the past"
    case .endPast: "the last day is in the past, or before the first"
    case .movedPast: "a check-in cannot be moved into the past"
    case .noDescription: "a description is needed"
    case .unknownSeries: "no such series of check-ins"
    case .unknownCheckIn: "no such check-in"
    case .unknownAffirmation: "no such affirmation"
    case .tooEarly: "this check-in cannot be answered yet"
    case .checkInClosed: "this check-in is answered or over"
    case .seriesRuns: "this series has not ended"
    case .incomplete:
      "the slot is not complete: it needs a recipient who can be reached, and a text"
    case .unknownReview: "no such review"
    case .reviewExists: "this alarm has a review already"
    case .changed: "another window has saved this answer meanwhile"
    case .unanswered(let steps):
      "no answer yet at step " + steps.map { "\($0)" }.joined(separator: ", ")
    case .exerciseRuns: "an exercise runs: stop it first"
    case .noExercise: "no such exercise runs"
    case .checkInOverdue: "a check-in is overdue: answer it first"
    }
  }

  /// Its name, as programs tell refusals apart.
  public var code: String {
    switch self {
    case .nothingOpen: "nothingOpen"
    case .nobodyTold: "nobodyTold"
    case .nothingEnded: "nothingEnded"
    case .pinNeeded: "pinNeeded"
    case .wrongPIN: "wrongPIN"
    case .pinBlocked: "pinBlocked"
    case .unknownContact: "unknownContact"
    case .unknownDevice: "unknownDevice"
    case .unownedDevice: "unownedDevice"
    case .notProtecting: "notProtecting"
    case .unowned: "unowned"
    case .notUnowned: "notUnowned"
    case .locked: "locked"
    case .noAccount: "noAccount"
    case .accountExists: "accountExists"
    case .notLoggedIn: "notLoggedIn"
    case .unchanged: "unchanged"
    case .claimed: "claimed"
    case .invalid: "invalid"
    case .tooMany: "tooMany"
    case .notSent: "notSent"
    case .tooOften: "tooOften"
    case .missing: "missing"
    case .startPast: "startPast"
    case .endPast: "endPast"
    case .movedPast: "movedPast"
    case .noDescription: "noDescription"
    case .unknownSeries: "unknownSeries"
    case .unknownCheckIn: "unknownCheckIn"
    case .unknownAffirmation: "unknownAffirmation"
    case .tooEarly: "tooEarly"
    case .checkInClosed: "checkInClosed"
    case .seriesRuns: "seriesRuns"
    case .incomplete: "incomplete"
    case .unknownReview: "unknownReview"
    case .reviewExists: "reviewExists"
    case .changed: "changed"
    case .unanswered: "missing"
    case .exerciseRuns: "exerciseRuns"
    case .noExercise: "noExercise"
    case .checkInOverdue: "checkInOverdue"
    }
  }
}
