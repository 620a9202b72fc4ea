public import AlertCore
public import FobBase
import SerialIO
import Synchronization
import WireProtocol

/// The clocks by which a core decides and tells: the host's own clocks, or both moved forward by a
/// test. Links measure on the host's own boot clock.
public final class HostClock: Sendable {
  /// In µs; it never decreases.
  let offset = Atomic<Int64>(0)

  /// Begins with the host's own time.
  public init() {}

  /// Boot clock, by which the core decides.
  public func now() -> Instant { BootClock.now() + .microseconds(moved) }

  /// Wall clock, which people are told: µs since 1970.
  public func wall() -> Int64 { WallClock.now() &+ moved }

  /// Both clocks at once, on the boot with this id.
  public func timestamp(boot: UInt64) -> Timestamp {
    let moved = moved
    return Timestamp(
      boot: boot, instant: BootClock.now() + .microseconds(moved), wall: WallClock.now() &+ moved)
  }

  /// Converts an instant of this clock into one of the host's own boot clock.
  func own(_ instant: Instant) -> Instant { instant + .microseconds(0 &- moved) }

  /// A test has moved this clock.
  var isMoved: Bool { moved != 0 }

  /// Converts the times of an input from the host's own boot clock to this clock.
  func moved(_ input: CoreInput) -> CoreInput {
    let moved = moved
    switch input {
    case .event(let link, let record, let range?):
      let (from, isUnder) = range.lowerBound.addingReportingOverflow(moved)
      let (to, isOver) = range.upperBound.addingReportingOverflow(moved)
      return .event(link, record, happenedAt: isUnder || isOver ? nil : from...to)
    case .clockFit(let link, var fit, let provenAt):
      fit.offset &+= moved
      return .clockFit(link, fit, provenAt: provenAt)
    default: return input
    }
  }

  var moved: Int64 { offset.load(ordering: .sequentiallyConsistent) }
}
