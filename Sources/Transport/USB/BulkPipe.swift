package import FobBase
import SerialIO

/// The two bulk pipes of a line as a machine: several transfers from the device in flight, one to
/// it with the bytes that wait behind, and what to do when either fails.
///
/// It takes what became of transfers, and is asked for the next thing to do: a submission, at once
/// and by whoever asks; an order, by the line's own thread alone, as it may wait for the device.
///
/// A halted pipe first gets all its transfers back, so that no byte that came before the halt is
/// behind one that came after it.
package struct BulkPipe: ~Copyable {
  /// In flight from the device.
  package static let incoming = 8

  private enum Transfer { case idle, flying, cancelling }

  /// A bit for each transfer from the device. What is in neither is idle.
  private var flying: UInt8 = 0
  private var cancelling: UInt8 = 0
  private var outgoing = Transfer.idle
  private var incomingTrouble = PipeTrouble()
  private var outgoingTrouble = PipeTrouble()
  /// The first of it is in flight, and stays here until the device has it.
  private var pending = PendingBytes(capacity: Limits.hostTransmitBuffer)
  /// wMaxPacketSize to the device.
  private let packet: Int
  /// The line is to be closed, or has nothing more to give.
  package private(set) var end: BulkEnd?
  package private(set) var droppedFrames: UInt64 = 0

  package init(packet: Int) { self.packet = packet }

  /// All transfers are back, and no other will be begun.
  package var isDone: Bool { end != nil && isIdle }

  private var isIdle: Bool { outgoing == .idle && flying | cancelling == 0 }

  /// Nothing is to be done before something happens: the case after nearly every wait.
  package var isQuiet: Bool {
    flying == .max && end == nil && incomingTrouble.isOver && outgoingTrouble.isOver
      && (pending.isEmpty || outgoing == .flying)
  }

  /// When to look for submissions and orders again, if nothing happens before.
  package var nextWake: Instant? {
    guard end == nil else { return nil }
    guard let a = incomingTrouble.retryAt else { return outgoingTrouble.retryAt }
    return outgoingTrouble.retryAt.map { min(a, $0) } ?? a
  }

  /// What ``BulkSubmission/outgoing(_:zeroPacket:)`` is to carry, and more.
  package var bytes: UnsafeRawBufferPointer { pending.bytes }

  // MARK: What happens

  /// A frame is begun only if all of it fits. Ask for submissions then.
  /// - Returns: false if it was dropped, and counted.
  package mutating func send(_ frame: UnsafeRawBufferPointer) -> Bool {
    guard frame.count <= pending.room else {
      droppedFrames += 1
      return false
    }
    pending.append(frame)
    return true
  }

  package mutating func received(_ slot: Int, _ result: BulkResult, at now: Instant) {
    let bit: UInt8 = 1 << slot
    let wasCancelled = cancelling & bit != 0
    flying &= ~bit
    cancelling &= ~bit
    finish(incomingTrouble.take(result, wasCancelled: wasCancelled, at: now))
  }

  /// - Parameter count: how many bytes the device took.
  package mutating func sent(_ count: Int, _ result: BulkResult, at now: Instant) {
    let wasCancelled = outgoing == .cancelling
    outgoing = .idle
    pending.removeFirst(min(count, pending.bytes.count))
    finish(outgoingTrouble.take(result, wasCancelled: wasCancelled, at: now))
  }

  /// A halt was cleared, or not.
  package mutating func cleared(_ direction: BulkDirection, _ result: BulkResult, at now: Instant) {
    switch direction {
    case .incoming: finish(incomingTrouble.clear(result, at: now))
    case .outgoing: finish(outgoingTrouble.clear(result, at: now))
    }
  }

  /// Ends both pipes: no more submissions, and orders to cancel what is in flight. The first end
  /// counts; nil is none.
  package mutating func finish(_ end: BulkEnd?) {
    if self.end == nil { self.end = end }
  }

  // MARK: What to do

  /// The next transfer to begin, taken as begun. A refusal is told like a completion.
  package mutating func nextSubmission(at now: Instant) -> BulkSubmission? {
    guard end == nil else { return nil }
    incomingTrouble.passTime(to: now)
    if incomingTrouble.isOver, let slot = Self.first(of: ~(flying | cancelling)) {
      flying |= 1 << slot
      return .incoming(slot)
    }
    return nextOutgoing(at: now)
  }

  /// As ``nextSubmission(at:)``, to the device alone: for those who have just sent a frame.
  package mutating func nextOutgoing(at now: Instant) -> BulkSubmission? {
    guard end == nil else { return nil }
    outgoingTrouble.passTime(to: now)
    guard outgoingTrouble.isOver, outgoing == .idle, !pending.isEmpty else { return nil }
    outgoing = .flying
    let count = pending.bytes.count
    // Without it, a device would wait for the rest of what ends with a full packet.
    return .outgoing(count, zeroPacket: count % packet == 0)
  }

  /// The next order, taken as carried out but for its result.
  package mutating func nextOrder(at now: Instant) -> BulkOrder? {
    if end != nil || incomingTrouble.isHalted, let slot = Self.first(of: flying) {
      flying &= ~(1 << slot)
      cancelling |= 1 << slot
      return .cancelIncoming(slot)
    }
    if end != nil {
      guard outgoing == .flying else { return nil }
      outgoing = .cancelling
      return .cancelOutgoing
    }
    incomingTrouble.passTime(to: now)
    if cancelling == 0, incomingTrouble.beginClearing() {
      return .clearHalt(.incoming)
    }
    outgoingTrouble.passTime(to: now)
    return outgoingTrouble.beginClearing() ? .clearHalt(.outgoing) : nil
  }

  private static func first(of slots: UInt8) -> Int? {
    slots == 0 ? nil : slots.trailingZeroBitCount
  }
}

