import Glibc

/// The calls of libusb that a line makes on its device, as a protocol for tests.
///
/// `submit` never waits, and may come from any thread under the line's lock. Every other call may
/// wait, and comes from the line's own thread.
protocol BulkConnection: AnyObject, Sendable {
  /// As a spec names the device.
  var name: String { get }
  /// wMaxPacketSize to the device, bytes.
  var outgoingPacket: Int { get }
  /// The descriptors to poll before ``handleEvents()``. They stay the same until the end.
  var polled: [pollfd] { get }

  /// Sets who gets the results of transfers, in ``handleEvents()``. The receiver outlives the
  /// transfers.
  func tell(_ receiver: any BulkReceiver)
  /// - Parameter bytes: what an outgoing transfer carries; copied.
  /// - Returns: nil when the transfer is in flight, else why it was refused.
  func submit(_ submission: BulkSubmission, _ bytes: UnsafeRawBufferPointer) -> BulkResult?
  /// - Returns: the result of clearing a halt. A cancelled transfer's result comes later, by the
  ///   receiver.
  func carryOut(_ order: BulkOrder) -> BulkResult
  /// Hands the receiver the results so far, without waiting.
  /// - Returns: false when libusb can tell no more.
  func handleEvents() -> Bool
  /// Closes the device and gives it back to the kernel's driver if that had it. Only while no
  /// transfer is in flight.
  func close(isUnplugged: Bool)
  /// Replaces ``close(isUnplugged:)`` while transfers are in flight: leaves their memory and the
  /// device as they are until the process ends.
  func abandon()
}

protocol BulkReceiver: AnyObject, Sendable {
  /// - Parameter bytes: valid during the call; some may have come whatever the result.
  func received(_ slot: Int, _ bytes: UnsafeRawBufferPointer, _ result: BulkResult)
  /// - Parameter count: how many bytes the device has taken.
  func sent(_ count: Int, _ result: BulkResult)
}

/// The result of a transfer, of its submission, or of clearing a halt.
package enum BulkResult: Hashable, Sendable {
  case done
  /// The device answered STALL: the pipe is halted until that is cleared.
  case stalled
  /// More came than was asked for.
  case overflowed
  case cancelled
  /// The device has been unplugged.
  case gone
  case failed
}

/// From the device (incoming), or to it (outgoing).
package enum BulkDirection: Hashable, Sendable { case incoming, outgoing }

/// A transfer to begin.
package enum BulkSubmission: Hashable, Sendable {
  case incoming(Int)
  /// The first so many waiting bytes, and an empty packet behind them if `zeroPacket`.
  case outgoing(Int, zeroPacket: Bool)
}

/// A request to libusb that may wait for the device.
package enum BulkOrder: Hashable, Sendable {
  case cancelIncoming(Int)
  case cancelOutgoing
  case clearHalt(BulkDirection)
}

/// Why a line ends.
package enum BulkEnd: Hashable, Sendable {
  case stopped
  case hungUp
  /// A pipe failed more often than it is tried again, at last with this result.
  case failed(BulkResult)
}
