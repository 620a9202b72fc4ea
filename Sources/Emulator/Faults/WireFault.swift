public import FobBase

/// One fault of a bad line, and the bytes that it hits.
public struct WireFault: Hashable, Sendable {
  /// The cases are in the order in which they strike when several hit one byte.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    /// From the byte on nothing passes for ``pause``; then all comes, in order.
    case stall
    /// The byte and those behind it come ``pause`` later, in a chunk of their own.
    case split
    /// A byte that neither end sent comes before it.
    case insert
    /// The byte is lost.
    case drop
    /// One bit of the byte is turned over.
    case flip
    /// The byte comes twice.
    case double

    /// Whether it changes bytes; a split and a stall only delay them.
    public var damages: Bool { self != .split && self != .stall }
  }

  /// Which bytes are hit: those towards the host, towards the device, or both.
  public enum Direction: String, Codable, Sendable {
    case host, device, both
  }

  /// Which bytes of a direction are hit, counted from 0 since the fault was set.
  public enum Bytes: Hashable, Sendable {
    /// This share of them, 0...1, drawn by the seed. The same seed hits the same bytes, however
    /// they are cut into chunks.
    case rate(Double)
    case at(Int64, count: Int64 = 1)
  }

  /// A later fault of the same kind replaces it in its direction.
  public var kind: Kind
  /// Which bytes of the direction it hits.
  public var bytes: Bytes
  /// For `both` each direction counts for itself, with a draw of its own.
  public var direction: Direction
  /// Decides every draw of the fault.
  public var seed: UInt64
  /// How long a split or a stall delays bytes; others ignore it.
  public var pause: Interval
  /// The byte of an insertion, or the bit of a flip, 0...7; nil: drawn by the seed.
  public var value: UInt8?

  /// A `pause` of nil is 200 ms for a stall, 5 ms for a split.
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

  /// The pause of a split that names none.
  public static let defaultSplit = Interval.milliseconds(5)
  /// The pause of a stall that names none.
  public static let defaultStall = Interval.milliseconds(200)
}

/// A fault in force in one direction, with its position, its random numbers and its strikes.
struct SetFault: Sendable {
  let fault: WireFault
  private(set) var struck: UInt64 = 0
  private var random: SplitMix64
  private var passed: Int64 = 0

  init(_ fault: WireFault) {
    self.fault = fault
    random = SplitMix64(state: fault.seed)
  }

  /// Whether it will not strike any more.
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

  /// The bit to turn over, as a mask.
  mutating func bit() -> UInt8 { 1 << ((fault.value ?? draw()) & 7) }

  /// The byte to insert. One in four drawn bytes is 00, which a receiver takes for the end of a
  /// frame.
  mutating func byte() -> UInt8 {
    if let value = fault.value { return value }
    let drawn = draw()
    return drawn < 64 ? 0 : draw()
  }

  private mutating func draw() -> UInt8 { UInt8(truncatingIfNeeded: random.next() >> 32) }
}
