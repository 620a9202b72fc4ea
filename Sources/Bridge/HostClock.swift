public import AlertCore
public import FobBase
import SerialIO
import Synchronization

/// The clocks that a core decides and tells by: the host's own, moved forward together where a
/// test says so. What the links measure stays on the host's own boot clock.
public final class HostClock: Sendable {
  /// In µs; it only grows.
  private let offset = Atomic<Int64>(0)

  public init() {}

  /// For deciding.
  public func now() -> Instant { BootClock.now() + .microseconds(moved) }

  /// For telling, µs since 1970.
  public func wall() -> Int64 { WallClock.now() &+ moved }

  /// Both at once.
  public func timestamp(boot: UInt64) -> Timestamp {
    let moved = moved
    return Timestamp(
      boot: boot, instant: BootClock.now() + .microseconds(moved), wall: WallClock.now() &+ moved)
  }

  /// When the host's own boot clock will say what this clock calls `instant`.
  func own(_ instant: Instant) -> Instant { instant + .microseconds(0 &- moved) }

  /// A test has moved it from the host's own.
  var isMoved: Bool { moved != 0 }

  /// An input whose times were read from the host's own boot clock, in the time of this one.
  func moved(_ input: CoreInput) -> CoreInput {
    guard case .event(let link, let record, let range?) = input else { return input }
    let moved = moved
    let (from, isUnder) = range.lowerBound.addingReportingOverflow(moved)
    let (to, isOver) = range.upperBound.addingReportingOverflow(moved)
    return .event(link, record, happenedAt: isUnder || isOver ? nil : from...to)
  }

  /// - Returns: false where it would go back; then nothing has changed.
  func move(to microseconds: Int64) -> Bool {
    guard microseconds >= moved, microseconds <= Self.furthest else { return false }
    offset.store(microseconds, ordering: .sequentiallyConsistent)
    return true
  }

  /// A century: sums of times stay far from their end.
  static let furthest: Int64 = 3_155_760_000_000_000

  private var moved: Int64 { offset.load(ordering: .sequentiallyConsistent) }
}
