public import WireProtocol

/// The effects of a step. The caller passes the same value to each step and performs it, so that
/// its memory is reused.
public struct CoreOutput: Sendable {
  /// Acks by line: the device may forget these events.
  package var acks: [(link: LinkID, ack: EventAck)] = []
  /// The next transaction for the store; nil: none is to begin now.
  package var commit: CommitBatch?
  /// Messages for the sinks, to be handed over now.
  package var deliveries: [Notification] = []
  /// What keychains are to show, for the named lines; nil: for every line.
  package var indications: [(indication: Indication, links: [LinkID]?)] = []
  /// For people and programs: what they asked for is durable, or its commit has failed.
  package var answers: [(request: RequestID, answer: Answer)] = []
  /// For watchers of the log.
  package var events: [AuditEvent] = []

  /// The decisions of the step under way; its end hands them to the commit queue.
  var changes = Changes()
  var changedIncidents: [IncidentID] = []
  /// Incidents that ended in this step.
  var ended: [IncidentID] = []

  /// Empty.
  public init() {}

  // MARK: While a step decides

  /// Adds an entry to the log and tells watchers of it.
  mutating func note(
    _ noted: AuditEvent, _ incident: IncidentID? = nil, contact: ContactID? = nil
  ) {
    var auditEvent = noted
    if let incident { auditEvent.incident = incident }
    if let contact { auditEvent.contact = contact }
    changes.log.append(auditEvent)
    events.append(auditEvent)
  }

  mutating func note(
    _ transition: Transition?, _ incident: IncidentID, by who: String? = nil, at now: Timestamp
  ) {
    guard let transition else { return }
    var auditEvent = AuditEvent(.stateChanged, at: now, .became(transition))
    auditEvent.who = who
    note(auditEvent, incident)
    changed(incident)
  }

  mutating func changed(_ incident: IncidentID) {
    if !changedIncidents.contains(incident) { changedIncidents.append(incident) }
  }

  mutating func withdraw(_ withdrawn: [Notification], at now: Timestamp) {
    for notification in withdrawn {
      changes.put(notification)
      note(
        AuditEvent(.withdrawn, at: now, notification.facts(nil)), notification.incident,
        contact: notification.contact.id)
    }
  }

  // MARK: Performing it

  /// There is nothing to perform.
  public var isEmpty: Bool {
    acks.isEmpty && commit == nil && deliveries.isEmpty && indications.isEmpty && answers.isEmpty
      && events.isEmpty
  }

  /// Performs the effects in the order that matters: acks of what is durable first, and a commit
  /// before the messages that follow from it.
  public func perform(by performer: inout some EffectPerformer) {
    for (link, ack) in acks {
      guard performer.goesOn() else { return }
      performer.acknowledge(ack, on: link)
    }
    if let commit {
      guard performer.goesOn() else { return }
      performer.commit(commit)
    }
    for notification in deliveries {
      guard performer.goesOn() else { return }
      performer.deliver(notification)
    }
    for (indication, links) in indications {
      guard performer.goesOn() else { return }
      performer.indicate(indication, to: links)
    }
    for (request, answer) in answers {
      guard performer.goesOn() else { return }
      performer.answer(request, answer)
    }
    for event in events {
      guard performer.goesOn() else { return }
      performer.tell(event)
    }
  }

  /// Empties it after performing, and keeps its memory.
  public mutating func removeAll() {
    acks.removeAll(keepingCapacity: true)
    commit = nil
    deliveries.removeAll(keepingCapacity: true)
    indications.removeAll(keepingCapacity: true)
    answers.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
  }
}

/// Performs the effects of the core: the bridge does, and the simulation in its place.
public protocol EffectPerformer {
  /// Asked before each effect; false: the process was killed, and nothing more is performed.
  mutating func goesOn() -> Bool
  /// Sends an ack to the keychain of a line.
  mutating func acknowledge(_ ack: EventAck, on link: LinkID)
  /// Begins the store's transaction; its end comes back as `.committed` or `.commitFailed`.
  mutating func commit(_ batch: CommitBatch)
  /// Hands a message to its sink, whose answer comes back as `.answered`.
  mutating func deliver(_ notification: Notification)
  /// Sends INDICATE to the keychains of some lines; `links` is nil for all lines.
  mutating func indicate(_ indication: Indication, to links: [LinkID]?)
  /// Answers a person or program.
  mutating func answer(_ request: RequestID, _ answer: Answer)
  /// Tells watchers of the log; the store gets the entry with its batch.
  mutating func tell(_ event: AuditEvent)
}

extension EffectPerformer {
  /// Always true: only a simulated process is killed between two effects.
  public func goesOn() -> Bool { true }
}

/// The answer to a person or program, given once the effect is durable or its commit has failed.
public struct Answer: Equatable, Sendable {
  /// The emergency's state at the time of the answer.
  public let state: EmergencyState
  /// Nil: it was done.
  public let refusal: UserCommand.Refusal?
  /// False when the store failed: the change holds now, and may be lost by a restart.
  public let isDurable: Bool
  /// The id of the series of check-ins, or of the review, that the request made; nil: it made none.
  public let made: Int?

  /// Made by the core, and by tests that stand in for it.
  public init(
    state: EmergencyState, refusal: UserCommand.Refusal?, isDurable: Bool, made: Int? = nil
  ) {
    self.state = state
    self.refusal = refusal
    self.isDurable = isDurable
    self.made = made
  }
}
