public import FobBase

/// What a reader thread calls, always from that one thread and never two at once.
public struct ReaderHandlers: Sendable {
  /// Bytes as they came, valid during the call, and CLOCK_BOOTTIME in nanoseconds right after
  /// the read that returned them.
  public var onBytes: @Sendable (UnsafeRawBufferPointer, UInt64) -> Void
  /// Asked before every wait. An instant that has passed makes `onWake` due at once, so `onWake`
  /// has to move it on.
  public var nextWake: @Sendable () -> Instant?
  /// The deadline has come or `wake()` was called.
  public var onWake: @Sendable (Instant) -> Void
  /// The last call, when the line has been closed already. It is not made after `stop()`.
  public var onGone: @Sendable (GoneReason) -> Void
  /// Another program had set the terminal's mode; it is as it was opened again.
  public var onModeRestored: @Sendable () -> Void

  public init(
    onBytes: @escaping @Sendable (UnsafeRawBufferPointer, UInt64) -> Void,
    nextWake: @escaping @Sendable () -> Instant? = { nil },
    onWake: @escaping @Sendable (Instant) -> Void = { _ in },
    onGone: @escaping @Sendable (GoneReason) -> Void,
    onModeRestored: @escaping @Sendable () -> Void = {}
  ) {
    self.onBytes = onBytes
    self.nextWake = nextWake
    self.onWake = onWake
    self.onGone = onGone
    self.onModeRestored = onModeRestored
  }
}

/// Why a line can be read no more.
public enum GoneReason: Hashable, Sendable, CustomStringConvertible {
  /// The device was unplugged or its other end closed.
  case hungUp
  case failed(IOFailure)

  public var description: String {
    switch self {
    case .hungUp: "it hung up"
    case .failed(let failure): failure.description
    }
  }
}
