import CLinux
public import FobBase
import Glibc
import Synchronization

/// Wakes a thread that polls, from any thread: an eventfd. Signals before a `clear()` count as one.
public struct EventSignal: ~Copyable, Sendable {
  private let event: OwnedDescriptor

  /// Creates the eventfd, not signalled.
  public init() throws(IOFailure) {
    event = OwnedDescriptor(
      owning: try Syscall.run("create", "an eventfd") { clinux_eventfd() }, path: "an eventfd")
  }

  /// Readable from `signal()` to `clear()`.
  public var descriptor: Int32 { event.number }

  /// Makes ``descriptor`` readable; from any thread, without waiting.
  public func signal() {
    var one: UInt64 = 1
    // EAGAIN means a full counter: it is signalled already.
    _ = Glibc.write(event.number, &one, 8)
  }

  /// Takes all signals so far; does nothing without one.
  public func clear() {
    var count: UInt64 = 0
    _ = Glibc.read(event.number, &count, 8)
  }
}

/// A deadline that can be polled: a timerfd on CLOCK_BOOTTIME. A deadline that passed during
/// suspend comes at once on resume; a poll timeout would sleep the rest of its time.
public struct TimerFD: ~Copyable, Sendable {
  private let timer: OwnedDescriptor

  /// Creates the timerfd, disarmed.
  public init() throws(IOFailure) {
    timer = OwnedDescriptor(
      owning: try Syscall.run("create", "a timerfd") { clinux_timerfd_boottime() },
      path: "a timerfd")
  }

  /// Readable from the deadline on, until `clear()` or `set(at:)`.
  public var descriptor: Int32 { timer.number }

  /// Nil disarms it; an instant that has passed makes it readable at once.
  public func set(at instant: Instant?) {
    // 0 would disarm the timer, so a deadline at or before the boot is set 1 ns after it.
    let microseconds = max(instant?.microseconds ?? 0, 0)
    let seconds = microseconds / 1_000_000
    var nanoseconds = microseconds % 1_000_000 * 1_000
    if instant != nil, microseconds == 0 { nanoseconds = 1 }
    let result = clinux_timerfd_set(timer.number, seconds, nanoseconds)
    precondition(result == 0, "a timerfd takes every time that is not negative")
  }

  /// Makes ``descriptor`` unreadable after a deadline; does nothing before it.
  public func clear() {
    var count: UInt64 = 0
    _ = Glibc.read(timer.number, &count, 8)
  }
}

/// One thread waits here for one value of another.
public final class OneShot<Word: Sendable>: Sendable {
  private let signal: EventSignal
  private let word = Mutex<Word?>(nil)

  /// Creates the eventfd behind it; no value yet.
  public init() throws(IOFailure) { signal = try EventSignal() }

  /// Readable once the value has come.
  var descriptor: Int32 { signal.descriptor }

  /// Gives the value, from any thread, and wakes the thread that waits. A second value replaces the
  /// first.
  public func open(with word: Word) {
    self.word.withLock { $0 = word }
    signal.signal()
  }

  /// Waits for the value, without a deadline. It stays: a second call returns it at once.
  public func pass() throws(IOFailure) -> Word {
    while true {
      if let word = try pass(until: nil) { return word }
    }
  }

  /// Waits for the value; nil when it has not come by the deadline (CLOCK_BOOTTIME; nil waits for
  /// ever).
  public func pass(until deadline: Instant?) throws(IOFailure) -> Word? {
    if let word = word.withLock({ $0 }) { return word }
    _ = try Syscall.poll(signal.descriptor, for: POLLIN, until: deadline)
    return word.withLock { $0 }
  }
}
