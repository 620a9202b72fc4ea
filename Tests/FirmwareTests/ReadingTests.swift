import FobBase
import Testing
import WireProtocol

@testable import Firmware

struct BatteryTests {
  private func run(_ bench: Bench, percent: UInt8, seconds: Int64 = 1) {
    bench.board.millivolts = BatteryGauge.millivolts(percent: percent)
    bench.run(ms: seconds * 1_000)
  }

  private func events(_ bench: Bench) -> [EventKind] {
    let kinds: [EventKind] = [.batteryLow, .batteryCritical, .batteryRecovered]
    return bench.sent.filter { !$0.head.isResent }.compactMap(\.event?.identity.kind)
      .filter { kinds.contains($0) }
  }

  @Test func `each per cent can be shown by a voltage`() {
    for percent in UInt8(0)...100 {
      #expect(BatteryGauge.percent(BatteryGauge.millivolts(percent: percent)) == percent)
    }
    #expect(BatteryGauge.percent(0) == 0 && BatteryGauge.percent(.max) == 100)
  }

  @Test func `a battery that hovers about 20 per cent is low once`() {
    let bench = Bench(acks: { _ in true })
    for percent in [UInt8(21), 20, 19, 20, 21, 20, 21, 19, 21] { run(bench, percent: percent) }
    #expect(events(bench) == [.batteryLow])
    run(bench, percent: 22)
    #expect(events(bench) == [.batteryLow, .batteryRecovered])
  }

  @Test func `low, critical and back`() {
    let bench = Bench(acks: { _ in true })
    for percent in [UInt8(20), 6, 5, 6, 7, 21, 22] { run(bench, percent: percent) }
    #expect(events(bench) == [.batteryLow, .batteryCritical, .batteryRecovered, .batteryRecovered])
  }

  @Test func `from normal to critical is one event, and back at once another`() {
    let bench = Bench(acks: { _ in true })
    for percent in [UInt8(50), 3, 90] { run(bench, percent: percent) }
    #expect(events(bench) == [.batteryCritical, .batteryRecovered])
  }

  @Test func `an event says the battery of its time`() {
    let bench = Bench(acks: { _ in true })
    run(bench, percent: 64)
    bench.press()
    let press = bench.sent.events(.pressed).first
    #expect(press?.batteryPercent == 64)
    #expect(press?.millivolts == BatteryGauge.millivolts(percent: 64))
  }

  @Test func `BATTERY is said each 60 s and at each change of level`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 121_500)
    let beats = bench.sent.filter { $0.type == .battery }
    #expect(beats.map { $0.at.microseconds / 1_000_000 } == [1, 61, 121])
    _ = bench.take()
    run(bench, percent: 19, seconds: 3)
    #expect(bench.take().all(BatteryReading.self).map(\.level) == [.low])
  }
}

/// A board without a battery or without a receiver.
struct MissingPartsTests {
  private func capabilities(_ bench: Bench) -> UInt32? {
    bench.hello(session: 5)
    bench.run(ms: 10)
    return bench.sent.all(Hello.self).last?.capabilities
  }

  private func bench(_ board: BenchBoard) -> Bench {
    Bench(
      .powerOn,
      {
        $0.millivolts = board.millivolts
        $0.hasBattery = board.hasBattery
        $0.hasGPS = board.hasGPS
      }, acks: { _ in true })
  }

  @Test func `a board without a battery tells no level and no change of it, and says so`() {
    var board = BenchBoard()
    board.hasBattery = false
    let bench = bench(board)
    bench.run(ms: 61_500)
    bench.press()
    #expect(capabilities(bench) == Hello.seals | Hello.hasNoBattery)
    #expect(bench.sent.filter { $0.type == .battery }.isEmpty)
    #expect(bench.sent.compactMap(\.event?.identity.kind) == [.booted, .pressed, .released])
    let beats = bench.sent.all(Heartbeat.self)
    #expect(beats.count > 60)
    #expect(beats.allSatisfy { $0.batteryPercent == 255 && $0.millivolts == 0 })
    let press = bench.sent.events(.pressed).first
    #expect(press?.batteryPercent == 255 && press?.millivolts == 0)
  }

  @Test func `a battery that reads 0 mV is an empty one, and no missing one`() {
    var board = BenchBoard()
    board.millivolts = 0
    let bench = bench(board)
    bench.run(ms: 1_500)
    #expect(capabilities(bench) == Hello.seals)
    #expect(bench.sent.events(.batteryCritical).count == 1)
  }

