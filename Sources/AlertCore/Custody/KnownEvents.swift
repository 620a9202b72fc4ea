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

  /// The event that was the first to have a number.
  private struct First {
    let identity: EventIdentity
    var isCommitted: Bool
  }

  private var firsts: [Reference: First] = [:]
  /// Those whose number another had first: whether they are committed.
  private var others: [EventIdentity: Bool] = [:]
  private var order: [EventIdentity] = []
  private var oldest = 0

  func state(of identity: EventIdentity) -> State { look(at: identity).state }

  /// The same number was met with another clock, kind or boot nonce: a boot counter was lost.
  func isNumberReused(by identity: EventIdentity) -> Bool { look(at: identity).isNumberReused }

  /// Both at once.
  func look(at identity: EventIdentity) -> (state: State, isNumberReused: Bool) {
    let first = firsts[Reference(identity)]
    if let first, first.identity == identity {
      return (first.isCommitted ? .committed : .pending, false)
    }
    let state = others[identity].map { $0 ? State.committed : .pending } ?? .new
    return (state, first != nil)
  }

  mutating func addPending(_ identity: EventIdentity) {
    let displaced = firsts.updateValue(
      First(identity: identity, isCommitted: others.removeValue(forKey: identity) ?? false),
      forKey: Reference(identity))
    // Most are new: then that was all.
    guard let displaced else { return }
    firsts[Reference(identity)] = displaced
    if displaced.identity != identity { others[identity] = false }
  }

  mutating func commit(_ identity: EventIdentity) {
    guard isNewlyCommitted(identity) else { return }
    order.append(identity)
    if order.count - oldest > Limits.knownEvents { forgetOldest() }
  }

  private mutating func isNewlyCommitted(_ identity: EventIdentity) -> Bool {
    let displaced = firsts.updateValue(
      First(identity: identity, isCommitted: true), forKey: Reference(identity))
    guard let displaced else { return others.removeValue(forKey: identity) != true }
    if displaced.identity == identity { return !displaced.isCommitted }
    firsts[Reference(identity)] = displaced
    return others.updateValue(true, forKey: identity) != true
  }

  private mutating func forgetOldest() {
    let identity = order[oldest]
    oldest += 1
    if firsts[Reference(identity)]?.identity == identity {
      firsts[Reference(identity)] = nil
    } else {
      others[identity] = nil
    }
    if oldest >= 4_096 {
      order.removeFirst(oldest)
      oldest = 0
    }
  }
}
