import FobBase
import WireProtocol

/// What was read of a device's trace ring in one session, and when it is asked for more: by a rule
/// of its own, so that no ack waits for telemetry, and no device has a question for each frame.
struct TraceReading: Sendable {
  /// From the moment that there is something to ask for: by then the light has changed, too.
  static let delay = Interval.milliseconds(20)

  /// The entry to ask for next; nil until one was read.
  private var next: UInt32?
  private(set) var askAt: Instant?

  /// The device has done what its trace tells of.
  mutating func wanted(at now: Instant) {
    if askAt == nil { askAt = now + Self.delay }
  }

  /// Reads the entries of a TRACE frame that were not read before, and asks on where it is full.
  mutating func read(
    _ payload: UnsafeRawBufferPointer, at now: Instant, _ take: (TraceEntry) -> Void
  ) {
    var next = next
    var count = 0
    TraceFrame.entries(payload) { index, entry in
      count += 1
      // Indexes wrap; and what a device of long uptime says first is later than any 0.
      if let next, Int32(bitPattern: index &- next) < 0 { return }
      next = index &+ 1
      take(entry)
    }
    if count == TraceEntry.maxInFrame, next != self.next { wanted(at: now) }
    self.next = next
  }

  /// The question, if it is due.
  mutating func question(at now: Instant) -> TraceFrame? {
    guard let askAt, askAt <= now else { return nil }
    self.askAt = nil
    return TraceFrame(first: next ?? 0)
  }
}
