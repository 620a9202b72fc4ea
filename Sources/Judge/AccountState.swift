public import FobBase

/// What a core says of its account: whose alarm it raises, and who is told.
public struct AccountState: Equatable, Sendable {
  /// The keychains that are the account's; nil: every one.
  public var keychains: Set<DeviceID>?
  /// Who is told; nil: everyone that there is.
  public var contacts: Set<Int>?
  /// While false nobody is told (R20, G5).
  public var isLoggedIn: Bool
  /// Triggers count.
  public var isProtecting: Bool

  /// As on a bench: every keychain is owned, and everyone is told.
  public init(
    keychains: Set<DeviceID>? = nil, contacts: Set<Int>? = nil, isLoggedIn: Bool = true,
    isProtecting: Bool = false
  ) {
    self.keychains = keychains
    self.contacts = contacts
    self.isLoggedIn = isLoggedIn
    self.isProtecting = isProtecting
  }

  /// A press of that keychain is the account's alarm.
  func owns(_ device: DeviceID) -> Bool {
    isLoggedIn && keychains?.contains(device) ?? true
  }

  func tells(_ contact: Int) -> Bool { contacts?.contains(contact) ?? true }

  /// Whether it is what a person's request makes of the account as it was.
  func follows(_ before: AccountState, by userRequest: UserRequest) -> Bool {
    var expected = before
    switch userRequest {
    case .logIn: expected.isLoggedIn = true
    case .logOut:
      expected.isLoggedIn = false
      expected.isProtecting = false
    case .protect: expected.isProtecting = true
    case .claim(let device): expected.keychains?.insert(device)
    case .disconnect(let device): expected.keychains?.remove(device)
    case .removeContact(let contact): expected.contacts?.remove(contact)
    case .addContact:
      // Which number the new one has the core says.
      guard let contacts, let old = before.contacts, contacts.isSuperset(of: old),
        contacts.count == old.count + 1
      else { return false }
      expected.contacts = contacts
    default: return false
    }
    return self == expected
  }
}
