package import FobBase
import SerialIO

/// The two bulk pipes of a line as a machine. It keeps several transfers from the device in flight
/// and one to it, queues the bytes behind that, and decides what to do when a pipe fails.
///
/// It takes results of transfers, and gives the next thing to do. Any thread may carry out a
/// submission, at once. Only the line's own thread carries out an order, since that may wait for
/// the device.
///
/// A halted pipe first gets all its transfers back, so that bytes from before and after the halt
/// stay in order.
package struct BulkPipe: ~Copyable {
  /// How many transfers from the device are in flight.
  package static let incoming = 8

  private enum Transfer { case idle, flying, cancelling }

  /// A bit for each transfer from the device; a transfer in neither set is idle.
  private var flying: UInt8 = 0
  private var cancelling: UInt8 = 0
  private var outgoing = Transfer.idle
  private var incomingTrouble = PipeTrouble()
  private var outgoingTrouble = PipeTrouble()
  /// Bytes for the device. Those in flight stay at its front until the device has taken them.
  private var pending = PendingBytes(capacity: Limits.hostTransmitBuffer)
  /// wMaxPacketSize to the device.
  private let packet: Int
  /// Why the line ends; nil while it goes on.
  package private(set) var end: BulkEnd?
  /// Frames that ``send(_:)`` had no room for.
  package private(set) var droppedFrames: UInt64 = 0

  /// - Parameter packet: wMaxPacketSize of the endpoint to the device, bytes.
  package init(packet: Int) { self.packet = packet }

  /// Whether the line has ended and all its transfers are back: it can be closed.
  package var isDone: Bool { end != nil && isIdle }

  private var isIdle: Bool { outgoing == .idle && flying | cancelling == 0 }

  /// Whether there is nothing to do until something happens: the case after nearly every wait.
  package var isQuiet: Bool {
    flying == .max && end == nil && incomingTrouble.isOver && outgoingTrouble.isOver
      && (pending.isEmpty || outgoing == .flying)
  }

  /// When to ask for submissions and orders again if nothing happens before; nil: never.
  package var nextWake: Instant? {
    guard end == nil else { return nil }
    guard let a = incomingTrouble.retryAt else { return outgoingTrouble.retryAt }
    return outgoingTrouble.retryAt.map { min(a, $0) } ?? a
  }

  /// All bytes that wait; ``BulkSubmission/outgoing(_:zeroPacket:)`` carries the first of them.
  package var bytes: UnsafeRawBufferPointer { pending.bytes }

  // MARK: What happens

  /// Queues a frame if all of it fits. Ask for submissions afterwards.
  /// - Returns: false if the frame was dropped, and counted.
  package mutating func send(_ frame: UnsafeRawBufferPointer) -> Bool {
    guard frame.count <= pending.room else {
      droppedFrames += 1
      return false
    }
    pending.append(frame)
    return true
  }

  /// A transfer from the device has ended, or was refused.
  /// - Parameter slot: which one, below ``incoming``.
  package mutating func received(_ slot: Int, _ result: BulkResult, at now: Instant) {
    let bit: UInt8 = 1 << slot
    let wasCancelled = cancelling & bit != 0
    flying &= ~bit
    cancelling &= ~bit
    finish(incomingTrouble.take(result, wasCancelled: wasCancelled, at: now))
  }

  /// The transfer to the device has ended, or was refused.
  /// - Parameter count: how many bytes the device took.
  package mutating func sent(_ count: Int, _ result: BulkResult, at now: Instant) {
    let wasCancelled = outgoing == .cancelling
    outgoing = .idle
    pending.removeFirst(min(count, pending.bytes.count))
    finish(outgoingTrouble.take(result, wasCancelled: wasCancelled, at: now))
  }

  /// Takes the result of clearing a halt.
  package mutating func cleared(_ direction: BulkDirection, _ result: BulkResult, at now: Instant) {
    switch direction {
    case .incoming: finish(incomingTrouble.clear(result, at: now))
    case .outgoing: finish(outgoingTrouble.clear(result, at: now))
    }
  }

  /// Ends both pipes: no more submissions, and orders to cancel the transfers in flight. The first
  /// end counts; nil changes nothing.
  package mutating func finish(_ end: BulkEnd?) {
    if self.end == nil { self.end = end }
  }

  // MARK: What to do

  /// The next transfer to begin; it counts as begun. Report a refusal by ``received(_:_:at:)`` or
  /// ``sent(_:_:at:)``.
  package mutating func nextSubmission(at now: Instant) -> BulkSubmission? {
    guard end == nil else { return nil }
    incomingTrouble.passTime(to: now)
    if incomingTrouble.isOver, let slot = Self.first(of: ~(flying | cancelling)) {
      flying |= 1 << slot
      return .incoming(slot)
    }
    return nextOutgoing(at: now)
  }

  /// As ``nextSubmission(at:)``, but only to the device: for a thread that has just queued a frame.
  package mutating func nextOutgoing(at now: Instant) -> BulkSubmission? {
    guard end == nil else { return nil }
    outgoingTrouble.passTime(to: now)
    guard outgoingTrouble.isOver, outgoing == .idle, !pending.isEmpty else { return nil }
    outgoing = .flying
    let count = pending.bytes.count
    // Without the empty packet, a device would wait for more after a full one.
    return .outgoing(count, zeroPacket: count % packet == 0)
  }

  /// The next order; it counts as carried out. The result of `clearHalt` is due by
  /// ``cleared(_:_:at:)``.
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

/// The trouble that keeps a pipe from its transfers, and until when.
///
/// A failing pipe is tried again after 10 ms, then after twice that and so on, ``tries`` times in
/// all. A hub may take so long to notice that the device has gone.
struct PipeTrouble {
  /// Their pauses are 630 ms in all.
  static let tries = 6
  private static let firstPause = Interval.milliseconds(10)

  private(set) var isHalted = false
  private var isClearing = false
  /// Failures since the last transfer that succeeded.
  private var failures = 0
  private(set) var retryAt: Instant?

  /// Whether nothing keeps the pipe from its transfers.
  var isOver: Bool { !isHalted && retryAt == nil }

  mutating func passTime(to now: Instant) {
    if let at = retryAt, at <= now { retryAt = nil }
  }

  /// True once, when the halt is to be cleared; its result is then due by `clear`.
  mutating func beginClearing() -> Bool {
    guard isHalted, !isClearing, retryAt == nil else { return false }
    isClearing = true
    return true
  }

  /// - Returns: the end of the line if this result means it.
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
      // Transfers in flight behind the first may stall, too: that is one failure.
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
