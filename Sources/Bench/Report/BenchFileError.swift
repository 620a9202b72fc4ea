/// A file that is no result of a run, or of another format.
public struct BenchFileError: Error, Equatable, Sendable, CustomStringConvertible {
  public let name: String
  public let reason: String

  /// `old.json is no result of fob bench latency: …`
  public var description: String { "\(name) is no result of fob bench latency: \(reason)" }
}
