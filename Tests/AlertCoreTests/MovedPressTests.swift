import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore

/// A claim in mid-alarm: the open press goes to the account that claims its keychain.
@Suite struct MovedPressTests {
  static let holders: [Account] = [.none, listed([otherKeychain]), .sample()]

  private static func listed(_ devices: [DeviceID]) -> Account {
    var account = Account.sample()
    account.devices = devices.map(\.text)
    return account
  }

  private static func bench(_ holder: Account, _ policy: Policy = Policy()) -> MoveBench {
    MoveBench(of: holder, claimedBy: listed([]), policy)
  }

  @Test(arguments: holders)
  func `who claims goes on with the alarm, and the account before is out of it`(_ holder: Account) {
    var bench = Self.bench(holder)
    bench.first.press(.press(1))
    bench.first.press(.press(2))
    #expect(bench.claim() == nil)
    #expect(bench.first.state == .emergencyEnded && bench.first.incident?.endReason == .moved)
    #expect(bench.owner.state == .emergencySent && bench.owner.incident?.isUnclaimed == false)
    #expect(bench.owner.incident?.presses.map(\.event) == ["1.1", "1.2"])
    #expect(bench.owner.incident?.openedAt == bench.first.incident?.openedAt)
    #expect(bench.owner.incident?.id != bench.first.incident?.id, "their messages differ")
    #expect(bench.owner.deliveries(.raise).count == 2)
    // Who was told before hears that the alarm goes on elsewhere, and nobody else hears anything.
    let told = bench.first.deliveries(.raise).map(\.notification.contact)
    let closed = bench.first.deliveries(.closing).map(\.notification)
    #expect(closed.map(\.contact) == told && closed.allSatisfy { $0.endReason == .moved })
    #expect(told.count == (holder.exists && holder.devices == nil ? 2 : 0))
  }

  @Test func `a countdown that has begun goes on, and who claims can cancel it`() {
    var bench = Self.bench(.sample(), .withCountdown)
    bench.first.press(.press(1))
    bench.run(for: .seconds(50))
    #expect(bench.claim() == nil)
    #expect(bench.first.incident?.endReason == .moved && bench.first.deliveries().isEmpty)
    #expect(bench.owner.state == .alertCountdown)
    bench.run(for: .seconds(69))
    #expect(bench.owner.deliveries().isEmpty)
    bench.run(for: .seconds(2))
    #expect(bench.owner.deliveries(.raise).count == 2 && bench.first.deliveries().isEmpty)
  }

  @Test func `an alarm of another keychain's press, too, goes on without the one that moves`() {
    var bench = Self.bench(.sample())
    bench.first.press(.press(1))
    bench.first.press(.press(1, device: otherKeychain))
    bench.first.press(.press(2))
    #expect(bench.claim() == nil)
    #expect(bench.first.state == .emergencySent && bench.first.deliveries(.closing).isEmpty)
    #expect(bench.first.incident?.presses.map(\.device) == [otherKeychain.text])
    #expect(bench.first.incident?.device == otherKeychain.rawValue)
    #expect(bench.owner.incident?.presses.map(\.event) == ["1.1", "1.2"])
    #expect(bench.first.answer(to: .disarm)?.refusal == nil)
    #expect(bench.owner.state == .emergencySent, "the end of one is not the other's")
    let closings = bench.first.deliveries(.closing).map(\.notification)
    #expect(!closings.isEmpty && closings.allSatisfy { $0.handovers == 1 }, "nor says it so")
  }

  @Test(arguments: [true, false])
  func `of presses that are not told yet those that move are told by their owner alone`(
    _ hasOther: Bool
  ) {
    var bench = Self.bench(.sample())
    bench.first.press(.press(1, device: otherKeychain))
    bench.run(for: .seconds(1))
    bench.first.press(.press(1))
    if hasOther { bench.first.press(.press(2, device: otherKeychain)) }
    #expect(bench.first.deliveries(.update).isEmpty && bench.first.incident?.owesUpdate == true)
    #expect(bench.claim() == nil)
    bench.run(for: .minutes(2))
    #expect(bench.owner.deliveries(.raise).count == 2)
    #expect(bench.first.deliveries(.update).count == (hasOther ? 2 : 0))
  }

