import Bench
import FobBase
import SerialIO
import Synchronization
import TestSupport
import Testing

/// Runs of a stand-in that answers at once, or never.
struct LatencyRunTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func plan(warmUp: Interval = .zero, duration: Interval = .milliseconds(600))
    -> LatencyRun.Plan
  {
    LatencyRun.Plan(
      rate: 20, devices: ["a", "b"], warmUp: warmUp, duration: duration, lead: .zero,
      pacingLimit: 1_000, seed: 1)
  }

  /// Makes every stamp of a press at its due time and after, each stage so many µs long.
  private func answer(_ keychain: Int, _ due: Instant, in book: LatencyBook, stage: Int64 = 10) {
    let key = LatencyBook.Key(device: ["a", "b"][keychain], event: "1.\(due.microseconds)")
    let t0 = due.microseconds
    book.note(key) { sample in
      (sample.edge, sample.stored, sample.written) = (t0, t0 + stage, t0 + 2 * stage)
      (sample.read, sample.decided) = (t0 + 3 * stage, t0 + 4 * stage)
      (sample.durable, sample.acked) = (t0 + 5 * stage, t0 + 6 * stage)
      sample.lit = t0 + 7 * stage
    }
    book.committed(key)
  }

  private func follow(_ run: LatencyRun) throws {
    let signal = try EventSignal()
    while BootClock.now() < run.end || !run.isSettled && BootClock.now() < run.end + .seconds(20) {
      _ = try Syscall.poll(signal.descriptor, for: 1, until: BootClock.now() + .milliseconds(5))
    }
  }

  @Test func `a run has every stage of every press, and the floor between them`() throws {
    let book = LatencyBook()
    let run = try LatencyRun(plan(warmUp: .milliseconds(200)), book: book, folder: scratch.path) {
      answer($0, $1, in: book)
    }
    try follow(run)
    let result = run.finish()
    let samples = result.blocks.flatMap(\.samples)
    #expect(samples.count == 12 && result.warmUp == 4 && result.lost == 0)
    for stage in LatencyStage.inOrder {
      #expect(samples.allSatisfy { $0.duration(of: stage) == 10 })
    }
    #expect(result.pacing?.largest == 0)
    #expect(result.blocks.allSatisfy { !$0.floor.isEmpty })
    #expect(result.blocks.flatMap(\.floor).allSatisfy { $0 >= 0 })
  }

  @Test func `presses of which nothing is heard are counted as lost`() throws {
    let book = LatencyBook()
    let run = try LatencyRun(plan(), book: book, folder: scratch.path) { keychain, due in
      if keychain == 0 { answer(keychain, due, in: book) }
    }
    let signal = try EventSignal()
    _ = try Syscall.poll(signal.descriptor, for: 1, until: run.end)
    let result = run.finish()
    #expect(result.lost == 6)
    #expect(result.blocks.flatMap(\.samples).count == 6)
  }

  @Test func `no press waits for the answer to another`() throws {
    let dues = Mutex<[Int64]>([])
    let book = LatencyBook()
    let run = try LatencyRun(plan(), book: book, folder: scratch.path) { _, due in
      dues.withLock { $0.append(due.microseconds) }
    }
    let signal = try EventSignal()
    _ = try Syscall.poll(signal.descriptor, for: 1, until: run.end)
    _ = run.finish()
    #expect(dues.withLock { $0.count } == 12)
  }

  @Test func `a run that is ended early has what was measured until then`() throws {
    let book = LatencyBook()
    let run = try LatencyRun(plan(duration: .seconds(600)), book: book, folder: scratch.path) {
      answer($0, $1, in: book)
    }
    let signal = try EventSignal()
    while run.samples.count < 3 {
      _ = try Syscall.poll(signal.descriptor, for: 1, until: BootClock.now() + .milliseconds(5))
    }
    let result = run.finish()
    #expect(result.lost == 0 && (3...40).contains(result.blocks.flatMap(\.samples).count))
    #expect(result.duration < 60)
  }

  @Test func `a finger that gives up is told of`() throws {
    struct Gone: Error {}
    let run = try LatencyRun(plan(), book: LatencyBook(), folder: scratch.path) { _, _ in
      throw Gone()
    }
    let signal = try EventSignal()
    while run.failure == nil {
      _ = try Syscall.poll(signal.descriptor, for: 1, until: BootClock.now() + .milliseconds(5))
    }
    #expect(run.failure?.contains("Gone") == true)
    _ = run.finish()
  }

  @Test func `the live table shows what has come, and no stage that was not seen`() {
    var table = LiveTable()
    #expect(table.lines.count == 1, "heads alone")
    var sample = LatencySample()
    (sample.read, sample.decided) = (100, 1_350)
    table.add([sample, sample])
    #expect(table.count == 2)
    #expect(table.lines.count == 2)
    #expect(table.lines[1].contains("decide") && table.lines[1].contains("1.250"))
  }

  @Test func `the live table has a histogram of the whole way in which each press stands once`() {
    var table = LiveTable()
    // A hundred from 20 to 30 ms, and one far behind them.
    let lasting = (0..<100).map { Int64(20_000 + $0 * 100) } + [200_000]
    table.add(
      lasting.map { duration in
        var sample = LatencySample()
        (sample.edge, sample.lit) = (1_000, 1_000 + duration)
        return sample
      })
    let lines = table.lines
    let bars = lines.drop { $0 != "  press → light" }.dropFirst()
    #expect((1...9).contains(bars.count))
    let counts = bars.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
    #expect(counts.reduce(0, +) == 101)
    #expect(bars.last?.contains("over") == true && bars.last?.hasSuffix(" 1") == true)
    #expect(bars.allSatisfy { $0.count { $0 == "█" } <= 40 })
    #expect(lines.contains { $0.contains("press → light ") && $0.hasSuffix("200.000") })
  }
}
