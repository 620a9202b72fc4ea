import FobBase
import WireProtocol

/// The core of the alarm: it takes every input in order and returns the effects. It is pure: the
/// time is an argument, and nothing counts as durable or delivered until an input says so.
///
/// ```
/// event → KnownEvents: new? → PressDetector: what does it mean? → AlertEngine: what follows?
///       → commit (effect) → committed (input) → ack (effect)
/// ```
public struct AlertCore: Sendable {
  let policy: Policy
  var detector: PressDetector
  var engine: AlertEngine
  var commitQueue: CommitQueue
  var outbox: Outbox
  var book = DeviceBook()
  /// How often each line may cause decisions and log entries.
  var paces: LineRateLimits
  /// When a person last asked for new readings of everything (R28).
  var refreshedAt: Timestamp?
  /// Damage that the start found in the records; nil once somebody has seen to it.
  var damage: RecordsDamage?
  var questions: [Question] = []
  var unproved = UnprovedPresses()
  var lights = Lights()
  /// The check-ins. Copy it to read it: lists take long.
  public internal(set) var checkIns = CheckIns()
  /// The five messages. Copy it to read it: it has a history.
  public internal(set) var messages = QuickMessages()
  /// The reviews. Copy it to read it: lists take long.
  public internal(set) var reviews = Reviews()
  /// The exercises of the owner.
  public internal(set) var exercises = Exercises()
  /// The owner's lines.
  public internal(set) var affirmations = Affirmations()
  var reminders = Reminders()

  /// A request that waits: it is answered once all decisions up to then are durable.
  struct Question {
    let request: RequestID
    let refusal: UserCommand.Refusal?
    /// The series of check-ins, or the review, that it made.
    let made: Int?
    /// The last of those decisions.
    let decision: UInt64
  }

  /// - Parameters:
  ///   - account: the owner, their contacts and keychains.
  ///   - channels: recipients beside the contacts that are no persons.
  ///   - policy: how presses are read, and all times of the core.
  ///   - stored: the state that an earlier run left; its first wake sends what is due.
  ///   - now: the start, to whose boot the stored times are moved.
  public init(
    account: Account, channels: [Contact] = [], policy: Policy = Policy(),
    recovering stored: StoredState = StoredState(), at now: Timestamp
  ) {
    self.policy = policy
    paces = LineRateLimits(policy.eventPace, lasting: policy.lastingEventPace)
    detector = PressDetector(policy.profile)
    engine = AlertEngine(account, channels: channels, policy, at: now)
    outbox = Outbox(policy)
    commitQueue = CommitQueue(noteDelay: policy.noteDelay)
    commitQueue.recover(stored)
    book.recover(stored.devices)
    damage = stored.damage
    engine.recover(stored, at: now)
    let withdrawn = outbox.recover(stored.notifications, open: engine.open?.id, at: now)
    checkIns.recover(stored.checkIns, at: now)
    messages.recover(stored.messages, at: now)
    reviews.recover(stored.reviews)
    affirmations.recover(stored.affirmations)
    reminders.recover(stored.reminders)
    learnSlots()
    detector.recover(stored.recent, at: now)
    var output = CoreOutput()
    if let current = engine.incident {
      output.note(AuditEvent(.recovered, at: now, .state(current.state)), current.id)
      output.changed(current.id)
    }
    output.withdraw(withdrawn, at: now)
    exercises.recover(stored.exercises, at: now, &output)
    engine.raiseAgain(stored.damage, at: now, &output)
    handOn(&output, at: now)
  }

