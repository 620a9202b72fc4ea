import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// One run of the host's process, wired as the bridge wires it: production core and sessions, and
/// what the bridge's threads have in hand.
final class HostRun {
  var core: AlertCore
  let began: Instant
  /// One each keychain's line.
  var sessions: [HostSession]
  /// What the bridge holds back for a line that does not take it: whole frames.
  var outboxes: [[UInt8]]
  /// Decided and not yet performed.
  var output = CoreOutput()
  /// The commit thread.
  var commit: (batch: CommitBatch, fate: Disk.Fate)?
  /// The threads of the ways out.
  var waysOut: [WayOut]
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

  init(_ core: AlertCore, lines: Int, ways: Int, at now: Instant) {
    self.core = core
    began = now
    waysOut = Array(repeating: WayOut(), count: ways)
    sessions = (0..<lines).map {
      HostSession(
        LinkID(rawValue: $0), software: SoftwareVersion(major: 0, minor: 1, patch: 0))
    }
    outboxes = Array(repeating: [], count: lines)
  }

  /// When core or sessions want to be woken, on the boot clock.
  func nextWake(after now: Moment) -> Instant {
    var due = core.nextWake(after: now)?.at ?? .never
    sessions.withUnsafeMutableBufferPointer { sessions in
      for index in sessions.indices { due = min(due, sessions[index].nextWake ?? .never) }
    }
    return due
  }

  var nextDue: Instant {
    var due = min(min(wake, killedBy), commit?.fate.answersAt ?? .never)
    for way in waysOut { due = min(due, way.nextDue) }
    return due
  }
}
