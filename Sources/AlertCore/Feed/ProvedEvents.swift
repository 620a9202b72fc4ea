import FobBase
import WireProtocol

/// What the tag of an event makes of it at a host that has the key of its keychain, and the last
/// events that a keychain has proved (PROTOCOL.md, 15.4).
struct ProvedEvents: Sendable {
  /// How an event counts.
  enum Verdict {
    case proved
    /// It counts as a press without proof, in its frozen part alone.
    case unprovedPress
    case ignored
  }

  /// Twice what a keychain keeps.
  private static let most = 2 * Limits.deviceEvents

  /// Oldest first.
  var acks: [EventAck] = []

  /// Judges an event of a keychain that this host has a key for.
  /// - Parameter isProved: its tag is right.
  static func verdict(on record: EventRecord, isProved: Bool) -> Verdict {
    isProved ? .proved : record.identity.kind == .pressed ? .unprovedPress : .ignored
  }

  /// The same, and remembers the event where it is proved.
  mutating func judge(_ record: EventRecord, isProved: Bool) -> Verdict {
    let verdict = Self.verdict(on: record, isProved: isProved)
    guard verdict == .proved else { return verdict }
    let ack = EventAck(record.identity)
    if !acks.contains(ack) { acks.append(ack) }
    if acks.count > Self.most { acks.removeFirst() }
    return verdict
  }

  /// Whether a sealed session may ack this event. It acks no other: a copy that is proved comes.
  func contains(_ ack: EventAck) -> Bool { acks.contains(ack) }
}