  @Test func `a board without a receiver says so, and its press carries no position`() {
    var board = BenchBoard()
    board.hasGPS = false
    let bench = bench(board)
    bench.press()
    #expect(capabilities(bench) == Hello.seals | Hello.hasNoGPS)
    #expect(bench.sent.all(PositionFix.self).isEmpty)
    #expect(bench.sent.events(.pressed).first?.position == EventPosition())
  }
}

struct PositionTests {
  private func sentence(_ body: String) -> [UInt8] {
    let sum = body.utf8.reduce(0 as UInt8, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    return Array("$\(body)*".utf8) + [digits[Int(sum >> 4)], digits[Int(sum & 15)], 13, 10]
  }

  private func gga(_ quality: String, satellites: String = "08") -> [UInt8] {
    sentence(
      "GPGGA,093000.00,1030.0000,N,02015.0000,E,\(quality),\(satellites),1.0,12.5,M,45.0,M,,")
  }

  @Test func `a fix is sent, and stands in the next event with its age`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 1_500)
    bench.board.gps = gga("1")
    bench.run(ms: 1)
    let fix = bench.sent.all(PositionFix.self).last
    #expect(fix?.quality == .good && fix?.clock == 1_500_000)
    #expect(fix?.latitude == 105_000_000 && fix?.longitude == 202_500_000)
    #expect(fix?.altitude == 1_250 && fix?.satellites == 8)
    bench.run(ms: 1_000)
    bench.press()
    let position = bench.sent.events(.pressed).first?.position
    #expect(position?.latitude == 105_000_000 && position?.longitude == 202_500_000)
    #expect(position?.quality == .good && position?.satellites == 8)
    #expect(abs(Int64(position?.age ?? 0) - 1_016) <= 1)
  }

  @Test func `without a fix an event is not delayed and says so`() {
    let bench = Bench(acks: { _ in true })
    bench.board.gps = gga("0", satellites: "00")
    bench.press()
    let position = bench.sent.events(.pressed).first?.position
    #expect(position == EventPosition() && position?.isKnown == false)
    #expect(bench.sent.all(PositionFix.self).map(\.quality) == [.none])
  }

  /// R32: a host tells a receiver that searches from one that is off.
  @Test func `a receiver without a fix is told at its first sentence and each 10 s, while heard`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 5_000)
    #expect(bench.sent.all(PositionFix.self).isEmpty, "it is off")
    for _ in 0..<25 {
      bench.board.gps = gga("0", satellites: "00")
      bench.run(ms: 1_000)
    }
    let told = bench.sent.all(PositionFix.self)
    #expect(told.map(\.quality) == [.none, .none, .none])
    #expect(told.map { $0.clock / 1_000_000 } == [5, 15, 25])
    bench.board.gps = gga("1")
    bench.run(ms: 1)
    #expect(bench.sent.all(PositionFix.self).last?.quality == .good, "a fix is told at once")
    for _ in 0..<12 {
      bench.board.gps = gga("0", satellites: "00")
      bench.run(ms: 1_000)
    }
    #expect(bench.sent.all(PositionFix.self).dropFirst(4).map(\.quality) == [.none, .none])
    bench.run(ms: 60_000)
    #expect(bench.sent.all(PositionFix.self).count == 6, "it is off again")
  }

  @Test func `a fix that grows stale loses its quality and keeps its place`() {
    let bench = Bench(acks: { _ in true })
    bench.board.gps = gga("1")
    bench.run(ms: 7_000)
    let fixes = bench.sent.all(PositionFix.self)
    #expect(fixes.map(\.quality) == [.good, .none])
    #expect(fixes.last?.latitude == 105_000_000)
    bench.press()
    let position = bench.sent.events(.pressed).first?.position
    #expect(position?.quality == PositionQuality.none && position?.isKnown == true)
    #expect(position?.latitude == 105_000_000)
  }

  @Test func `fixes are sent at most once a second, a change of quality at once`() {
    let bench = Bench(acks: { _ in true })
    for _ in 0..<30 {
      bench.board.gps = gga("1")
      bench.run(ms: 100)
    }
    #expect(bench.sent.all(PositionFix.self).count == 3)
    bench.run(ms: 10)
    bench.board.gps = gga("1", satellites: "03")
    bench.run(ms: 1)
    #expect(bench.sent.all(PositionFix.self).last?.quality == .weak)
  }

  @Test(arguments: [Int64(-5), 0, 1, 999, 1_024, 60_000, 86_400_000, 3_000_000_000])
  func `ages are milliseconds without a 64-bit division`(_ ms: Int64) {
    let age = Int64(Keychain.milliseconds(.milliseconds(ms)))
    #expect(abs(age - max(0, ms)) <= 2)
  }
}
