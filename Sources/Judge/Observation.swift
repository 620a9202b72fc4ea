public import FobBase
public import WireProtocol

/// One thing that can be seen from outside: what fingers did, what boards stored and showed, what
/// disks hold, what hosts answered, what people were told. A judge knows nothing else.
///
/// Keychains, hosts and contacts are numbered from 0. An incident is named by its 64 bits as
/// INDICATE carries them.
public enum Observation: Sendable {
  // MARK: Keychains

  /// The contact under the finger moved, bounces included. A board without power does not see it.
  case contact(keychain: Int, closed: Bool)
  /// Power came (a boot begins) or went (brown-out, reset, watchdog). At the beginning all are on.
  case power(keychain: Int, isOn: Bool)
  /// The board's store finished writing this event. With `isVolatile` the store refused it, and the
  /// board keeps it in memory until the power goes.
  case kept(keychain: Int, Event, isVolatile: Bool)
  /// The board's store has lost an event that it said it had: excused.
  case boardForgot(keychain: Int, EventIdentity)
  /// A defective or lying keychain says an event that it keeps under another identity. Seen once,
  /// when it is first said.
  case said(keychain: Int, Event, as: EventIdentity)
  /// The light and the sounder have changed to this.
  case light(keychain: Int, ShownState, sounder: Bool)
  /// A keychain at a bridge on another host can hear nothing of its core now, or can again. At the
  /// beginning all can.
  case cutOff(keychain: Int, Bool)
  /// Where somebody is on the wires: the keychain has forgotten an event, by an ack.
  case forgotten(keychain: Int, EventNumber)
  /// Where somebody is on the wires: the keychain says HEARTBEAT, with its clock, µs.
  case beat(keychain: Int, uptime: UInt64)
  /// Where somebody is on the wires: the keychain says this event, or says it again.
  case sent(keychain: Int, EventIdentity)
  /// At the end of the world: how many events the keychain still holds unacked.
  case unacked(keychain: Int, count: Int)

  // MARK: Hosts

  /// The account as the core reports it: before `started`, and after each change.
  case account(host: Int, AccountState)
  /// A core was started, and reports what its disk holds.
  case started(host: Int, RestoredState)
  /// The core was killed, or its host went down: everything that was not on the disk is gone.
  case stopped(host: Int)
  /// While the core is down: the host was rebooted, so its boot clock starts over. By its wall
  /// clock this much time has passed since it was stopped or last rebooted; it may be negative.
  /// While the core runs: the wall clock has jumped by this much.
  case rebooted(host: Int, elapsedByWall: Interval)
  /// An event came out of the line into the core.
  case heard(host: Int, Event)
  /// A press in the name of a paired keychain came out of the line into the core, without a proof.
  case heardUnproved(host: Int, Event)
  /// Where somebody is on the wires: a HEARTBEAT came into the core as the keychain's own.
  case believed(host: Int, keychain: Int, uptime: UInt64)
  /// The disk has all of this from now on, whether or not the core knows.
  case stored(host: Int, Batch)
  /// The disk lied about a flush and lost these events; what it still holds follows with `started`.
  case diskForgot(host: Int, [EventIdentity])
  /// An ack for a keychain left the core, or the bridge that carries the core's acks.
  case acked(host: Int, EventNumber, keychain: Int, identityCRC: UInt32)
  /// The core tells these keychains what is true now; nil: every keychain. `due` counts check-ins.
  case indicated(
    host: Int, incident: UInt64, ShownState, sounder: Bool, to: Set<Int>? = nil, due: Int = 0)
  /// The core told its watchers that an incident moved.
  case moved(host: Int, incident: UInt64, from: Workflow, to: Workflow)
  /// The core has decided that a check-in opens an incident, and has said nothing of it yet. Nil:
  /// no check-in of this core has.
  case raised(host: Int, incident: UInt64, by: CheckInName?)
  /// The core told its watchers of a check-in.
  case checkInSaid(host: Int, CheckInWord, CheckInName)
  /// The host's wall clock shows this, µs since 1970: before each start, and when it is set.
  case wallClock(host: Int, Int64)
  /// The core has a new zone for its check-ins.
  case zone(host: Int, Zone)
  /// What a disk that has lied really holds of what stands beside the alarm.
  case companionsFound(host: Int, Batch)
  /// The core told its watchers of an exercise.
  case exerciseSaid(host: Int, ExerciseWord)
  /// The reviews and the totals of breathing as the core says them: when it has started, and at the
  /// end of the world.
  case companionsRead(host: Int, [Batch.ReviewRow], BreathingRecord)
  /// What disk and core have of the account's owner, where somebody erases the account: when a core
  /// has started, and at the end.
  case ownersRows(host: Int, [String])
  /// A word that was planted in what somebody has written came out of the host there.
  case wordSeen(host: Int, String, WordPlace)
  /// A person asked for something; one answer comes with the same number.
  case asked(host: Int, request: UInt64, UserRequest)
  case answered(host: Int, request: UInt64, Workflow, isRefused: Bool, isDurable: Bool)
  /// How much waits in the core: each queue must stay within its limit.
  case queues(host: Int, events: Int, log: Int, deliveries: Int, line: Int)

