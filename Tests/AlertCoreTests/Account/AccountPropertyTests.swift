import AlertCore
import FobBase
import TestSupport
import Testing

/// Whatever is typed, in whatever order. `CoreBench.change` holds that a refused
/// change changes and commits nothing, and that an accepted one is committed as it is.
struct AccountPropertyTests {
  static let texts: [String] = [
    "Owner", "Contact 1", " Contact 1 ", "owner@example.org", "OWNER@EXAMPLE.ORG",
    "+1 5555550100", "+15555550101", "FR", "fr-CA", "Europe/Paris", "", " ", "\u{0}", "\r\n", "@",
    "+", "a@b", "-", "+0", "é\u{301}\u{301}", "\u{202E}", "１２３", "+１２３４５６７８",
    "contact-9223372036854775807", "👩‍👩‍👧‍👦",
    String(repeating: "x", count: 5_000), String(repeating: "+", count: 300),
    "\u{FEFF}+15555550100",
  ]

  @Test(arguments: 0..<4)
  func `a refused change changes nothing, an accepted one is committed as it is`(_ series: UInt64) {
    var accepted: Set<Int> = []
    var refusals: Set<String> = []
    for seed in series * 25..<series * 25 + 25 {
      var random = SeededGenerator(seed: seed)
      let starts: [Account] = [.none, .complete(), .inSetUp, .loggedOut, .sample()]
      var bench = CoreBench(starts.randomElement(using: &random)!)
      for _ in 0..<80 {
        let change = Self.change(&random)
        if let refusal = bench.change(change, isProven: Bool.random(using: &random)) {
          refusals.insert(refusal.code)
        } else {
          accepted.insert(change.kind)
        }
        expectSound(bench.core.account, "seed \(seed)")
        if Int.random(in: 0..<20, using: &random) == 0 {
          let before = bench.core.account
          bench.restart()
          #expect(bench.core.account == before, "seed \(seed)")
        }
      }
    }
    #expect(accepted.count >= 15, "the seeds reach little: \(accepted)")
    #expect(
      refusals.isSuperset(of: [
        "pinNeeded", "unchanged", "noAccount", "accountExists", "notLoggedIn", "invalid", "claimed",
        "unknownContact", "unknownDevice", "missing",
      ]), "the seeds reach little: \(refusals)")
  }

  private func expectSound(_ account: Account, _ seed: Comment) {
    #expect(Set(account.contacts.map(\.id)).count == account.contacts.count, seed)
    #expect(account.contacts.count <= Limits.contacts, seed)
    #expect(Set(account.devices ?? []).count == (account.devices ?? []).count, seed)
    #expect(account.exists || !account.isActive && !account.isProtecting, seed)
    #expect(account.isLoggedIn || !account.isProtecting, seed)
  }

  static func change(_ random: inout SeededGenerator) -> AccountChange {
    func text() -> String { texts.randomElement(using: &random)! }
    func maybe() -> String? { Bool.random(using: &random) ? text() : nil }
    func draft() -> ContactDraft {
      let count = Int.random(in: 0...3, using: &random)
      let chosen = Int.random(in: 0...2, using: &random)
      let numbers = (0..<count).map {
        ContactDraft.Number(
          number: Bool.random(using: &random) ? "+1555555010\($0)" : text(), chosen: $0 == chosen)
      }
      return ContactDraft(
        name: text(), numbers: numbers,
        email: Int.random(in: 0...3, using: &random) == 0 ? text() : nil)
    }
    func contact() -> ContactID { "contact-\(Int.random(in: 1...4, using: &random))" }
    func device() -> DeviceID {
      [keychain, otherKeychain, .bench(1)].randomElement(using: &random)!
    }
    var profile = AccountChange.Profile.complete
    switch Int.random(in: 0...21, using: &random) {
    case 0: return .create(profile)
    case 1:
      profile.mobile = maybe()
      profile.name = maybe()
      return .create(profile)
    case 2, 3:
      profile = .init()
      profile.name = maybe()
      profile.email = maybe()
      profile.zone = maybe()
      return .edit(profile)
    case 4:
      profile.country = text()
      profile.language = maybe()
      profile.possessive = maybe()
      profile.mayLocate = Bool.random(using: &random)
      return .edit(profile)
    case 5: return .edit(.with(\.country, "FR"))
    case 6: return .setPIN(hash: text())
    case 7: return .offerPIN(hash: text())
    case 8: return .adoptPIN
    case 9, 10: return .addContact(draft())
    case 11: return .editContact(contact(), draft())
    case 12: return .removeContact(contact())
    case 13: return .importContacts([draft(), .named("Contact 1"), draft()])
    case 14: return .finishSetUp
    case 15: return .claim(device(), email: maybe())
    case 16: return .disconnect(device())
    case 17: return .logIn
    case 18: return .logOut
    case 19: return Bool.random(using: &random) ? .confirmEmail : .stopProtection
    case 20: return Int.random(in: 0...9, using: &random) == 0 ? .erase : .startProtection
    default: return .startProtection
    }
  }
}
