import FobBase
import Foundation
import Glibc
import SerialIO

/// The measurements of one `fob bench latency`: the content of its JSON file, which `--compare`
/// reads.
///
/// A run consists of blocks. Each holds some presses and the floor trips made between them, so that
/// whatever else the machine does falls on both.
public struct BenchResult: Codable, Equatable, Sendable {
  /// The only format that ``BenchFile`` reads.
  public static let format = 1

  /// The format of the file; any number but the static one is refused.
  public var format = BenchResult.format
  /// Wall clock, RFC 3339.
  public var began = ""
  /// The device's spec as given, or "emulated".
  public var device = ""
  /// Presses a second that the schedule wanted, over all keychains of the rig; nil for
  /// presses by hand.
  public var rate: Double?
  /// The length of the counted part, seconds.
  public var duration = 0.0
  /// Presses to warm up; no figure counts them.
  public var warmUp = 0
  /// The machine of the run.
  public var environment = BenchEnvironment()
  /// The distribution of |first edge − due|, µs; nil for presses by hand.
  public var pacing: Pacing?
  /// In the order of time.
  public var blocks: [Block] = []
  /// Presses that were made, and had no decision in the time allowed.
  public var lost = 0
  /// Presses that became durable without all of their stamps; no figure has them.
  public var unseen = 0

  /// An empty result, to be filled in.
  public init() {}

  /// How far first edges were from their due times, µs, early or late.
  public struct Pacing: Codable, Equatable, Sendable {
    /// Half of the presses were no further off, µs.
    public var median: Int64
    /// 99 % of the presses were no further off, µs.
    public var p99: Int64
    /// The press that was furthest off, µs.
    public var largest: Int64
    /// The run is refused if the p99 is above this, µs.
    public var limit: Int64

    /// All are in µs.
    public init(median: Int64, p99: Int64, largest: Int64, limit: Int64) {
      (self.median, self.p99, self.largest, self.limit) = (median, p99, largest, limit)
    }
  }

  /// A part of a run.
  public struct Block: Codable, Equatable, Sendable {
    /// In the order of their presses.
    public var samples: [LatencySample]
    /// One-way times of the floor, in tenths of a µs: bytes written at one end of a pty until a
    /// blocking read at the other returned, nothing else done.
    public var floor: [Int64]
    /// The disk's own floor, in tenths of a µs: a page written in place in the state folder with
    /// fdatasync(2), nothing else done. ``Normalization`` measures "durable" by it. Empty where not
    /// measured.
    public var flushes: [Int64]

    /// `floor` and `flushes` are in tenths of a µs.
    public init(samples: [LatencySample], floor: [Int64], flushes: [Int64] = []) {
      (self.samples, self.floor, self.flushes) = (samples, floor, flushes)
    }
  }
}

extension BenchResult.Pacing {
  /// From the samples that have a due time and a first edge; nil where there is none.
  /// - Parameter limit: µs.
  init?(of samples: [LatencySample], limit: Int64) {
    let errors = samples.compactMap { sample -> Int64? in
      guard let due = sample.due, let edge = sample.edge else { return nil }
      return abs(edge - due)
    }.sorted()
    guard let largest = errors.last else { return nil }
    func quantile(_ q: Double) -> Int64 {
      errors[min(errors.count - 1, Int(q * Double(errors.count)))]
    }
    self.init(
      median: quantile(0.5), p99: quantile(0.99), largest: largest, limit: limit)
  }

  /// Whether the presses came too late, or too early, for their figures to count.
  public var isRefused: Bool { p99 > limit }
}

extension BenchResult {
  /// Joins parts that were made one after the other, each with a rig of its own. Each part becomes
  /// a block, even where nothing was measured in it.
  ///
  /// - Parameters:
  ///   - parts: at least one; what they have in common is taken from the first.
  ///   - pacingLimit: of the whole, µs.
  public init(parts: [BenchResult], pacingLimit: Int64) {
    self = parts[0]
    duration = parts.reduce(0) { $0 + $1.duration }
    warmUp = parts.reduce(0) { $0 + $1.warmUp }
    lost = parts.reduce(0) { $0 + $1.lost }
    unseen = parts.reduce(0) { $0 + $1.unseen }
    environment.loadAfter = parts[parts.count - 1].environment.loadAfter
    blocks = parts.map { part in
      Block(
        samples: part.blocks.flatMap(\.samples), floor: part.blocks.flatMap(\.floor),
        flushes: part.blocks.flatMap(\.flushes))
    }
    pacing = Pacing(of: blocks.flatMap(\.samples), limit: pacingLimit)
  }
}

extension BenchResult {
  /// Joins runs of one device, rate and build, of one machine or of several: the blocks of all.
  /// What differs of the machines is named with `; ` between.
  /// - Throws: `ComparisonRefusal` where they are not of one kind.
  public func merged(with other: BenchResult) throws(ComparisonRefusal) -> BenchResult {
    if let refusal = ComparisonRefusal(old: self, new: other) { throw refusal }
    guard environment.options == other.environment.options else {
      throw ComparisonRefusal(
        reason: "the options are \(environment.options), then \(other.environment.options)")
    }
    var whole = self
    whole.began = min(began, other.began)
    whole.duration += other.duration
    whole.warmUp += other.warmUp
    whole.lost += other.lost
    whole.unseen += other.unseen
    whole.environment = environment.merged(with: other.environment)
    whole.blocks += other.blocks
    whole.pacing = [pacing, other.pacing].compactMap(\.?.limit).min().flatMap {
      Pacing(of: whole.blocks.flatMap(\.samples), limit: $0)
    }
    return whole
  }
}

