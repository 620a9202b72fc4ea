import FobBase
import WireProtocol

/// Keeps what was decided until it is durable: one commit is under way at a time, and all that is
/// decided meanwhile goes into the next. A commit that failed is tried again, with what came since,
/// each second and at each duplicate of an event that waits in it.
struct Custody: Sendable {
  private(set) var known = KnownEvents()
  private var waiting = Changes()
  private var underWay: Changes?
  private var begunAt: Moment?
  private var batch: UInt64 = 0
  private var retryAt: Moment?
  private(set) var failure: Failure?
  private var logLost = 0

  /// Why nothing is durable now, and since when.
  struct Failure: Equatable, Sendable {
    var since: Moment
    var reason: String
  }

  struct Committed {
    var acks: [EventIdentity]
    var healed: Failure?
    var logLost: Int
  }

  mutating func recover(_ identities: [EventIdentity]) {
    for identity in identities { known.commit(identity) }
  }

  mutating func take(_ changes: Changes) {
    for event in changes.events { known.addPending(event.record.identity) }
    if waiting.isEmpty { waiting = changes } else { waiting.merge(changes) }
    let excess = waiting.log.count - Limits.pendingAudit
    if excess > 0 {
      waiting.log.removeFirst(excess)
      logLost += excess
    }
  }

  /// An event came again whose commit has failed: try at once.
  mutating func hurry() { retryAt = nil }

  /// So much waits that an event is better left to the device, which keeps it until it is acked.
  var isFull: Bool { waiting.events.count >= Limits.pendingAudit }

  /// The next batch, when none is under way and there is something to commit.
  mutating func nextCommit(at now: Moment) -> CommitBatch? {
    guard underWay == nil, !waiting.isEmpty else { return nil }
    if let retryAt, now.at < retryAt.at { return nil }
    retryAt = nil
    batch += 1
    begunAt = now
    underWay = waiting
    waiting = Changes()
    return CommitBatch(number: batch, changes: underWay!)
  }

  mutating func committed(_ number: UInt64) -> Committed? {
    guard number == batch, let done = underWay else { return nil }
    underWay = nil
    let identities = done.events.map(\.record.identity)
    for identity in identities { known.commit(identity) }
    defer {
      failure = nil
      logLost = 0
    }
    return Committed(acks: identities, healed: failure, logLost: logLost)
  }

  /// Puts the batch back in front of what came since.
  /// - Returns: whether this is news; nil when no such batch is under way.
  mutating func failed(_ number: UInt64, _ reason: String, retry: Moment, at now: Moment) -> Bool? {
    guard number == batch, var changes = underWay else { return nil }
    underWay = nil
    changes.merge(waiting)
    waiting = Changes()
    take(changes)
    retryAt = retry
    defer { failure = Failure(since: failure?.since ?? now, reason: reason) }
    return failure == nil
  }

  /// Something that was decided is without its commit.
  var hasUncommitted: Bool { underWay != nil || !waiting.isEmpty }

  var nextWake: Moment? { underWay == nil && !waiting.isEmpty ? retryAt : nil }

  /// Why nothing is durable now; a store that does not answer fails too.
  func trouble(within: Interval, at now: Moment) -> String? {
    if let failure { return failure.reason }
    guard underWay != nil, let begunAt, now.since(begunAt) >= within else { return nil }
    return "the store does not answer"
  }

  /// Whether all presses of an incident are durable; one of open meaning may yet become its entry.
  func arePressesDurable(_ incident: IncidentID) -> Bool {
    !waiting.holdsPress(of: incident) && !(underWay?.holdsPress(of: incident) ?? false)
  }

  /// The batch that holds the last of what was decided so far.
  var lastBatch: UInt64 { waiting.isEmpty ? batch : batch + 1 }
}

extension Changes {
  fileprivate func holdsPress(of incident: IncidentID) -> Bool {
    meanings.values.contains { $0.incident == incident }
      || events.contains {
        $0.incident == incident
          || $0.meaning == .open && $0.record.identity.kind == .pressed
      }
  }
}

/// One transaction for the store, in the order of `number`.
public struct CommitBatch: Sendable {
  public let number: UInt64
  public let changes: Changes
}
