import FobBase
import TestSupport
import Testing

@testable import Emulator

@Suite struct WireFaultsTests {
  private let start = Instant(microseconds: 1_000)

  @Test(arguments: [
    (WireFault.Kind.drop, [1, 2, 4, 5] as [UInt8]), (.double, [1, 2, 3, 3, 4, 5]),
    (.flip, [1, 2, 3 ^ 0x20, 4, 5]), (.insert, [1, 2, 5, 3, 4, 5]), (.split, [1, 2, 3, 4, 5]),
    (.stall, [1, 2, 3, 4, 5]),
  ])
  func `a fault at a byte hits that byte alone`(kind: WireFault.Kind, expected: [UInt8]) {
    var line = WireFaults()
    line.set(WireFault(kind, .at(2), value: 5))
    #expect(put([1, 2], into: &line) + put([3, 4, 5], into: &line) == 5)
    #expect(drain(&line, at: start + .seconds(1)).flatMap(\.self) == expected)
    #expect(line.faults[0].struck == 1)
    #expect(line.isClear, "it is over")
  }

  @Test func `a fault at a byte may hit as many as it was told`() {
    var line = WireFaults()
    line.set(WireFault(.drop, .at(1, count: 3)))
    _ = put([1, 2, 3, 4, 5], into: &line)
    #expect(drain(&line, at: start) == [[1, 5]])
    #expect(line.faults[0].struck == 3)
  }

  @Test func `what is behind a split comes later, in a chunk of its own`() {
    var line = WireFaults()
    line.set(WireFault(.split, .at(2), pause: .milliseconds(3)))
    _ = put([1, 2, 3, 4], into: &line)
    #expect(drain(&line, at: start) == [[1, 2]])
    #expect(line.nextDue == start + .milliseconds(3))
    #expect(drain(&line, at: start + .microseconds(2_999)) == [])
    #expect(drain(&line, at: start + .milliseconds(3)) == [[3, 4]])
    #expect(line.nextDue == nil)
  }

  @Test func `a late reader sees a split as two chunks all the same`() {
    var line = WireFaults()
    line.set(WireFault(.split, .at(2)))
    _ = put([1, 2, 3, 4], into: &line)
    #expect(drain(&line, at: start + .seconds(9)) == [[1, 2], [3, 4]])
  }

  @Test func `a stall under way is not made longer by the bytes that wait`() {
    var line = WireFaults()
    line.set(WireFault(.stall, .rate(1), pause: .milliseconds(10)))
    for step in 0..<9 {
      _ = put([UInt8(step)], into: &line, at: start + .milliseconds(Int64(step)))
    }
    #expect(line.nextDue == start + .milliseconds(10))
    #expect(drain(&line, at: start + .milliseconds(10)).flatMap(\.self) == Array(0..<9))
    #expect(line.faults[0].struck == 1)
  }

