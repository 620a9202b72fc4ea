public import FobBase
public import WireProtocol

/// What can be seen from outside: what fingers did, what boards stored and showed, what disks hold,
/// what hosts answered and what people were told. A judge knows nothing else.
///
/// Keychains, hosts and contacts are numbered from 0. An incident is named by its 64 bits as
/// INDICATE carries them.
public enum Observation: Sendable {
  // MARK: Keychains

  /// The finger's contact moved (bounce included). A board without power does not see it.
  case contact(keychain: Int, closed: Bool)
  /// Power came (a boot begins) or went (brown-out, reset, watchdog). At the beginning all are on.
  case power(keychain: Int, isOn: Bool)
  /// The board's store finished writing this event, or (`isVolatile`) its store refused it and it
  /// is kept in memory until the power goes.
  case kept(keychain: Int, Event, isVolatile: Bool)
  /// The board's store has lost what it said it had: excused.
  case boardForgot(keychain: Int, EventIdentity)
  /// An event that it keeps is said under another identity on the wire: it is defective, or lies.
  /// Seen when it is said for the first time, and once.
  case said(keychain: Int, Event, as: EventIdentity)
  /// The light and the sounder as they are from now on.
  case light(keychain: Int, ShownState, sounder: Bool)
  /// It is plugged into a bridge elsewhere, and nothing passes between that and its core; or no
  /// longer. At the beginning none is.
  case cutOff(keychain: Int, Bool)
  /// At the end: events that the keychain still holds unacked.
  case unacked(keychain: Int, count: Int)

  // MARK: Hosts

  /// What the core says of its account: before `started`, and when it has changed.
  case account(host: Int, AccountState)
  /// A core was started, on what its disk holds.
  case started(host: Int, RestoredState)
  /// It was killed, or the host went down: what was not on the disk is gone.
  case stopped(host: Int)
  /// While it is down: it was rebooted, so its boot clock starts over, and its wall clock says that
  /// so much has passed since it was stopped, or since its last reboot; that may be negative. While
  /// it runs: its wall clock has jumped by so much.
  case rebooted(host: Int, elapsedByWall: Interval)
  /// An event came out of the line into the core.
  case heard(host: Int, Event)
  /// The disk has all of this from now on, whether or not anybody knows.
  case stored(host: Int, Batch)
  /// The disk lied about a flush and lost what it had; what it holds now follows with `started`.
  case diskForgot(host: Int, [EventIdentity])
  /// An ack left the core, or a bridge that brings its acks, for a keychain.
  case acked(host: Int, EventNumber, keychain: Int, identityCRC: UInt32)
  /// The core says what is true now, to these keychains; nil: to every one.
  case indicated(
    host: Int, incident: UInt64, ShownState, sounder: Bool, to: Set<Int>? = nil)
  /// The core told its watchers that an incident moved.
  case moved(host: Int, incident: UInt64, from: Workflow, to: Workflow)
  /// A person asked; the answer comes with the same number, once.
  case asked(host: Int, request: UInt64, UserRequest)
  case answered(host: Int, request: UInt64, Workflow, isRefused: Bool, isDurable: Bool)
  /// How much waits inside: each must stay inside its limit.
  case queues(host: Int, events: Int, log: Int, deliveries: Int, line: Int)

  // MARK: People

  /// A message was handed to the notification channel; the contact may be told from now on.
  case handedOut(host: Int, Message)
  /// The notification channel took it: the contact knows.
  case told(host: Int, Message)
  /// The core was told that the notification channel refused, or did not answer in time.
  case refused(host: Int, Message)

  // MARK: The world

  /// No fault is in force any more, and none will come.
  case calm
}

/// An event as it can be read on the wire.
public struct Event: Equatable, Sendable {
  /// As kept or as sent: a defective keychain may say another than it keeps (`said`).
  public var identity: EventIdentity
  /// As sent: at boot, replayed, merged, volatile.
  public var flags: EventRecord.Flags
  /// Of a MERGED press: the first number that it stands for.
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

/// What a person did.
public enum UserRequest: Equatable, Sendable {
  case disarm, cancel, silence, quit, resume, wrongPIN
  case acknowledge(contact: Int)
  /// An administrator ends what belongs to nobody.
  case endUnowned
  case logIn, logOut, protect
  case claim(DeviceID)
  case disconnect(DeviceID)
  case addContact
  case removeContact(Int)
  /// A program says that somebody who carries this keychain has fallen. Its key makes the name of
  /// the incident that it opens.
  case trigger(DeviceID, key: String, incident: UInt64)
}

/// What a disk was given to keep, in one transaction.
public struct Batch: Sendable {
  /// A new event's row.
  public struct Entry: Sendable {
    /// As the core took it in.
    public var event: Event
    /// Its entry stands in this incident; 0: in the log alone.
    public var incident: UInt64
    /// What it means is not known yet.
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
    /// The presses that it lists, in order (the first 256).
    public var presses: [EventNumber]

    /// Made from what the store was given.
    public init(name: UInt64, state: Workflow, presses: [EventNumber]) {
      self.name = name
      self.state = state
      self.presses = presses
    }
  }

  /// New rows.
  public var entries: [Entry] = []
  /// Rows of earlier batches whose meaning has become known.
  public var meanings: [(identity: EventIdentity, incident: UInt64)] = []
  /// Those that have changed.
  public var incidents: [Incident] = []
  /// Where it has changed.
  public var account: AccountState?

  /// Changes nothing.
  public init() {}
}

/// What a core says of itself when it has started: the incident that is open or not yet resumed
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
  /// The first message, a press more, a repeat, or the end.
  public enum Kind: String, Sendable { case raise, update, again, closing }

  /// From 0.
  public var contact: Int
  /// As INDICATE carries it.
  public var incident: UInt64
  /// Of a closing message: the other names that it closes.
  public var aliases: [UInt64]
  /// Only `closing` may be told of an incident that is over.
  public var kind: Kind
  /// From 1, over all kinds of an incident.
  public var sequence: Int
  /// By which the receiver tells a repeat from news.
  public var key: String
  /// Of the contact's notification channels, that which has it; the first to be tried is 0.
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
