import FobBase
import TestSupport
import Testing

@testable import Bench

struct DebounceRuleTests {
  private typealias Rule = DebounceBench.Rule

  /// When presses settle, ms since the first edge.
  private func presses(_ rule: any DebounceRule, _ spans: [Int64]) -> [Int64] {
    var waveform = ContactWaveform()
    for (index, span) in spans.enumerated() {
      waveform.append(closed: index.isMultiple(of: 2), for: .milliseconds(span))
    }
    return DebounceBench.presses(of: rule, in: waveform).map { $0.microseconds / 1_000 }
  }

  @Test(arguments: DebounceBench.times)
  func `a clean press of the debounce time is found by every rule, once, and then`(_ time: Int) {
    let time = Int64(time)
    for rule in Rule.allCases {
      #expect(presses(rule.made(.milliseconds(time)), [time, 100]) == [time], "\(rule)")
      #expect(presses(rule.made(.milliseconds(time)), [10 * time, 100]) == [time], "\(rule)")
    }
  }

  @Test(arguments: DebounceBench.times)
  func `a contact shorter than the debounce time is no press to any rule`(_ time: Int) {
    for rule in Rule.allCases {
      #expect(presses(rule.made(.milliseconds(Int64(time))), [Int64(time) - 1, 100]) == [])
    }
  }

  @Test func `chatter counts towards a press with the integrator and with the early rule`() {
    let chatter: [Int64] = [10, 2, 10, 2, 10, 2, 10, 2, 10]
    #expect(presses(IntegratorRule(time: .milliseconds(20)), chatter) == [28])
    #expect(presses(EarlyRule(time: .milliseconds(15)), chatter) == [42])
    #expect(presses(RestartRule(time: .milliseconds(15)), chatter) == [])
  }

  @Test func `the early rule is late on chatter only`() {
    let early = EarlyRule(time: .milliseconds(15))
    #expect(presses(early, [3, 1, 100]) == [19])
    #expect(presses(early, [14, 1, 14, 1, 14]) == [34])
  }

  @Test func `an opening of less than twice the time does not double a press of the early rule`() {
    #expect(presses(EarlyRule(time: .milliseconds(15)), [100, 29, 100]).count == 1)
    #expect(presses(EarlyRule(time: .milliseconds(15)), [100, 30, 100]).count == 2)
    #expect(presses(IntegratorRule(time: .milliseconds(20)), [100, 19, 100]).count == 1)
    #expect(presses(IntegratorRule(time: .milliseconds(20)), [100, 20, 100]).count == 2)
  }

  @Test(arguments: UInt64(1)...20)
  func `how the spans are cut does not change what a rule says`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let spans = (0..<40).map { _ in Int64.random(in: 1...40_000, using: &random) }
    for rule in Rule.allCases {
      var (whole, cut) = (rule.made(.milliseconds(15)), rule.made(.milliseconds(15)))
      for (index, span) in spans.enumerated() {
        let closed = index.isMultiple(of: 2)
        let first = Int64.random(in: 0...span, using: &random)
        let one = whole.hold(closed: closed, for: .microseconds(span))
        let two =
          cut.hold(closed: closed, for: .microseconds(first))
          ?? cut.hold(closed: closed, for: .microseconds(span - first))
          .map { $0 + .microseconds(first) }
        #expect(one == two, "\(rule)")
      }
    }
  }
}
