import FobBase
import Glibc
import Synchronization

/// One device's thread: it waits, reads into one fixed buffer, and hands the bytes on at once.
///
/// It runs from `start()` until `stop()` or until the line is gone, and keeps itself alive for
/// that long. No read allocates.
///
/// Poll, then one read, then poll again. Reading on until EAGAIN, or before the first poll, was no
/// faster in an echo over a pty. A bare blocking read is, by about 1.5 µs, but nothing wakes it.
public final class ReaderLoop: Sendable {
  private let number: Int32
  private let path: String
  private let name: String
  private let scheduling: ThreadScheduling
  private let handlers: ReaderHandlers
  /// Of a terminal; nil for what has none.
  private let mode: TerminalMode?
  private let sender: Mutex<FrameSender>
  private let wakes: ReaderWakes
  private let hasPending = Atomic(false)
  private let isStopping = Atomic(false)
  private let thread = Mutex<BlockingThread?>(nil)

  /// - Parameters:
  ///   - line: a non-blocking descriptor, from a ``SerialLine`` or a connected socket.
  ///   - name: of the thread, at most 15 bytes.
  ///   - keeping: of a terminal that was opened raw: it is kept so, with this flow control.
  public init(
    _ line: consuming OwnedDescriptor, name: String, scheduling: ThreadScheduling = .standard,
    keeping flow: SerialSettings.Flow? = nil, handlers: ReaderHandlers
  ) throws(IOFailure) {
    let wakes = try ReaderWakes()
    if let flow { mode = TerminalMode(of: line, flow: flow) } else { mode = nil }
    number = line.number
    path = line.path
    self.name = name
    self.scheduling = scheduling
    self.handlers = handlers
    self.wakes = wakes
    sender = Mutex(FrameSender(line))
  }

  public func start() throws(IOFailure) {
    try thread.withLock { (thread) throws(IOFailure) in
      precondition(thread == nil, "a reader loop starts once")
      thread = try BlockingThread(name: name, scheduling: scheduling) { self.run() }
    }
  }

  /// Ends the thread and closes the line. Called by the thread itself, the end comes when the
  /// handler returns.
  /// - Returns: false if a handler kept the thread longer than 100 ms.
  @discardableResult
  public func stop() -> Bool {
    isStopping.store(true, ordering: .releasing)
    wakes.signal()
    guard let thread = thread.withLock({ $0 }) else {
      sender.withLock { $0.close() }
      return true
    }
    return thread.isCurrent ? true : thread.join(within: .milliseconds(100))
  }

  /// Has `onWake` called soon, from any thread.
  public func wake() { wakes.wake() }

  /// Sends one frame from any thread, never waiting. It goes out whole and in order, or not at
  /// all; it holds at most `Limits.hostTransmitBuffer` bytes.
  @discardableResult
  public func send(_ frame: UnsafeRawBufferPointer) -> SendOutcome {
    let outcome = sender.withLock { sender in
      let outcome = sender.send(frame)
      hasPending.store(sender.hasPending, ordering: .releasing)
      return outcome
    }
    // The thread may wait without looking for room: let it look.
    if outcome == .queued { wakes.signal() }
    return outcome
  }

  public var droppedFrames: UInt64 { sender.withLock { $0.droppedFrames } }

  private func run() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Limits.readBuffer, alignment: 16)
    defer { buffer.deallocate() }
    BlockingThread.runSoon()
    let reason = readUntilGone(buffer)
    // Closed before it is said, so that the handler can open the same path again.
    sender.withLock { $0.close() }
    if let reason { handlers.onGone(reason) }
  }

  /// Nil when stopped.
  private func readUntilGone(_ buffer: UnsafeMutableRawBufferPointer) -> GoneReason? {
    var armed: Instant?
    var nextLook = mode.map { _ in BootClock.now() + TerminalMode.lookEvery }
    var waits: InlineArray<3, pollfd> = [
      pollfd(fd: number, events: 0, revents: 0),
      pollfd(fd: wakes.signalled, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakes.alarmed, events: Int16(POLLIN), revents: 0),
    ]
    while !isStopping.load(ordering: .acquiring) {
      wakes.arm(&armed, for: .earlier(handlers.nextWake(), nextLook))
      let isFull = hasPending.load(ordering: .acquiring)
      waits[0].events = Int16(isFull ? POLLIN | POLLOUT : POLLIN)
      do throws(IOFailure) {
        _ = try Syscall.poll(&waits)
      } catch {
        return .failed(error)
      }
      if waits[0].revents != 0, let reason = serve(Int32(waits[0].revents), buffer) {
        return reason
      }
      if waits[1].revents != 0 || waits[2].revents != 0 {
        let now = BootClock.now()
        let isAlarm = waits[2].revents != 0
        let isDue = wakes.take(&armed, isAlarm: isAlarm, at: now, next: handlers.nextWake)
        if isDue, !isStopping.load(ordering: .acquiring) { handlers.onWake(now) }
        if let look = nextLook, now >= look {
          if mode?.restore(number) == true { handlers.onModeRestored() }
          nextLook = now + TerminalMode.lookEvery
        }
      }
    }
    return nil
  }

  private func serve(_ events: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> GoneReason? {
    if events & POLLOUT != 0, events & POLLHUP == 0 { flush() }
    // A hang-up with bytes before it: the bytes first.
    if events & POLLIN != 0 { return readOnce(buffer) }
    return events & (POLLHUP | POLLERR | POLLNVAL) != 0 ? .hungUp : nil
  }

  private func readOnce(_ buffer: UnsafeMutableRawBufferPointer) -> GoneReason? {
    let count = Glibc.read(number, buffer.baseAddress, buffer.count)
    if count > 0 {
      let readAt = BootClock.nanoseconds()
      handlers.onBytes(UnsafeRawBufferPointer(rebasing: buffer[..<count]), readAt)
      return nil
    }
    if count == 0 { return .hungUp }
    switch errno {
    case EAGAIN, EINTR: return nil
    case EIO, ECONNRESET: return .hungUp
    case let code: return .failed(IOFailure("read", errno: code, path: path))
    }
  }

  private func flush() {
    sender.withLock { sender in
      sender.flush()
      hasPending.store(sender.hasPending, ordering: .releasing)
    }
  }
}
