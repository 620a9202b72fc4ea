import AlertCore
import FobBase
import Testing
import WireProtocol

/// R36: while an alarm is active nothing but the alarm is reachable.
struct LockTests {
  private static func expectLocked(_ bench: inout CoreBench) {
    let ofMailedPIN = [AccountChange.offerPIN(hash: "").kind, AccountChange.adoptPIN.kind]
    for change in AccountChange.oneOfEach where !ofMailedPIN.contains(change.kind) {
      for isProven in [true, false] {
        #expect(bench.change(change, isProven: isProven) == .locked, "\(change)")
      }
    }
  }

  private static var offered: Account {
    var account = Account.protecting
    account.offeredPINHash = "mailed"
    return account
  }

  @Test func `one of each change is there`() {
    #expect(AccountChange.oneOfEach.map(\.kind) == Array(0...17))
  }

  /// It may mean alarm, which would then be nobody's.
  @Test(arguments: [AccountChange.disconnect(keychain), .logOut, .erase])
  func `what ends the alarm of a keychain waits until its press is understood`(
    _ change: AccountChange
  ) {
    var guarded = GuardedBench(.none, .complete())
    let press = guarded.edge(.pressed, at: 0)
    guarded.bench.press(press)
    #expect(guarded.bench.state == .noEmergency)
    let refusal = guarded.bench.change(change, isProven: true)
    #expect(refusal == .locked && refusal?.description.contains("a press is being read") == true)
    #expect(guarded.bench.change(.disconnect(otherKeychain), isProven: true) == .unknownDevice)
  }

  @Test func `R36: in every open state no change goes but the first use of a mailed PIN`() {
    for policy in [Policy(), .withCountdown] {
      var bench = CoreBench(Self.offered, policy)
      bench.otherSinks = .refuses
      bench.press(.press(1))
      var states: Set<EmergencyState> = []
      for _ in 0..<40 {
        states.insert(bench.state)
        Self.expectLocked(&bench)
        bench.run(for: .minutes(1))
        if bench.state == .emergencySendingFailed { bench.otherSinks = .acceptsAtOnce }
      }
      #expect(states.isSuperset(of: [.emergencySending, .emergencySendingFailed, .emergencySent]))
      #expect(bench.change(.adoptPIN) == nil)
      #expect(bench.change(.adoptPIN) == .unchanged)
      bench.perform(.disarm)
      #expect(bench.change(.edit(.with(\.name, "Owner A")), isProven: true) == nil)
    }
  }

  @Test func `R10, R118: a new PIN is mailed and used while an alarm is open`() {
    var bench = CoreBench(.protecting)
    bench.press(.press(1))
    #expect(bench.change(.offerPIN(hash: "mailed")) == nil)
    #expect(bench.change(.offerPIN(hash: "mailed again")) == nil)
    #expect(bench.core.account.pinHash == "*", "the old one counts until then")
    #expect(bench.change(.adoptPIN) == nil)
    #expect(bench.core.account.pinHash == "mailed again")
    bench.perform(.disarm)
    #expect(bench.state == .emergencyEnded)
  }

  @Test func `R36: locked in a countdown, and after a kill at any point`() {
    for policy in [Policy(), .withCountdown] {
      var bench = CoreBench(Self.offered, policy)
      bench.press(.press(1))
      for boot: UInt64 in 1...3 {
        bench.restart(boot: boot, down: .seconds(1))
        #expect(bench.state.isOpen)
        Self.expectLocked(&bench)
      }
      #expect(bench.change(.adoptPIN) == nil)
      bench.restart()
      #expect(bench.core.account.pinHash == "mailed")
    }
  }

  @Test func `R36: a trigger's countdown locks as a press does`() {
    var bench = CoreBench(Self.offered)
    bench.perform(.trigger(Trigger(source: .fall, device: keychain, key: "1")))
    #expect(bench.state == .alertCountdown)
    Self.expectLocked(&bench)
  }

  @Test func `R36, G5: what belongs to nobody locks nothing`() {
    var bench = CoreBench(Self.offered)
    bench.press(.press(1, device: otherKeychain))
    #expect(bench.state.isOpen)
    #expect(bench.change(.edit(.with(\.name, "Owner A")), isProven: true) == nil)
  }
}
