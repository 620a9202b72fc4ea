import FobBase

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
