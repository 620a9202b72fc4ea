/// The owner of the keychains and the contacts who are told.
public struct Account: Codable, Equatable, Sendable {
  /// The owner's full name; empty: there is no account.
  public var name: String
  /// Empty until it is given (R5).
  public var email: String
  /// E.164, as in "+15555550100"; empty until it is given (R5, R57).
  public var mobile: String
  /// ISO 3166, two letters. Messages carry it and `language` as labels for routing (R57, R60).
  public var country: String
  /// BCP 47, as in "en".
  public var language: String
  /// As in "has activated her keychain alarm" (G19).
  public var possessive: String
  /// IANA name of the zone in which times are told.
  public var zone: String
  /// Who is told, at most `Limits.contacts`.
  public var contacts: [Contact]
  /// In the form of crypt(5); nil: no PIN is set. PINs are checked outside the core.
  public var pinHash: String?
  /// The hash of a mailed PIN (R10), which counts beside the old one until it is first used.
  public var offeredPINHash: String?
  /// At most `Limits.places`.
  public var places: [Place]
  /// Set-up is finished: changes need the PIN from now on (R16, R17, R19).
  public var isSetUp: Bool
  /// While false nobody is told (R20, G5).
  public var isLoggedIn: Bool
  /// The owner has confirmed `email`; a new address undoes it.
  public var isEmailConfirmed: Bool
  /// Automatic triggers count (R48, R57). Presses count in any case.
  public var isProtecting: Bool
  /// The person has allowed that positions are used (R57).
  public var mayLocate: Bool
  /// Minutes between messages while nobody has acknowledged (R37), 1 to 60; nil:
  /// `Policy.messageEvery`.
  public var messageEvery: Int?
  /// The greatest number that a contact's id had: none is given twice, since the log and past
  /// alarms name contacts by it. Nil where an older version wrote the account.
  var lastContact: Int?
  /// The keychains of this account; nil: every one, as on a bench.
  public var devices: [String]?

  /// An account that is set up and logged in, and not protecting. Nothing is checked.
  public init(
    name: String, email: String = "", mobile: String = "", country: String = "",
    language: String = "en", possessive: String = "their", zone: String = "UTC",
    contacts: [Contact], pinHash: String? = nil, places: [Place] = [], devices: [String]? = nil
  ) {
    self.name = name
    self.email = email
    self.mobile = mobile
    self.country = country
    self.language = language
    self.possessive = possessive
    self.zone = zone
    self.contacts = contacts
    self.pinHash = pinHash
    self.places = places
    self.devices = devices
    isSetUp = true
    isLoggedIn = true
    isEmailConfirmed = false
    isProtecting = false
    mayLocate = true
  }

  /// The account of a core before anybody has made one: no name, no contact, no keychain.
  public static var none: Account {
    var account = Account(name: "", contacts: [], devices: [])
    account.isSetUp = false
    account.isLoggedIn = false
    return account
  }

  /// Somebody has made it: a name is never empty.
  public var exists: Bool { !name.isEmpty }

  /// Without one, one that was typed is neither right nor wrong: it may be of an account that is
  /// gone.
  package var hasPIN: Bool { pinHash != nil || offeredPINHash != nil }

  /// After set-up, what is private to the owner is shown and changed by the PIN alone.
  public var asksForPIN: Bool { pinHash != nil && isSetUp }
}

extension Account {
  /// Fields that an older version did not write get their defaults.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func read<T: Decodable>(_ key: CodingKeys, _ missing: T) throws -> T {
      try values.decodeIfPresent(T.self, forKey: key) ?? missing
    }
    name = try values.decode(String.self, forKey: .name)
    email = try read(.email, "")
    mobile = try read(.mobile, "")
    country = try read(.country, "")
    language = try read(.language, "en")
    possessive = try read(.possessive, "their")
    zone = try read(.zone, "UTC")
    contacts = try values.decode([Contact].self, forKey: .contacts)
    pinHash = try values.decodeIfPresent(String.self, forKey: .pinHash)
    offeredPINHash = try values.decodeIfPresent(String.self, forKey: .offeredPINHash)
    places = try read(.places, [])
    isSetUp = try read(.isSetUp, true)
    isLoggedIn = try read(.isLoggedIn, true)
    isEmailConfirmed = try read(.isEmailConfirmed, false)
    isProtecting = try read(.isProtecting, false)
    mayLocate = try read(.mayLocate, true)
    messageEvery = try values.decodeIfPresent(Int.self, forKey: .messageEvery)
    lastContact = try values.decodeIfPresent(Int.self, forKey: .lastContact)
    devices = try values.decodeIfPresent([String].self, forKey: .devices)
  }
}

/// A named place. Messages name the nearest one within its reach, beside the coordinates (G19).
public struct Place: Codable, Equatable, Sendable {
  /// The place's name as messages give it.
  public var name: String
  /// 1e-7 degree.
  public var latitude: Int32
  /// 1e-7 degree, east positive.
  public var longitude: Int32

  /// Nothing is checked.
  public init(name: String, latitude: Int32, longitude: Int32) {
    self.name = name
    self.latitude = latitude
    self.longitude = longitude
  }
}
