import Foundation
import TestSupport
import Testing

@testable import Bench

/// Programs that ran at the same time: what the machine did, it did to both.
struct PairedRunTests {
  /// Parts on a machine whose floor goes up and down by half its value, the same for both sides.
  /// - Parameters:
  ///   - machine: what it does comes from this.
  ///   - seed: what a side does beside it.
  private static func run(
    _ count: Int, machine: UInt64, seed: UInt64, planted: [LatencyStage: Double] = [:]
  ) -> BenchResult {
    var floors = SeededGenerator(seed: machine)
    let parts = (0..<count).map { number in
      var part = SyntheticRun()
      (part.blocks, part.pressesPerBlock, part.planted) = (1, 16, planted)
      part.floor = 40 * exp(0.4 * floors.normal())
      return part.result(seed: seed &* 10_000 &+ UInt64(number))
    }
    return BenchResult(parts: parts, pacingLimit: 1_000)
  }

  @Test func `programs that differ in nothing are noise, whatever the machine does`() throws {
    var moved = 0
    let runs: UInt64 = Soak.isOn ? 60 : 4
    for number in 0..<runs {
      let comparison = try Comparison(
        old: Self.run(60, machine: number, seed: 2 * number + 1),
        new: Self.run(60, machine: number, seed: 2 * number + 2), isSideBySide: true)
      if comparison.verdict != .noise { moved += 1 }
    }
    #expect(moved <= (Soak.isOn ? 2 : 1), "\(moved) of \(runs)")
  }

  @Test(arguments: LatencyStage.inOrder)
  func `20 µs more in a stage are found there, and nowhere else`(stage: LatencyStage) throws {
    var (found, elsewhere) = (0, 0)
    let runs: UInt64 = Soak.isOn ? 20 : 2
    for number in 0..<runs {
      let comparison = try Comparison(
        old: Self.run(60, machine: number, seed: 2 * number + 501),
        new: Self.run(60, machine: number, seed: 2 * number + 502, planted: [stage: 20]),
        isSideBySide: true)
      if comparison.stages(.worse).contains(stage) { found += 1 }
      elsewhere += comparison.stages(.worse).count { $0 != stage }
    }
    #expect(
      found >= Int(runs) * 19 / 20 && elsewhere <= 1, "found \(found), elsewhere \(elsewhere)")
  }

  @Test func `20 µs less are better`() throws {
    let comparison = try Comparison(
      old: Self.run(60, machine: 1, seed: 1, planted: [.ack: 20]),
      new: Self.run(60, machine: 1, seed: 2), isSideBySide: true)
    #expect(comparison.verdict == .better && comparison.stages(.better) == [.ack])
    #expect(comparison.lines[0].contains("side by side in 60 parts"))
  }

  @Test func `a part without presses keeps its place, so that the others keep their partners`()
    throws
  {
    var parts = (0..<14).map { number in
      var part = SyntheticRun()
      (part.blocks, part.floor) = (2, 40)
      return part.result(seed: UInt64(number))
    }
    let whole = BenchResult(parts: parts, pacingLimit: 500)
    #expect(whole.blocks.count == 14 && whole.duration == 14 && whole.warmUp == 280)
    #expect(whole.blocks.allSatisfy { $0.samples.count == 20 && $0.floor.count == 200 })
    #expect(whole.pacing?.limit == 500)
    parts[3].blocks = []
    parts[3].lost = 2
    let holed = BenchResult(parts: parts, pacingLimit: 500)
    #expect(holed.blocks[3].samples.isEmpty && holed.lost == 2)
    #expect(holed.blocks[4] == whole.blocks[4])
    let comparison = try Comparison(old: whole, new: holed, isSideBySide: true)
    #expect(comparison.stages.allSatisfy { $0.change == 0 && $0.verdict == .noise })
  }

  @Test func `fewer than twelve parts are refused`() throws {
    #expect(throws: ComparisonRefusal.self) {
      try Comparison(
        old: Self.run(11, machine: 1, seed: 1), new: Self.run(11, machine: 1, seed: 2),
        isSideBySide: true)
    }
  }
}
