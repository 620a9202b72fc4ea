package import FobBase

/// A bad line in one direction: bytes go in at an instant and come out when they are due. It
/// damages and delays the bytes that its faults hit. It keeps their order, and loses bytes only by
/// a drop: when it is full (4,096 bytes), it takes no more.
///
/// One fault of each kind is in force. Several may hit one byte, in the order of the kinds.
package struct WireFaults: Sendable {
  static let capacity = 4_096
  /// The most bytes that one becomes: an inserted one, and itself twice.
  private static let maxOfOneKind = 3

  private(set) var faults: [SetFault] = []

  private var held = HeldBytes()
  private var stallEnds = Instant(microseconds: .min)

  /// A line without faults.
  package init() {}

  /// Sets a fault in place of the one of its kind.
  package mutating func set(_ fault: WireFault) {
    faults.removeAll { $0.fault.kind == fault.kind }
    faults.append(SetFault(fault))
    let kinds = WireFault.Kind.allCases
    faults = kinds.compactMap { kind in faults.first { $0.fault.kind == kind } }
  }

  /// Removes all faults. Held bytes still come when they are due.
  package mutating func clear() { faults.removeAll() }

  /// Drops the held bytes and ends a stall, as an unplugging does.
  package mutating func discard() {
    held.removeAll()
    stallEnds = Instant(microseconds: .min)
  }

  /// Whether nothing is held and nothing will be hit: bytes may bypass this line.
  package var isClear: Bool { held.isEmpty && faults.allSatisfy(\.isOver) }

  /// How many bytes it takes now, even if faults triple each.
  var room: Int { max(0, (Self.capacity - held.count) / Self.maxOfOneKind) }

  /// When held bytes are due next; nil when it holds none.
  package var nextDue: Instant? { held.nextDue }

  /// Takes bytes from the front of `bytes` and returns how many. Offer the rest again when held
  /// bytes have gone out.
  package mutating func take(_ bytes: UnsafeRawBufferPointer, at now: Instant) -> Int {
    let count = min(bytes.count, room)
    for byte in bytes.prefix(count) { pass(byte, at: now) }
    return count
  }

  /// Hands due bytes of one chunk to `take`, which returns how many it took. Call it until it
  /// returns 0: so a split arrives as two chunks.
  package mutating func passOn(at now: Instant, _ take: (UnsafeRawBufferPointer) -> Int) -> Int {
    held.passOn(at: now, take)
  }

  private mutating func pass(_ byte: UInt8, at now: Instant) {
    var byte = byte
    var isDropped = false
    var isDoubled = false
    for i in faults.indices where faults[i].hitsNext() {
      switch faults[i].fault.kind {
      case .stall:
        // A stall under way is not made longer: else a busy line would never recover.
        guard now >= stallEnds else { continue }
        stallEnds = held.cut(for: faults[i].fault.pause, at: now)
      case .split: _ = held.cut(for: faults[i].fault.pause, at: now)
      case .insert: held.append(faults[i].byte())
      case .drop: isDropped = true
      case .flip:
        guard !isDropped else { continue }
        byte ^= faults[i].bit()
      case .double:
        guard !isDropped else { continue }
        isDoubled = true
      }
      faults[i].strike()
    }
    guard !isDropped else { return }
    held.append(byte)
    if isDoubled { held.append(byte) }
  }
}

/// The held bytes of a line, in order. Bytes of one chunk are due together, and no chunk is due
/// before the one in front of it.
struct HeldBytes: Sendable {
  private static let maxForgotten = 4_096

  private var bytes: [UInt8] = []
  private var dues: [Instant] = []
  /// How many at the front of `bytes` and `dues` are removed already.
  private var gone = 0
  /// When the chunk of the next byte is due; long past while nothing is delayed.
  private var due = Instant(microseconds: .min)

  var count: Int { bytes.count - gone }
  var isEmpty: Bool { count == 0 }

  /// When the first bytes are due; nil when there are none.
  var nextDue: Instant? { isEmpty ? nil : dues[gone] }

  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
    dues.append(due)
  }

  /// Begins a new chunk with the next byte, due `pause` after the chunk before it. Returns when it
  /// is due.
  mutating func cut(for pause: Interval, at now: Instant) -> Instant {
    due = max(now, due) + pause
    return due
  }

  /// Hands the first chunk to `take` if it is due, and drops as many bytes as that took. Returns
  /// their count.
  mutating func passOn(at now: Instant, _ take: (UnsafeRawBufferPointer) -> Int) -> Int {
    guard let due = nextDue, due <= now else { return 0 }
    let end = dues[gone...].firstIndex { $0 != due } ?? dues.count
    let taken = bytes.withUnsafeBytes {
      take(UnsafeRawBufferPointer(rebasing: $0[gone..<end]))
    }
    gone += taken
    if isEmpty || gone >= Self.maxForgotten { forgetGone() }
    return taken
  }

  mutating func removeAll() {
    gone = bytes.count
    forgetGone()
    due = Instant(microseconds: .min)
  }

  private mutating func forgetGone() {
    bytes.removeFirst(gone)
    dues.removeFirst(gone)
    gone = 0
  }
}
