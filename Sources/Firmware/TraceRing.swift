import FobBase
public import WireProtocol

/// The last 32 things that happened, with the device's clock: the stamps of every press, and what
/// tests and benches watch. Entries are numbered from 0 at boot, modulo 2^32; old ones give way.
public struct TraceRing: Sendable {
  /// Three arrays, because codes between clocks and arguments would take eight bytes each.
  private var clocks = InlineArray<32, UInt64>(repeating: 0)
  private var arguments = InlineArray<32, UInt64>(repeating: 0)
  private var codes = InlineArray<32, UInt8>(repeating: 0)
  /// The index that the next entry will have.
  public private(set) var next: UInt32 = 0
  private var count: UInt32 = 0

  private static let capacity: UInt32 = 32

  init() {}

  /// A ring whose first `next` entries have all given way.
  init(next: UInt32) { self.next = next }

  @inline(never)
  mutating func note(_ code: TraceEntry.Code, _ argument: UInt64 = 0, at now: Instant) {
    let place = Self.place(next)
    clocks[place] = UInt64(bitPattern: now.microseconds)
    arguments[place] = argument
    codes[place] = code.rawValue
    next &+= 1
    if count < Self.capacity { count &+= 1 }
  }

  /// The index of the oldest entry that is kept; `next` when none is.
  public var first: UInt32 { next &- count }

  /// The index at which an answer to a question for `index` begins: `index` itself, if that entry
  /// is kept or is the next to come, else the oldest. Indexes wrap, so nobody can say whether any
  /// other is earlier or later.
  func start(from index: UInt32) -> UInt32 { index &- first <= count ? index : first }

  /// The entry with this index; nil when it has given way or has not come yet.
  public subscript(index: UInt32) -> TraceEntry? {
    guard index &- first < count, let code = TraceEntry.Code(rawValue: codes[Self.place(index)])
    else { return nil }
    return TraceEntry(
      clock: clocks[Self.place(index)], code: code, argument: arguments[Self.place(index)])
  }

  /// Writes an entry as `TraceEntry` does; false when there is none. It is mutating so that the
  /// entry is read where it stands.
  mutating func write(_ index: UInt32, to body: inout FrameBody) -> Bool {
    guard index &- first < count else { return false }
    let place = Self.place(index)
    body.append(clocks[place])
    body.append(codes[place])
    body.append(arguments[place])
    return true
  }

  private static func place(_ index: UInt32) -> Int { Int(index & (capacity - 1)) }
}
