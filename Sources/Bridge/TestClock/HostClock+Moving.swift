import FobBase
import Synchronization

/// How a test moves the clock.
extension HostClock {
  /// - Returns: false if the clock would go back, or beyond `furthest`; then nothing changes.
  func move(to microseconds: Int64) -> Bool {
    guard microseconds >= moved, microseconds <= Self.furthest else { return false }
    offset.store(microseconds, ordering: .sequentiallyConsistent)
    return true
  }

  /// - Returns: as `move(to:)`.
  func move(by interval: Interval) -> Bool {
    let (sum, overflow) = moved.addingReportingOverflow(interval.microseconds)
    return !overflow && move(to: sum)
  }

  /// A century: sums of times stay far from overflow.
  static let furthest: Int64 = 3_155_760_000_000_000
}
