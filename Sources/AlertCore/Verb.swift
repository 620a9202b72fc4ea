/// What a person can do about an emergency. Silence, cancel, quit and resume stay four (R42, R50 to
/// R54); disarming is the cancel that a PIN has allowed (R38).
public enum Verb: Equatable, Sendable {
  /// The PIN was right: it is checked outside the core.
  case disarm
  /// Where no PIN is set.
  case cancel
  case silence
  /// Silences and opens the survey; does not cancel.
  case quit
  case resume
  case acknowledge(ContactID)
  /// A PIN was tried that is not right: nothing changes, the attempt is logged (R8).
  case wrongPIN

  public enum Refusal: String, Error, Codable, Sendable {
    case nothingOpen = "no emergency is open"
    case nothingEnded = "there is no ended emergency to resume from"
    case pinNeeded = "the PIN is needed"
    case wrongPIN = "wrong PIN"
    case unknownContact = "no such contact"
  }
}