  @Test func `a stalled line takes so much, then makes the sender wait, and loses nothing`() {
    var line = WireFaults()
    line.set(WireFault(.stall, .at(0), pause: .seconds(1)))
    line.set(WireFault(.double, .rate(1)))
    let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    var taken = 0
    while case let more = put(Array(bytes[taken...]), into: &line), more > 0 { taken += more }
    #expect((1_000...WireFaults.capacity).contains(taken) && line.room == 0)
    var heard = drain(&line, at: start + .seconds(1)).flatMap(\.self)
    while taken < bytes.count {
      taken += put(Array(bytes[taken...]), into: &line, at: start + .seconds(1))
      heard += drain(&line, at: start + .seconds(1)).flatMap(\.self)
    }
    #expect(heard == bytes.flatMap { [$0, $0] })
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a seed hits the same bytes however they are cut and whenever they come`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<3_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    var heard: [[UInt8]] = []
    for _ in 0..<3 {
      var line = WireFaults()
      for (index, kind) in WireFault.Kind.allCases.enumerated() where kind != .stall {
        line.set(WireFault(kind, .rate(0.05), seed: seed + UInt64(index)))
      }
      var now = start
      var taken = 0
      var out: [UInt8] = []
      while taken < bytes.count {
        let piece = bytes[taken...].prefix(Int.random(in: 1...300, using: &random))
        taken += put(Array(piece), into: &line, at: now)
        now = now + .microseconds(Int64.random(in: 0...9_000, using: &random))
        out += drain(&line, at: now, taking: Int.random(in: 1...40, using: &random)).flatMap(\.self)
      }
      heard.append(out + drain(&line, at: now + .seconds(60)).flatMap(\.self))
    }
    #expect(heard[0] == heard[1] && heard[1] == heard[2])
    #expect(heard[0] != bytes)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `splits and stalls keep every byte and the order`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<5_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    var line = WireFaults()
    line.set(WireFault(.split, .rate(0.02), seed: seed))
    line.set(WireFault(.stall, .rate(0.01), seed: seed + 1, pause: .milliseconds(30)))
    var now = start
    var taken = 0
    var heard: [UInt8] = []
    while heard.count < bytes.count {
      taken += put(Array(bytes[taken...].prefix(200)), into: &line, at: now)
      heard += drain(&line, at: now, taking: 100).flatMap(\.self)
      #expect(line.nextDue ?? now <= now + .seconds(60))
      now = now + .microseconds(Int64.random(in: 0...9_000, using: &random))
    }
    #expect(heard == bytes)
  }

  @Test func `a rate is a share of the bytes`() {
    for (rate, expected) in [(0.0, 0...0), (0.01, 900...1_100), (1.0, 100_000...100_000)] {
      var line = WireFaults()
      line.set(WireFault(.flip, .rate(rate), seed: 3))
      for _ in 0..<100 {
        _ = put([UInt8](repeating: 0, count: 1_000), into: &line)
        _ = drain(&line, at: start)
      }
      #expect(expected.contains(Int(line.faults[0].struck)), "rate \(rate)")
    }
  }

  @Test func `an insertion draws zeros, too, and a flip every bit`() {
    var line = WireFaults()
    line.set(WireFault(.insert, .rate(1)))
    _ = put([UInt8](repeating: 7, count: 400), into: &line)
    let inserted = drain(&line, at: start).flatMap(\.self).enumerated().filter {
      $0.offset % 2 == 0
    }
    #expect(inserted.count { $0.element == 0 } > 50)
    #expect(Set(inserted.map(\.element)).count > 100)
    line = WireFaults()
    line.set(WireFault(.flip, .rate(1)))
    _ = put([UInt8](repeating: 0, count: 400), into: &line)
    #expect(Set(drain(&line, at: start).flatMap(\.self)) == Set((0..<8).map { 1 << $0 }))
  }

  @Test func `a fault takes the place of the one of its kind, and clearing keeps what is held`() {
    var line = WireFaults()
    line.set(WireFault(.drop, .rate(1)))
    line.set(WireFault(.drop, .at(5)))
    line.set(WireFault(.stall, .at(0)))
    #expect(line.faults.map(\.fault.kind) == [.stall, .drop])
    _ = put([1, 2], into: &line)
    line.clear()
    #expect(!line.isClear && line.faults.isEmpty)
    #expect(drain(&line, at: start + .seconds(1)) == [[1, 2]])
    #expect(line.isClear)
  }

  // MARK: By hand

  private func put(_ bytes: [UInt8], into line: inout WireFaults, at now: Instant? = nil) -> Int {
    bytes.withUnsafeBytes { line.take($0, at: now ?? start) }
  }

  /// The chunks that are due, at most `most` bytes at a time.
  private func drain(
    _ line: inout WireFaults, at now: Instant, taking most: Int = .max
  ) -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    while true {
      var chunk: [UInt8] = []
      let count = line.passOn(at: now) { bytes in
        chunk = Array(bytes.prefix(most))
        return chunk.count
      }
      guard count > 0 else { return chunks }
      chunks.append(chunk)
    }
  }
}
