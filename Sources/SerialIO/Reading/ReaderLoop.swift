import CLinux
package import FobBase
import Glibc
import Synchronization

/// The thread of one device's line: it waits, reads into one fixed buffer, and hands the bytes on
/// at once.
///
/// It runs from `start()` until `stop()` or until the line is gone, and keeps itself alive for that
/// long. No read allocates.
///
/// It polls, reads once and polls again. Reading on until EAGAIN, or before the first poll, was no
/// faster in an echo over a pty. A bare blocking read is faster, by about 1.5 µs, but nothing can
/// wake it.
public final class ReaderLoop: Sendable {
  private let number: Int32
  private let path: String
  private let name: String
  private let scheduling: ThreadScheduling
  private let handlers: ReaderHandlers
  /// The mode to keep; nil for a line that is no terminal.
  private let mode: TerminalMode?
  private let sender: Mutex<FrameSender>
  private let wakes: ReaderWakes
  private let hasPending = Atomic(false)
  private let isStopping = Atomic(false)
  private let thread = Mutex<BlockingThread?>(nil)

  /// - Parameters:
  ///   - line: a non-blocking descriptor, from a ``SerialLine`` or a connected socket.
  ///   - name: of the thread, at most 15 bytes.
  ///   - scheduling: of the thread; where the kernel refuses it, `start` throws.
  ///   - flow: for a terminal that was opened raw: every 2 s the mode is looked at and restored,
  ///     with this flow control. Nil for any other line.
  ///   - handlers: called on the thread alone.
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

  /// Starts the thread; once.
  public func start() throws(IOFailure) {
    try thread.withLock { (thread) throws(IOFailure) in
      precondition(thread == nil, "a reader loop starts once")
      thread = try BlockingThread(name: name, scheduling: scheduling) { self.run() }
    }
  }

  /// Ends the thread and closes the line. If a handler calls it, the end comes when the handler
  /// returns.
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

  /// Makes the thread call `onWake` soon; from any thread.
  public func wake() { wakes.wake() }

  /// Sends one frame from any thread, never waiting. It goes out whole and in order, or not at all.
  /// At most `Limits.hostTransmitBuffer` bytes wait for the device.
  @discardableResult
  public func send(_ frame: UnsafeRawBufferPointer) -> SendOutcome {
    let outcome = sender.withLock { sender in
      let outcome = sender.send(frame)
      hasPending.store(sender.hasPending, ordering: .releasing)
      return outcome
    }
    // The thread may be waiting without POLLOUT.
    if outcome == .queued { wakes.signal() }
    return outcome
  }

  /// Sends a BREAK of a quarter to half a second (tcsendbreak(3)), and returns behind it. Meanwhile
  /// no frame goes out.
  /// - Throws: `IOFailure` with ENOTTY for a line that is no terminal.
  public func sendBreak() throws(IOFailure) {
    try sender.withLock { (sender) throws(IOFailure) in try sender.sendBreak() }
  }

  /// Frames of which nothing went out: the buffer was full, or a write failed.
  public var droppedFrames: UInt64 { sender.withLock { $0.droppedFrames } }

  private func run() {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Limits.readBuffer, alignment: 16)
    defer { buffer.deallocate() }
    BlockingThread.runSoon()
    let reason = readUntilGone(buffer)
    // Closed first, so that the handler can open the same path again.
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
    // Bytes that came before a hang-up are read first.
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

/// The mode that a terminal was opened with, restored when another program changes it: no lock
/// keeps out a program that opens the device by name, as `stty sane` does.
struct TerminalMode: Sendable {
  /// The time between two looks at the mode.
  static let lookEvery = Interval.seconds(2)

  private let flow: SerialSettings.Flow
  private let speed: UInt32?

  init(of line: borrowing OwnedDescriptor, flow: SerialSettings.Flow) {
    self.flow = flow
    var speed: UInt32 = 0
    self.speed = clinux_get_speed(line.number, &speed) == 0 ? speed : nil
  }

