import CLinux
public import FobBase
import Glibc
import Synchronization

/// Wakes a thread that polls, from any thread: an eventfd. Signals that nobody has cleared yet
/// count as one.
public struct EventSignal: ~Copyable, Sendable {
  private let event: OwnedDescriptor

  public init() throws(IOFailure) {
    event = OwnedDescriptor(
      owning: try Syscall.run("create", "an eventfd") { clinux_eventfd() }, path: "an eventfd")
  }

  /// Readable from `signal()` to `clear()`.
  public var descriptor: Int32 { event.number }

  public func signal() {
    var one: UInt64 = 1
    // EAGAIN means a full counter: it is signalled already.
    _ = Glibc.write(event.number, &one, 8)
  }

  public func clear() {
    var count: UInt64 = 0
    _ = Glibc.read(event.number, &count, 8)
  }
}

/// A deadline that can be polled: a timerfd on CLOCK_BOOTTIME, so a deadline that passed during
/// suspend comes at once on resume. A poll timeout would sleep the rest of its time.
public struct TimerFD: ~Copyable, Sendable {
  private let timer: OwnedDescriptor

  public init() throws(IOFailure) {
    timer = OwnedDescriptor(
      owning: try Syscall.run("create", "a timerfd") { clinux_timerfd_boottime() },
      path: "a timerfd")
  }

  /// Readable from the deadline on, until `clear()` or `set(at:)`.
  public var descriptor: Int32 { timer.number }

  /// Nil disarms it; an instant that has passed makes it readable at once.
  public func set(at instant: Instant?) {
    // 0 would disarm, so what is due before the boot is due 1 ns after it.
    let microseconds = max(instant?.microseconds ?? 0, 0)
    let seconds = microseconds / 1_000_000
    var nanoseconds = microseconds % 1_000_000 * 1_000
    if instant != nil, microseconds == 0 { nanoseconds = 1 }
    let result = clinux_timerfd_set(timer.number, seconds, nanoseconds)
    precondition(result == 0, "a timerfd takes every time that is not negative")
  }

  public func clear() {
    var count: UInt64 = 0
    _ = Glibc.read(timer.number, &count, 8)
  }
}

/// One thread waits here for the word of another.
public final class OneShot<Word: Sendable>: Sendable {
  private let signal: EventSignal
  private let word = Mutex<Word?>(nil)

  public init() throws(IOFailure) { signal = try EventSignal() }

  /// Readable once the word has come.
  var descriptor: Int32 { signal.descriptor }

  public func open(with word: Word) {
    self.word.withLock { $0 = word }
    signal.signal()
  }

  public func pass() throws(IOFailure) -> Word {
    while true {
      if let word = try pass(until: nil) { return word }
    }
  }

  /// Nil when the word has not come by the deadline.
  public func pass(until deadline: Instant?) throws(IOFailure) -> Word? {
    if let word = word.withLock({ $0 }) { return word }
    _ = try Syscall.poll(signal.descriptor, for: POLLIN, until: deadline)
    return word.withLock { $0 }
  }
}
