import Foundation
import TestSupport

@testable import Bench

/// A run that nobody made: stages as a machine has them, where what is known of real ones is
/// exaggerated: tails a hundred times the median, a floor that moves from run to run and within
/// one, blocks that take after the block before, and a disk with a mood of its own.
struct SyntheticRun {
  var blocks = 30
  var pressesPerBlock = 10
  /// µs, of this run; nil draws it round 40.
  var floor: Double?
  /// How far blocks wander by themselves, as a share; it lasts from block to block.
  var wander = 0.05
  /// How far runs are apart for no reason of the program, as a share.
  var runToRun = 0.02
  /// µs that are gained or lost from the first block to the last.
  var drift = 0.0
  var planted: [LatencyStage: Double] = [:]
  /// Of the floor and of the disk, from the middle of the run on.
  var jump = 1.0

  func result(seed: UInt64) -> BenchResult {
    var generator = SeededGenerator(seed: seed)
    var result = BenchResult()
    result.began = "2026-01-02T03:04:05.678Z"
    result.device = "emulated"
    result.rate = 20
    result.duration = Double(blocks * pressesPerBlock) / 20
    result.warmUp = 20
    result.environment = Self.environment
    result.pacing = .init(median: 12, p99: 90, largest: 240, limit: 1_000)
    let base = (floor ?? 40 * exp(0.1 * generator.normal())) * exp(runToRun * generator.normal())
    let disk = 100 * exp((runToRun + 0.03) * generator.normal())
    let pace = exp(runToRun * generator.normal())
    var (mood, diskMood, start) = (0.0, 0.0, Int64(1_000_000))
    for block in 0..<blocks {
      mood = 0.7 * mood + wander * 0.7 * generator.normal()
      diskMood = 0.7 * diskMood + 0.05 * generator.normal()
      let leap = block >= blocks / 2 ? jump : 1
      let state = State(
        floor: base * exp(mood) * leap, disk: disk * exp(diskMood) * leap,
        pace: pace * exp(mood / 2),
        drift: drift * Double(block) / Double(blocks))
      var samples: [LatencySample] = []
      for _ in 0..<pressesPerBlock {
        samples.append(sample(due: start, in: state, &generator))
        start += 50_000
      }
      result.blocks.append(
        BenchResult.Block(
          samples: samples,
          floor: (0..<100).map { _ in Int64(10 * state.floor * generator.noise(0.2)) },
          flushes: (0..<8).map { _ in Int64(10 * state.disk * generator.noise(0.25)) }))
    }
    return result
  }

  private struct State {
    let floor: Double
    let disk: Double
    let pace: Double
    let drift: Double
  }

  private func sample(
    due: Int64, in state: State, _ generator: inout SeededGenerator
  ) -> LatencySample {
    func noisy(_ stage: LatencyStage, _ middle: Double, _ spread: Double) -> Int64 {
      let value = middle * generator.noise(spread) + (planted[stage] ?? 0)
      return Int64(max(0, value + state.drift))
    }
    var sample = LatencySample()
    sample.due = due
    let edge = due + Int64(12 * generator.noise(0.5))
    let stored = edge + 15_000 + noisy(.debounce, state.floor + 40, 0.3)
    let written = stored + noisy(.frame, 0.5 * state.floor + 10, 0.3)
    let read = written + noisy(.wire, 1.2 * state.floor + 12, 0.25)
    let decided = read + noisy(.decide, 20 * state.pace, 0.25)
    let durable = decided + noisy(.durable, state.floor + 1.6 * state.disk + 100 * state.pace, 0.12)
    let acked = durable + noisy(.ack, 0.9 * state.floor + 40, 0.25)
    (sample.edge, sample.stored, sample.written, sample.read) = (edge, stored, written, read)
    (sample.decided, sample.durable, sample.acked) = (decided, durable, acked)
    sample.lit = acked + noisy(.light, 6, 0.3)
    return sample
  }

  static let environment: BenchEnvironment = {
    var environment = BenchEnvironment()
    environment.kernel = "6.1.0"
    environment.processor = "A <processor> & \"more\""
    environment.processors = 2
    (environment.loadBefore, environment.loadAfter) = (0.25, 0.75)
    (environment.flushMedian, environment.flushP99) = (110, 900)
    environment.build = "release"
    environment.options = ["pinned to 1"]
    return environment
  }()
}

extension SeededGenerator {
  mutating func unit() -> Double { Double.random(in: 0..<1, using: &self) }

  mutating func normal() -> Double {
    (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
  }

  /// About 1, log-normal; one in fifty is up to a hundred times as long.
  mutating func noise(_ spread: Double) -> Double {
    let body = exp(spread * normal())
    return unit() < 0.02 ? body * pow(100, unit()) : body
  }
}
