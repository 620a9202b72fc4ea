import FobBase
public import WireProtocol

/// The last things that happened, with the device's clock: the stamps of every press, and what
/// tests and benches watch. Entries are numbered from the boot; old ones give way.
public struct TraceRing: Sendable {
  /// In arrays of their own, since codes between clocks and arguments would take eight bytes each.
  private var clocks = InlineArray<32, UInt64>(repeating: 0)
  private var arguments = InlineArray<32, UInt64>(repeating: 0)
  private var codes = InlineArray<32, UInt8>(repeating: 0)
  /// The index that the next entry will have.
  public private(set) var next: UInt32 = 0
  private var count: UInt32 = 0

  private static let capacity: UInt32 = 32

  init() {}

  /// As after so many entries, which have all given way.
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

  public var first: UInt32 { next &- count }

  /// Where an answer to a question for `index` begins: there, if that entry is kept or is the next
  /// to come, else at the oldest. Indexes wrap, so of any other nobody can say on which side it is.
  func start(from index: UInt32) -> UInt32 { index &- first <= count ? index : first }

  public subscript(index: UInt32) -> TraceEntry? {
    guard index &- first < count, let code = TraceEntry.Code(rawValue: codes[Self.place(index)])
    else { return nil }
    return TraceEntry(
      clock: clocks[Self.place(index)], code: code, argument: arguments[Self.place(index)])
  }

  /// Writes an entry as `TraceEntry` does; false when there is none. Mutating, so that it is read
  /// where it stands.
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
