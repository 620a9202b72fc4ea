public import SerialIO

/// A line to a device as its host has it: of whatever kind, and by itself or as it comes and goes.
/// Handlers are called as ``ReaderHandlers`` says.
public protocol HostLine: AnyObject, Sendable {
  /// Once.
  func start() throws(IOFailure)
  /// Closes the line, and ends what thread it has of its own.
  /// - Returns: false if that is still at work, kept by a handler or by the device.
  @discardableResult func stop() -> Bool
  /// Has `onWake` called soon, from any thread.
  func wake()
  /// Sends one frame from any thread, never waiting: whole and in order, or not at all.
  @discardableResult func send(_ frame: UnsafeRawBufferPointer) -> SendOutcome
}

extension ReaderLoop: HostLine {}
extension MemoryLine: HostLine {}
