import FobBase
import WireProtocol

/// The identities of events that are committed or on their way there, as the store's unique key has
/// them. There is no watermark: gaps, a moved device or a deleted database block nothing.
///
/// A number stands for one event, unless a boot counter was lost. So the table is keyed by number,
/// and most questions cost one lookup.
struct KnownEvents: Sendable {
  enum State: Equatable { case new, pending, committed }

  private struct Reference: Hashable {
    let device: DeviceID
    let number: EventNumber

    init(_ identity: EventIdentity) { (device, number) = (identity.deviceID, identity.number) }
  }

  private var firsts: [Reference: EventIdentity] = [:]
  /// Events whose number another event had first.
  private var others: Set<EventIdentity> = []
  /// Uncommitted events, each with the line that it last came by: its ack goes there.
  private var pending: [EventIdentity: LinkID] = [:]
  /// Committed events, oldest first from `oldest` on.
  private var order: [EventIdentity] = []
  private var oldest = 0

  /// The state of an event, and whether its number was seen with another clock, kind or boot nonce:
  /// then a boot counter was lost.
  func look(at identity: EventIdentity) -> (state: State, isNumberReused: Bool) {
    let first = firsts[Reference(identity)]
    let isFirst = first == identity
    guard isFirst || others.contains(identity) else { return (.new, first != nil) }
    return (pending[identity] == nil ? .committed : .pending, !isFirst && first != nil)
  }

  /// An event that is to be committed came, or came again.
  mutating func add(_ identity: EventIdentity, from link: LinkID) {
    insert(identity)
    pending[identity] = link
  }

  /// The event is committed.
  /// - Returns: the line for its ack; nil where it came in an earlier run.
  @discardableResult
  mutating func commit(_ identity: EventIdentity) -> LinkID? {
    let link = pending.removeValue(forKey: identity)
    if insert(identity) || link != nil {
      order.append(identity)
      if order.count - oldest > Limits.knownEvents { forgetOldest() }
    }
    return link
  }

  /// The events of a keychain that are committed, and those on their way there with their lines.
  func events(
    of device: DeviceID
  ) -> (committed: [EventIdentity], pending: [EventIdentity: LinkID]) {
    let firsts = firsts.values.filter { $0.deviceID == device }
    let all = firsts + others.filter { $0.deviceID == device }
    let pending = pending.filter { $0.key.deviceID == device }
    return (all.filter { pending[$0] == nil }, pending)
  }

  /// The events are committed, by this account or another one.
  mutating func learn(_ identities: [EventIdentity]) {
    for identity in identities where pending[identity] == nil { commit(identity) }
  }

  /// - Returns: false where it was known before.
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
