import AlertCore

/// The account as it is shown: that there is a PIN, and nothing made from it.
struct AccountView: Encodable {
  let name: String
  let email: String
  let mobile: String
  let country: String
  let language: String
  let possessive: String
  let zone: String
  let mayLocate: Bool
  let isSetUp: Bool
  let isLoggedIn: Bool
  let isEmailConfirmed: Bool
  let isProtecting: Bool
  let hasPIN: Bool
  /// How many (R18).
  let contacts: Int
  /// Nil: every keychain, as on a bench.
  let devices: [String]?
  let places: [Place]

  init(_ account: Account) {
    name = account.name
    email = account.email
    mobile = account.mobile
    country = account.country
    language = account.language
    possessive = account.possessive
    zone = account.zone
    mayLocate = account.mayLocate
    isSetUp = account.isSetUp
    isLoggedIn = account.isLoggedIn
    isEmailConfirmed = account.isEmailConfirmed
    isProtecting = account.isProtecting
    hasPIN = account.pinHash != nil
    contacts = account.contacts.count
    devices = account.devices
    places = account.places
  }
}

/// A contact as it is shown (R15).
struct ContactView: Encodable {
  let id: ContactID
  let name: String
  let numbers: [ContactDraft.Number]
  let email: String?
  /// The sinks that can reach them.
  let ways: [String]

  init(_ contact: Contact) {
    id = contact.id
    name = contact.name
    numbers = contact.numbers.enumerated().map {
      ContactDraft.Number(number: $1, chosen: $0 == contact.chosen)
    }
    email = contact.email
    ways = contact.ways
  }
}
