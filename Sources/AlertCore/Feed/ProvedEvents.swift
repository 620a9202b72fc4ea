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
  mutating func judge(_ record: EventRecord, isProved: Bool) -> Verdict {
    guard isProved else { return record.identity.kind == .pressed ? .unprovedPress : .ignored }
    let ack = EventAck(record.identity)
    if !acks.contains(ack) { acks.append(ack) }
    if acks.count > Self.most { acks.removeFirst() }
    return .proved
  }

  /// Whether a sealed session may ack this event. It acks no other: a copy that is proved comes.
  func contains(_ ack: EventAck) -> Bool { acks.contains(ack) }
}
