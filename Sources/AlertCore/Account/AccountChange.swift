public import FobBase
public import WireProtocol

/// A change of the account (R4 to R21). The core checks each one; a refused change changes nothing.
public enum AccountChange: Equatable, Sendable {
  /// The first account of this core (R4, R5).
  case create(Profile)
  case edit(Profile)
  /// The current PIN was right where one is set (R9).
  case setPIN(hash: String)
  /// A PIN that was mailed; the old one counts until the new one is first used (R10).
  case offerPIN(hash: String)
  /// The mailed PIN was used, so it becomes the PIN.
  case adoptPIN
  case addContact(ContactDraft)
  /// Replaces the contact with this id.
  case editContact(ContactID, ContactDraft)
  case removeContact(ContactID)
  /// Adds contacts; those whose name exists already are skipped (R23).
  case importContacts([ContactDraft])
  /// Ends set-up: changes need the PIN from now on.
  case finishSetUp
  /// - email: the account that is to have the keychain, as the person says; nil: this one.
  /// - heard: events of it that other accounts have, which it may say again: nobody is told of them
  ///   once more.
  /// - moved: its presses that are open in another account; nil: there are none.
  indirect case claim(
    DeviceID, email: String?, heard: [EventIdentity] = [], moved: MovedPresses? = nil)
  /// Gives the keychain up: it flashes and can be claimed again (R21).
  case disconnect(DeviceID)
  case logIn
  case logOut
  case confirmEmail
  /// Its conditions are checked each time (R57).
  case startProtection
  case stopProtection
  /// Takes the account away, with all that its owner entered (R86).
  case erase

  /// The change as the log has it: its kind, without anything that was typed.
  public struct Summary: Equatable, Sendable {
    /// One for each case of `AccountChange`.
    public enum Kind: String, Codable, Sendable, CaseIterable {
      case created, edited, pinSet, pinMailed, mailedPINUsed
      case contactAdded, contactEdited, contactRemoved, contactsImported, setUp
      case keychainClaimed, keychainDisconnected, loggedIn, loggedOut, emailConfirmed
      case protectionStarted, protectionStopped, erased
    }

    /// Which change it was.
    public let kind: Kind
    /// The contact that was edited or removed; nil for other kinds.
    public let contact: ContactID?
    /// The keychain that was claimed or disconnected; nil for other kinds.
    public let device: DeviceID?

    init(_ kind: Kind, contact: ContactID? = nil, device: DeviceID? = nil) {
      self.kind = kind
      self.contact = contact
      self.device = device
    }
  }

  var summary: Summary {
    switch self {
    case .create: Summary(.created)
    case .edit: Summary(.edited)
    case .setPIN: Summary(.pinSet)
    case .offerPIN: Summary(.pinMailed)
    case .adoptPIN: Summary(.mailedPINUsed)
    case .addContact: Summary(.contactAdded)
    case .editContact(let id, _): Summary(.contactEdited, contact: id)
    case .removeContact(let id): Summary(.contactRemoved, contact: id)
    case .importContacts: Summary(.contactsImported)
    case .finishSetUp: Summary(.setUp)
    case .claim(let device, _, _, _): Summary(.keychainClaimed, device: device)
    case .disconnect(let device): Summary(.keychainDisconnected, device: device)
    case .logIn: Summary(.loggedIn)
    case .logOut: Summary(.loggedOut)
    case .confirmEmail: Summary(.emailConfirmed)
    case .startProtection: Summary(.protectionStarted)
    case .stopProtection: Summary(.protectionStopped)
    case .erase: Summary(.erased)
    }
  }

  /// The parts of the account that are edited together (R5, R19); nil leaves a part as it is.
  public struct Profile: Codable, Equatable, Sendable {
    /// 1 to 100 bytes, without control characters.
    public var name: String?
    /// At most 254 bytes of ASCII, one "@"; a new address must be confirmed again.
    public var email: String?
    /// As a person writes it: `PhoneNumber.e164` by the account's country.
    public var mobile: String?
    /// ISO 3166, two letters of any case.
    public var country: String?
    /// BCP 47, at most 35 bytes.
    public var language: String?
    /// As in "her"; 1 to 100 bytes.
    public var possessive: String?
    /// A name of IANA's list of time zones.
    public var zone: String?
    /// Positions may be used (R57).
    public var mayLocate: Bool?
    /// Minutes between messages while nobody has acknowledged (R37), 1 to 60.
    public var messageEvery: Int?
    /// Replaces the whole list; at most `Limits.places`.
    public var places: [Place]?

    /// Leaves every part as it is.
    public init() {}
  }
}

/// A contact as typed in, not yet checked (R15).
public struct ContactDraft: Codable, Equatable, Sendable {
  /// 1 to 100 bytes, without control characters.
  public var name: String
  /// One to `Limits.contactNumbers`, exactly one of them chosen (R15).
  public var numbers: [Number]
  /// Nil: the contact has none.
  public var email: String?
  /// BCP 47, at most 35 bytes; nil: the account's.
  public var language: String?

  /// A telephone number as it is typed in.
  public struct Number: Codable, Equatable, Sendable {
    /// As a person writes it: `PhoneNumber.e164` by the account's country.
    public var number: String
    /// This is the number that is used.
    public var chosen: Bool

    /// Checked by the core when the contact is added.
    public init(number: String, chosen: Bool) {
      self.number = number
      self.chosen = chosen
    }
  }

  /// Checked by the core when the contact is added.
  public init(
    name: String, numbers: [Number], email: String? = nil, language: String? = nil
  ) {
    self.name = name
    self.numbers = numbers
    self.email = email
    self.language = language
  }
}
