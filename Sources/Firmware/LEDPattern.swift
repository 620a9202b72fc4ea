package import WireProtocol

/// The light's vocabulary: each state is a named sequence of on and off times that repeats
/// (PROTOCOL.md, "LED patterns").
package enum LEDPattern {
  package struct Step: Equatable {
    package var on: Bool
    /// Milliseconds; 0 is for ever.
    package var duration: UInt16
  }

  /// Step `index` of the sequence of `state`; nil behind the last, where it begins again.
  @inline(never)
  package static func step(_ index: Int, of state: ShownState, detail: UInt8) -> Step? {
    switch state {
    case .unclaimed: return blink(index, 100, 900)
    case .idle: return blink(index, 30, 4_970)
    case .lowBattery: return alternate(index, from: 0)
    case .countdown: return blink(index, 100, detail > 60 ? 900 : detail > 20 ? 400 : 150)
    case .sending: return blink(index, 100, 100)
    case .accepted: return blink(index, 700, 300)
    case .acknowledged: return index == 0 ? Step(on: true, duration: 0) : nil
    case .failed: return failed(index)
    case .ended: return alternate(index, from: 4)
    case .due: return due(index, times: Int(min(max(detail, 1), 9)))
    case .breathing: return breathing(index)
    case .identify: return blink(index, 50, 50)
    case .off: return index == 0 ? Step(on: false, duration: 0) : nil
    }
  }

  @inline(never)
  private static func blink(_ index: Int, _ on: UInt16, _ off: UInt16) -> Step? {
    switch index {
    case 0: Step(on: true, duration: on)
    case 1: Step(on: false, duration: off)
    default: nil
    }
  }

  private static func alternate(_ index: Int, from first: Int) -> Step? {
    index < 4 ? Step(on: index % 2 == 0, duration: times[first + index]) : nil
  }

  /// Twice four: low battery, ended.
  private static let times: InlineArray<8, UInt16> = [
    30, 170, 30, 2_770, 400, 200, 400, 2_000,
  ]

  /// Three short flashes and a pause.
  private static func failed(_ index: Int) -> Step? {
    index < 6 ? Step(on: index % 2 == 0, duration: index == 5 ? 700 : 100) : nil
  }

  private static func due(_ index: Int, times: Int) -> Step? {
    guard index < 2 * times else { return nil }
    return Step(on: index % 2 == 0, duration: index == 2 * times - 1 ? 1_500 : 150)
  }

  /// Square breathing, four seconds a side (R70, G11): in, hold, out, hold.
  private static func breathing(_ index: Int) -> Step? {
    switch index {
    case 0: Step(on: true, duration: 4_000)
    case 1...20: Step(on: index % 2 == 1, duration: 200)
    case 21: Step(on: false, duration: 4_000)
    case 22...29: Step(on: index % 2 == 0, duration: index % 2 == 0 ? 100 : 900)
    default: nil
    }
  }
}
