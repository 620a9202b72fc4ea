import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// One run of the host's process, wired as the bridge wires it: production core, sessions and the
/// core's end of a feed, and what the bridge's threads have in hand.
final class HostRun {
  var core: AlertCore
  let began: Instant
  let ends: LineEnds
  var feedServer = SimulatedFeedServer()
  /// A bridge feeds it.
  private let isFed: Bool
  /// Decided and not yet performed.
  var output = CoreOutput()
  /// The commit thread.
  var commit: (batch: CommitBatch, fate: Disk.Fate)?
  /// The threads of the notification channels.
  var channels: [SimulatedChannel]
  /// When each message was handed out whose answer the core waits for, and to which way.
  var handedOut: [String: (at: Instant, way: Int)] = [:]
  /// What people have asked to be changed of the account, unanswered.
  var changes: Set<RequestID> = []
  /// One of them is done.
  var areWaysToTell = false
  /// Effects that are still performed before the process is killed.
  var effectsUntilKill: Int?
  /// It is killed then, at the latest.
  var killedBy = Instant.never
  var downFor = Interval.zero
  /// When the core and the sessions are to be woken, in true time.
  var wake = Instant.never

  init(_ core: AlertCore, lines: Int, ways: Int, isFed: Bool, at now: Instant) {
    self.core = core
    self.isFed = isFed
    began = now
    channels = Array(repeating: SimulatedChannel(), count: ways)
    ends = LineEnds(lines: lines)
  }

  /// When core or sessions want to be woken, on the boot clock.
  func nextWake(after now: Timestamp) -> Instant {
    let due = min(core.nextWake(after: now)?.at ?? .never, ends.nextWake)
    return isFed ? min(due, feedServer.nextWake) : due
  }

  var nextDue: Instant {
    var due = min(min(wake, killedBy), commit?.fate.answersAt ?? .never)
    for way in channels { due = min(due, way.nextDue) }
    return due
  }
}
