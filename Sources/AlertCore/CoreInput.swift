public import FobBase
public import WireProtocol

/// One line to a device, as the host numbers them.
public struct LinkID: Hashable, Comparable, Sendable {
  /// Below `FeedTable.firstLink` for lines of this process, from there on for lines of bridges.
  public let rawValue: Int
  /// The host picks the number: no two lines of one core may share it.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// By number.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

  /// Whether it is a line of a bridge on another host.
  var isRemote: Bool { rawValue >= FeedTable.firstLink }
}

/// One request of a person or program. It is answered once its effect is durable or its commit has
/// failed.
public struct RequestID: Hashable, Sendable {
  /// Counted up by the host, so that each answer finds its request.
  public let rawValue: UInt64
  /// The host picks the number: no two unanswered requests may share it.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// All that a core reacts to. `AlertCore.step` takes one at a time.
public enum CoreInput: Sendable {
  case linkUp(LinkID, Hello)
  case linkDown(LinkID, reason: String)
  /// Frames of the device were missed while the link was up.
  case missed(LinkID)
  /// Of a paired keychain: with its proof.
  /// - happenedAt: the first edge on the host's boot clock, µs, as a range that surely holds it.
  case event(LinkID, EventRecord, happenedAt: ClosedRange<Int64>?)
  /// A press whose record could be read in its frozen part alone.
  case barePress(LinkID, EventIdentity)
  /// A press in the name of a paired keychain, without the proof that it is from it. It raises like
  /// any other; nothing else of its record counts.
  case unprovedPress(LinkID, EventIdentity)
  case heartbeat(LinkID, Heartbeat)
  case position(LinkID, PositionFix)
  case committed(UInt64)
  case commitFailed(UInt64, reason: String)
  /// A sink's answer to `.deliver`; nil means accepted.
  case answered(key: String, error: String?)
  /// - by: who asked, for the log: a role or a token's name, never a person's.
  case userCommand(RequestID, UserCommand, by: String = "")
  /// A request that was refused outside the core, since a PIN was wrong or must wait. It is logged,
  /// and answered once that is durable (R8, G16).
  case pinRefused(RequestID, PINRefusal, by: String = "")
  /// The keychains that this core has a key for, at its start.
  case paired(Set<DeviceID>)
  /// Why the keys cannot be read, in words; nil: they were.
  case keyTrouble(String?)
  /// A person has paired a keychain with this core, or has ended that.
  /// - by: who did it, for the log: a role or a token's name, never a person's.
  case pairing(DeviceID, PairingChange, by: String)
  /// What the keychain on a line has shown of the key that this core has for it.
  case proof(LinkID, LineProof)
  /// A line cannot be opened, and why (R29).
  case unavailable(LinkID, reason: String)
  /// The sinks that reach each contact, as the configuration has it.
  case ways([ContactID: [String]])
  /// The offsets of the account's zone, by which days begin and check-ins fall due; again before
  /// the table ends.
  case zoneTable(ZoneTable)
  /// A keychain's clock is proven again: its first exchange, or the first after an outage.
  /// `provenAt` is its clock at that exchange, µs since its boot.
  case clockFit(LinkID, TimeSync.Fit, provenAt: UInt64)
  /// Open presses of a keychain of the account's come from the account that heard them.
  case movedHere(MovedPresses)
  /// The account that has claimed the keychain goes on with its open presses.
  case movedAway(DeviceID, MoveID)
  /// Other accounts have these events: nobody is told of them once more.
  case heardElsewhere([EventIdentity])
  /// The damage of the records was looked at again; nil: somebody has seen to it.
  case damage(RecordsDamage?)
  /// A person had everything read again, and whatever answers has answered (R28).
  case refreshed
  /// The host's clock was moved, as tests do: no earlier stamp can be compared.
  case clockMoved
  case wake
}

/// What a person has done to the pairing of a keychain.
public enum PairingChange: Sendable {
  /// The keychain has taken a key over its cable.
  case byCable
  /// It has proved the key that its label tells.
  case byLabel
  case ended
}

/// What the keychain on a line has shown of the key that the core has for it.
public enum LineProof: Equatable, Sendable {
  /// It has the key. It counts until the line is down.
  case given
  /// It names this paired keychain, and has shown no key for three seconds.
  case missing(DeviceID)
  /// That is over: nothing answers there any more.
  case over
}

/// Why a PIN was refused, which is decided outside the core (R8, G16).
public enum PINRefusal: Sendable {
  case wrong
  /// Too many wrong ones: the next try must wait.
  case blocked

  /// The answer that the person gets.
  package var refusal: UserCommand.Refusal { self == .wrong ? .wrongPIN : .pinBlocked }
}
