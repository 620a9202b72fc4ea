import FobBase
import WireProtocol

/// Keeps what was decided until it is durable: one commit is under way at a time, and all that is
/// decided meanwhile goes into the next. A commit that failed is tried again, with what came since,
/// each second and at each duplicate of an event that waits in it.
///
/// What nobody waits for, as that a message was handed out and accepted, waits a little for more of
/// it: one commit instead of two behind each press, and often none at all, since the next press
/// takes it along.
struct CommitQueue: Sendable {
  private let noteLatest: Interval
  var known = KnownEvents()
  /// A turn's changes each, in their order: put together by who commits them, as no press waits
  /// for that.
  var waiting: [Changes] = []
  var waitingEvents = 0
  var waitingLines = 0
  var underWay: [Changes]?
  var begunAt: Timestamp?
  var batch: UInt64 = 0
  var retryAt: Timestamp?
  var failure: Failure?
  /// Lines let go of in front of those that wait.
  var logLost = 0
  /// The same of the batch under way, and the line that says so.
  var lossUnderWay: (count: Int, line: AuditEvent)?
  /// The last incident that a trigger has opened and that is on the disk.
  var durableTrigger: IncidentID?
  /// Somebody waits for what waits: a keychain, whoever asked, or a message to be told.
  var isAwaited = false
  /// Since when something waits.
  private var waitingSince: Timestamp?

  init(noteLatest: Interval = .zero) { self.noteLatest = noteLatest }

  /// Why nothing is durable now, and since when.
  struct Failure: Equatable, Sendable {
    var since: Timestamp
    var reason: String
  }

  struct Committed {
    /// Each with the line that its ack goes to.
    var events: [(EventIdentity, LinkID?)]
    var healed: Failure?
    /// In the batch, where lines are missing.
    var loss: AuditEvent?
  }

  mutating func recover(_ stored: StoredState) {
    for identity in stored.identities { known.commit(identity) }
    durableTrigger = stored.current?.trigger == nil ? nil : stored.current?.id
  }

  mutating func take(_ changes: Changes, at now: Timestamp) {
    guard !changes.isEmpty else { return }
    if waitingSince == nil { waitingSince = now }
    // By a keychain for its ack, a light for what a press came to mean, a message for being told.
    isAwaited =
      isAwaited || !changes.events.isEmpty || !changes.meanings.isEmpty
      || changes.messages.contains { $0.delivery == .held }
    waiting.append(changes)
    waitingEvents += changes.events.count
    waitingLines += changes.log.count
    if waitingLines > Limits.pendingAudit { loseOldestLines() }
    // A store that is away for days: what is replaced need not be kept.
    if waiting.count > Limits.pendingAudit { waiting = [.merged(waiting)] }
  }

  /// Somebody waits for all that was decided so far.
  mutating func expedite() { isAwaited = !waiting.isEmpty }

  /// An event came again whose commit has failed: try at once.
  mutating func hurry() { retryAt = nil }

  /// So much waits that an event is better left to the device, which keeps it until it is acked.
  var isFull: Bool { waitingEvents >= Limits.pendingAudit }

  /// The next batch, when none is under way and there is something to commit.
  mutating func nextCommit(at now: Timestamp) -> CommitBatch? {
    guard underWay == nil, !waiting.isEmpty else { return nil }
    if let due, now.at < due.at { return nil }
    retryAt = nil
    waitingSince = nil
    isAwaited = false
    batch += 1
    begunAt = now
    if logLost > 0 { noteLoss(at: now) }
    let parts = waiting
    underWay = parts
    (waiting, waitingEvents, waitingLines) = ([], 0, 0)
    return CommitBatch(number: batch, parts: parts)
  }

  /// Something that was decided is without its commit.
  var hasUncommitted: Bool { underWay != nil || !waiting.isEmpty }

  var nextWake: Timestamp? {
    mutating get { underWay == nil && !waiting.isEmpty ? due : nil }
  }

  /// When what waits is to be committed; nil: at once.
  private var due: Timestamp? {
    retryAt ?? (isAwaited ? nil : waitingSince.map { $0 + noteLatest })
  }

  /// The batch that holds the last of what was decided so far.
  var lastBatch: UInt64 { waiting.isEmpty ? batch : batch + 1 }
}

/// One transaction for the store, in the order of `number`.
public struct CommitBatch: Sendable {
  /// From 1 in each run; a batch that is tried again gets the next one.
  public let number: UInt64
  let parts: [Changes]

  /// Put together anew each time.
  public var changes: Changes { .merged(parts) }
}

/// The store's answers, and what is lost of a log that is too long.
extension CommitQueue {
  mutating func loseOldestLines() {
    var excess = waitingLines - Limits.pendingAudit
    logLost += excess
    waitingLines -= excess
    for part in waiting.indices where excess > 0 {
      let lost = min(excess, waiting[part].log.count)
      waiting[part].log.removeFirst(lost)
      excess -= lost
    }
  }

  /// The oldest were let go of, so it stands in front of all.
  mutating func noteLoss(at now: Timestamp) {
    let line = AuditEvent(.auditLost, at: now, .lost(lines: logLost))
    waiting[0].log.insert(line, at: 0)
    lossUnderWay = (logLost, line)
    logLost = 0
  }

  mutating func committed(_ number: UInt64) -> Committed? {
    guard number == batch, let done = underWay else { return nil }
    underWay = nil
    let events = done.flatMap { changes in
      changes.events.map { ($0.identity, known.commit($0.identity)) }
    }
    for changes in done {
      if let id = changes.changedIncidents.last(where: { $0.trigger != nil })?.id {
        durableTrigger = id
      }
    }
    defer {
      failure = nil
      lossUnderWay = nil
    }
    return Committed(events: events, healed: failure, loss: lossUnderWay?.line)
  }

  /// Puts the batch back in front of what came since.
  /// - Returns: whether this is news; nil when no such batch is under way.
  mutating func failed(_ number: UInt64, _ reason: String, retry: Timestamp, at now: Timestamp)
    -> Bool?
  {
    guard number == batch, var parts = underWay else { return nil }
    underWay = nil
    if let loss = lossUnderWay {
      parts[0].log.removeFirst()
      logLost += loss.count
      lossUnderWay = nil
    }
    let later = waiting
    (waiting, waitingEvents, waitingLines) = ([], 0, 0)
    for changes in parts + later { take(changes, at: now) }
    expedite()
    retryAt = retry
    defer { failure = Failure(since: failure?.since ?? now, reason: reason) }
    return failure == nil
  }

  /// Why nothing is durable now; a store that does not answer fails too.
  func trouble(within: Interval, at now: Timestamp) -> String? {
    if let failure { return failure.reason }
    guard underWay != nil, let begunAt, now.since(begunAt) >= within else { return nil }
    return "the store does not answer"
  }

  /// Whether all presses of an incident are durable, and of one without presses the trigger; one of
  /// open meaning may yet become its entry.
  func isDurable(_ incident: borrowing Incident) -> Bool {
    let isOpeningDurable = incident.trigger == nil || incident.id == durableTrigger
    return isOpeningDurable && arePressesDurable(incident.id)
  }

  private func arePressesDurable(_ incident: IncidentID) -> Bool {
    !waiting.contains { $0.holdsPress(of: incident) }
      && !(underWay?.contains { $0.holdsPress(of: incident) } ?? false)
  }
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
