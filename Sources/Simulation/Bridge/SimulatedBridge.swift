import AlertCore
import Emulator
import FobBase

/// A machine with a clock, its one process that bridges, and its network to a core on another host.
final class SimulatedBridge {
  let place: RemoteBridgeSite
  let clock: BoardClock
  var random: SplitMix64
  var network: FeedNetwork
  /// The process; nil while it is down.
  var run: BridgeProcess?
  /// When the process is started again.
  var startsAt = Instant(microseconds: 0)
  /// The last number of a post or stream, over all runs.
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

/// A bridge that runs on a host of its own and feeds the core of another host.
public struct RemoteBridgeSite: Equatable, Sendable {
  /// The host whose core it feeds.
  public var host: Int
  /// Keychains that are plugged into it instead of into that host.
  public var keychains: Set<Int>
  /// Drift of its clock, in parts per million.
  public var drift: Int32

  /// The clock drifts by `drift` parts per million.
  public init(host: Int, keychains: Set<Int>, drift: Int32) {
    self.host = host
    self.keychains = keychains
    self.drift = drift
  }
}

/// One run of a bridge: production sessions, production machines of the feed, and the state of
/// `RemoteBridge` and its client. Times are of the bridge's clock, except `wake`.
final class BridgeProcess {
  let name: String
  let ends: LineEnds
  var lines: [UplinkQueue]
  var heard = RemoteCoreState()
  /// When the next stream is to be opened; nil: none is due.
  var streamAt: Instant?
  /// The open stream, and when it is given up.
  var stream: (number: Int, silentAt: Instant)?
  /// For each line the post under way, and when it is given up.
  var posts: [(number: Int, silentAt: Instant)?]
  /// When it is to be woken, in true time.
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

/// The state of a core's process for its bridges, as `FeedServer` has it.
struct SimulatedFeedServer {
  /// The holder of all bridges.
  static let holder = "token"

  var table = FeedTable()
  /// Posts that wait for commits, by the number of their batch in the table.
  var answers: [UInt64: Int] = [:]
  var streams: [BridgeRun: Int] = [:]
  var nextHeartbeat: Instant?

  /// When it is to be woken, on the core's boot clock.
  var nextWake: Instant { min(table.nextWake ?? .never, nextHeartbeat ?? .never) }
}