extension BenchResult {
  /// Stamps and times within thirty years of zero. The sum of a few, in nanoseconds, fits an Int64.
  private static let range: ClosedRange<Int64> = -(1 << 50)...(1 << 50)

  /// The first value that no run can have measured; nil where figures can be computed.
  var fault: String? {
    if let rate, !(rate > 0 && rate < 1e9) { return "rate is \(rate)" }
    if !(0..<1e9 ~= duration) { return "duration is \(duration)" }
    for (name, count) in [("warmUp", warmUp), ("lost", lost), ("unseen", unseen)]
    where !(0...1 << 40 ~= count) { return "\(name) is \(count)" }
    if !(0...1 << 20 ~= environment.processors) {
      return "environment.processors is \(environment.processors)"
    }
    for load in [environment.loadBefore, environment.loadAfter] where !(0..<1e9 ~= load) {
      return "environment has a load of \(load)"
    }
    let times =
      [environment.flushMedian, environment.flushP99].compactMap { $0 }
      + (pacing.map { [$0.median, $0.p99, $0.largest, $0.limit] } ?? [])
    if let wrong = times.first(where: { !Self.range.contains($0) }) {
      return "a time of \(wrong) is in it"
    }
    for (index, block) in blocks.enumerated() {
      let stamps = block.samples.lazy.flatMap(\.stamps)
      if let wrong = (block.floor + block.flushes).first(where: { !Self.range.contains($0) })
        ?? stamps.first(where: { !Self.range.contains($0) })
      {
        return "blocks.\(index) has a time of \(wrong)"
      }
    }
    return nil
  }
}

extension LatencySample {
  fileprivate var stamps: [Int64] {
    [due, edge, stored, written, read, decided, durable, acked, lit, committing, uncertainty]
      .compactMap { $0 }
  }
}

/// The machine of a run, as far as it affects figures.
public struct BenchEnvironment: Codable, Equatable, Sendable {
  /// Release of the kernel; empty where it is not known.
  public var kernel = ""
  /// Name of the first processor, or the architecture where /proc/cpuinfo has no name.
  public var processor = ""
  /// Processors online.
  public var processors = 0
  /// The governor of processor 0; nil where the kernel does not say (most virtual machines).
  public var governor: String?
  /// The load of the last minute when the run began.
  public var loadBefore = 0.0
  /// The load of the last minute when the run had ended.
  public var loadAfter = 0.0
  /// The median of a page written in place with fdatasync in the state folder, µs; nil where that
  /// failed.
  public var flushMedian: Int64?
  /// The p99 of the same, µs.
  public var flushP99: Int64?
  /// Debug or release.
  public var build = ""
  /// The options of this run that move its figures, as they were given ("pinned to 1").
  public var options: [String] = []

  /// Nothing is known yet; ``read(folder:)`` measures this machine.
  public init() {}
}

extension BenchEnvironment {
  /// Of two runs: their loads are the larger ones, and so are their disks' times.
  func merged(with other: BenchEnvironment) -> BenchEnvironment {
    func both(_ field: KeyPath<BenchEnvironment, String>) -> String {
      let known = self[keyPath: field].components(separatedBy: "; ")
      let new = other[keyPath: field]
      return known.contains(new) ? self[keyPath: field] : self[keyPath: field] + "; " + new
    }
    var whole = self
    whole.kernel = both(\.kernel)
    whole.processor = both(\.processor)
    whole.processors = min(processors, other.processors)
    whole.governor = governor == other.governor ? governor : nil
    whole.loadBefore = max(loadBefore, other.loadBefore)
    whole.loadAfter = max(loadAfter, other.loadAfter)
    whole.flushMedian = [flushMedian, other.flushMedian].compactMap(\.self).max()
    whole.flushP99 = [flushP99, other.flushP99].compactMap(\.self).max()
    return whole
  }

  /// This machine now, and how fast its disk makes a page durable in a folder; no flush time where
  /// the folder cannot be written.
  public static func read(folder: String) -> BenchEnvironment {
    var environment = BenchEnvironment()
    environment.kernel = text("/proc/sys/kernel/osrelease") ?? ""
    environment.processor = processor(in: text("/proc/cpuinfo") ?? "")
    environment.processors = Processors.online
    environment.governor = text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    environment.loadBefore = load()
    environment.loadAfter = environment.loadBefore
    if let times = try? FlushTimes(in: folder, count: 100) {
      environment.flushMedian = times.median
      environment.flushP99 = times.sorted[times.sorted.count * 99 / 100]
    }
    #if DEBUG
      environment.build = "debug"
    #else
      environment.build = "release"
    #endif
    return environment
  }

  /// The load of the last minute, for ``loadAfter``; zero where the kernel does not say.
  public static func load() -> Double {
    text("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) } ?? 0
  }

  /// The name of the first processor; the machine's architecture where /proc/cpuinfo has none, as
  /// on ARM.
  static func processor(in information: String) -> String {
    for line in information.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2,
        ["model name", "Model"].contains(parts[0].trimmingCharacters(in: .whitespaces))
      else { continue }
      return parts[1].trimmingCharacters(in: .whitespaces)
    }
    var name = utsname()
    guard uname(&name) == 0 else { return "" }
    return withUnsafeBytes(of: name.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }
}