  /// Takes one input and adds its effects to the output, which may still hold effects of earlier
  /// steps that nobody has performed yet.
  ///
  /// An event runs the alarm path and nothing else: timers that are due by then run at the next
  /// wake, which is due at once.
  public mutating func step(_ input: CoreInput, at now: Timestamp, into output: inout CoreOutput) {
    var asked: Asked?
    switch input {
    case .event(let link, let record, let happenedAt):
      let kept = engine.account.mayLocate ? record : record.unlocated
      let event = HeardEvent(
        kept, isProved: book.paired.contains(record.identity.deviceID) ? true : nil, at: now,
        happenedAt: happenedAt)
      receive(event, from: link, at: now, &output)
    case .barePress(let link, let identity):
      let isProved = book.paired.contains(identity.deviceID) ? false : nil
      let event = HeardEvent(
        EventRecord(identity), isBare: true, isProved: isProved, at: now, happenedAt: nil)
      receive(event, from: link, at: now, &output)
    case .unprovedPress(let link, let identity):
      let event = HeardEvent(
        EventRecord(identity), isBare: true, isProved: false, at: now, happenedAt: nil)
      receive(event, from: link, at: now, &output)
    default:
      asked = take(input, at: now, &output)
      closeEnded(at: now, &output)
      passTime(to: now, &output)
      handOut(at: now, &output)
    }
    finish(asked, at: now, &output)
  }

  typealias Asked = (request: RequestID, refusal: UserCommand.Refusal?, made: Int?)

  // MARK: Events

  private mutating func receive(
    _ heard: HeardEvent, from link: LinkID, at now: Timestamp, _ output: inout CoreOutput
  ) {
    var event = heard
    let identity = event.identity
    let (state, isNumberReused) = commitQueue.known.look(at: identity)
    guard state == .new else { return repeated(event, state, on: link, at: now, &output) }
    guard paces.decides(event, from: link, at: now.at) else {
      return leave(identity, on: link, .lineTooFast, at: now, &output)
    }
    guard !commitQueue.isFull || (event.isPress && engine.open == nil) else {
      return leave(identity, on: link, .storeBehind, at: now, &output)
    }
    commitQueue.known.add(identity, from: link)
    if isNumberReused {
      let reused = AuditEvent(.numberReused, at: now, of: identity)
      tell(reused, .numberReused, of: link, at: now, &output)
    }
    output.changes.log.reserveCapacity(4)
    if !event.isUnproved, let doubt = engine.age.heard(&event, isNumberReused: isNumberReused) {
      tell(doubt, at: now, &output)
    }
    var verdicts: [PressDetector.Verdict] = []
    event.meaning = detector.hear(event, &verdicts)
    output.note(AuditEvent(.event, at: now, of: identity, .event(event.record, event.meaning)))
    output.changes.events.append(event)
    book.heard(event.record)
    for verdict in verdicts { act(on: verdict, at: now, &output) }
    if event.isUnproved { unproved.note(identity, at: now, engine.open?.id, &output) }
  }

  // MARK: What presses mean

  /// One gesture raises the alarm once. Its first press opens the incident or is told as an update;
  /// the others become entries only.
  mutating func act(
    on verdict: PressDetector.Verdict, at now: Timestamp, _ output: inout CoreOutput
  ) {
    let presses = verdict.presses
    var meaning = verdict.meaning
    if policy.profile != .literal, let first = presses.first {
      if let spoken = oneClick(first, verdict, at: now, &output) { meaning = spoken }
      output.note(
        AuditEvent(.pressDecoded, at: now, of: first.identity, verdict.reading(as: meaning)))
    }
    for event in verdict.events where event.isRelease {
      output.changes.settle(event.identity, .noted, nil)
    }
    for (index, press) in presses.enumerated() {
      var incident: IncidentID?
      if case .alarm = verdict.meaning {
        incident = engine.press(
          press, isAgeUnknown: verdict.isAgeUnknown, isFurther: index > 0, at: now, &output)
      } else {
        incident = engine.enter(
          press, isAgeUnknown: verdict.isAgeUnknown, silences: meaning == .acknowledge,
          at: now, &output)
      }
      output.changes.settle(press.identity, meaning, incident)
    }
    if policy.profile != .literal, let first = presses.first {
      sendSlot(verdict, first, at: now, &output)
    }
  }

  // MARK: What is told of a line

  /// A known event came again. A durable one is acked again; another waits for its commit.
  private mutating func repeated(
    _ event: HeardEvent, _ state: KnownEvents.State, on link: LinkID, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    if event.isProved == true, event.isPress { prove(event, at: now, &output) }
    guard state == .committed else {
      commitQueue.known.add(event.identity, from: link)
      return commitQueue.hurry()
    }
    output.acks.append((link, EventAck(event.identity)))
    let again = AuditEvent(.duplicate, at: now, of: event.identity, .remark(.ackedAgain))
    tell(again, .duplicate, of: link, at: now, &output)
  }

