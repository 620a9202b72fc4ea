public import FobBase

/// What can be changed of the account (R4 to R21). The core checks each; what it refuses changes
/// nothing.
public enum AccountChange: Equatable, Sendable {
  /// The first account of this core (R4, R5).
  case create(Profile)
  case edit(Profile)
  /// The current PIN was right where one is set (R9).
  case setPIN(hash: String)
  /// A PIN that was mailed; the old one counts until the new one is first used (R10).
  case offerPIN(hash: String)
  /// The mailed PIN was used: it is the PIN now.
  case adoptPIN
  case addContact(ContactDraft)
  /// - Parameter id: of the contact as it stands.
  case editContact(ContactID, ContactDraft)
  case removeContact(ContactID)
  /// Beside those that are there; a name that is there already is passed over (R23).
  case importContacts([ContactDraft])
  /// From here on changes need the PIN.
  case finishSetUp
  /// - email: whose the keychain is to be, as the one who asks says; nil: this account's.
  case claim(DeviceID, email: String?)
  /// The keychain can be claimed again, and flashes (R21).
  case disconnect(DeviceID)
  case logIn
  case logOut
  case confirmEmail
  /// Re-checked at each start (R57).
  case startProtection
  case stopProtection

  /// For the log: what was asked for, none of it.
  public struct Summary: Equatable, Sendable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
      case created, edited, pinSet, pinMailed, mailedPINUsed
      case contactAdded, contactEdited, contactRemoved, contactsImported, setUp
      case keychainClaimed, keychainDisconnected, loggedIn, loggedOut, emailConfirmed
      case protectionStarted, protectionStopped
    }

    public let kind: Kind
    public let contact: ContactID?
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
    case .claim(let device, _): Summary(.keychainClaimed, device: device)
    case .disconnect(let device): Summary(.keychainDisconnected, device: device)
    case .logIn: Summary(.loggedIn)
    case .logOut: Summary(.loggedOut)
    case .confirmEmail: Summary(.emailConfirmed)
    case .startProtection: Summary(.protectionStarted)
    case .stopProtection: Summary(.protectionStopped)
    }
  }

  /// What of the account is edited as a whole (R5, R19); nil leaves a part as it is.
  public struct Profile: Codable, Equatable, Sendable {
    public var name: String?
    public var email: String?
    public var mobile: String?
    public var country: String?
    public var language: String?
    public var possessive: String?
    public var zone: String?
    public var mayLocate: Bool?
    public var places: [Place]?

    public init() {}
  }
}

/// A contact as it is typed in (R15).
public struct ContactDraft: Codable, Equatable, Sendable {
  public var name: String
  public var numbers: [Number]
  public var email: String?

  public struct Number: Codable, Equatable, Sendable {
    public var number: String
    public var chosen: Bool

    public init(number: String, chosen: Bool) {
      self.number = number
      self.chosen = chosen
    }
  }

  public init(name: String, numbers: [Number], email: String? = nil) {
    self.name = name
    self.numbers = numbers
    self.email = email
  }
}
