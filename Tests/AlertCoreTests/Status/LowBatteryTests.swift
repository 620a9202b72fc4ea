import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// R34: under 20 per cent is told once a local day.
struct LowBatteryTests {
  private static let day = Interval.minutes(24 * 60)

  private static func linked() -> CoreBench {
    var bench = CoreBench()
    bench.hand(.linkUp(line, .from(keychain)))
    return bench
  }

  private static func drain(_ bench: inout CoreBench, _ percents: UInt8...) {
    for percent in percents {
      bench.hand(.heartbeat(line, .battery(percent)))
      bench.run(for: .seconds(10))
    }
  }

  private static func restart(_ bench: inout CoreBench, boot: UInt64? = nil, down: Interval) {
    bench.restart(boot: boot, down: down)
    bench.hand(.linkUp(line, .from(keychain)))
  }

  @Test func `R34: a drain to nothing and a hover round 20 are told once, below 20 only`() {
    var bench = Self.linked()
    for percent in (20...100).reversed() { Self.drain(&bench, UInt8(percent)) }
    Self.drain(&bench, 255)
    #expect(bench.happened(.batteryLow).isEmpty)
    for _ in 0..<20 { Self.drain(&bench, 19, 21) }
    for percent in (0...19).reversed() { Self.drain(&bench, UInt8(percent)) }
    #expect(bench.happened(.batteryLow).map(\.detail) == ["19 %"])
    #expect(bench.happened(.batteryLow).map(\.device) == [keychain.text])
    #expect(bench.store.log.filter { $0.name == .batteryLow }.count == 1)
  }

  @Test func `R34: each keychain is told of by itself`() {
    var bench = Self.linked()
    let other = LinkID(rawValue: 1)
    bench.hand(.linkUp(other, .from(otherKeychain)))
    Self.drain(&bench, 10)
    bench.hand(.heartbeat(other, .battery(10)))
    bench.hand(.heartbeat(other, .battery(9)))
    #expect(bench.happened(.batteryLow).map(\.device) == [keychain.text, otherKeychain.text])
  }

  @Test(arguments: [0, 330, -480, 840, -720])
  func `R34: the day begins at the zone's midnight`(_ offset: Int64) {
    var bench = Self.linked()
    bench.hand(.zoneTable(ZoneTable(first: Int32(offset * 60))))
    Self.drain(&bench, 10)
    let local = bench.now.wall + offset * 60_000_000
    let left = Self.day.microseconds - local % Self.day.microseconds
    bench.run(for: .microseconds(left - 1))
    bench.hand(.heartbeat(line, .battery(9)))
    #expect(bench.happened(.batteryLow).count == 1)
    bench.run(for: .microseconds(1))
    bench.hand(.heartbeat(line, .battery(8)))
    bench.hand(.heartbeat(line, .battery(7)))
    #expect(bench.happened(.batteryLow).map(\.detail) == ["10 %", "8 %"])
  }

  @Test func `R34: a restart and a clock that is set back are no new day`() {
    var bench = Self.linked()
    Self.drain(&bench, 10)
    Self.restart(&bench, down: .zero)
    Self.drain(&bench, 10)
    Self.restart(&bench, boot: 2, down: .minutes(-17 * 60))
    Self.drain(&bench, 10)
    #expect(bench.happened(.batteryLow).count == 1)
    bench.run(for: .minutes(17 * 60))
    Self.drain(&bench, 10)
    #expect(bench.happened(.batteryLow).count == 1, "that day again")
    bench.run(for: Self.day)
    Self.drain(&bench, 10)
    #expect(bench.happened(.batteryLow).count == 2)
  }

  @Test func `R34: a day that the clock reached by mistake does not keep the right ones quiet`() {
    var bench = Self.linked()
    Self.restart(&bench, boot: 2, down: .minutes(400 * 24 * 60))
    Self.drain(&bench, 10)
    Self.restart(&bench, boot: 3, down: .minutes(-400 * 24 * 60))
    Self.drain(&bench, 10, 9)
    bench.run(for: Self.day)
    Self.drain(&bench, 10, 9)
    #expect(bench.happened(.batteryLow).count == 3)
  }

  @Test(arguments: UInt64(0)..<60)
  func `R34: exactly once on each local day on which it was low`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bench = Self.linked()
    let hours = Int64.random(in: -12...14, using: &random)
    let offset = hours * 3_600_000_000
    let zone = ZoneTable(first: Int32(hours * 3_600))
    bench.hand(.zoneTable(zone))
    var lowDays: Set<Int64> = []
    for _ in 0..<150 {
      let percent = UInt8.random(in: 15...25, using: &random)
      bench.hand(.heartbeat(line, .battery(percent)))
      if percent < 20 { lowDays.insert((bench.now.wall + offset) / Self.day.microseconds) }
      bench.run(for: random.interval(upTo: .minutes(Int64(10 + seed * 4))))
      if UInt8.random(in: 0..<20, using: &random) == 0 {
        Self.restart(&bench, boot: seed % 2 == 0 ? bench.now.boot + 1 : nil, down: .minutes(3))
        bench.hand(.zoneTable(zone))
      }
    }
    let told = bench.happened(.batteryLow).map { ($0.at.wall + offset) / Self.day.microseconds }
    #expect(told == lowDays.sorted())
  }

  @Test func `R34: the day begins at midnight also after the clocks have changed`() {
    var bench = Self.linked()
    let hour: Int64 = 3_600_000_000
    // An hour is gone from tomorrow on, so the day after begins an hour earlier.
    let tomorrow = (bench.now.wall / Self.day.microseconds + 1) * Self.day.microseconds
    bench.hand(
      .zoneTable(
        ZoneTable(
          first: 0, transitions: [.init(at: tomorrow / 1_000_000 + 3_600, offset: 3_600)])))
    bench.run(for: .microseconds(tomorrow - bench.now.wall + 2 * hour))
    bench.hand(.heartbeat(line, .battery(9)))
    #expect(bench.happened(.batteryLow).count == 1)
    bench.run(for: .microseconds(20 * hour + hour / 2))
    bench.hand(.heartbeat(line, .battery(9)))
    #expect(bench.happened(.batteryLow).count == 1)
    bench.run(for: .microseconds(hour))
    bench.hand(.heartbeat(line, .battery(9)))
    #expect(bench.happened(.batteryLow).count == 2)
  }
}
