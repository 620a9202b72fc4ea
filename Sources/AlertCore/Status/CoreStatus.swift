import FobBase

/// The present state of the core. Each reading carries its age, or the time when it was taken.
public struct CoreStatus: Codable, Equatable, Sendable {
  /// One of R40's six.
  public let state: EmergencyState
  /// The open one, or the ended one that nobody has resumed from; nil: none.
  public let incident: Incident?
  /// When contacts are told again (R37); nil: nothing is due.
  public let nextMessage: Timestamp?
  /// How many contacts the account has (R18: "4 total").
  public let contacts: Int
  /// Contacts that no notification channel can reach, as configured.
  public let unreachable: [ContactID]
  /// What a person should know before an alarm, such as that nobody would be told (R14).
  public let warnings: [String]
  /// Why the store fails now; nil while it works.
  public let storageFailure: String?
  /// The owner's account, without names and addresses.
  public let account: AccountStatus
  /// What keeps all from being good, the most urgent first; empty: nothing does.
  public let concerns: [Concern]
  /// The level of the worst concern (R24 to R26): good only where there is none.
  public let overall: StatusRow.Level
  /// "All good!", "Warnings!" or "Error!"
  public let summary: String
  /// As in "checked 3 minutes ago" (R27); nil before the first check.
  public let checked: String?
  /// When a keychain last sent HELLO, HEARTBEAT or POSITION in this run, or a person last asked for
  /// new readings (R28), whichever is later; nil: neither.
  public let checkedAt: Timestamp?
  /// The rows of the account's keychain that stands worst, where it has none of the linked one;
  /// without a keychain, rows that say so.
  public let lines: [StatusRow]
  /// All keychains that are linked, of the account, or named without the proof of a key, by id.
  public let devices: [Device]
  /// The linked keychains, by id.
  public let links: [Link]
  /// How the check-ins stand.
  public let checkIns: CheckInStatus
  /// "literal" or "guarded": how presses are read.
  public let profile: String
  /// When this was true. From it a reader can tell how far off a time is, whatever the reader's own
  /// clock says.
  public let now: Timestamp

  /// The status with only `count` keychains and links, from the index `first` on.
  public func part(from first: Int, count: Int) -> CoreStatus {
    CoreStatus(
      state: state, incident: incident, nextMessage: nextMessage, contacts: contacts,
      unreachable: unreachable, warnings: warnings, storageFailure: storageFailure,
      account: account, concerns: concerns, overall: overall, summary: summary, checked: checked,
      checkedAt: checkedAt, lines: lines, devices: Array(devices.dropFirst(first).prefix(count)),
      links: Array(links.dropFirst(first).prefix(count)), checkIns: checkIns, profile: profile,
      now: now)
  }

  /// Something that keeps all from being good, in the order of urgency.
  public enum Concern: String, Codable, Sendable, CaseIterable {
    /// An alarm is open, or has ended and nobody has resumed.
    case alarm
    /// The store fails: a restart may forget an alarm.
    case storage
    /// The start found damage in the records.
    case damage
    /// A press is stored and shown, and nobody is told.
    case noAccount, loggedOut
    /// The account has no keychain.
    case noKeychain
    /// Something answers in the name of a paired keychain, and does not prove that it is that one.
    case unproved
    /// The keys cannot be read, or a keychain has one that is not here.
    case noKey
    /// The row `link` of the keychain that stands worst.
    case link
    /// Some check-in is overdue.
    case checkIn
    /// Series of check-ins are to raise alarms, and protection is off.
    case checkInsRaiseNothing
    /// Nobody would be told (R14).
    case noContacts
    /// Some contact can be reached by no channel.
    case unreachable
    /// The rows `battery` and `gps` of the keychain that stands worst.
    case battery, gps
    /// A keychain's clock or numbers contradict themselves.
    case doubted
    /// The set-up has not been finished: anybody can change the account.
    case notSetUp
    /// Falls and overdue check-ins start nothing.
    case notProtecting
    /// It protects, and something that protection needs was taken back (R57).
    case protectionLacks
    /// The owner has not confirmed the mail address.
    case unconfirmedEmail
    /// Anybody can cancel an alarm.
    case noPIN
  }

