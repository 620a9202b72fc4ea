import FobBase
import Testing

@testable import Bench
@testable import Firmware

/// The rule of the bench that stands for the keychain is the firmware's.
struct FirmwareRuleTests {
  /// When presses settle in the firmware, since the first edge.
  private func presses(in waveform: ContactWaveform, _ time: Interval) -> [Interval] {
    let start = Instant(microseconds: 0)
    var debouncer = Debouncer(closed: false, pressed: false, at: start, time: time)
    var settled: [Interval] = []
    var at = start
    for (index, span) in waveform.spans.enumerated() {
      let change = debouncer.input(closed: index.isMultiple(of: 2), at: at)
      if let change, change.pressed { settled.append(change.settled - start) }
      at = at + span
    }
    let last = debouncer.input(closed: false, at: at)
    if let last, last.pressed { settled.append(last.settled - start) }
    return settled
  }

  @Test(arguments: ContactKind.allCases, [20, 5, 50])
  func `the early rule presses where the firmware does, with its time`(
    _ kind: ContactKind, _ time: Int64
  ) {
    for seed in UInt64(1)...30 {
      var generator = WaveformGenerator(random: SplitMix64(state: seed))
      let waveform = kind.draw(&generator)
      let rule = EarlyRule(time: .milliseconds(time))
      #expect(
        DebounceBench.presses(of: rule, in: waveform)
          == presses(in: waveform, .milliseconds(time)), "seed \(seed)")
    }
  }
}
