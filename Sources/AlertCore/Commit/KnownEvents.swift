import FobBase
import WireProtocol

/// The identities of events that are committed or on their way, mirrored from the store's unique
/// key. No watermark: gaps, a moved device or a deleted database stall nothing.
///
/// A number stands for one event, unless a boot counter was lost: so the table is by number, and
/// most questions cost one look into it.
struct KnownEvents: Sendable {
  enum State: Equatable { case new, pending, committed }

  private struct Reference: Hashable {
    let device: DeviceID
    let number: EventNumber

    init(_ identity: EventIdentity) { (device, number) = (identity.deviceID, identity.number) }
  }

  private var firsts: [Reference: EventIdentity] = [:]
  /// Those whose number another had first.
  private var others: Set<EventIdentity> = []
  /// Of those that are not committed: the line that each came by last, to which its ack goes.
  private var pending: [EventIdentity: LinkID] = [:]
  /// Of those that are.
  private var order: [EventIdentity] = []
  private var oldest = 0

  /// What is known of an event, and whether its number was met with another clock, kind or boot
  /// nonce: a boot counter was lost.
  func look(at identity: EventIdentity) -> (state: State, isNumberReused: Bool) {
    let first = firsts[Reference(identity)]
    let isFirst = first == identity
    guard isFirst || others.contains(identity) else { return (.new, first != nil) }
    return (pending[identity] == nil ? .committed : .pending, !isFirst && first != nil)
  }

  /// One that is to be committed has come, or come again.
  mutating func add(_ identity: EventIdentity, from link: LinkID) {
    insert(identity)
    pending[identity] = link
  }

  /// - Returns: where its ack goes; nil where it came in an earlier run.
  @discardableResult
  mutating func commit(_ identity: EventIdentity) -> LinkID? {
    let link = pending.removeValue(forKey: identity)
    if insert(identity) || link != nil {
      order.append(identity)
      if order.count - oldest > Limits.knownEvents { forgetOldest() }
    }
    return link
  }

  /// - Returns: false where it was known.
  @discardableResult
  private mutating func insert(_ identity: EventIdentity) -> Bool {
    let reference = Reference(identity)
    guard let first = firsts.updateValue(identity, forKey: reference) else {
      return others.remove(identity) == nil
    }
    guard first != identity else { return false }
    firsts[reference] = first
    return others.insert(identity).inserted
  }

  private mutating func forgetOldest() {
    let identity = order[oldest]
    oldest += 1
    if firsts[Reference(identity)] == identity {
      firsts[Reference(identity)] = nil
    } else {
      others.remove(identity)
    }
    if oldest >= 4_096 {
      order.removeFirst(oldest)
      oldest = 0
    }
  }
}