  // MARK: People

  /// A message was handed to the notification channel; the contact may hear it from now on.
  case handedOut(host: Int, Message)
  /// The notification channel took it: the contact knows.
  case told(host: Int, Message)
  /// The core heard that the notification channel refused, or did not answer in time.
  case refused(host: Int, Message)

  // MARK: The world

  /// No fault is in force any more, and none will come.
  case calm
}

/// An event as it can be read on the wire.
public struct Event: Equatable, Sendable {
  /// The identity as kept or as sent: a defective keychain may say another than it keeps (`said`).
  public var identity: EventIdentity
  /// The flags as sent: at boot, replayed, merged, volatile.
  public var flags: EventRecord.Flags
  /// For a MERGED press: the first number that it stands for.
  public var firstCovered: EventNumber
  /// Presses that a MERGED press stands for; of other events 0.
  public var covered: UInt16

  /// Leaves out what no rule asks about, as the position.
  public init(_ record: EventRecord) {
    identity = record.identity
    flags = record.flags
    firstCovered = record.firstCovered
    covered = record.covered
  }
}

/// R40's six states.
public enum Workflow: String, Sendable, CaseIterable {
  case noEmergency = "NO_EMERGENCY"
  case alertCountdown = "ALERT_COUNTDOWN"
  case emergencySending = "EMERGENCY_SENDING"
  case emergencySent = "EMERGENCY_SENT"
  case emergencySendingFailed = "EMERGENCY_SENDING_FAILED"
  case emergencyEnded = "EMERGENCY_ENDED"

  /// Somebody may need help now.
  public var isOpen: Bool { self != .noEmergency && self != .emergencyEnded }
}

/// What a person or a program asked for.
public enum UserRequest: Equatable, Sendable {
  case disarm, cancel, silence, quit, resume, wrongPIN
  case acknowledge(contact: Int)
  /// An administrator ends an unclaimed incident.
  case endUnowned
  case logIn, logOut, protect
  case claim(DeviceID)
  case disconnect(DeviceID)
  case addContact
  case removeContact(Int)
  /// The owner ends protection.
  case unprotect
  /// The owner erases the account, with all that stands beside it.
  case erase
  case addSeries(SeriesPlan)
  /// The whole plan is replaced.
  case editSeries(Int, SeriesPlan)
  case removeSeries(Int)
  /// The owner says by page that all is well.
  case complete(CheckInName)
  /// One that was completed is to ask again.
  case restore(CheckInName)
  /// A message with a text for a contact, or with none: then its clicks raise the alarm.
  case fillSlot(Int, contact: Int, hasText: Bool)
  case emptySlot(Int)
  /// By page. The key makes the id of the message.
  case sendMessage(slot: Int, key: String, message: UInt64)
  /// By page, on the light of one keychain or of each.
  case startExercise(ExerciseKind, on: DeviceID?)
  case stopExercise
  /// One item of grounding.
  case countItem
  /// One click starts breathing, or does so no more.
  case clickBreathes(Bool)
  case saveTotals(BreathingRecord)
  /// Of an alarm that is over, or of none.
  case beginReview(of: UInt64?)
  /// - version: of the answer that the writer saw.
  case saveAnswer(review: Int, step: Int, text: String, version: Int)
  case completeReview(Int)
  case deleteReview(Int)
  /// What an alarm that is over was.
  case label(incident: UInt64)
  /// A line of the owner's own.
  case addLine(String)
  /// A program says that the person with this keychain has fallen. The key makes the id of the
  /// incident that it opens.
  case trigger(DeviceID, key: String, incident: UInt64)
}

/// One transaction that a disk was given to keep.
public struct Batch: Sendable {
  /// A new event's row.
  public struct Entry: Sendable {
    /// As the core took it in.
    public var event: Event
    /// The incident that it is an entry of; 0: it is in the log alone.
    public var incident: UInt64
    /// Its meaning is not known yet.
    public var isOpen: Bool

    /// Made from what the store was given.
    public init(event: Event, incident: UInt64, isOpen: Bool) {
      self.event = event
      self.incident = incident
      self.isOpen = isOpen
    }
  }

  /// An incident's row, as it is last.
  public struct Incident: Sendable {
    /// As INDICATE carries it.
    public var name: UInt64
    /// One of R40's six.
    public var state: Workflow
    /// The presses that it lists, in order; the first 256.
    public var presses: [EventNumber]
    /// The contacts who have it in hand.
    public var acknowledgedBy: Set<Int>

    /// Made from what the store was given.
    public init(
      name: UInt64, state: Workflow, presses: [EventNumber], acknowledgedBy: Set<Int> = []
    ) {
      self.name = name
      self.state = state
      self.presses = presses
      self.acknowledgedBy = acknowledgedBy
    }
  }

