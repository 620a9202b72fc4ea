import FobBase

/// Why a batch was not taken.
public enum FeedRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// It is no batch: which field, and what it must be.
  case malformed(field: String, must: String)
  /// Too many bridges or lines at one time.
  case full

  public var description: String {
    switch self {
    case .malformed(let field, let must): "\(field) must be \(must)"
    case .full:
      "too many bridges or keychains feed this core; it takes"
        + " \(FeedTable.maxBridgesOfHolder) bridges by one token, \(FeedTable.maxBridges) in all,"
        + " and \(Limits.devices) keychains"
    }
  }
}
