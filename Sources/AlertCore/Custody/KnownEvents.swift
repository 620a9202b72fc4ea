import FobBase
import WireProtocol

/// The identities of events that are committed or on their way, mirrored from the store's unique
/// key. No watermark: gaps, a moved device or a deleted database stall nothing.
struct KnownEvents: Sendable {
  enum State: Equatable { case new, pending, committed }

  private struct Reference: Hashable {
    let device: DeviceID
    let number: EventNumber

    init(_ identity: EventIdentity) {
      device = identity.deviceID
      number = identity.number
    }
  }

  private var committed: Set<EventIdentity> = []
  private var pending: Set<EventIdentity> = []
  private var firstOfNumber: [Reference: EventIdentity] = [:]
  private var order: [EventIdentity] = []
  private var oldest = 0

  func state(of identity: EventIdentity) -> State {
    committed.contains(identity) ? .committed : pending.contains(identity) ? .pending : .new
  }

  /// The same number was met with another clock, kind or boot nonce: a boot counter was lost.
  func isNumberReused(by identity: EventIdentity) -> Bool {
    firstOfNumber[Reference(identity)].map { $0 != identity } ?? false
  }

  mutating func addPending(_ identity: EventIdentity) {
    pending.insert(identity)
    if firstOfNumber[Reference(identity)] == nil { firstOfNumber[Reference(identity)] = identity }
  }

  mutating func commit(_ identity: EventIdentity) {
    pending.remove(identity)
    guard committed.insert(identity).inserted else { return }
    if firstOfNumber[Reference(identity)] == nil { firstOfNumber[Reference(identity)] = identity }
    order.append(identity)
    if order.count - oldest > Limits.knownEvents { forgetOldest() }
  }

  private mutating func forgetOldest() {
    let identity = order[oldest]
    oldest += 1
    committed.remove(identity)
    if firstOfNumber[Reference(identity)] == identity { firstOfNumber[Reference(identity)] = nil }
    if oldest >= 4_096 {
      order.removeFirst(oldest)
      oldest = 0
    }
  }
}
