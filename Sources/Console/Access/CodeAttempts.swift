import FobBase

/// Wrong one-time codes: counted by address and in all, and slowed. None makes the code void, since
/// then anybody could keep its owner out.
///
/// That is safe by what a code is: 8 of 23 letters and digits, 7.8 · 10^10 of them, for ten
/// minutes. One address has some 30 tries in that time. All that have been wrong before share ten
/// a second, 6,000 in all: 1 in 13 million. Were every try from an address of its own, and the
/// server fast enough for 10,000 of them a second, it would be 1 in 13,000.
struct CodeAttempts: Sendable {
  private struct Attempts {
    var wrong = 0
    var until = Instant(microseconds: 0)
    var last = Instant(microseconds: 0)
  }

  static let free = 5
  private static let firstWait = Interval.seconds(1)
  private static let maxWait = Interval.seconds(30)
  private static let freeOfAll = 100
  private static let waitOfAll = Interval.milliseconds(100)
  private static let maxAddresses = 1_024

  private var addresses: [PeerAddress: Attempts] = [:]
  private var all = Attempts()

  /// How long this address is to wait; nil: it may try now. One that has not been wrong does not
  /// wait for those that have.
  func wait(_ address: PeerAddress, at now: Instant) -> Interval? {
    guard let own = addresses[address] else { return nil }
    let until = max(own.until, all.until)
    return until > now ? until - now : nil
  }

  mutating func failed(_ address: PeerAddress, at now: Instant) {
    makeRoom(for: address)
    var own = addresses[address] ?? Attempts()
    own.wrong += 1
    own.last = now
    if own.wrong >= Self.free {
      let doublings = Int64(min(own.wrong - Self.free, 5))
      own.until =
        now + min(.microseconds(Self.firstWait.microseconds << doublings), Self.maxWait)
    }
    addresses[address] = own
    all.wrong += 1
    if all.wrong >= Self.freeOfAll { all.until = now + Self.waitOfAll }
  }

  private mutating func makeRoom(for address: PeerAddress) {
    guard addresses[address] == nil, addresses.count == Self.maxAddresses else { return }
    if let oldest = addresses.min(by: { $0.value.last < $1.value.last }) {
      addresses[oldest.key] = nil
    }
  }
}
