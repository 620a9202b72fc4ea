public import FobBase

/// What a person or program can ask of the core. Silence, cancel, quit and resume stay four (R42,
/// R50 to R54); disarming is the cancel that a PIN has allowed (R38).
public enum UserCommand: Equatable, Sendable {
  /// The PIN was right: it is checked outside the core.
  case disarm
  /// Where no PIN is set.
  case cancel
  case silence
  /// Silences and opens the survey; does not cancel.
  case quit
  /// What the person says of it afterwards (R52, R53, R61).
  case survey(Survey)
  case resume
  case acknowledge(ContactID)
  /// A fall or an overdue check-in: begins the countdown (G20).
  case trigger(Trigger)
  /// An administrator ends an incident that belongs to nobody (G5).
  case endUnowned
  /// - isProven: the PIN was right; it is checked outside the core.
  indirect case change(AccountChange, isProven: Bool)

  public enum Refusal: Error, Equatable, Sendable {
    /// `wrongPIN`: it was not right (R8); `pinBlocked`: the next try must wait (G16).
    case nothingOpen, nobodyTold, nothingEnded, pinNeeded, wrongPIN, pinBlocked, unknownContact
    case unknownDevice, unownedDevice, notProtecting, unowned, notUnowned
    /// While an alarm is active nothing but the alarm is reachable (R36).
    case locked
    case noAccount, accountExists, notLoggedIn
    case unchanged
    /// The device belongs to this account; its mail address, masked (R4, R11).
    case claimed(by: String)
    /// A part of what was asked for, and what is wrong with it.
    case invalid(String, String)
    case tooMany(String, limit: Int)
    /// A mail could not be sent, and why.
    case notSent(String)
    /// A new PIN was mailed too often (R10).
    case tooOften
    /// What protection lacks (R57).
    case missing([String])
  }
}

/// What raises an alarm by itself (G20).
public struct Trigger: Equatable, Sendable {
  public enum Source: String, Codable, Sendable, CaseIterable { case fall, checkIn }

  public let source: Source
  /// The keychain that the person carries.
  public let device: DeviceID
  /// Chosen by the caller: the same trigger sent again opens no second incident.
  public let key: String

  public init(source: Source, device: DeviceID, key: String) {
    self.source = source
    self.device = device
    self.key = key
  }
}

/// What a person says of an incident (R52, R53), kept to improve detection (R61).
public struct Survey: Codable, Equatable, Sendable {
  public enum Outcome: String, Codable, Sendable, CaseIterable {
    case real = "true"
    case falseAlarm = "false"
    case test
  }

  /// "I fell" or "I didn't fall".
  public var fell: Bool?
  public var outcome: Outcome?

  public init(fell: Bool? = nil, outcome: Outcome? = nil) {
    self.fell = fell
    self.outcome = outcome
  }
}
