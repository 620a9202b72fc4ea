import FobBase
import Glibc
import SerialIO
import Synchronization

/// The thread of one USB device's line: it waits for transfers, and hands bytes on in the call that
/// completes one. It does the work of ``ReaderLoop`` for devices without a descriptor to read.
///
/// A transfer has room for one packet: with more room, a full packet would wait there for the next.
/// Each transfer costs five system calls: the poll here, libusb's own, two to reap it and one to
/// submit it again. The poll here is needed because libusb cannot wait for a deadline on
/// CLOCK_BOOTTIME or for another thread; it is a tenth of a percent of a round trip.
final class USBReader: HostLine, BulkReceiver {
  private let connection: any BulkConnection
  private let scheduling: ThreadScheduling
  private let handlers: ReaderHandlers
  private let wakes: ReaderWakes
  private let pipe: Mutex<BulkPipe>
  private let isStopping = Atomic(false)
  private let isClosed = Atomic(false)
  private let isAbandoned = Atomic(false)
  private let thread = Mutex<BlockingThread?>(nil)

  /// How long a cancelled transfer may take to come back.
  static let cancelPatience = Interval.seconds(1)
  /// How long `stop()` waits: a cancelled transfer, and the last request to the device.
  static let stopPatience = Interval.seconds(2)

  init(
    _ connection: any BulkConnection, scheduling: ThreadScheduling = .standard,
    handlers: ReaderHandlers
  ) throws(IOFailure) {
    let wakes = try ReaderWakes()
    self.wakes = wakes
    self.connection = connection
    self.scheduling = scheduling
    self.handlers = handlers
    pipe = Mutex(BulkPipe(packet: connection.outgoingPacket))
    connection.tell(self)
  }

  deinit { closeUnread() }

  func start() throws(IOFailure) {
    try thread.withLock { (thread) throws(IOFailure) in
      precondition(thread == nil, "a reader starts once")
      thread = try BlockingThread(name: "usb reader", scheduling: scheduling) { self.run() }
    }
  }

  @discardableResult
  func stop() -> Bool {
    isStopping.store(true, ordering: .releasing)
    wakes.signal()
    guard let thread = thread.withLock({ $0 }) else {
      closeUnread()
      return !isAbandoned.load(ordering: .acquiring)
    }
    if thread.isCurrent { return true }
    return thread.join(within: Self.stopPatience) && !isAbandoned.load(ordering: .acquiring)
  }

  func wake() { wakes.wake() }

  @discardableResult
  func send(_ frame: UnsafeRawBufferPointer) -> SendOutcome {
    pipe.withLock { pipe in
      guard pipe.end == nil else { return .closed }
      guard pipe.send(frame) else { return .dropped }
      guard let submission = pipe.nextOutgoing(at: BootClock.now()) else { return .queued }
      return submit(submission, &pipe) ? .written : .queued
    }
  }

  var droppedFrames: UInt64 { pipe.withLock { $0.droppedFrames } }

  // MARK: What libusb tells, on the reader's thread

  func received(_ slot: Int, _ bytes: UnsafeRawBufferPointer, _ result: BulkResult) {
    let nanoseconds = BootClock.nanoseconds()
    if !bytes.isEmpty, !isStopping.load(ordering: .acquiring) {
      handlers.onBytes(bytes, nanoseconds)
    }
    let now = Instant(microseconds: Int64(nanoseconds / 1_000))
    pipe.withLock { pipe in
      pipe.received(slot, result, at: now)
      submitAll(&pipe, at: now)
    }
  }

  func sent(_ count: Int, _ result: BulkResult) {
    let now = BootClock.now()
    pipe.withLock { pipe in
      pipe.sent(count, result, at: now)
      submitAll(&pipe, at: now)
    }
  }

  // MARK: The thread

  private func run() {
    BlockingThread.runSoon()
    var waits = [
      pollfd(fd: wakes.signalled, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakes.alarmed, events: Int16(POLLIN), revents: 0),
    ]
    waits += connection.polled
    var armed: Instant?
    while true {
      if !isQuiet, !isGoingOn() { break }
      wakes.arm(&armed, for: nextWake())
      guard turn(&waits, &armed) else { break }
    }
    let reason = close()
    // Closed first, so that the handler can open the same device again.
    if let reason, !isStopping.load(ordering: .acquiring) { handlers.onGone(reason) }
  }