  @Test func `of presses of several keychains that all move none is told where they were`() {
    var bench = Self.bench(.sample())
    let third = DeviceID(rawValue: 0x0D0D)
    bench.first.press(.press(1, device: third))
    bench.run(for: .seconds(1))
    for device in [keychain, otherKeychain] { bench.first.press(.press(1, device: device)) }
    #expect(bench.claim() == nil && bench.first.incident?.owesUpdate == true)
    bench.first.hand(.movedAway(otherKeychain, MoveID(rawValue: 9)))
    #expect(bench.first.incident?.owesUpdate == false && bench.first.incident?.handovers == 2)
    #expect(bench.first.incident?.presses.map(\.device) == [third.text])
  }

  @Test func `the alarm of a fall is that of its keychain again once the one that pressed is gone`()
  {
    var holder = Account.protecting
    holder.devices = nil
    var bench = Self.bench(holder)
    for (device, latitude) in [(keychain, Int32(9)), (otherKeychain, 5)] {
      bench.first.hand(.position(LinkID(rawValue: Int(device.rawValue)), .good(latitude)))
    }
    bench.first.perform(.trigger(Trigger(source: .fall, device: otherKeychain, key: "1")))
    bench.first.press(.press(1))
    #expect(bench.first.incident?.lastPosition?.latitude == 9)
    #expect(bench.claim() == nil)
    #expect(bench.first.incident?.device == otherKeychain.rawValue)
    #expect(bench.first.incident?.lastPosition?.latitude == 5)
    bench.run(for: .minutes(30))
    let told = bench.first.deliveries(.again).map(\.notification)
    #expect(!told.isEmpty && told.allSatisfy { $0.pressedAt == nil && $0.position?.latitude == 5 })
  }

  @Test func `a press that moves after a restart still says where it was`() {
    var bench = Self.bench(.sample())
    bench.first.press(EventRecord.press(1).located(5, age: 2_000))
    let pressed = bench.first.now.wall
    bench.first.press(EventRecord.press(1, device: otherKeychain).located(9, age: 0))
    bench.run(for: .minutes(1))
    bench.first.restart()
    #expect(bench.claim() == nil)
    let position = bench.owner.deliveries(.raise).first?.notification.position
    #expect(position?.latitude == 5 && position?.wall == pressed - 2_000_000)
  }

  @Test func `a press that still comes to the account before is told by the owner`() {
    var bench = Self.bench(.sample())
    bench.first.press(.press(1))
    #expect(bench.claim() == nil)
    bench.owner.perform(.acknowledge("contact-1"))
    bench.first.press(.press(2))
    bench.move()
    #expect(bench.first.incident?.endReason == .moved)
    #expect(bench.owner.incident?.presses.map(\.event) == ["1.1", "1.2"])
    #expect(bench.owner.incident?.isAcknowledged == false)
    #expect(bench.owner.deliveries(.update).count == 2)
  }

  @Test func `a press that its keychain has said to both is one`() {
    var bench = Self.bench(.sample())
    bench.first.press(.press(1))
    #expect(bench.claim() == nil)
    bench.first.press(.press(2))
    bench.owner.press(.press(2))
    bench.move()
    #expect(bench.owner.incident?.presses.map(\.event) == ["1.1", "1.2"])
  }

  @Test func `of an alarm of two keychains nothing is left where both are claimed`() {
    var bench = Self.bench(.sample())
    bench.first.press(.press(1))
    bench.first.press(.press(1, device: otherKeychain))
    #expect(bench.claim() == nil)
    let rest = bench.first.core.openPresses(of: otherKeychain, for: MoveID(rawValue: 9))
    #expect(rest?.entries.count == 1)
    bench.first.hand(.movedAway(otherKeychain, MoveID(rawValue: 9)))
    #expect(bench.first.incident?.endReason == .moved)
  }

  /// An alarm of the first account's own comes between the press and its move.
  @Test(arguments: [true, false])
  func `a press of nobody's that an owner's alarm follows still moves to who claims`(
    _ isPressed: Bool
  ) {
    for isRestarted in [false, true] { follow(isPressed, isRestarted) }
  }

