import FobBase
import SerialIO

/// An opened line with its reader thread, whatever kind it is. Handlers are called as
/// ``ReaderHandlers`` says.
protocol LineReader: AnyObject, Sendable {
  /// Once. Frames may be sent before.
  func start() throws(IOFailure)
  /// Ends the thread and closes the line.
  /// - Returns: false if it is still at work, kept by a handler or by the device.
  @discardableResult func stop() -> Bool
  /// Has `onWake` called soon, from any thread.
  func wake()
  /// Sends one frame from any thread, never waiting: whole and in order, or not at all.
  @discardableResult func send(_ frame: UnsafeRawBufferPointer) -> SendOutcome
  var droppedFrames: UInt64 { get }
}

extension ReaderLoop: LineReader {}