  /// A press that came without its proof came with it: its entry is proved, and the log says so
  /// once.
  private mutating func prove(
    _ press: HeardEvent, at now: Timestamp, _ output: inout CoreOutput
  ) {
    let incident = engine.prove(press, &output)
    guard unproved.take(press.identity) || incident != nil else { return }
    output.note(
      AuditEvent(.pressProved, at: now, of: press.identity), incident ?? engine.open?.id)
  }

  /// Refuses an event for now: the device keeps it and sends it again.
  private mutating func leave(
    _ identity: EventIdentity, on link: LinkID, _ why: Reason.Remark, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    let left = AuditEvent(.leftToDevice, at: now, of: identity, .remark(why))
    tell(left, .left, of: link, at: now, &output)
  }

  /// Logs something that a device can cause as often as it likes.
  /// - Returns: false where the entry is held back; a later entry counts it.
  @discardableResult
  mutating func tell(
    _ auditEvent: AuditEvent, _ matter: LineRateLimits.Matter, of link: LinkID, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> Bool {
    guard let told = paces.take(auditEvent, matter, from: link, at: now.at) else { return false }
    keep(told, matter, &output)
    return true
  }

  func keep(
    _ auditEvent: AuditEvent, _ matter: LineRateLimits.Matter, _ output: inout CoreOutput
  ) {
    if matter.isKept { output.note(auditEvent) } else { output.events.append(auditEvent) }
  }

  // MARK: The end of a step

  /// Ends a step. The order matters: closing messages, commit, lights, answers.
  mutating func finish(_ asked: Asked?, at now: Timestamp, _ output: inout CoreOutput) {
    // An open incident says again who is in need.
    if engine.hasOpen { damage?.isAlarmInDoubt = false }
    closeEnded(at: now, &output)
    if exercises.isRunning { giveWayToStep(at: now, &output) }
    handOn(&output, at: now)
    if let asked {
      questions.append(
        Question(
          request: asked.request, refusal: asked.refusal, made: asked.made,
          decision: commitQueue.lastDecision))
      commitQueue.expedite()
    }
    if let batch = commitQueue.nextCommit(at: now) { output.commit = batch }
    indicate(at: now, &output)
    guard !commitQueue.hasUncommitted else { return }
    answer(upTo: commitQueue.lastDecision, durable: true, &output)
  }

  /// Withdraws the messages of incidents that ended, and adds the closing messages.
  mutating func closeEnded(at now: Timestamp, _ output: inout CoreOutput) {
    guard !output.ended.isEmpty else { return }
    for ended in output.ended.compactMap({ engine.history[$0] }) {
      output.withdraw(outbox.withdraw(ended.id), at: now)
      output.changes.messages += engine.closings(of: ended, at: now)
    }
    output.ended.removeAll(keepingCapacity: true)
  }

  /// Hands the step's changes to the commit queue; their messages wait for the commit.
  private mutating func handOn(_ output: inout CoreOutput, at now: Timestamp) {
    if !output.changedIncidents.isEmpty {
      output.changes.changedIncidents = output.changedIncidents.compactMap { engine.incident($0) }
      output.changedIncidents.removeAll(keepingCapacity: true)
    }
    let isChanged = !output.changes.isEmpty
    if isChanged { commitQueue.take(output.changes, at: now) }
    if !checkIns.unproven.isEmpty { checkIns.handedOn(commitQueue.lastDecision) }
    if messages.hasNews { messages.handedOn(commitQueue.lastDecision) }
    guard isChanged else { return }
    for message in output.changes.messages where message.delivery == .held {
      outbox.add(message, decision: commitQueue.lastDecision)
    }
    output.changes = Changes()
  }

  /// Some decision is not durable yet.
  public var hasUncommitted: Bool { commitQueue.hasUncommitted }
}
