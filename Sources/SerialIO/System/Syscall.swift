public import FobBase
public import Glibc

/// System calls by one way: each is retried when a signal interrupts it, and each refusal becomes
/// an ``IOFailure``.
public enum Syscall {
  /// Runs a call that returns -1 and sets errno when it fails.
  @discardableResult
  public static func run<Result: SignedInteger>(
    _ operation: @autoclosure () -> String, _ path: @autoclosure () -> String,
    _ call: () -> Result
  ) throws(IOFailure) -> Result {
    while true {
      let result = call()
      if result != -1 { return result }
      let code = errno
      if code != EINTR { throw IOFailure(operation(), errno: code, path: path()) }
    }
  }

  /// As ``run(_:_:_:)``, but nil where the call would have to wait (EAGAIN).
  public static func runWithoutWaiting<Result: SignedInteger>(
    _ operation: @autoclosure () -> String, _ path: @autoclosure () -> String,
    _ call: () -> Result
  ) throws(IOFailure) -> Result? {
    while true {
      let result = call()
      if result != -1 { return result }
      let code = errno
      if code == EAGAIN { return nil }
      if code != EINTR { throw IOFailure(operation(), errno: code, path: path()) }
    }
  }

  /// `flags` as for open(2); O_CLOEXEC is added.
  public static func open(
    _ path: String, _ flags: Int32, mode: UInt32 = 0
  ) throws(IOFailure) -> OwnedDescriptor {
    let number = try run("open", path) { Glibc.open(path, flags | O_CLOEXEC, mode) }
    return OwnedDescriptor(owning: number, path: path)
  }

  /// Waits until a descriptor is ready or the deadline (CLOCK_BOOTTIME) has come; nil waits for
  /// ever. Returns how many are ready, 0 at the deadline. Resolution is one millisecond.
  public static func poll(
    _ polled: UnsafeMutablePointer<pollfd>, count: Int, until deadline: Instant? = nil
  ) throws(IOFailure) -> Int {
    while true {
      let ready = Glibc.poll(polled, nfds_t(count), milliseconds(until: deadline))
      if ready >= 0 { return Int(ready) }
      let code = errno
      if code != EINTR { throw IOFailure("poll", errno: code, path: "descriptors") }
    }
  }

  /// Waits for one descriptor and returns its revents: of `events`, POLLHUP and POLLERR; 0 at the
  /// deadline.
  public static func poll(
    _ descriptor: Int32, for events: Int32, until deadline: Instant? = nil
  ) throws(IOFailure) -> Int32 {
    var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    _ = try poll(&polled, count: 1, until: deadline)
    return Int32(polled.revents)
  }

  /// Rounded up, so that a wait never ends before its deadline and then spins.
  private static func milliseconds(until deadline: Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = deadline.microseconds - BootClock.now().microseconds
    if left <= 0 { return 0 }
    return Int32(clamping: left / 1_000 + 1)
  }
}

extension Syscall {
  /// As ``poll(_:count:until:)`` for a set whose size is fixed.
  static func poll<let count: Int>(
    _ polled: inout InlineArray<count, pollfd>, until deadline: Instant? = nil
  ) throws(IOFailure) -> Int {
    var span = polled.mutableSpan
    return try span.withUnsafeMutableBufferPointer { (buffer) throws(IOFailure) -> Int in
      guard let first = buffer.baseAddress else { return 0 }
      return try poll(first, count: buffer.count, until: deadline)
    }
  }
}

extension Syscall {
  /// Waits until one of two or three descriptors is readable, or until the deadline
  /// (CLOCK_BOOTTIME; nil: none). A negative descriptor is passed over.
  public static func awaitEither(
    _ a: Int32, _ b: Int32, or c: Int32 = -1, until deadline: Instant? = nil
  ) throws(IOFailure) {
    var polled: InlineArray<3, pollfd> = [
      pollfd(fd: a, events: Int16(POLLIN), revents: 0),
      pollfd(fd: b, events: Int16(POLLIN), revents: 0),
      pollfd(fd: c, events: Int16(POLLIN), revents: 0),
    ]
    _ = try poll(&polled, until: deadline)
  }
}

/// An operation that the system refused: on what, and why.
public struct IOFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The attempt as a verb: `open`, `lock`, `set raw mode on`.
  public let operation: String
  /// As errno(3) numbers it; for callers to decide by.
  public let errno: Int32
  /// The file, device or socket; its kind where it has no path.
  public let path: String
  /// Replaces the errno text in the message where that would mislead; often with a hint.
  public let reason: String?

  /// Without a reason the message has the system's text for `errno`.
  public init(_ operation: String, errno: Int32, path: String, reason: String? = nil) {
    self.operation = operation
    self.errno = errno
    self.path = path
    self.reason = reason
  }

  /// As in `cannot open /dev/ttyACM0: No such file or directory`.
  public var description: String {
    "cannot \(operation) \(path): \(reason ?? IOFailure.text(of: errno))"
  }

  static func text(of code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let text = buffer.baseAddress, strerror_r(code, text, buffer.count) == 0 else {
        return "error \(code)"
      }
      return String(cString: text)
    }
  }
}
