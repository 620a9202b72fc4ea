/// The result of sending one frame.
public enum SendOutcome: Hashable, Sendable {
  /// The kernel has all of it.
  case written
  /// It waits here and goes out as soon as the device takes it.
  case queued
  /// Nothing of it went out, and it was counted: the buffer is full or the line is broken.
  case dropped
  /// The line is gone or was stopped.
  case closed
}
