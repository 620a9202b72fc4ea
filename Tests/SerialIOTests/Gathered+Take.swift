import TestSupport
import Testing

extension Gathered {
  /// The first values, at least `count` of them, and all that are there by then.
  func take(atLeast count: Int = 1) throws -> [Value] {
    try take("\(count) values") { values in
      guard values.count >= count else { return nil }
      defer { values.removeAll() }
      return values
    }
  }
}
