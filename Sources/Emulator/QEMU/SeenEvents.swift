import FobBase
import WireProtocol

/// The events of a keychain, as seen on its line.
struct SeenEvents {
  /// How many numbers are remembered, to recognize events that are sent again; far more than a
  /// keychain keeps.
  private static let most = 4_096

  /// The boot counter, once it was seen.
  private(set) var boot: UInt32?
  private var told: Set<EventNumber> = []
  private var unacked: [EventNumber: UInt32] = [:]

  /// How many were sent and not yet acked.
  var unackedCount: Int { unacked.count }

  mutating func noteBoot(_ counter: UInt32) { boot = counter }

  /// Notes an event. True if it is new: not replayed from an earlier boot, and not seen before.
  mutating func note(_ record: EventRecord) -> Bool {
    let number = record.identity.number
    let isNew = !record.flags.contains(.replayed) && !told.contains(number)
    if isNew { boot = number.boot }
    // An acked event may be sent again before the keychain has read the ack.
    if isNew || !told.contains(number) { unacked[number] = record.identity.crc }
    if told.count == Self.most, let oldest = told.min() { told.remove(oldest) }
    told.insert(number)
    return isNew
  }

  /// Notes an ack and returns its event; nil for an event that was not sent, or is acked already.
  mutating func note(_ ack: EventAck) -> EventNumber? {
    guard unacked[ack.number] == ack.identityCRC else { return nil }
    unacked[ack.number] = nil
    return ack.number
  }
}
