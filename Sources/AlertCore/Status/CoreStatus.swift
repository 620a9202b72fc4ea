import FobBase

/// What is true now, for whoever asks. A reading carries its age, or the moment it was taken.
public struct CoreStatus: Codable, Equatable, Sendable {
  public let state: EmergencyState
  public let incident: Incident?
  /// When contacts are told again (R37).
  public let nextMessage: Timestamp?
  /// "4 total" (R18).
  public let contacts: Int
  /// Contacts that no notification channel can reach, as configured.
  public let unreachable: [ContactID]
  /// What a person should know before anything happens, as that nobody would be told (R14).
  public let warnings: [String]
  /// Why nothing is durable now; nil when the store works.
  public let storageFailure: String?
  public let account: AccountStatus
  /// The worst of the account's keychains (R24 to R26).
  public let overall: StatusRow.Level
  /// "All good!", "Warnings!" or "Error!"
  public let summary: String
  /// As in "checked 3 minutes ago" (R27); nil before the first check.
  public let checked: String?
  public let checkedAt: Timestamp?
  /// Of the account's keychain that stands worst, or of none where there is none.
  public let lines: [StatusRow]
  public let devices: [Device]
  public let links: [Link]
  /// When this was true: a reader finds from it how far off a moment is, whatever its own clock
  /// says.
  public let now: Timestamp

  /// The same with so many of the keychains and links, from a place on.
  public func part(from first: Int, count: Int) -> CoreStatus {
    CoreStatus(
      state: state, incident: incident, nextMessage: nextMessage, contacts: contacts,
      unreachable: unreachable, warnings: warnings, storageFailure: storageFailure,
      account: account, overall: overall, summary: summary, checked: checked,
      checkedAt: checkedAt, lines: lines, devices: Array(devices.dropFirst(first).prefix(count)),
      links: Array(links.dropFirst(first).prefix(count)), now: now)
  }

  public struct Link: Codable, Equatable, Sendable {
    public let device: String
    public let batteryPercent: UInt8?
    public let heardAt: Timestamp
  }

  /// A keychain that is linked or of the account.
  public struct Device: Codable, Equatable, Sendable {
    public let device: String
    public let isOwned: Bool
    public let isBench: Bool
    public let isLinked: Bool
    public let heardAt: Timestamp?
    public let firmware: String?
    public let overall: StatusRow.Level
    public let lines: [StatusRow]
  }

  /// "Not protecting" and "protecting, nothing happened" are both NO_EMERGENCY (R48).
  public struct AccountStatus: Codable, Equatable, Sendable {
    public let exists: Bool
    public let isSetUp: Bool
    public let isLoggedIn: Bool
    public let hasPIN: Bool
    public let isEmailConfirmed: Bool
    public let isProtecting: Bool
    /// What a start of protection lacks (R57).
    public let missingForProtection: [String]
  }
}

extension StatusRow.Level {
  /// R24 to R26.
  public var summary: String {
    switch self {
    case .good: "All good!"
    case .warning: "Warnings!"
    case .error: "Error!"
    }
  }
}
