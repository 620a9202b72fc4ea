public import FobBase

/// A core's account as the judge sees it: whose alarm it raises, and who is told.
public struct AccountState: Equatable, Sendable {
  /// The account's keychains; nil: every one.
  public var keychains: Set<DeviceID>?
  /// The contacts who are told, from 0; nil: all that there are.
  public var contacts: Set<Int>?
  /// While false nobody is told (R20, G5).
  public var isLoggedIn: Bool
  /// While false triggers do not count.
  public var isProtecting: Bool
  /// False once its owner has erased it.
  public var exists: Bool

  /// As on a bench: every keychain is owned, and everyone is told.
  public init(
    keychains: Set<DeviceID>? = nil, contacts: Set<Int>? = nil, isLoggedIn: Bool = true,
    isProtecting: Bool = false, exists: Bool = true
  ) {
    self.keychains = keychains
    self.contacts = contacts
    self.isLoggedIn = isLoggedIn
    self.isProtecting = isProtecting
    self.exists = exists
  }

  /// What erasure leaves.
  public static let erased = AccountState(
    keychains: [], contacts: [], isLoggedIn: false, exists: false)

  /// Whether a press of that keychain is the account's alarm.
  func owns(_ device: DeviceID) -> Bool {
    isLoggedIn && keychains?.contains(device) ?? true
  }

  func tells(_ contact: Int) -> Bool { contacts?.contains(contact) ?? true }

  /// Whether a person's request turns the account as it was into this one.
  func follows(_ before: AccountState, by userRequest: UserRequest) -> Bool {
    var expected = before
    switch userRequest {
    case .logIn: expected.isLoggedIn = true
    case .logOut:
      expected.isLoggedIn = false
      expected.isProtecting = false
    case .protect: expected.isProtecting = true
    case .unprotect: expected.isProtecting = false
    case .claim(let device): expected.keychains?.insert(device)
    case .disconnect(let device): expected.keychains?.remove(device)
    case .removeContact(let contact): expected.contacts?.remove(contact)
    case .addContact:
      // The core chooses the number of the new contact.
      guard let contacts, let old = before.contacts, contacts.isSuperset(of: old),
        contacts.count == old.count + 1
      else { return false }
      expected.contacts = contacts
    case .erase: expected = .erased
    default: return false
    }
    return self == expected
  }
}
