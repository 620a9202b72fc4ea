import FobBase
import WireProtocol

/// Keeps decisions until they are durable. One commit is under way at a time, and decisions made
/// meanwhile go into the next. A failed commit is tried again each second, and at each duplicate of
/// an event that waits in it, together with what came since.
///
/// Changes that nobody waits for, such as "handed out" and "accepted", wait a little for more. This
/// saves one of two commits behind each press, and often both, since the next press takes them
/// along.
struct CommitQueue: Sendable {
  private let noteDelay: Interval
  var known = KnownEvents()
  /// The changes of each step, in order. The commit thread merges them, since no press waits for
  /// that.
  var waiting: [Changes] = []
  var waitingEvents = 0
  var waitingLines = 0
  var underWay: [Changes]?
  var begunAt: Timestamp?
  var batch: UInt64 = 0
  var retryAt: Timestamp?
  var failure: Failure?
  /// Log entries that were dropped in front of those that wait.
  var logLost = 0
  /// How many the batch under way lacks, and the log entry that says so.
  var lossUnderWay: (count: Int, line: AuditEvent)?
  /// The last incident that a trigger opened and that is on the disk.
  var durableTrigger: IncidentID?
  /// Somebody waits for the waiting changes: a keychain, a person, or a message to be told.
  var isAwaited = false
  /// How many decisions there were so far: a question, a light or a message waits for the last one.
  private(set) var lastDecision: UInt64 = 0
  /// When the oldest waiting change was made; nil: nothing waits.
  private var waitingSince: Timestamp?

  init(noteDelay: Interval = .zero) { self.noteDelay = noteDelay }

  /// Why the store fails, and since when.
  struct Failure: Equatable, Sendable {
    var since: Timestamp
    var reason: String
  }

  struct Committed {
    /// The last decision that is durable.
    var decision: UInt64
    /// The events, each with the line for its ack; nil: none.
    var events: [(EventIdentity, LinkID?)]
    var healed: Failure?
    /// The entry about missing log entries, if the batch had one.
    var loss: AuditEvent?
  }

  mutating func recover(_ stored: StoredState) {
    known.learn(stored.identities)
    durableTrigger = stored.current?.trigger == nil ? nil : stored.current?.id
  }

  mutating func take(_ changes: Changes, at now: Timestamp) {
    guard !changes.isEmpty else { return }
    if waitingSince == nil { waitingSince = now }
    // A keychain waits for its ack, a light for a press's meaning or a check-in's answer, a message
    // for its commit.
    isAwaited =
      isAwaited || !changes.moves.isEmpty || !changes.checkIns.isEmpty || !changes.events.isEmpty
      || !changes.meanings.isEmpty
      || changes.messages.contains { $0.delivery == .held }
    waiting.append(changes)
    if changes.decision == 0 {
      lastDecision += 1
      waiting[waiting.count - 1].decision = lastDecision
    }
    waitingEvents += changes.events.count
    waitingLines += changes.log.count
    if waitingLines > Limits.pendingAudit { loseOldestLines() }
    if waiting.count > Limits.pendingAudit { mergeWaiting() }
  }

  /// Somebody waits for all decisions so far: commit at once.
  mutating func expedite() { isAwaited = !waiting.isEmpty }

  /// An event whose commit has failed came again: try at once.
  mutating func hurry() { retryAt = nil }

  /// Too much waits for another event: the device keeps it until it is acked.
  var isFull: Bool { waitingEvents >= Limits.pendingAudit }

  /// The next batch; nil while one is under way or nothing is due. It has one move at most: it
  /// waits for the other account's side, and batches of several moves could wait for each other in
  /// a circle.
  mutating func nextCommit(at now: Timestamp) -> CommitBatch? {
    guard underWay == nil, !waiting.isEmpty else { return nil }
    if let due, now.at < due.at { return nil }
    retryAt = nil
    waitingSince = nil
    isAwaited = false
    batch += 1
    begunAt = now
    if logLost > 0 { noteLoss(at: now) }
    let parts = takeParts()
    underWay = parts
    return CommitBatch(number: batch, parts: parts)
  }

  /// Takes what waits, up to the second move.
  private mutating func takeParts() -> [Changes] {
    let parts = waiting
    (waiting, waitingEvents, waitingLines) = ([], 0, 0)
    guard let first = parts.firstIndex(where: \.isSide),
      let second = parts[(first + 1)...].firstIndex(where: \.isSide)
    else { return parts }
    waiting = Array(parts[second...])
    waitingEvents = waiting.reduce(0) { $0 + $1.events.count }
    waitingLines = waiting.reduce(0) { $0 + $1.log.count }
    isAwaited = true
    return Array(parts[..<second])
  }

  /// The store may be away for days: merging drops states that were replaced. Moves stay apart.
  private mutating func mergeWaiting() {
    let runs = waiting.reduce(into: [[Changes]]()) { runs, part in
      if part.isSide || runs.isEmpty { runs.append([]) }
      runs[runs.count - 1].append(part)
    }
    waiting = runs.map { .merged($0) }
  }

  /// Some decision is not committed yet.
  @inline(__always)
  var hasUncommitted: Bool { underWay != nil || !waiting.isEmpty }

  var nextWake: Timestamp? {
    mutating get { underWay == nil && !waiting.isEmpty ? due : nil }
  }

  /// When the waiting changes are to be committed; nil: at once.
  private var due: Timestamp? { retryAt ?? (isAwaited ? nil : waitingSince.map { $0 + noteDelay }) }
}

/// One transaction for the store, in the order of `number`.
public struct CommitBatch: Sendable {
  /// From 1 in each run; a batch that is tried again gets the next one.
  public let number: UInt64
  let parts: [Changes]

  /// The move that it is one side of: it is durable together with the other side, or neither is.
  public var move: MoveID? { parts.lazy.flatMap(\.moves).compactMap(\.id).first }

  /// Merged anew at each call.
  public var changes: Changes { .merged(parts) }
}

extension Changes {
  /// They are one side of a move between two accounts.
  fileprivate var isSide: Bool { moves.contains { $0.id != nil } }
}
