/// What a core on another host could not be brought to do.
public struct RemoteCoreFailure: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: Equatable, Sendable {
    /// Nobody answers, or not in time, or not as TLS wants it.
    case unreachable
    /// 401 or 403: another token is needed.
    case token
    /// Any other status than 200.
    case refused(UInt)
    /// The configuration is wrong: no try will mend it.
    case configuration
  }

  public let kind: Kind
  public let description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
