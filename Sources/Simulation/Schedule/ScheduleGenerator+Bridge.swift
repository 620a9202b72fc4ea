import Emulator
import FobBase

/// What happens between a bridge and its core.
extension ScheduleGenerator {
  /// - Parameter times: of all else that happens: most of it is near to one of them.
  func bridge(
    near times: [Instant], _ random: inout SplitMix64
  ) -> [(at: Instant, action: FaultAction)] {
    let lots = Fault.allCases.filter(\.isOfBridge).lots
    let end = setting.calmFrom.microseconds
    return (0..<Int.random(in: 2...12, using: &random)).map { _ in
      let crowd = times.randomElement(using: &random)?.microseconds ?? 0
      let at =
        Int.random(in: 0..<4, using: &random) == 0
        ? Int64.random(in: 0..<end, using: &random)
        : max(0, crowd + (Bool.random(using: &random) ? 1 : -1) * short(2_000_000, &random))
      return (
        at: Instant(microseconds: min(at, end - 1)),
        action: action(lots.randomElement(using: &random)!, &random)
      )
    }
  }

  private func action(_ fault: Fault, _ random: inout SplitMix64) -> FaultAction {
    switch fault {
    case .feedSlow: .feed(.slow, for: span(20_000_000, &random))
    case .batchLost: .feed(.losesBatches, for: span(40_000_000, &random))
    case .batchAnswerLost: .feed(.losesAnswers, for: span(20_000_000, &random))
    case .batchDoubled: .feed(.doublesBatches, for: span(20_000_000, &random))
    case .streamEnded: .endStream
    case .bridgeKill: .killBridge(for: span(8_000_000, &random))
    default: .feed(.cut, for: span(60_000_000, &random))
    }
  }
}
