import AlertCore
import FobBase
import Foundation
import Testing

extension Account {
  /// One keychain, all that protection needs, and a PIN.
  static func complete(contacts: Int = 2, pinned: Bool = true) -> Account {
    var account = Account.sample(contacts: contacts, pinned: pinned)
    account.email = "owner@example.org"
    account.mobile = "+15555550100"
    account.country = "FR"
    account.devices = [keychain.text]
    return account
  }

  static var protecting: Account {
    var account = Account.complete()
    account.isProtecting = true
    return account
  }

  static var loggedOut: Account {
    var account = Account.complete()
    account.isLoggedIn = false
    return account
  }

  /// Still being set up, with a PIN already.
  static var inSetUp: Account {
    var account = Account.complete()
    account.isSetUp = false
    return account
  }
}

extension AccountChange.Profile {
  static var complete: AccountChange.Profile {
    var profile = AccountChange.Profile()
    profile.name = "Owner"
    profile.email = "owner@example.org"
    profile.mobile = "+1 5555550100"
    return profile
  }

  static func with<Part>(
    _ part: WritableKeyPath<AccountChange.Profile, Part?>, _ value: Part
  ) -> AccountChange.Profile {
    var profile = AccountChange.Profile()
    profile[keyPath: part] = value
    return profile
  }
}

extension ContactDraft {
  static func named(_ name: String, _ number: String = "+15555550101") -> ContactDraft {
    ContactDraft(name: name, numbers: [Number(number: number, chosen: true)])
  }
}

extension AccountChange {
  /// One of each kind, each of which `Account.complete` would take in with the right PIN or refuse.
  static let oneOfEach: [AccountChange] = [
    .create(.complete), .edit(.with(\.name, "Owner the Second")), .setPIN(hash: "new"),
    .offerPIN(hash: "mailed"), .adoptPIN, .addContact(.named("Contact 9")),
    .editContact("contact-1", .named("Contact 8")), .removeContact("contact-2"),
    .importContacts([.named("Contact 7")]), .finishSetUp, .claim(otherKeychain, email: nil),
    .disconnect(keychain), .logIn, .logOut, .confirmEmail, .startProtection, .stopProtection,
    .erase,
  ]

  /// A case that is added has to be added to `oneOfEach` too.
  var kind: Int {
    switch self {
    case .create: 0
    case .edit: 1
    case .setPIN: 2
    case .offerPIN: 3
    case .adoptPIN: 4
    case .addContact: 5
    case .editContact: 6
    case .removeContact: 7
    case .importContacts: 8
    case .finishSetUp: 9
    case .claim: 10
    case .disconnect: 11
    case .logIn: 12
    case .logOut: 13
    case .confirmEmail: 14
    case .startProtection: 15
    case .stopProtection: 16
    case .erase: 17
    }
  }
}

extension CoreBench {
  /// Asks for a change, and holds what is true of every one: what is refused changes and commits
  /// nothing; what is accepted is committed as it is, and reads back as it was written.
  mutating func change(_ change: AccountChange, isProven: Bool = false) -> UserCommand.Refusal? {
    let before = core.account
    let commits = store.accounts.count
    let refusal = answer(to: .change(change, isProven: isProven))?.refusal
    if refusal != nil {
      #expect(core.account == before, "\(change)")
      #expect(store.accounts.count == commits, "\(change)")
    } else {
      #expect(core.account != before, "\(change)")
      #expect(store.accounts.count == commits + 1, "\(change)")
      #expect(store.accounts.last == core.account, "\(change)")
      let written = try? JSONEncoder().encode(core.account)
      let read = written.flatMap { try? JSONDecoder().decode(Account.self, from: $0) }
      #expect(read == core.account, "\(change)")
    }
    return refusal
  }
}
