package import FobBase

/// A bad line in one direction: bytes in at an instant, bytes out when they are due. It damages
/// and keeps back what its faults hit, never changes the order, and never loses a byte but to a
/// drop: when it holds 4,096 it takes no more.
///
/// Of each kind one fault is in force; a byte may be hit by several, in the order of the kinds.
package struct WireFaults: Sendable {
  static let capacity = 4_096
  /// What one byte may become: one put in before it, and itself twice.
  private static let maxOfOneKind = 3

  private(set) var faults: [SetFault] = []

  private var held = HeldBytes()
  private var stallEnds = Instant(microseconds: .min)

  package init() {}

  /// Sets a fault in place of the one of its kind.
  package mutating func set(_ fault: WireFault) {
    faults.removeAll { $0.fault.kind == fault.kind }
    faults.append(SetFault(fault))
    let kinds = WireFault.Kind.allCases
    faults = kinds.compactMap { kind in faults.first { $0.fault.kind == kind } }
  }

  /// No fault is in force any more. What is held still comes when it is due.
  package mutating func clear() { faults.removeAll() }

  /// What is held is gone, as when the plug is pulled.
  package mutating func discard() {
    held.removeAll()
    stallEnds = Instant(microseconds: .min)
  }

  /// Nothing is held and nothing will be hit: bytes need not come through here.
  package var isClear: Bool { held.isEmpty && faults.allSatisfy(\.isOver) }

  /// How many bytes it takes now, whatever the faults make of them.
  var room: Int { max(0, (Self.capacity - held.count) / Self.maxOfOneKind) }

  /// When bytes may go on next; nil when it holds none.
  package var nextDue: Instant? { held.nextDue }

  /// Takes bytes from the front of `bytes`; the count of those taken. The rest is to be offered
  /// again when some of what is held has gone on.
  package mutating func take(_ bytes: UnsafeRawBufferPointer, at now: Instant) -> Int {
    let count = min(bytes.count, room)
    for byte in bytes.prefix(count) { pass(byte, at: now) }
    return count
  }

  /// Shows bytes that are due; `take` says how many of them it took. Call until it gives 0: each
  /// call shows the bytes of one chunk, so that a split is seen as two.
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
        // One under way is not made longer: else a busy line would never recover.
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

/// Bytes that a line holds, in order. Those of one chunk are due together, and no chunk before the
/// one in front of it.
struct HeldBytes: Sendable {
  private static let maxForgotten = 4_096

  private var bytes: [UInt8] = []
  private var dues: [Instant] = []
  /// How many, at the front of both, have gone on already.
  private var gone = 0
  /// Of the chunk that the next byte joins; long past while nothing is kept back.
  private var due = Instant(microseconds: .min)

  var count: Int { bytes.count - gone }
  var isEmpty: Bool { count == 0 }

  /// When the first of them may go on; nil when there are none.
  var nextDue: Instant? { isEmpty ? nil : dues[gone] }

  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
    dues.append(due)
  }

  /// The next byte begins a chunk, which comes `pause` after what is before it; when it is due.
  mutating func cut(for pause: Interval, at now: Instant) -> Instant {
    due = max(now, due) + pause
    return due
  }

  /// Shows what is due of the first chunk, and forgets as many bytes as `take` took; their count.
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
