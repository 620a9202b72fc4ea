import Bench
import Testing

struct LatencySampleTests {
  @Test func `the stages that follow each other add up to the whole`() {
    var sample = LatencySample()
    (sample.edge, sample.stored, sample.written, sample.read) = (10, 20_010, 20_050, 20_090)
    (sample.decided, sample.durable, sample.acked, sample.lit) = (20_110, 20_400, 20_500, 20_600)
    let sum = LatencyStage.inOrder.compactMap { sample.duration(of: $0) }.reduce(0, +)
    #expect(sum == sample.duration(of: .pressToLED))
  }

  @Test func `a stage without one of its stamps has no duration`() {
    var sample = LatencySample()
    sample.read = 5
    for stage in LatencyStage.allCases { #expect(sample.duration(of: stage) == nil) }
  }
}
