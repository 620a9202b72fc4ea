import AlertCore
import Emulator
import FobBase

/// A machine with a clock, the one process on it that bridges, and its way to a core on another.
final class SimulatedBridge {
  let place: RemoteBridgeSite
  let clock: BoardClock
  var random: SplitMix64
  var network: FeedNetwork
  /// The process; nil while it is down.
  var run: BridgeProcess?
  /// It is started again then.
  var startsAt = Instant(microseconds: 0)
  /// Of posts and streams, over all runs.
  private var lastNumber = 0

  init(_ place: RemoteBridgeSite, seed: UInt64) {
    self.place = place
    clock = BoardClock(
      bootedAt: Instant(microseconds: -5_000_000_000), driftPPM: place.drift)
    random = SplitMix64(state: SplitSeed.seed(seed, 1))
    network = FeedNetwork(seed: SplitSeed.seed(seed, 2))
  }

  var nextDue: Instant { min(network.nextDue, run?.wake ?? startsAt) }

  func number() -> Int {
    lastNumber += 1
    return lastNumber
  }
}
