import Bench
import Testing

@Suite struct ResyncMeterTests {
  @Test func `the frame that was hit is passed over, the next one ends it`() {
    var meter = ResyncMeter(place: 30)
    meter.arrived(20, at: 1_000)
    meter.ended(isGood: true, before: 0)
    #expect(meter.resync == nil)
    meter.arrived(40, at: 2_000)
    meter.ended(isGood: false, before: 0)
    #expect(meter.resync == nil)
    meter.arrived(10, at: 2_700)
    meter.ended(isGood: true, before: 0)
    #expect(meter.resync == ResyncMeter.Resync(time: 700, bytes: 40))
    meter.arrived(10, at: 9_000)
    meter.ended(isGood: true, before: 0)
    #expect(meter.resync?.time == 700)
  }

  @Test func `a good frame in the same read leaves no time between`() {
    var meter = ResyncMeter(place: 5)
    meter.arrived(50, at: 1_000)
    meter.ended(isGood: false, before: 38)
    meter.ended(isGood: true, before: 0)
    #expect(meter.resync == ResyncMeter.Resync(time: 0, bytes: 12))
  }

  @Test func `what is kept back was struck before it came, and costs no byte`() {
    var meter = ResyncMeter(place: 0, pause: 200)
    meter.arrived(30, at: 5_000)
    meter.ended(isGood: true, before: 0)
    #expect(meter.resync == ResyncMeter.Resync(time: 200, bytes: 0))
  }

  @Test func `a trouble is well if each time was, and no press was lost or doubled`() {
    var report = RecoveryReport(seed: 1, repetitions: 2)
    report.rows = [RecoveryReport.Row("drop", times: [5, 9], bytes: [12, 40], of: 2)]
    #expect(report.isWell)
    #expect(report.rows[0].time?.largest == 9)
    report.lost = 1
    #expect(!report.isWell)
    report.lost = 0
    report.doubled = 1
    #expect(!report.isWell)
    report.doubled = 0
    report.rows.append(RecoveryReport.Row("replug", times: [5], of: 2))
    #expect(report.rows[1].unrecovered == 1)
    #expect(report.rows[1].bytes == nil)
    #expect(!report.isWell)
  }
}
