import FobBase
public import WireProtocol

/// The last things that happened, with the device's clock: the stamps of every press, and what
/// tests and benches watch. Entries are numbered from the boot; old ones give way.
public struct TraceRing: Sendable {
  private var ring = FixedRing<32, TraceEntry>(
    filler: TraceEntry(clock: 0, code: .booted, argument: 0))
  /// The index that the next entry will have.
  public private(set) var next: UInt32 = 0

  mutating func note(_ code: TraceEntry.Code, _ argument: UInt64 = 0, at now: Instant) {
    let clock = UInt64(bitPattern: now.microseconds)
    ring.push(TraceEntry(clock: clock, code: code, argument: argument))
    next &+= 1
  }

  public var first: UInt32 { next &- UInt32(ring.count) }

  public subscript(index: UInt32) -> TraceEntry? {
    let offset = index &- first
    return offset < UInt32(ring.count) ? ring[Int(offset)] : nil
  }
}
