import Firmware
import TestSupport
import Testing

/// The store on flash: what was written is there after any loss of power, and no write erases.
struct FlashStoreTests {
  /// As on a micro:bit, version 1 and 2, and one as small as may be.
  struct Geometry: Sendable, CustomTestStringConvertible {
    var pageSize: Int
    var pageCount: Int
    var slots: Int
    var slotSize: Int
    var testDescription: String { "\(pageCount) pages of \(pageSize) bytes" }

    var storeSize: Int { slots * slotSize }

    func bench(filledWith word: UInt32 = .max, seed: UInt64) -> FlashBench {
      let flash = TornFlash(
        pageSize: pageSize, pageCount: pageCount, filledWith: word, seed: seed)
      return FlashBench(flash, expecting: [UInt8](repeating: 0, count: storeSize))
    }
  }

  static let small = Geometry(pageSize: 128, pageCount: 8, slots: 4, slotSize: 20)
  static let geometries = [
    small, Geometry(pageSize: 1_024, pageCount: 32, slots: 66, slotSize: 68),
    Geometry(pageSize: 4_096, pageCount: 8, slots: 66, slotSize: 68),
  ]

  @Test(arguments: geometries, [.max, 0 as UInt32])
  func `what was written is read, through many banks and boots`(
    _ geometry: Geometry, _ fresh: UInt32
  ) {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let bench = geometry.bench(filledWith: fresh, seed: seed)
    #expect(bench.content == bench.expected)
    for round in 0..<2_000 {
      bench.perform(
        .random(slots: geometry.slots, size: geometry.slotSize, using: &random))
      if round % 50 == 0 { bench.reboot() }
    }
    #expect(bench.content == bench.expected, "seed \(seed)")
    #expect(bench.flash.erasures > 3 * geometry.pageCount)
    #expect(bench.flash.mostWrites == 1, "a word is written once, seed \(seed)")
  }

  /// Cuts at each step of each call, and a second one at any step of the boot that follows.
  @Test(arguments: 0..<(Soak.isOn ? 40 : 4))
  func `a power cut at any word or page leaves each write whole or never made`(_ world: Int) {
    let seed = UInt64.random(in: 0...UInt64.max)
    let geometry = Self.geometries[world % 8 == 7 ? 1 : 0]
    var random = SeededGenerator(seed: seed)
    let bench = geometry.bench(seed: seed)
    var cuts = 0
    while cuts < 500 {
      let step = FlashStep.random(
        slots: geometry.slots, size: geometry.slotSize, using: &random)
      let whole = FlashBench(copying: bench, seed: random.next())
      let before = whole.flash.steps
      whole.perform(step)
      for cut in 0..<whole.flash.steps - before {
        let other = FlashBench(copying: bench, seed: random.next())
        check(other, step, cut, using: &random, "seed \(seed)")
        cuts += 1
      }
      bench.perform(step)
    }
  }

  private func check(
    _ bench: FlashBench, _ step: FlashStep, _ cut: Int, using random: inout SeededGenerator,
    _ words: Comment
  ) {
    let before = bench.expected
    bench.flash.stepsLeft = cut
    bench.perform(step)
    if Bool.random(using: &random) {
      bench.reboot(cutAfter: Int.random(in: 0..<40, using: &random))
    }
    bench.reboot()
    let found = bench.content
    #expect(found == before || found == step.applied(to: before), words)
    // What it was read as once it is at each boot, and what is written now is there.
    bench.reboot()
    #expect(bench.content == found, words)
    while bench.perform(.tidy) {}
    bench.reboot()
    #expect(bench.content == found, words)
    let last = FlashStep.write(offset: 4, [1, 2, 3, 4])
    #expect(bench.perform(last), words)
    bench.reboot()
    #expect(bench.content == last.applied(to: found), words)
  }

  @Test(arguments: geometries)
  func `no write erases, and a quiet moment erases one page at the most`(_ geometry: Geometry) {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let bench = geometry.bench(seed: seed)
    for _ in 0..<2_000 {
      let step = FlashStep.random(
        slots: geometry.slots, size: geometry.slotSize, using: &random)
      let before = bench.flash.erasures
      bench.perform(step)
      let more = bench.flash.erasures - before
      if case .write = step { #expect(more == 0) } else { #expect(more <= 1) }
    }
  }

  @Test(arguments: geometries)
  func `full banks refuse a write until one was erased, and say what they have`(
    _ geometry: Geometry
  ) {
    let bench = geometry.bench(seed: 1)
    var value: UInt8 = 0
    var written = 0
    let bytes = { [UInt8](repeating: value, count: geometry.slotSize) }
    repeat {
      value = value % 255 + 1
      written += 1
    } while bench.perform(.write(offset: 0, bytes())) && written < 10_000
    #expect(written < 10_000)
    #expect(bench.content == bench.expected)
    for _ in 0..<geometry.pageCount / 2 { #expect(bench.perform(.tidy)) }
    #expect(bench.perform(.write(offset: 0, bytes())))
    bench.reboot()
    #expect(bench.content == bench.expected)
  }

  /// A loose plug: each boot writes a little, and none is quiet long enough for a whole bank.
  @Test(arguments: geometries, [0, 1])
  func `boots without a long quiet moment have room for what they write`(
    _ geometry: Geometry, _ quietMoments: Int
  ) {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let bench = geometry.bench(seed: seed)
    for boot in 0..<500 {
      for _ in 0..<2 {
        let slot = Int.random(in: 0..<geometry.slots, using: &random)
        let bytes = (0..<geometry.slotSize).map { _ in UInt8.random(in: 0...255, using: &random) }
        let step = FlashStep.write(offset: slot * geometry.slotSize, bytes)
        #expect(bench.perform(step), "boot \(boot), seed \(seed)")
      }
      for _ in 0..<quietMoments { bench.perform(.tidy) }
      bench.reboot()
      #expect(bench.content == bench.expected, "boot \(boot), seed \(seed)")
    }
  }

  @Test func `a bank with a worn word is left, and costs nothing of what was stored`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for worn in stride(from: 24, to: 512, by: 4) {
      let bench = Self.small.bench(seed: seed)
      bench.flash.wornAt = worn
      for _ in 0..<60 {
        bench.perform(.random(slots: 4, size: 20, using: &random))
        #expect(bench.content == bench.expected, "word \(worn), seed \(seed)")
      }
      bench.reboot()
      #expect(bench.content == bench.expected, "word \(worn), seed \(seed)")
    }
  }

  @Test func `what lies outside of the store or between its words is refused`() {
    let bench = Self.small.bench(seed: 1)
    let size = Self.small.storeSize
    for (offset, count) in [(-4, 4), (size, 4), (size - 4, 8), (2, 4), (0, 3)] {
      let bytes = [UInt8](repeating: 1, count: count)
      #expect(!bench.perform(.write(offset: offset, bytes)), "\(count) at \(offset)")
    }
    #expect(bench.content == bench.expected)
  }

  @Test func `flash that held something else is told from flash that was never used`() {
    let flash = TornFlash(pageSize: 128, pageCount: 8, seed: 1)
    flash.write(0x1234_5678, at: 512)
    let bench = FlashBench(flash, expecting: [UInt8](repeating: 0, count: 80))
    #expect(Set(bench.content).count == 2)
  }
}