  private func follow(_ isPressed: Bool, _ isRestarted: Bool) {
    var holder = Account.protecting
    holder.devices = [otherKeychain.text]
    var bench = Self.bench(holder)
    bench.first.press(.press(1))
    bench.first.press(.press(2))
    if isPressed {
      bench.first.press(.press(1, device: otherKeychain))
    } else {
      bench.first.perform(.trigger(Trigger(source: .fall, device: otherKeychain, key: "1")))
    }
    if isRestarted { bench.first.restart() }
    let before = bench.first.incident
    #expect(before?.isUnclaimed == false && before?.device == otherKeychain.rawValue)
    #expect(bench.claim() == nil)
    #expect(bench.owner.incident?.presses.map(\.event) == ["1.1", "1.2"])
    #expect(bench.owner.deliveries(.raise).count == 2)
    #expect(bench.first.incident?.id == before?.id && bench.first.core.hasOpen)
    #expect(bench.first.incident?.presses.map(\.device) == (isPressed ? [otherKeychain.text] : []))
    #expect(bench.first.incident?.furtherAlarms == before?.furtherAlarms)
    #expect(bench.first.incident?.isOfSeveralKeychains == false)
    bench.first.restart()
    #expect(!bench.first.core.keychainsWithOpenPresses.contains(keychain), "it has moved")
  }

  @Test(arguments: holders)
  func `until its line is the owner's a keychain whose press moves shows that it is being sent`(
    _ holder: Account
  ) {
    var bench = Self.bench(holder)
    let line = LinkID(rawValue: Int(keychain.rawValue))
    bench.first.press(.press(1))
    bench.beginClaim()
    #expect(bench.first.shown[line]?.state == .sending && bench.first.shown[line]?.sounder == true)
    bench.first.hand(.linkDown(line, reason: "unplugged"))
    bench.first.hand(.linkUp(line, .from(keychain)))
    #expect(bench.first.shown[line]?.state == .sending)
    bench.wakeStores()
    bench.run(for: .seconds(10))
    #expect(bench.first.shown[line]?.state == .sending)
    // It is the owner's, who gives the keychain up later.
    bench.first.hand(.linkDown(line, reason: "its keychain is not this account's now"))
    bench.first.hand(.linkUp(line, .from(keychain)))
    let isHolders = holder.exists && holder.devices == nil
    #expect(bench.first.shown[line]?.state == (isHolders ? .ended : .unclaimed))
  }

  @Test func `of each keychain one press is listed, so that it moves, however many are pressed`() {
    var bench = Self.bench(.none, .ofManyLines)
    for n in 1...UInt32(Limits.incidentPresses) {
      bench.first.press(.press(n, device: otherKeychain))
    }
    for n: UInt32 in 1...3 { bench.first.press(.press(n)) }
    #expect(bench.first.incident?.presses.count == Limits.incidentPresses + 1)
    #expect(bench.first.incident?.furtherPresses == 2)
    #expect(bench.claim() == nil)
    #expect(bench.owner.incident?.presses.map(\.event) == ["1.1"])
    for serial in 1...UInt32(Limits.devices + 1) {
      bench.first.press(.press(1, device: .bench(1_000_000 + serial)))
    }
    #expect(bench.first.incident?.presses.count == Limits.incidentEntries)
    #expect(bench.first.incident?.furtherPresses == 3)
  }

  @Test func `an account that heard the press itself, as nobody's, is alarmed by its own claim`() {
    var bench = CoreBench(Self.listed([otherKeychain]))
    bench.press(.press(1))
    #expect(bench.incident?.isUnclaimed == true)
    let moved = bench.core.unclaimedPresses(of: keychain)
    #expect(bench.change(.claim(keychain, email: nil, moved: moved)) == nil)
    #expect(bench.store.incidents.values.filter(\.isUnclaimed).map(\.endReason) == [.moved])
    #expect(bench.state == .emergencySent && bench.incident?.presses.map(\.event) == ["1.1"])
    #expect(bench.deliveries(.raise).count == 2 && bench.deliveries(.closing).isEmpty)
    bench.press(.press(1))
    #expect(bench.deliveries(.update).isEmpty)
    #expect(bench.core.unclaimedPresses(of: keychain) == nil)
  }