  /// Waits once and handles what it brought. False when waiting is impossible from now on.
  private func turn(_ waits: inout [pollfd], _ armed: inout Instant?) -> Bool {
    do throws(IOFailure) {
      _ = try Syscall.poll(&waits, count: waits.count)
    } catch {
      pipe.withLock { $0.finish(.failed(.failed)) }
      return false
    }
    if Self.says(&waits, ~0) {
      guard connection.handleEvents() else {
        pipe.withLock { $0.finish(.failed(.failed)) }
        return false
      }
      // These events stay from now on, and perhaps no transfer is in flight that would end the
      // line.
      let broken = Int16(POLLERR | POLLHUP | POLLNVAL)
      if Self.says(&waits, broken) {
        pipe.withLock { $0.finish(.hungUp) }
      }
    }
    guard waits[0].revents != 0 || waits[1].revents != 0 else { return true }
    let now = BootClock.now()
    let isAlarm = waits[1].revents != 0
    let isDue = wakes.take(&armed, isAlarm: isAlarm, at: now, next: handlers.nextWake)
    if isDue, !isStopping.load(ordering: .acquiring) { handlers.onWake(now) }
    return true
  }

  /// Whether one of libusb's descriptors has one of these events.
  private static func says(_ waits: inout [pollfd], _ events: Int16) -> Bool {
    waits.withUnsafeMutableBufferPointer { waits in
      var index = 2
      while index < waits.count {
        if waits[index].revents & events != 0 { return true }
        index += 1
      }
      return false
    }
  }

  private var isQuiet: Bool {
    !isStopping.load(ordering: .acquiring) && pipe.withLock { $0.isQuiet }
  }

  private func nextWake() -> Instant? {
    .earlier(handlers.nextWake(), pipe.withLock { $0.nextWake })
  }

  /// Carries out orders and submissions before the next wait. False when the line has ended.
  private func isGoingOn() -> Bool {
    if isStopping.load(ordering: .acquiring) { pipe.withLock { $0.finish(.stopped) } }
    let now = BootClock.now()
    carryOutOrders(at: now)
    return pipe.withLock { pipe in
      submitAll(&pipe, at: now)
      return pipe.end == nil
    }
  }

  /// Runs outside the lock: a thread that sends a frame does not wait for a device that clears its
  /// halt.
  private func carryOutOrders(at now: Instant) {
    while let order = pipe.withLock({ $0.nextOrder(at: now) }) {
      let result = connection.carryOut(order)
      guard case .clearHalt(let direction) = order else { continue }
      pipe.withLock { $0.cleared(direction, result, at: BootClock.now()) }
    }
  }

  private func submitAll(_ pipe: inout BulkPipe, at now: Instant) {
    while let submission = pipe.nextSubmission(at: now) { _ = submit(submission, &pipe) }
  }

  /// False if the transfer was refused; the pipe is told.
  private func submit(_ submission: BulkSubmission, _ pipe: inout BulkPipe) -> Bool {
    guard let refusal = connection.submit(submission, pipe.bytes) else { return true }
    switch submission {
    case .incoming(let slot): pipe.received(slot, refusal, at: BootClock.now())
    case .outgoing: pipe.sent(0, refusal, at: BootClock.now())
    }
    // The reader's thread finds out whether that is the end, and when to try again.
    wakes.signal()
    return false
  }

  // MARK: The end

  /// Closes a line whose thread never ran.
  private func closeUnread() {
    guard !isClosed.load(ordering: .acquiring) else { return }
    pipe.withLock { $0.finish(.stopped) }
    _ = close()
  }

  /// Gets all transfers back, and closes or abandons the device.
  /// - Returns: the reason to tell; nil when stopped.
  private func close() -> GoneReason? {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
    let isBack = getTransfersBack()
    let end = pipe.withLock { $0.end }
    guard isBack else {
      connection.abandon()
      isAbandoned.store(true, ordering: .releasing)
      return end == .stopped
        ? nil
        : .failed(
          IOFailure(
            "close", errno: ETIMEDOUT, path: connection.name,
            reason: "it gives its transfers not back; their memory is left to them; plug the"
              + " device in again"))
    }
    connection.close(isUnplugged: end == .hungUp)
    switch end {
    case .hungUp: return .hungUp
    case .failed(let result): return .failed(failure(result))
    case .stopped, nil: return nil
    }
  }

  private func getTransfersBack() -> Bool {
    var waits = connection.polled
    let deadline = BootClock.now() + Self.cancelPatience
    while true {
      carryOutOrders(at: BootClock.now())
      if pipe.withLock({ $0.isDone }) { return true }
      guard BootClock.now() < deadline,
        (try? Syscall.poll(&waits, count: waits.count, until: deadline)) != nil,
        connection.handleEvents()
      else { return false }
    }
  }

  private func failure(_ result: BulkResult) -> IOFailure {
    let (code, reason) =
      switch result {
      case .stalled: (EPIPE, "it refuses its transfers (stall) however often they are tried")
      case .overflowed: (EOVERFLOW, "it sends longer packets than it has said")
      case .done, .cancelled, .gone, .failed:
        (EIO, "its transfers fail however often they are tried; look at its cable and hub")
      }
    return IOFailure("use", errno: code, path: connection.name, reason: reason)
  }
}