  /// A keychain that is linked now.
  public struct Link: Codable, Equatable, Sendable {
    /// 16 hexadecimal digits.
    public let device: String
    /// 0 to 100; nil: not known.
    public let batteryPercent: UInt8?
    /// When its last HELLO, HEARTBEAT or POSITION came.
    public let heardAt: Timestamp
  }

  /// A keychain that is linked or of the account.
  public struct Device: Codable, Equatable, Sendable {
    /// 16 hexadecimal digits.
    public let device: String
    /// Its presses raise the account's alarm (R4, R20).
    public let isOwned: Bool
    /// A test identity: no live notification channel serves it.
    public let isBench: Bool
    /// It is linked now.
    public let isLinked: Bool
    /// It is linked by a bridge on another host.
    public let isRemote: Bool
    /// This core has a key for it (PROTOCOL.md, 15).
    public let isPaired: Bool
    /// What is linked has proved that it has that key; nil where it is not paired.
    public let isProved: Bool?
    /// When its last HELLO, HEARTBEAT or POSITION came; nil: none in this run.
    public let heardAt: Timestamp?
    /// As in "1.2.0", possibly from an earlier run; nil: not known.
    public let firmware: String?
    /// The worst of its rows.
    public let overall: StatusRow.Level
    /// Its four rows, in the order of `StatusRow.Kind`.
    public let lines: [StatusRow]
  }

  /// "Not protecting" and "protecting, nothing happened" are both NO_EMERGENCY (R48).
  public struct AccountStatus: Codable, Equatable, Sendable {
    /// Somebody has made an account.
    public let exists: Bool
    /// From here on changes need the PIN (R16, R17, R19).
    public let isSetUp: Bool
    /// While false nobody is told (R20, G5).
    public let isLoggedIn: Bool
    /// Without one anybody can cancel an alarm.
    public let hasPIN: Bool
    /// The owner has confirmed the mail address.
    public let isEmailConfirmed: Bool
    /// Automatic triggers count (R48, R57).
    public let isProtecting: Bool
    /// What is missing before protection can start (R57); empty: nothing.
    public let missingForProtection: [String]
    /// ISO 3166, two letters; empty: not known.
    public let country: String
    /// A tag as "de": in which the owner reads.
    public let language: String
    /// IANA's name of the zone in which times are told.
    public let zone: String
    /// The number to call for help there, as in "911"; 112 where that is not known.
    public let emergencyNumber: String
    /// False: it is 112, which works from most mobile phones.
    public let isEmergencyNumberKnown: Bool
  }
}

extension CoreStatus.Concern {
  /// How serious it is, given the rows.
  func level(in lines: [StatusRow]) -> StatusRow.Level {
    func level(_ kind: StatusRow.Kind) -> StatusRow.Level {
      lines.first { $0.kind == kind }?.level ?? .error
    }
    return switch self {
    case .link: level(.link)
    case .battery: level(.battery)
    case .gps: level(.gps)
    case .alarm, .storage, .damage, .noAccount, .loggedOut, .noKeychain, .noContacts,
      .checkInsRaiseNothing, .unproved, .noKey:
      .error
    case .checkIn, .unreachable, .doubted, .notSetUp, .notProtecting, .protectionLacks,
      .unconfirmedEmail, .noPIN:
      .warning
    }
  }
}

extension StatusRow.Level {
  /// The headline (R24 to R26).
  public var summary: String {
    switch self {
    case .good: "All good!"
    case .warning: "Warnings!"
    case .error: "Error!"
    }
  }
}

/// What a keychain says of itself beside its status.
public struct KeychainReading: Sendable {
  /// As its last HEARTBEAT says; nil: it is out of reach, or none has come.
  public let light: LinkEvent.Light?
  /// Its last known position; nil: none, or it may not be told.
  public let position: Position?
  /// Of its positions, m, as root mean square; nil: unknown.
  public let accuracy: Double?
  /// As its last HELLO says, or since it tells a level all the same; nil: none in this run.
  public let hasBattery: Bool?
}
