import AlertCore
import FobBase
import Testing
import WireProtocol

/// R39, G2: what a message says of the place, and of when.
struct PositionTests {
  @Test func `a press carries its place, as old as it was then`() {
    var bench = CoreBench(.sample(contacts: 1))
    let record = EventRecord.press(1).located(5, age: 2_000)
    bench.press(record, happenedAt: bench.now.instant - 60_000_000...bench.now.instant)
    let position = bench.deliveries(.raise).first?.notification.position
    #expect(position?.latitude == 5)
    #expect(position?.wall == bench.now.wall - 62_000_000)
  }

  /// R57.
  @Test func `a position that the account does not allow is kept and told nowhere`() {
    var account = Account.sample(contacts: 1)
    account.mayLocate = false
    var bench = CoreBench(account)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.position(line, .good(9)))
    bench.press(EventRecord.press(1).located(5, age: 0))
    bench.run(for: .seconds(6))
    bench.hand(.position(line, .good(10)))
    bench.perform(.acknowledge("contact-1"))
    bench.press(EventRecord.press(2).located(6, age: 0))
    bench.commitNotes()
    #expect(bench.deliveries.count == 2)
    #expect(bench.deliveries.allSatisfy { $0.notification.position == nil })
    #expect(bench.incident?.lastPosition == nil && bench.incident?.fixes == 0)
    #expect(bench.store.state.recent.allSatisfy { !$0.record.position.isKnown })
  }

  @Test func `leave that is taken back forgets the position that is known`() {
    var bench = CoreBench(.protecting)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.position(line, .good(9)))
    #expect(bench.change(.edit(.with(\.mayLocate, false)), isProven: true) == nil)
    let status = bench.core.status(at: bench.now)
    #expect(status.account.isProtecting, "falls still count")
    #expect(status.account.missingForProtection == ["leave to use positions"])
    #expect(
      status.warnings.contains(
        "positions are not used: contacts would not be told where you are"))
    bench.press(.press(1))
    #expect(bench.deliveries(.raise).first?.notification.position == nil)
  }

  @Test func `a resent press does not put an old place over a fresh one`() {
    for isReplayed in [true, false] {
      var bench = CoreBench(.sample(contacts: 1))
      bench.hand(.linkUp(line, .from(keychain)))
      bench.hand(.position(line, .good(9)))
      bench.run(for: .seconds(5))
      var record = EventRecord.press(1).located(5, age: isReplayed ? 0 : 60_000)
      if isReplayed { record.flags = .replayed }
      bench.press(record, happenedAt: nil)
      #expect(bench.deliveries(.raise).first?.notification.position?.latitude == 9)
    }
  }

  @Test func `a fix without a position changes nothing, nor does another device's`() {
    var bench = CoreBench(.sample(contacts: 1))
    let other = LinkID(rawValue: 1)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.linkUp(other, .from(otherKeychain)))
    bench.press(EventRecord.press(1).located(5, age: 0))
    bench.hand(.position(line, PositionFix()))
    bench.hand(.position(other, .good(8)))
    bench.run(for: .minutes(5))
    #expect(bench.deliveries(.again).first?.notification.position?.latitude == 5)
    bench.run(for: .seconds(10))
    bench.press(.press(1, device: otherKeychain))
    #expect(bench.deliveries(.update).first?.notification.position?.latitude == 8)
  }

  @Test func `a place that there is not is none`() {
    var bench = CoreBench(.sample(contacts: 1))
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.position(line, .good(.max)))
    bench.press(EventRecord.press(1).located(-900_000_001, age: 0))
    #expect(bench.deliveries(.raise).first?.notification.position == nil)
    bench.hand(.position(line, .good(900_000_000)))
    bench.press(.press(2))
    #expect(bench.deliveries(.update).first?.notification.position?.latitude == 900_000_000)
  }

  @Test func `of a keychain that is on two lines at once, no line says where it is`() {
    var bench = CoreBench(.sample(contacts: 1))
    let other = LinkID(rawValue: 1)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.linkUp(other, .from(keychain)))
    bench.hand(.position(other, .good(8)))
    bench.press(EventRecord.press(1).located(5, age: 8_000))
    #expect(bench.deliveries(.raise).first?.notification.position?.latitude == 5)
    bench.hand(.linkDown(other, reason: "unplugged"))
    #expect(bench.core.status(at: bench.now).links.first?.device == keychain.text)
    bench.hand(.position(line, .good(9)))
    bench.press(.press(2))
    #expect(bench.deliveries(.update).first?.notification.position?.latitude == 9)
  }
}
