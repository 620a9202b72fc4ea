import AlertCore
import FobBase

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
