import AlertCore
import FobBase
import Testing

/// Who may change what of the account, rule by rule.
struct AccountTests {
  @Test func `R5: an account needs a name, a mail address and a mobile number, and no more`() {
    let parts: [WritableKeyPath<AccountChange.Profile, String?>] = [\.name, \.email, \.mobile]
    for part in parts {
      var bench = CoreBench(.none)
      var profile = AccountChange.Profile.complete
      profile[keyPath: part] = nil
      let refusal = bench.change(.create(profile))
      guard case .invalid(_, "is needed") = refusal else {
        Issue.record("\(part): \(String(describing: refusal))")
        continue
      }
      #expect(!bench.core.account.exists)
    }
    var bench = CoreBench(.none)
    #expect(bench.change(.create(.complete)) == nil)
    #expect(bench.core.account.mobile == "+15555550100")
    #expect(bench.core.account.pinHash == nil)
    #expect(bench.core.account.isActive && !bench.core.account.isSetUp)
  }

  @Test func `R4: a core has one account, and nothing is changed where there is none`() {
    var bench = CoreBench(.complete())
    #expect(bench.change(.create(.complete)) == .accountExists)
    var empty = CoreBench(.none)
    for change in AccountChange.oneOfEach where change.kind != 0 {
      #expect(empty.change(change, isProven: true) == .noAccount, "\(change)")
    }
  }

