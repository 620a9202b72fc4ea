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

/// A bridge on a host of its own, which feeds the core of another.
public struct RemoteBridgeSite: Equatable, Sendable {
  /// Whose core it feeds.
  public var host: Int
  /// These are plugged into it where others are plugged into that host.
  public var keychains: Set<Int>
  /// Parts per million, of its clock.
  public var drift: Int32

  /// - Parameter drift: parts per million.
  public init(host: Int, keychains: Set<Int>, drift: Int32) {
    self.host = host
    self.keychains = keychains
    self.drift = drift
  }
}

/// One run of a bridge: production sessions and machines of the feed, and what `RemoteBridge` and
/// its client have in hand. Times are of the bridge's clock, but for `wake`.
final class BridgeProcess {
  let name: String
  let ends: LineEnds
  var lines: [UplinkQueue]
  var heard = RemoteCoreState()
  /// When a stream is to be opened.
  var streamAt: Instant?
  /// The one that is open, and when it is given up.
  var stream: (number: Int, silentAt: Instant)?
  /// The post that is under way for each line, and when it is given up.
  var posts: [(number: Int, silentAt: Instant)?]
  /// In true time.
  var wake = Instant.never

  init(_ name: String, lines: Int, at now: Instant) {
    self.name = name
    ends = LineEnds(lines: lines)
    self.lines = (0..<lines).map { UplinkQueue(line: $0) }
    posts = Array(repeating: nil, count: lines)
    streamAt = now
  }

  var nextWake: Instant {
    var due = min(ends.nextWake, streamAt ?? .never)
    due = min(due, min(heard.nextWake ?? .never, stream?.silentAt ?? .never))
    for line in lines { due = min(due, line.nextWake ?? .never) }
    for case let post? in posts { due = min(due, post.silentAt) }
    return due
  }
}

/// What a core's process has in hand of its bridges, as `FeedServer` has it.
struct SimulatedFeedServer {
  /// By what bridges are let in.
  static let holder = "token"

  var table = FeedTable()
  /// The posts that wait for commits, by the batches that the table counts.
  var answers: [UInt64: Int] = [:]
  var streams: [BridgeRun: Int] = [:]
  var nextHeartbeat: Instant?

  /// On the core's boot clock.
  var nextWake: Instant { min(table.nextWake ?? .never, nextHeartbeat ?? .never) }
}
