/// A field of the configuration that cannot be used, and a hint. Never the value of a secret.
public struct ConfigurationFailure: Error, Equatable, Sendable, CustomStringConvertible {
  public let field: String
  public let reason: String

  public init(_ field: String, _ reason: String) {
    self.field = field
    self.reason = reason
  }

  public var description: String { "\(field) \(reason)" }

  func within(_ outer: String) -> ConfigurationFailure {
    ConfigurationFailure("\(outer).\(field)", reason)
  }
}