  /// - Parameter terminal: open, as long as the call lasts.
  /// - Returns: true if another mode or speed was set and is restored now.
  func restore(_ terminal: Int32) -> Bool {
    var now: UInt32 = 0
    let isSpeedKept =
      speed.map { clinux_get_speed(terminal, &now) != 0 || now == $0 } ?? true
    guard !isSpeedKept || !RawMode.isSet(on: terminal, flow) else { return false }
    if let speed, !isSpeedKept { _ = clinux_set_speed(terminal, speed) }
    return RawMode.restore(on: terminal, flow)
  }
}

/// The two things that wake a reader's thread besides its device: another thread's call, and a
/// deadline.
package struct ReaderWakes: ~Copyable, Sendable {
  private let event: EventSignal
  private let alarm: TimerFD
  private let isWanted = Atomic(false)

  /// Creates an eventfd and a timerfd; no deadline is armed.
  package init() throws(IOFailure) {
    let event = try EventSignal()
    let alarm = try TimerFD()
    self.event = event
    self.alarm = alarm
  }

  /// Readable after ``signal()`` and ``wake()``, until ``take(_:isAlarm:at:next:)``.
  package var signalled: Int32 { event.descriptor }
  /// Readable when the deadline has come.
  package var alarmed: Int32 { alarm.descriptor }

  /// Ends the thread's wait without a call of its handler; from any thread.
  package func signal() { event.signal() }

  /// Makes the thread call its handler soon; from any thread.
  package func wake() {
    isWanted.store(true, ordering: .releasing)
    event.signal()
  }

  /// Sets the timer only if `next` is earlier than the armed deadline. A deadline that moved to
  /// later costs one needless wake instead of a system call for every frame.
  package func arm(_ armed: inout Instant?, for next: Instant?) {
    guard let next else { return }
    if let armed, armed <= next { return }
    alarm.set(at: next)
    armed = next
  }

  /// Clears what has woken the thread. True when the handler is due: `wake()` was called, or the
  /// deadline that `next` gives has come.
  package func take(
    _ armed: inout Instant?, isAlarm: Bool, at now: Instant, next: () -> Instant?
  ) -> Bool {
    event.clear()
    let isWanted = isWanted.exchange(false, ordering: .acquiring)
    guard isAlarm else { return isWanted }
    alarm.clear()
    armed = nil
    if let next = next(), next <= now { return true }
    return isWanted
  }
}

/// The writing half of a line: whole frames in order, or counted as dropped.
struct FrameSender: ~Copyable, Sendable {
  /// Nil once the line is closed.
  private var line: OwnedDescriptor?
  private let isSocket: Bool
  private var pending = PendingBytes(capacity: Limits.hostTransmitBuffer)
  private(set) var droppedFrames: UInt64 = 0

  init(_ line: consuming OwnedDescriptor) {
    isSocket = (try? line.status()).map { $0.st_mode & S_IFMT == S_IFSOCK } ?? false
    self.line = consume line
  }

  var hasPending: Bool { !pending.isEmpty }

  /// A frame is begun only if all of it goes out or fits in the buffer.
  mutating func send(_ frame: UnsafeRawBufferPointer) -> SendOutcome {
    guard line != nil else { return .closed }
    guard frame.count <= pending.room else { return drop() }
    // Waiting bytes go first, to keep frames in order.
    guard pending.isEmpty else {
      pending.append(frame)
      return .queued
    }
    guard let taken = write(frame) else { return drop() }
    if taken == frame.count { return .written }
    pending.append(UnsafeRawBufferPointer(rebasing: frame[taken...]))
    return .queued
  }

  mutating func flush() {
    guard !pending.isEmpty, let taken = write(pending.bytes) else { return }
    pending.removeFirst(taken)
  }

  mutating func close() { line = nil }

  borrowing func sendBreak() throws(IOFailure) {
    switch line {
    case .some(let line):
      let number = line.number
      try Syscall.run("send a BREAK to", line.path) { tcsendbreak(number, 0) }
    case .none: throw IOFailure("send a BREAK to", errno: ENODEV, path: "a line that has closed")
    }
  }

  /// Returns how many bytes the kernel took; nil when the line is broken. The reader finds that out
  /// for itself, so it is not reported here.
  private borrowing func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
    do {
      switch line {
      case .some(let line): return try (isSocket ? line.send(bytes) : line.write(bytes)) ?? 0
      case .none: return nil
      }
    } catch {
      return nil
    }
  }

  private mutating func drop() -> SendOutcome {
    droppedFrames += 1
    return .dropped
  }
}
