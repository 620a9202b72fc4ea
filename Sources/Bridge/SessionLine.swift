import SerialIO
import Transport

/// What a session needs of the line to its device.
protocol SessionLine: AnyObject, Sendable {
  /// Sends one whole frame or nothing; never waits.
  @discardableResult
  func send(_ frame: UnsafeRawBufferPointer) -> SendOutcome
  func stop()
  /// Has the session called soon, on the line's own thread.
  func wake()
}

extension DeviceLine: SessionLine {}
extension MemoryLine: SessionLine {}