/// What keeps one of the pipes from its transfers, and for how long.
///
/// A failing pipe is tried again after 10 ms, then after twice that, ``tries`` times in all: as
/// long as a hub may take to notice that the device has gone.
struct PipeTrouble {
  /// Together 630 ms.
  static let tries = 6
  private static let firstPause = Interval.milliseconds(10)

  private(set) var isHalted = false
  private var isClearing = false
  /// Since the last transfer that was done.
  private var failures = 0
  private(set) var retryAt: Instant?

  /// Nothing keeps the pipe.
  var isOver: Bool { !isHalted && retryAt == nil }

  mutating func passTime(to now: Instant) {
    if let at = retryAt, at <= now { retryAt = nil }
  }

  /// True once, when the halt is to be cleared; then the result is due.
  mutating func beginClearing() -> Bool {
    guard isHalted, !isClearing, retryAt == nil else { return false }
    isClearing = true
    return true
  }

  /// - Returns: what this ends the line with.
  mutating func take(_ result: BulkResult, wasCancelled: Bool, at now: Instant) -> BulkEnd? {
    switch result {
    case .done:
      failures = 0
      return nil
    case .gone:
      return .hungUp
    case .cancelled where wasCancelled:
      return nil
    case .stalled:
      // Those that were in flight behind it may say the same.
      if isHalted { return nil }
      isHalted = true
      return fail(result, at: now)
    case .cancelled, .overflowed, .failed:
      return isOver ? fail(result, at: now) : nil
    }
  }

  mutating func clear(_ result: BulkResult, at now: Instant) -> BulkEnd? {
    isClearing = false
    switch result {
    case .done:
      isHalted = false
      return nil
    case .gone: return .hungUp
    case .cancelled, .stalled, .overflowed, .failed: return fail(result, at: now)
    }
  }

  private mutating func fail(_ result: BulkResult, at now: Instant) -> BulkEnd? {
    failures += 1
    guard failures <= Self.tries else { return .failed(result) }
    retryAt = now + .microseconds(Self.firstPause.microseconds << Int64(failures - 1))
    return nil
  }
}
