import AlertCore
import FobBase
import Testing
import WireProtocol

/// "All good!" only where all is good, and what to do first where it is not.
struct ConcernTests {
  private static func bench(
    _ account: Account = .protecting, _ policy: Policy = Policy(), channels: [Contact] = []
  ) -> CoreBench {
    var bench = CoreBench(account, policy, channels: channels)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.heartbeat(line, .battery(87)))
    bench.hand(.position(line, .good(1)))
    return bench
  }

  private static func concerns(_ bench: CoreBench) -> [CoreStatus.Concern] {
    bench.core.status(at: bench.now).concerns
  }

  private static func expect(
    _ expected: [CoreStatus.Concern], where change: (inout Account) -> Void
  ) {
    var account = Account.protecting
    change(&account)
    let rows: Set<CoreStatus.Concern> = [.link, .battery]
    #expect(concerns(bench(account)).filter { !rows.contains($0) } == expected)
  }

  @Test func `each thing that an account lacks is a concern, and nothing else is`() {
    Self.expect([]) { _ in }
    Self.expect([]) { $0.email = "" }
    Self.expect([.notProtecting]) { $0.isProtecting = false }
    Self.expect([.noPIN]) { $0.pinHash = nil }
    Self.expect([.noContacts]) { $0.contacts = [] }
    Self.expect([.noKeychain]) { $0.devices = [] }
    Self.expect([.notSetUp]) { $0.isSetUp = false }
    Self.expect([.loggedOut]) { $0.isLoggedIn = false }
    Self.expect([.noAccount]) { $0 = .none }
    Self.expect([.gps, .protectionLacks]) { $0.mayLocate = false }
  }

  /// R12: where nothing can be mailed, no confirmation can be asked for.
  @Test func `an address is to be confirmed where mail can be sent`() {
    var policy = Policy()
    policy.canMail = true
    var bench = Self.bench(.protecting, policy)
    #expect(Self.concerns(bench) == [.unconfirmedEmail])
    #expect(bench.change(.confirmEmail, isProven: false) == nil)
    #expect(Self.concerns(bench) == [])
  }

  @Test func `a channel that is no person does not stand for a contact`() {
    var account = Account.protecting
    account.contacts = []
    let bench = Self.bench(account, channels: [Contact(id: "webhook:door", name: "Door")])
    #expect(Self.concerns(bench) == [.noContacts])
  }

  @Test func `an alarm that is open, or was not left, is the first concern`() {
    var bench = Self.bench()
    bench.press(.press(1))
    #expect(Self.concerns(bench).first == .alarm)
    #expect(bench.core.status(at: bench.now).summary == "Error!")
    bench.perform(.disarm)
    #expect(Self.concerns(bench).first == .alarm)
    bench.perform(.resume)
    #expect(Self.concerns(bench).isEmpty)
    #expect(bench.core.status(at: bench.now).summary == "All good!")
  }

  @Test func `a contact whom no channel reaches is a concern`() {
    var bench = Self.bench()
    bench.hand(.ways(["contact-1": ["mail"], "contact-2": []]))
    #expect(Self.concerns(bench) == [.unreachable])
  }

  @Test func `a keychain that is low, lost or gone is a concern of its row`() {
    var bench = Self.bench()
    bench.hand(.heartbeat(line, .battery(14)))
    #expect(Self.concerns(bench) == [.battery])
    bench.hand(.position(line, PositionFix()))
    #expect(Self.concerns(bench) == [.battery, .gps])
    bench.hand(.linkDown(line, reason: "unplugged"))
    #expect(Self.concerns(bench) == [.link])
  }
}