  /// A check-in's row, as it is last.
  public struct CheckInRow: Sendable {
    /// How it stands.
    public enum State: String, Sendable {
      case open, completed, escalated, covered, missed, removed
    }

    /// Its place in the account.
    public var name: CheckInName
    /// Only `completed` may become open again, and only where somebody asks for that.
    public var state: State
    /// When it falls due, µs since 1970.
    public var due: Int64
    /// Silence raises an alarm.
    public var escalates: Bool
    /// When silence raises it, µs since 1970.
    public var runsOut: Int64
    /// When it was completed, µs since 1970.
    public var completedAt: Int64?
    /// The click that completed it: keychain and number.
    public var by: String?
    /// As INDICATE carries it.
    public var incident: UInt64?
    /// That it is due was told.
    public var isDue: Bool

    /// An open one, where nothing else is said.
    public init(
      _ name: CheckInName, _ state: State = .open, due: Int64, escalates: Bool = true,
      runsOut: Int64, completedAt: Int64? = nil, by: String? = nil, incident: UInt64? = nil,
      isDue: Bool = true
    ) {
      self.name = name
      self.state = state
      self.due = due
      self.escalates = escalates
      self.runsOut = runsOut
      self.completedAt = completedAt
      self.by = by
      self.incident = incident
      self.isDue = isDue
    }
  }

  /// A row of a message that was asked for, as it is last.
  public struct SendRow: Sendable {
    /// How it stands: `running` until the end.
    public enum State: String, Sendable { case running, taken, failed, cancelled }

    /// The first 64 bits of its id, as a hand-out has them.
    public var name: UInt64
    /// 1 to 5.
    public var slot: Int
    /// From 0.
    public var contact: Int
    /// Only `running` may change.
    public var state: State
    /// When it was decided, µs since 1970.
    public var decided: Int64

    /// Made from what the store was given.
    public init(name: UInt64, slot: Int, contact: Int, state: State, decided: Int64) {
      self.name = name
      self.slot = slot
      self.contact = contact
      self.state = state
      self.decided = decided
    }
  }

  /// Rows of new events.
  public var entries: [Entry] = []
  /// Rows of earlier batches whose meaning has become known.
  public var meanings: [(identity: EventIdentity, incident: UInt64)] = []
  /// Those that have changed.
  public var incidents: [Incident] = []
  /// The whole account; nil: it has not changed.
  public var account: AccountState?
  /// Series that have changed, by id.
  public var series: [(id: Int, plan: SeriesPlan)] = []
  /// The ids of those that are gone.
  public var removedSeries: [Int] = []
  /// Check-ins that have changed.
  public var checkIns: [CheckInRow] = []
  /// Those that lost their row, before others in `checkIns` got one.
  public var forgottenCheckIns: [CheckInName] = []
  /// Slots that have changed, with the contact; nil: it is empty, or has no text.
  public var slots: [(slot: Int, contact: Int?)] = []
  /// Messages that have changed.
  public var sends: [SendRow] = []
  /// The latest session of breathing; nil: it has not changed.
  public var session: SessionRow?
  /// Of breathing; nil: they have not changed.
  public var breathing: BreathingRecord?
  /// Reviews that have changed.
  public var reviews: [ReviewRow] = []
  /// The ids of those that are gone.
  public var removedReviews: [Int] = []
  /// How many rows of the owner's lines have changed.
  public var affirmations = 0
  /// The keychains whose events are told in new entries of the log.
  public var logged: Set<DeviceID> = []

  /// Changes nothing.
  public init() {}
}

/// The incident that a core has found when it started: the open one, or the one not yet resumed
/// from.
public struct RestoredState: Equatable, Sendable {
  /// 0: none.
  public var incident: UInt64
  /// `.noEmergency` where there is no incident.
  public var state: Workflow

  /// No incident, where no argument is given.
  public init(incident: UInt64 = 0, state: Workflow = .noEmergency) {
    self.incident = incident
    self.state = state
  }
}

/// One message to one contact.
public struct Message: Equatable, Sendable {
  /// The first message, a press more, a repeat, or the end; or one of the five messages, which are
  /// of no incident.
  public enum Kind: String, Sendable { case raise, update, again, closing, message }

  /// From 0.
  public var contact: Int
  /// As INDICATE carries it; for one of the five messages, the first 64 bits of its id.
  public var incident: UInt64
  /// For a closing message: the other ids that it closes.
  public var aliases: [UInt64]
  /// Only `closing` may be told of an incident that is over.
  public var kind: Kind
  /// From 1, over all kinds of an incident.
  public var sequence: Int
  /// The receiver tells repeats from news by this key.
  public var key: String
  /// Which of the contact's notification channels has it; 0 is tried first.
  public var way: Int

  /// Made from what the core handed to a notification channel.
  public init(
    contact: Int, incident: UInt64, aliases: [UInt64], kind: Kind, sequence: Int, key: String,
    way: Int = 0
  ) {
    self.contact = contact
    self.incident = incident
    self.aliases = aliases
    self.kind = kind
    self.sequence = sequence
    self.key = key
    self.way = way
  }
}
