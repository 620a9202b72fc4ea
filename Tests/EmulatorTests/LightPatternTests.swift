import Emulator
import Testing
import WireProtocol

/// What is told of the light's patterns (PROTOCOL.md, 7.3); that they are right, the firmware's
/// tests prove.
struct LightPatternTests {
  @Test func `a pattern has its steps in milliseconds, and says whether it begins again`() {
    let idle = LightPattern(of: .idle)
    #expect(idle.steps.map(\.on) == [true, false] && idle.steps.map(\.ms) == [30, 4_970])
    #expect(idle.repeats)
    let acknowledged = LightPattern(of: .acknowledged)
    #expect(acknowledged.steps.map(\.on) == [true] && acknowledged.steps.map(\.ms) == [0])
    #expect(!acknowledged.repeats && !LightPattern(of: .off).repeats)
    #expect(LightPattern(of: .breathing).steps.reduce(0) { $0 + $1.ms } == 16_000)
  }

  @Test func `where a pattern depends on the detail, each detail from which it is another is told`()
  {
    #expect(LightPattern.thresholds(of: .countdown) == [61, 21, 0])
    #expect(LightPattern.thresholds(of: .due) == [9, 8, 7, 6, 5, 4, 3, 2, 0])
    for state in (UInt8.min...UInt8.max).compactMap(ShownState.init(rawValue:))
    where state != .countdown && state != .due {
      #expect(LightPattern.thresholds(of: state) == [0], "\(state)")
    }
  }
}
