import FobBase
import Foundation
import TestSupport
import Testing

@testable import Bench

struct DebounceBenchTests {
  private static func report(
    seed: UInt64, count: Int = 5, times: [Int] = Array(DebounceBench.times)
  ) -> DebounceReport {
    let bench = DebounceBench(seed: seed, count: count)
    return DebounceReport(
      seed: seed, count: count,
      outcomes: DebounceBench.Rule.allCases.flatMap { rule in
        times.map { bench.outcome(of: rule, at: $0) }
      })
  }

  private func draw(_ kind: ContactKind, seed: UInt64) -> ContactWaveform {
    var generator = WaveformGenerator(random: SplitMix64(state: seed))
    return kind.draw(&generator)
  }

  @Test func `the same seed gives the same table, another seed another one`() {
    let one = Self.report(seed: 7)
    #expect(one.lines == Self.report(seed: 7).lines)
    #expect(one == Self.report(seed: 7) && one.outcomes != Self.report(seed: 8).outcomes)
  }

  @Test(arguments: ContactKind.allCases)
  func `every contact closes and opens in turn, each for some time`(_ kind: ContactKind) {
    for seed in UInt64(1)...50 {
      let waveform = draw(kind, seed: seed)
      #expect(!waveform.spans.isEmpty && waveform.spans.allSatisfy { $0 > .zero })
    }
  }

  @Test(arguments: UInt64(1)...50)
  func `a plain press is missed by no rule while its contact outlasts bounce and time`(
    _ seed: UInt64
  ) {
    let waveform = draw(.plain, seed: seed)
    let longest =
      waveform.spans.enumerated().filter { $0.offset.isMultiple(of: 2) }
      .map(\.element).max() ?? .zero
    for rule in DebounceBench.Rule.allCases {
      for time in DebounceBench.times where .milliseconds(Int64(time)) <= longest {
        let made = rule.made(.milliseconds(Int64(time)))
        #expect(!DebounceBench.presses(of: made, in: waveform).isEmpty, "\(rule) at \(time) ms")
      }
    }
  }

  @Test(arguments: UInt64(1)...50)
  func `a shock under three quarters of the debounce time is a press to no rule`(_ seed: UInt64) {
    let waveform = draw(.shock, seed: seed)
    #expect(waveform.closedTime <= .milliseconds(11))
    for rule in DebounceBench.Rule.allCases {
      for time in DebounceBench.times where .microseconds(Int64(time) * 750) > waveform.closedTime {
        let made = rule.made(.milliseconds(Int64(time)))
        #expect(DebounceBench.presses(of: made, in: waveform).isEmpty, "\(rule) at \(time) ms")
      }
    }
  }

  @Test(arguments: UInt64(1)...20)
  func `no bounce is longer than the one that was published`(_ seed: UInt64) {
    var generator = WaveformGenerator(random: SplitMix64(state: seed))
    for contact in MeasuredSwitch.sound + MeasuredSwitch.worn {
      generator.press(contact, for: .milliseconds(500))
      let spans = generator.take().spans
      let steady = spans.max() ?? .zero
      let whole = spans.reduce(.zero, +)
      #expect(steady >= .milliseconds(500) - contact.closing.longest)
      #expect(whole <= .milliseconds(500) + contact.opening.longest)
    }
  }

  /// Decision 0091.
  @Test(arguments: UInt64(1)...5)
  func `the keychain misses, doubles and makes up no more than the integrator`(_ seed: UInt64) {
    let bench = DebounceBench(seed: seed, count: 100)
    let (rule, time) = DebounceBench.standard
    let keychain = bench.outcome(of: rule, at: time)
    let integrator = bench.outcome(of: .integrator, at: 20)
    #expect(keychain.isAsSafe(as: integrator))
    for (ours, theirs) in zip(keychain.kinds, integrator.kinds) {
      #expect(ours.missed <= theirs.missed, "\(ours.kind)")
    }
  }

  @Test func `misses grow with the debounce time, doubles and false alarms fall`() {
    let report = Self.report(seed: 1, count: 100, times: [5, 15, 25, 35, 45])
    for rule in [DebounceBench.Rule.integrator, .early] {
      let outcomes = report.outcomes(of: rule)
      for (short, long) in zip(outcomes, outcomes.dropFirst()) {
        #expect(short.missed <= long.missed && short.doubled >= long.doubled)
        #expect(short.falseAlarms >= long.falseAlarms)
      }
    }
  }

  @Test func `the table has a line for each debounce time and says what is as safe`() throws {
    let report = Self.report(seed: 1)
    for time in DebounceBench.times {
      #expect(report.lines.contains { $0.hasPrefix(String("   \(time) ms".suffix(5))) })
    }
    let standard = try #require(report.standard)
    #expect(report.lines.contains("As safe as the \(standard.rule) at \(standard.time) ms:"))
    #expect(report.asSafe(standard.rule).contains(standard))
    #expect(report.lines.allSatisfy { $0.count <= 100 && $0.last != " " })
  }

  @Test func `the plot is well-formed, loads nothing, and has a curve for each rule and figure`()
    throws
  {
    let folder = try ScratchDirectory()
    let plot = DebouncePlot(Self.report(seed: 3)).markup
    let path = folder.path("plot.svg")
    try plot.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try Python.run(Self.check, [path]) == "9 curves of 50 points\n")
    let rest = plot.replacing("http://www.w3.org/2000/svg", with: "")
    for outside in ["http", "href", "url(", "@import", "<script"] {
      #expect(!rest.contains(outside), "\(outside)")
    }
  }

  private static let check = #"""
    import sys
    from xml.etree import ElementTree
    root = ElementTree.parse(sys.argv[1]).getroot()
    svg = "{http://www.w3.org/2000/svg}"
    assert root.tag == svg + "svg" and root.get("viewBox") and root.get("aria-label")
    _, _, width, height = map(float, root.get("viewBox").split())
    curves = [line.get("points").split() for line in root.iter(svg + "polyline")]
    for point in sum(curves, []):
        x, y = map(float, point.split(","))
        assert 0 <= x <= width and 0 <= y <= height, point
    lengths = {len(curve) for curve in curves}
    print(len(curves), "curves of", *lengths, "points")
    """#
}