  @Test func `R4, R11: whose a keychain is, its claimer learns as far as the mask allows`() {
    var bench = CoreBench(.complete())
    let claim = AccountChange.claim(keychain, email: "stranger@example.org")
    #expect(bench.change(claim) == .claimed(by: "owne****@example.org"))
    #expect(bench.change(.claim(keychain, email: "Owner@Example.org")) == .unchanged)
    #expect(bench.change(.claim(keychain, email: nil)) == .unchanged, "it is the account's")
    #expect(
      bench.change(.claim(otherKeychain, email: "stranger@example.org"))
        == .invalid("email", "is not this account's"))
    #expect(bench.change(.claim(otherKeychain, email: "OWNER@example.org")) == nil)
    #expect(bench.core.account.devices == [keychain.text, otherKeychain.text])
    #expect(bench.change(.logOut, isProven: true) == nil)
    #expect(
      bench.change(.claim(keychain, email: nil)) == .claimed(by: "owne****@example.org"))
    #expect(bench.change(.claim(.bench(3), email: nil)) == .notLoggedIn)
  }

  @Test func `R4: an account has so many keychains at the most`() {
    var account = Account.complete()
    account.devices = (1...Limits.accountDevices).map { DeviceID(rawValue: UInt64($0)).text }
    var bench = CoreBench(account)
    #expect(
      bench.change(.claim(keychain, email: nil))
        == .tooMany("keychains", limit: Limits.accountDevices))
  }

  @Test
  func `R7, R9, R16, R17, R19, R21, R119: after set-up edits and the log-out need the PIN, if set`()
  {
    let guarded: Set = [1, 2, 6, 7, 11, 13, 17]
    for change in AccountChange.oneOfEach where guarded.contains(change.kind) {
      var bench = CoreBench(.complete())
      #expect(bench.change(change) == .pinNeeded, "\(change)")
      #expect(bench.change(change, isProven: true) == nil, "\(change)")
      var open = CoreBench(.complete(pinned: false))
      #expect(open.change(change) == nil, "\(change)")
    }
  }

  @Test func `G17: protection starts without the PIN, and once one is set it stops by it alone`() {
    for account in [Account.complete(), .inSetUp] {
      var bench = CoreBench(account)
      #expect(bench.change(.startProtection) == nil)
      #expect(bench.change(.stopProtection) == .pinNeeded)
      #expect(bench.core.account.isProtecting)
      #expect(bench.change(.stopProtection, isProven: true) == nil)
      #expect(!bench.core.account.isProtecting)
    }
    var open = CoreBench(.complete(pinned: false))
    #expect(open.change(.startProtection) == nil)
    #expect(open.change(.stopProtection) == nil)
  }

  @Test func `R119: a log-out needs the PIN once one is set, during set-up, too`() {
    var bench = CoreBench(.inSetUp)
    #expect(bench.change(.logOut) == .pinNeeded)
    #expect(bench.change(.logOut, isProven: true) == nil)
  }

  @Test func `R121: one more contact is added without the PIN, after set-up, too`() {
    for change in AccountChange.oneOfEach where [5, 8].contains(change.kind) {
      var bench = CoreBench(.complete())
      #expect(bench.change(change) == nil, "\(change)")
      #expect(bench.change(.editContact("contact-3", .named("Contact 5"))) == .pinNeeded)
      #expect(bench.change(.removeContact("contact-3")) == .pinNeeded)
    }
  }

  @Test func `R16, R17: during set-up contacts and the person are edited without the PIN`() {
    for change in AccountChange.oneOfEach where [1, 5, 6, 7, 8].contains(change.kind) {
      var bench = CoreBench(.inSetUp)
      #expect(bench.change(change) == nil, "\(change)")
      #expect(bench.change(.finishSetUp) == nil)
      #expect(bench.change(.editContact("contact-1", .named("Contact 5"))) == .pinNeeded)
    }
  }

  @Test func `R7, R13, R20: logging in again needs the PIN, and logged out nothing else goes`() {
    var bench = CoreBench(.protecting)
    #expect(bench.change(.logOut, isProven: true) == nil)
    #expect(!bench.core.account.isProtecting && !bench.core.account.isActive)
    for change in AccountChange.oneOfEach where ![0, 3, 4, 12, 14].contains(change.kind) {
      #expect(bench.change(change, isProven: true) == .notLoggedIn, "\(change)")
    }
    #expect(bench.change(.logIn) == .pinNeeded)
    #expect(bench.change(.logIn, isProven: true) == nil)
    #expect(bench.change(.logIn, isProven: true) == .unchanged)
    #expect(!bench.core.account.isProtecting, "R57: re-checked at each start")
  }

  @Test func `R9: a change of the PIN is logged, and neither PIN nor hash is`() {
    var bench = CoreBench(.complete())
    #expect(bench.change(.setPIN(hash: "secret")) == .pinNeeded)
    #expect(bench.change(.setPIN(hash: "secret"), isProven: true) == nil)
    #expect(bench.core.account.pinHash == "secret")
    #expect(bench.happened(.accountChanged).map(\.detail) == ["PIN set"])
  }

  @Test func `R10: the old PIN counts until the mailed one is first used`() {
    var bench = CoreBench(.complete())
    #expect(bench.change(.adoptPIN) == .unchanged)
    #expect(bench.change(.offerPIN(hash: "mailed")) == nil)
    #expect(bench.core.account.pinHash == "*")
    #expect(bench.change(.offerPIN(hash: "mailed again")) == nil)
    #expect(bench.change(.adoptPIN) == nil)
    #expect(bench.core.account.pinHash == "mailed again")
    #expect(bench.core.account.offeredPINHash == nil)
    #expect(bench.change(.offerPIN(hash: "a third")) == nil)
    #expect(bench.change(.setPIN(hash: "chosen"), isProven: true) == nil)
    #expect(bench.change(.adoptPIN) == .unchanged, "a PIN that was set makes the mailed one void")
  }

  @Test func `R12: a mail address is confirmed until it is another one`() {
    var bench = CoreBench(.complete())
    #expect(bench.change(.confirmEmail) == nil)
    #expect(bench.change(.confirmEmail) == .unchanged)
    #expect(bench.change(.edit(.with(\.name, "Owner A")), isProven: true) == nil)
    #expect(bench.core.account.isEmailConfirmed)
    #expect(bench.change(.edit(.with(\.email, "new@example.org")), isProven: true) == nil)
    #expect(!bench.core.account.isEmailConfirmed)
  }

  @Test func `R19: an edit that changes nothing is refused, and the next change is not`() {
    var bench = CoreBench(.complete())
    let edit = AccountChange.edit(.with(\.mobile, "+1 (555) 555-0199"))
    #expect(bench.change(edit, isProven: true) == nil)
    #expect(bench.change(edit, isProven: true) == .unchanged)
    #expect(bench.change(.edit(.init()), isProven: true) == .unchanged)
    #expect(bench.change(.edit(.with(\.country, "de")), isProven: true) == nil)
    #expect(bench.core.account.country == "DE")
  }

  @Test func `R21: a disconnected keychain is unclaimed, and can be claimed again`() {
    var bench = CoreBench(.complete())
    #expect(bench.change(.disconnect(otherKeychain), isProven: true) == .unknownDevice)
    #expect(bench.change(.disconnect(keychain), isProven: true) == nil)
    #expect(bench.core.account.devices == [])
    #expect(bench.change(.claim(keychain, email: "owner@example.org")) == nil)
    var every = CoreBench(.sample())
    #expect(every.change(.disconnect(keychain), isProven: true) == .unknownDevice)
    #expect(every.change(.claim(keychain, email: nil)) == .unchanged)
  }

  @Test func `R57: protection starts only with all that it needs, checked at each start`() {
    var policy = Policy()
    policy.servedCountries = ["FR", "US"]
    let lacking: [(WritableKeyPath<Account, String>, String, String)] = [
      (\.mobile, "", "a mobile number, as in +1 5555550100"), (\.country, "", "a country"),
      (\.country, "DE", "a country that is served"),
    ]
    for (part, value, missing) in lacking {
      var account = Account.complete()
      account[keyPath: part] = value
      var bench = CoreBench(account, policy)
      #expect(bench.change(.startProtection) == .missing([missing]))
      #expect(bench.core.status(at: bench.now).account.missingForProtection == [missing])
    }
    var bench = CoreBench(.complete(), policy)
    #expect(bench.change(.edit(.with(\.mayLocate, false)), isProven: true) == nil)
    #expect(bench.change(.startProtection) == .missing(["leave to use positions"]))
    #expect(bench.change(.edit(.with(\.mayLocate, true)), isProven: true) == nil)
    #expect(bench.change(.startProtection) == nil)
    #expect(bench.change(.startProtection) == .unchanged)
    #expect(bench.change(.stopProtection, isProven: true) == nil)
    #expect(bench.change(.edit(.with(\.country, "DE")), isProven: true) == nil)
    #expect(bench.change(.startProtection) == .missing(["a country that is served"]))
  }

  @Test func `R48: "not protecting" and "protecting, nothing happened" are told apart`() {
    var bench = CoreBench(.complete())
    var shown = bench.core.status(at: bench.now)
    #expect(shown.state == .noEmergency && !shown.account.isProtecting)
    #expect(bench.change(.startProtection) == nil)
    shown = bench.core.status(at: bench.now)
    #expect(shown.state == .noEmergency && shown.account.isProtecting)
  }
}
