/// What one `fob bench latency` measured: what its JSON file holds and `--compare` reads.
///
/// A run goes in blocks: in each some presses, then the harness's own floor, so that what else the
/// machine does falls on both, and a block's median has a floor of its own to be divided by.
public struct BenchResult: Codable, Equatable, Sendable {
  public static let format = 1

  public var format = BenchResult.format
  /// Wall clock, RFC 3339.
  public var began = ""
  /// The device's spec as given, or "emulated".
  public var device = ""
  /// Presses a second that the schedule wanted, over all keychains of the rig; nil by hand.
  public var rate: Double?
  /// Of the presses counted, seconds.
  public var duration = 0.0
  /// Presses that were made to warm up and are counted nowhere.
  public var warmUp = 0
  public var environment = BenchEnvironment()
  /// |first edge − due|, µs: median, p99, largest; nil by hand.
  public var pacing: Pacing?
  public var blocks: [Block] = []
  /// Presses that were made and of which no decision came within the patience of the run.
  public var lost = 0
  /// Presses that became durable though not all of their stamps came: in no figure.
  public var unseen = 0

  public init() {}

  public struct Pacing: Codable, Equatable, Sendable {
    public var median: Int64
    public var p99: Int64
    public var largest: Int64
    /// p99 above this refuses the run, µs.
    public var limit: Int64

    public init(median: Int64, p99: Int64, largest: Int64, limit: Int64) {
      (self.median, self.p99, self.largest, self.limit) = (median, p99, largest, limit)
    }
  }

  public struct Block: Codable, Equatable, Sendable {
    public var samples: [LatencySample]
    /// One-way times of the floor, µs in tenths: bytes written at one end of a pty until a blocking
    /// read at the other returned, nothing else done.
    public var floor: [Int64]
    /// The disk's own floor, µs in tenths: a page written in place in the state folder with
    /// fdatasync(2), nothing else done; what "durable" is divided by. Empty where not measured.
    public var flushes: [Int64]

    public init(samples: [LatencySample], floor: [Int64], flushes: [Int64] = []) {
      (self.samples, self.floor, self.flushes) = (samples, floor, flushes)
    }
  }
}
