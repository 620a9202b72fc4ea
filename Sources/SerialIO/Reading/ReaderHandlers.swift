public import FobBase

/// The calls that a reader's thread makes, all from that one thread.
public struct ReaderHandlers: Sendable {
  /// Bytes as they came, valid during the call, and CLOCK_BOOTTIME in nanoseconds right after
  /// the read that returned them.
  public var onBytes: @Sendable (UnsafeRawBufferPointer, UInt64) -> Void
  /// The handler's deadline, asked for before every wait; nil: none. One that has passed makes
  /// `onWake` due at once, so `onWake` has to move it on.
  public var nextWake: @Sendable () -> Instant?
  /// The deadline has come or `wake()` was called.
  public var onWake: @Sendable (Instant) -> Void
  /// The last call: the line is closed already. It is not made after `stop()`.
  public var onGone: @Sendable (GoneReason) -> Void
  /// Another program had changed the terminal's mode, which is now restored to the one it was
  /// opened with.
  public var onModeRestored: @Sendable () -> Void

  /// Handlers that are not given do nothing and have no deadline.
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

/// Why a line has ended.
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
