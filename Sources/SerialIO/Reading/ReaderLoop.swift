import CLinux
package import FobBase
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

/// The mode that a terminal was opened with, kept against whoever sets another: no lock keeps a
/// program from it that has the device's name, as `stty sane` has.
struct TerminalMode: Sendable {
  /// Between two looks.
  static let lookEvery = Interval.seconds(2)

  private let flow: SerialSettings.Flow
  private let speed: UInt32?

  init(of line: borrowing OwnedDescriptor, flow: SerialSettings.Flow) {
    self.flow = flow
    var speed: UInt32 = 0
    self.speed = clinux_get_speed(line.number, &speed) == 0 ? speed : nil
  }

  /// - Parameter terminal: open, as long as the call lasts.
  /// - Returns: whether it was otherwise, and is as it was now.
  func restore(_ terminal: Int32) -> Bool {
    var now: UInt32 = 0
    let isSpeedKept =
      speed.map { clinux_get_speed(terminal, &now) != 0 || now == $0 } ?? true
    guard !isSpeedKept || !RawMode.isSet(on: terminal, flow) else { return false }
    if let speed, !isSpeedKept { _ = clinux_set_speed(terminal, speed) }
    return RawMode.restore(on: terminal, flow)
  }
}

/// What wakes a reader's thread besides its device: the word of another thread, and a deadline.
package struct ReaderWakes: ~Copyable, Sendable {
  private let event: EventSignal
  private let alarm: TimerFD
  private let isWanted = Atomic(false)

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

  /// Has the thread look round, from any thread.
  package func signal() { event.signal() }

  /// Has the handler called soon, from any thread.
  package func wake() {
    isWanted.store(true, ordering: .releasing)
    event.signal()
  }

  /// Sets the timer only for what is earlier than it says now. A deadline that moved on costs one
  /// needless wake instead of a system call for every frame.
  package func arm(_ armed: inout Instant?, for next: Instant?) {
    guard let next else { return }
    if let armed, armed <= next { return }
    alarm.set(at: next)
    armed = next
  }

  /// Takes what has woken the thread; true when the handler is due.
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
    // What waits goes first, or frames would change places.
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

  /// Nil when the line is broken. The reader finds that out for itself, so it is not said twice.
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
