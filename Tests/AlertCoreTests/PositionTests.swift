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
