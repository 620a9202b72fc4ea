public import FobBase

/// One thing that a bad line does to the bytes that pass it.
public struct WireFault: Hashable, Sendable {
  /// In the order in which they strike where several hit one byte.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    /// From the byte on nothing passes for a while; then all comes, in order.
    case stall
    /// The byte and what follows come later, in a chunk of their own.
    case split
    /// A byte that nobody sent comes before it.
    case insert
    /// The byte is lost.
    case drop
    /// One bit of the byte is turned over.
    case flip
    /// The byte comes twice.
    case double

    /// It changes the bytes; the others only keep them back.
    public var damages: Bool { self != .split && self != .stall }
  }

  public enum Direction: String, Codable, Sendable {
    case host, device, both
  }

  /// Which bytes of a direction it hits, counted from when it was set.
  public enum Bytes: Hashable, Sendable {
    /// This share of them, 0...1, drawn by the seed: the same seed hits the same bytes, however
    /// they are cut into chunks.
    case rate(Double)
    case at(Int64, count: Int64 = 1)
  }

  public var kind: Kind
  public var bytes: Bytes
  public var direction: Direction
  public var seed: UInt64
  /// Of a split or a stall: how long what follows is kept back.
  public var pause: Interval
  /// Of an insertion: the byte; of a flip: the bit, 0...7. Nil: drawn by the seed.
  public var value: UInt8?

  public init(
    _ kind: Kind, _ bytes: Bytes, to direction: Direction = .both, seed: UInt64 = 1,
    pause: Interval? = nil, value: UInt8? = nil
  ) {
    self.kind = kind
    self.bytes = bytes
    self.direction = direction
    self.seed = seed
    self.pause = pause ?? (kind == .stall ? Self.defaultStall : Self.defaultSplit)
    self.value = value
  }

  public static let defaultSplit = Interval.milliseconds(5)
  public static let defaultStall = Interval.milliseconds(200)
}

/// A fault in force on one direction: which byte it hits next, and how often it has struck.
struct SetFault: Sendable {
  let fault: WireFault
  private(set) var struck: UInt64 = 0
  private var random: SplitMix64
  private var passed: Int64 = 0

  init(_ fault: WireFault) {
    self.fault = fault
    random = SplitMix64(state: fault.seed)
  }

  /// It will strike no more.
  var isOver: Bool {
    guard case .at(let first, let count) = fault.bytes else { return false }
    return passed >= first && passed - first >= count
  }

  /// Whether it hits the next byte.
  mutating func hitsNext() -> Bool {
    defer { passed &+= 1 }
    switch fault.bytes {
    case .at(let first, let count): return passed >= first && passed - first < count
    case .rate(let rate):
      // The upper 53 bits, as a share of one.
      return Double(random.next() >> 11) * 0x1p-53 < rate
    }
  }

  mutating func strike() { struck &+= 1 }

  /// The bit that is turned over, as a mask.
  mutating func bit() -> UInt8 { 1 << ((fault.value ?? draw()) & 7) }

  /// Every fourth is 00, which a receiver takes for the end of a frame.
  mutating func byte() -> UInt8 {
    if let value = fault.value { return value }
    let drawn = draw()
    return drawn < 64 ? 0 : draw()
  }

  private mutating func draw() -> UInt8 { UInt8(truncatingIfNeeded: random.next() >> 32) }
}
