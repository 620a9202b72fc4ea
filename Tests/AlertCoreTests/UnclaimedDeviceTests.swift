import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// A press of a keychain that is unclaimed, or while nobody is logged in, is kept and shown as
/// failed; it is told to no one, and never shown as accepted (`CoreBench` checks both at every
/// effect).
struct UnclaimedDeviceTests {
  private static let otherLine = LinkID(rawValue: 1)
  private static let unclaimed = ShownState.unclaimed

  /// `keychain` on `line` is unclaimed; `otherKeychain` is on another line.
  private static func bench(_ account: Account) -> CoreBench {
    var bench = CoreBench(account, channels: [Contact(id: "board", name: "board")])
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.linkUp(otherLine, .from(otherKeychain)))
    return bench
  }

  /// `otherKeychain` alone is the account's.
  private static var another: Account {
    var account = Account.protecting
    account.devices = [otherKeychain.text]
    return account
  }

  private static let accounts: [Account] = [.none, .loggedOut, another]

  @Test(arguments: accounts)
  func `G5, R20: the press is committed, acked, shown as failed, and told to no one`(
    _ account: Account
  ) {
    var bench = Self.bench(account)
    #expect(bench.shown[line]?.state == Self.unclaimed)
    let others = bench.shown[Self.otherLine]
    bench.press(.press(1))
    #expect(bench.isAcked(.press(1)) && bench.store.entries(of: EventRecord.press(1).identity) == 1)
    #expect(bench.incident?.isUnclaimed == true)
    #expect(bench.state == .emergencySendingFailed)
    #expect(bench.shown[line]?.state == .failed && bench.shown[line]?.sounder == true)
    #expect(bench.shown[line]?.incident == EventRecord.press(1).incident.wire)
    bench.press(.press(2))
    bench.run(for: .minutes(120))
    #expect(bench.state == .emergencySendingFailed, "it stays until somebody sees to it")
    #expect(bench.deliveries().isEmpty)
    #expect(bench.store.notifications.isEmpty)
    #expect(bench.shown[Self.otherLine] == others, "the others are not disturbed")
    #expect(bench.incident?.presses.count == 2)
  }

  @Test(arguments: accounts)
  func `G5: only an administrator ends it`(_ account: Account) {
    var bench = Self.bench(account)
    #expect(bench.answer(to: .endUnowned)?.refusal == .nothingOpen)
    bench.press(.press(1))
    #expect(bench.answer(to: .disarm)?.refusal == .unowned)
    #expect(bench.answer(to: .cancel)?.refusal == .unowned)
    #expect(bench.answer(to: .acknowledge("contact-1"))?.refusal == .unknownContact)
    #expect(bench.answer(to: .resume)?.refusal == .nothingEnded)
    #expect(bench.state == .emergencySendingFailed)
    #expect(bench.answer(to: .silence)?.refusal == nil)
    #expect(bench.shown[line]?.state == .failed && bench.shown[line]?.sounder == false)
    #expect(bench.answer(to: .endUnowned)?.refusal == nil)
    #expect(bench.state == .emergencyEnded && bench.incident?.endReason == .cancelled)
    #expect(bench.shown[line]?.state == Self.unclaimed)
    #expect(bench.answer(to: .resume)?.refusal == nil)
    #expect(bench.deliveries().isEmpty)
  }

  @Test func `G5: an owner's incident is not ended without the PIN by an administrator`() {
    var bench = Self.bench(Self.another)
    bench.press(.press(1, device: otherKeychain))
    #expect(bench.answer(to: .endUnowned)?.refusal == .notUnowned)
    #expect(bench.state == .emergencySent)
  }

  @Test(arguments: accounts)
  func `G5: it outlives the process and the host's reboot`(_ account: Account) {
    var bench = Self.bench(account)
    bench.press(.press(1))
    for boot: UInt64 in [1, 2] {
      bench.restart(boot: boot, down: .seconds(5))
      bench.hand(.linkUp(line, .from(keychain)))
      #expect(bench.state == .emergencySendingFailed && bench.incident?.isUnclaimed == true)
      #expect(bench.shown[line]?.state == .failed)
      bench.run(for: .minutes(31))
    }
    #expect(bench.deliveries().isEmpty)
    #expect(bench.answer(to: .endUnowned)?.refusal == nil)
  }

  @Test func `G5: an owner's press ends it and is told at once, and so is a trigger`() {
    var bench = Self.bench(Self.another)
    bench.press(.press(1))
    let pressed = bench.now
    bench.press(.press(1, device: otherKeychain))
    #expect(bench.state == .emergencySent && bench.incident?.isUnclaimed == false)
    #expect(bench.deliveries(.raise).map(\.at) == [pressed, pressed, pressed])
    #expect(bench.deliveries(.closing).isEmpty)
    #expect(bench.shown[line]?.state == Self.unclaimed)
    let gone = bench.store.incidents[EventRecord.press(1).incident]
    #expect(gone?.state == .noEmergency && gone?.endReason == .gaveWay)
    var triggered = Self.bench(Self.another)
    triggered.press(.press(1))
    triggered.perform(.trigger(Trigger(source: .fall, device: otherKeychain, key: "1")))
    #expect(triggered.state == .alertCountdown)
    #expect(triggered.incident?.isUnclaimed == false)
  }

  @Test func `G5: in an owner's incident a stranger's press is an entry and touches nothing`() {
    var bench = Self.bench(Self.another)
    bench.press(.press(1, device: otherKeychain))
    bench.perform(.acknowledge("contact-1"))
    bench.perform(.silence)
    let before = bench.incident
    let told = bench.deliveries().count
    let shown = bench.shown[Self.otherLine]
    bench.press(.press(1))
    #expect(bench.isAcked(.press(1)))
    #expect(bench.incident?.presses.count == 2)
    #expect(bench.incident?.acknowledgedBy == ["contact-1"] && bench.incident?.sounder == false)
    #expect(bench.incident?.device == before?.device && bench.incident?.state == before?.state)
    #expect(bench.shown[Self.otherLine] == shown)
    #expect(bench.shown[line]?.state == .failed, "it was sent to no one")
    bench.run(for: .minutes(29))
    #expect(bench.deliveries().count == told, "and is told by no repeat")
    bench.run(for: .minutes(1))
    #expect(bench.incident?.endReason == .trackingOver)
  }

  @Test func `in an owner's countdown a stranger's press does not end it`() {
    var bench = Self.bench(Self.another)
    bench.perform(.trigger(Trigger(source: .fall, device: otherKeychain, key: "1")))
    bench.press(.press(1))
    #expect(bench.state == .alertCountdown)
    bench.perform(.disarm)
    #expect(bench.deliveries().isEmpty)
  }

  @Test func `a bench press of the account does not end a live one of an unclaimed keychain`() {
    var account = Self.another
    account.devices = [DeviceID.bench(1).text]
    var bench = Self.bench(account)
    bench.press(.press(1))
    bench.press(.press(1, device: .bench(1)))
    #expect(bench.incident?.id == EventRecord.press(1).incident)
    #expect(bench.incident?.presses.count == 2)
    #expect(bench.deliveries().isEmpty)
  }

  @Test func `R3, R21: a keychain shows that it can be claimed until it is, and again afterwards`()
  {
    var bench = Self.bench(Self.another)
    #expect(bench.shown[line]?.state == Self.unclaimed)
    #expect(bench.shown[Self.otherLine]?.state == .idle)
    for _ in 0..<2 {
      #expect(bench.change(.claim(keychain, email: nil)) == nil)
      #expect(bench.shown[line]?.state == .idle)
      #expect(bench.change(.disconnect(keychain), isProven: true) == nil)
      #expect(bench.shown[line]?.state == Self.unclaimed)
      #expect(bench.shown[Self.otherLine]?.state == .idle)
    }
    for _ in 0..<2 {
      #expect(bench.change(.logOut, isProven: true) == nil)
      #expect(bench.shown[Self.otherLine]?.state == Self.unclaimed)
      #expect(bench.change(.logIn, isProven: true) == nil)
      #expect(bench.shown[Self.otherLine]?.state == .idle)
    }
  }

  @Test func `R20, R21: a press after the log-out is unclaimed, one after the next log-in is told`()
  {
    var bench = Self.bench(Self.another)
    #expect(bench.change(.logOut, isProven: true) == nil)
    bench.press(.press(1, device: otherKeychain))
    #expect(bench.incident?.isUnclaimed == true && bench.deliveries().isEmpty)
    #expect(bench.change(.logIn, isProven: true) == nil)
    #expect(bench.deliveries().isEmpty)
    bench.press(.press(2, device: otherKeychain))
    #expect(bench.state == .emergencySent)
    #expect(bench.deliveries(.raise).count == 3)
  }

  @Test(arguments: UInt64(0)..<60)
  func `whoever presses whenever, every press is one entry, and is acked`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bench = Self.bench(Self.accounts[Int(seed) % 3])
    let devices = [keychain, otherKeychain, .bench(1)]
    var pressed: [EventRecord] = []
    for n: UInt32 in 1...60 {
      switch UInt8.random(in: 0..<10, using: &random) {
      case 0...3:
        let record = EventRecord.press(n, device: devices.randomElement(using: &random)!)
        pressed.append(record)
        bench.press(record)
      case 4: _ = bench.change(AccountPropertyTests.change(&random), isProven: true)
      case 5: _ = bench.change(.claim(devices.randomElement(using: &random)!, email: nil))
      case 6:
        let userCommands: [UserCommand] = [
          .disarm, .endUnowned, .silence, .resume, .acknowledge("contact-1"),
        ]
        bench.perform(userCommands.randomElement(using: &random)!)
      case 7:
        bench.restart(boot: bench.now.boot + UInt64(n % 2), down: .seconds(1))
        bench.hand(.linkUp(line, .from(keychain)))
        bench.hand(.linkUp(Self.otherLine, .from(otherKeychain)))
      default: bench.run(for: random.interval(upTo: .minutes(3)))
      }
    }
    for record in pressed {
      #expect(bench.isAcked(record), "seed \(seed)")
      #expect(bench.store.entries(of: record.identity) == 1, "seed \(seed)")
      #expect(bench.store.incidents(listing: record.identity).count == 1, "seed \(seed)")
    }
  }
}
