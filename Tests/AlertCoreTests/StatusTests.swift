import AlertCore
import FobBase
import Testing
import WireProtocol

/// What is true now, for whoever asks.
struct StatusTests {
  private func beat(battery: UInt8) -> Heartbeat {
    var beat = Heartbeat()
    beat.batteryPercent = battery
    return beat
  }

  @Test func `linked keychains are listed by their ids, until their line goes`() {
    var bench = CoreBench()
    let other = LinkID(rawValue: 7)
    bench.hand(.linkUp(other, .from(otherKeychain)))
    bench.hand(.linkUp(line, .from(keychain)))
    #expect(
      bench.core.status(at: bench.now).links.map(\.device)
        == ["0000000000000b0b", "0000000000000c0c"])
    bench.hand(.linkDown(other, reason: "test"))
    #expect(bench.core.status(at: bench.now).links.map(\.device) == ["0000000000000b0b"])
  }

  @Test func `a heartbeat says how full the battery is, and that the keychain was heard`() {
    var bench = CoreBench()
    bench.hand(.linkUp(line, .from(keychain)))
    let linked = bench.now
    #expect(bench.core.status(at: linked).links.map(\.batteryPercent) == [nil])
    bench.run(for: .seconds(1))
    bench.hand(.heartbeat(line, beat(battery: 40)))
    bench.run(for: .seconds(1))
    let link = bench.core.status(at: bench.now).links.first
    #expect(link?.batteryPercent == 40)
    #expect(link?.heardAt == linked + .seconds(1))
  }

  @Test func `a battery of 255 per cent is not known`() {
    var bench = CoreBench()
    bench.hand(.linkUp(line, .from(keychain)))
    for percent: UInt8 in [0, 100, 255] {
      bench.hand(.heartbeat(line, beat(battery: percent)))
      #expect(
        bench.core.status(at: bench.now).links.map(\.batteryPercent)
          == [percent == 255 ? nil : percent])
    }
  }

  @Test func `a heartbeat of a line without a keychain adds none, and one line's is not another's`()
  {
    var bench = CoreBench()
    bench.hand(.heartbeat(line, beat(battery: 40)))
    #expect(bench.core.status(at: bench.now).links.isEmpty)
    bench.hand(.linkUp(line, .from(keychain)))
    bench.hand(.heartbeat(LinkID(rawValue: 7), beat(battery: 40)))
    #expect(bench.core.status(at: bench.now).links.map(\.batteryPercent) == [nil])
  }

  @Test func `a press is uncommitted until the store has it`() {
    var bench = CoreBench()
    #expect(!bench.core.hasUncommitted)
    bench.storeBehaviour = .failsAtOnce
    bench.press(.press(1))
    #expect(bench.core.hasUncommitted)
    bench.storeBehaviour = .commitsAtOnce
    bench.run(for: .seconds(5))
    #expect(!bench.core.hasUncommitted)
  }
}
