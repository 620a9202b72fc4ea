/// The machine of a run, as far as it moves its figures.
public struct BenchEnvironment: Codable, Equatable, Sendable {
  public var kernel = ""
  public var processor = ""
  public var processors = 0
  /// Of processor 0; nil where the kernel does not say (most virtual machines).
  public var governor: String?
  /// The load of the last minute when the run began, and when it had ended.
  public var loadBefore = 0.0
  public var loadAfter = 0.0
  /// A page written in place with fdatasync in the state folder, µs: median and p99.
  public var flushMedian: Int64?
  public var flushP99: Int64?
  /// Debug or release.
  public var build = ""
  /// The options of this run that move its figures, as they were given ("pinned to 1").
  public var options: [String] = []

  public init() {}
}
