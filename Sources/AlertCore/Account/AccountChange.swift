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
  var name: String {
    switch self {
    case .create: "created"
    case .edit: "edited"
    case .setPIN: "PIN set"
    case .offerPIN: "PIN mailed"
    case .adoptPIN: "mailed PIN used for the first time"
    case .addContact: "contact added"
    case .editContact(let id, _): "\(id) edited"
    case .removeContact(let id): "\(id) removed"
    case .importContacts: "contacts imported"
    case .finishSetUp: "set up"
    case .claim(let device, _): "keychain \(device.text) claimed"
    case .disconnect(let device): "keychain \(device.text) disconnected"
    case .logIn: "logged in"
    case .logOut: "logged out"
    case .confirmEmail: "mail address confirmed"
    case .startProtection: "protection started"
    case .stopProtection: "protection stopped"
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