  @Test func `who claims once more in the alarm hears that nothing has changed`() {
    var bench = Self.bench(.sample())
    bench.first.press(.press(1))
    #expect([bench.claim(), bench.claim()] == [nil, .unchanged])
    #expect(bench.owner.incident?.presses.count == 1 && bench.owner.deliveries.count == 2)
    let other = AccountChange.claim(otherKeychain, email: nil)
    #expect(bench.owner.change(other, isProven: true) == .locked)
  }

  @Test func `a claim that is refused moves nothing`() {
    var bench = Self.bench(.sample())
    bench.first.press(.press(1))
    #expect(bench.owner.change(.logOut, isProven: true) == nil)
    #expect(bench.claim() == .notLoggedIn)
    #expect(bench.first.state == .emergencySent && bench.owner.state == .noEmergency)
  }

  /// Whatever the alarm's state, whether the store fails meanwhile, and whenever the host dies.
  @Test(arguments: 0..<UInt64(Soak.isOn ? 4_000 : 150))
  func `a claim moves every press whole or not at all, and none is lost or told anew`(
    _ seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let holder = Self.holders[Int(seed % 3)]
    var bench = Self.bench(holder, Bool.random(using: &random) ? .withCountdown : Policy())
    var presses = bench.live(&random)
    // The last press is durable only with the move.
    let hasLast = Bool.random(using: &random)
    if hasLast {
      bench.first.storeBehaviour = .silent
      bench.first.press(.press(99))
      presses.append(.press(99))
    }
    var open = bench.first.core.openPresses(of: keychain, for: MoveID(rawValue: 0))?.entries ?? []
    let listed = bench.first.core.openPresses
    let others = bench.first.core.keychainsWithOpenPresses.filter { $0 != keychain }
    let triggered = bench.first.incident?.trigger != nil
    bench.beginClaim()
    switch UInt8.random(in: 0..<4, using: &random) {
    case 0:
      bench.crash(isDurable: false)
      #expect(bench.owner.state == .noEmergency && bench.owner.core.account.devices == [])
      if !hasLast {
        #expect(bench.first.core.openPresses == listed, "seed \(seed)")
      }
      for press in presses { bench.first.press(press) }
      open = bench.first.core.openPresses(of: keychain, for: MoveID(rawValue: 0))?.entries ?? []
      _ = bench.claim()
    case 1:
      if hasLast { bench.wakeStores() }
      bench.crash(isDurable: true)
    case 2:
      bench.failStores()
      bench.run(for: .milliseconds(300))
      bench.healStores()
    default: bench.wakeStores()
    }
    bench.run(for: .minutes(3))
    #expect(bench.owner.core.account.devices == [keychain.text], "seed \(seed)")
    let moved = bench.owner.incident?.presses.map(\.event) ?? []
    if !open.isEmpty {
      #expect(Set(moved) == Set(open.map(\.event)) && moved.count == open.count, "seed \(seed)")
      #expect(bench.owner.core.hasOpen && bench.owner.deliveries(.raise).count >= 2, "seed \(seed)")
      #expect(!bench.first.core.keychainsWithOpenPresses.contains(keychain), "seed \(seed)")
      if !others.isEmpty { #expect(bench.first.core.hasOpen, "seed \(seed)") }
      if others.isEmpty, !triggered { #expect(!bench.first.core.hasOpen, "seed \(seed)") }
    }
    // Its acks were lost: the keychain says everything again, to its owner now.
    let told = bench.owner.deliveries(.update).count
    bench.owner.elsewhere = bench.first.store.acks
    for press in presses { bench.owner.press(press) }
    #expect(presses.allSatisfy { bench.owner.isAcked($0) }, "seed \(seed)")
    #expect(bench.owner.deliveries(.update).count == told, "seed \(seed)")
    #expect((bench.owner.incident?.presses.map(\.event) ?? []) == moved, "seed \(seed)")
    if let ended = bench.first.incident, ended.endReason == .moved {
      let closings = bench.first.deliveries(.closing).map(\.notification)
      #expect(
        closings.allSatisfy { $0.incident != ended.id || $0.endReason == .moved }, "seed \(seed)")
    }
  }
}
