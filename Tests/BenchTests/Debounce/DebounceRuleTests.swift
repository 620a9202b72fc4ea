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

  @Test(arguments: Array(stride(from: 4, through: 48, by: 4)))
  func `a clean press is found once: by the early rule after three quarters of the time`(
    _ time: Int
  ) {
    let time = Int64(time)
    for rule in Rule.allCases {
      let sure = rule == .early ? time / 4 * 3 : time
      #expect(presses(rule.made(.milliseconds(time)), [time, 100]) == [sure], "\(rule)")
      #expect(presses(rule.made(.milliseconds(time)), [10 * time, 100]) == [sure], "\(rule)")
      #expect(presses(rule.made(.milliseconds(time)), [sure - 1, 100]) == [], "\(rule)")
    }
  }

  @Test func `chatter counts towards a press with the integrator and with the early rule`() {
    let chatter: [Int64] = [10, 2, 10, 2, 10, 2, 10, 2, 10]
    #expect(presses(IntegratorRule(time: .milliseconds(20)), chatter) == [28])
    #expect(presses(EarlyRule(time: .milliseconds(20)), chatter) == [28])
    #expect(presses(RestartRule(time: .milliseconds(20)), chatter) == [])
  }

  @Test func `the early rule is as late as the integrator on chatter only`() {
    let early = EarlyRule(time: .milliseconds(20))
    #expect(presses(early, [3, 1, 100]) == [19])
    #expect(presses(early, [14, 1, 14, 1, 14]) == [22])
  }

  @Test func `an opening of less than the time does not double a press`() {
    for rule in Rule.allCases {
      #expect(presses(rule.made(.milliseconds(20)), [100, 19, 100]).count == 1, "\(rule)")
      #expect(presses(rule.made(.milliseconds(20)), [100, 20, 100]).count == 2, "\(rule)")
    }
  }

  /// Whatever the contact does: so a press that the integrator has is never lost to be early.
  @Test(arguments: UInt64(1)...200)
  func `each press of the integrator is one of the early rule, and no later`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let longest = Int64.random(in: 1_000...60_000, using: &random)
    var waveform = ContactWaveform()
    for n in 0..<200 {
      let span = Int64.random(in: 1...longest, using: &random)
      waveform.append(closed: n.isMultiple(of: 2), for: .microseconds(span))
    }
    let early = DebounceBench.presses(of: EarlyRule(time: .milliseconds(20)), in: waveform)
    let late = DebounceBench.presses(of: IntegratorRule(time: .milliseconds(20)), in: waveform)
    let same = late.map { press in early.last { $0 <= press } }
    #expect(!same.contains(nil) && Set(same).count == late.count)
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
