public import FobBase
import Glibc
public import SerialIO

/// Moves the clock of a bridge that the same process plays with, as `TestClock` does for another.
extension AlertBridge {
  /// Moves both clocks on, and waits up to 10 s until all that is due by then is decided and
  /// committed. The clocks of links and keychains stay.
  /// - Throws: where the bridge may reach real people, or the clock would go back.
  public func advance(by interval: Interval) throws(IOFailure) {
    if let obstacle = testObstacle {
      throw IOFailure("move", errno: EPERM, path: "the clock", reason: obstacle)
    }
    guard process.clock.move(by: interval) else {
      throw IOFailure(
        "move", errno: EINVAL, path: "the clock", reason: "it goes forward alone, a century at most"
      )
    }
    process.clockMoved()
    guard process.isSettled(by: BootClock.now() + .seconds(10)) else {
      throw IOFailure("settle", errno: ETIMEDOUT, path: "after the clock was moved")
    }
  }
}
