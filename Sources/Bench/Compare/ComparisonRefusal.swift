/// Why two runs cannot be compared, and the way out.
public struct ComparisonRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  public let reason: String

  public var description: String { "these runs cannot be compared: \(reason)" }
}
