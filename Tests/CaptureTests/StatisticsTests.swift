import Capture
import TestSupport
import Testing

@Suite struct StatisticsTests {
  @Test func `frames are counted by type and way, and gaps in seq are missing frames`() {
    var statistics = FrameStatistics()
    func heard(_ sequence: UInt16, _ direction: Direction = .toHost, _ device: String = "a") {
      let wire = Sample.wire(type: 2, sequence: sequence, payload: [UInt8](repeating: 0, count: 12))
      for description in Sample.described(wire: wire, direction: direction) {
        statistics.count(description, device: device)
      }
    }
    for sequence: UInt16 in [65_530, 65_533, 65_535, 0, 1, 5] { heard(sequence) }
    #expect(statistics.missing.toHost == 2 + 1 + 3)
    heard(900, .toDevice)
    heard(7, .toHost, "b")
    #expect(statistics.missing.sum == 6, "each line and way has its own numbers")
    heard(0)
    heard(1)
    heard(30_000)
    heard(29_999)
    #expect(statistics.missing.sum == 6, "a boot, and a boot that was not heard, lose nothing")
    #expect(statistics.frames.map(\.name) == ["TIME_REQ"])
    #expect(statistics.frames[0].count.toHost == 11 && statistics.frames[0].count.toDevice == 1)
  }

  @Test func `types stand in the order of the table, unknown ones last`() {
    var statistics = FrameStatistics()
    for type: UInt8 in [0x90, 0x81, 0x10, 0x01] {
      for description in Sample.described(wire: Sample.wire(head: 0x14, type: type)) {
        statistics.count(description, device: "a")
      }
    }
    #expect(statistics.frames.map(\.name) == ["HELLO", "EVENT", "NMEA_RAW", "0x90"])
    #expect(statistics.resent.toHost == 4)
  }
}
