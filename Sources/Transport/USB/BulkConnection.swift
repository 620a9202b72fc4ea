import Glibc

/// The calls of libusb that a line makes on its device, so that tests can stand in for it.
///
/// `submit` never waits; every other call may, and is made by the line's own thread alone.
protocol BulkConnection: AnyObject, Sendable {
  /// As a spec names the device.
  var name: String { get }
  /// wMaxPacketSize to the device, bytes.
  var outgoingPacket: Int { get }
  /// What to poll before ``handleEvents()``. They stay the same until the end.
  var polled: [pollfd] { get }

  /// Who is told what became of transfers, in ``handleEvents()``. It outlives them.
  func tell(_ receiver: any BulkReceiver)
  /// - Parameter bytes: what an outgoing transfer carries; copied.
  /// - Returns: nil when it is in flight, else what refused it.
  func submit(_ submission: BulkSubmission, _ bytes: UnsafeRawBufferPointer) -> BulkResult?
  /// - Returns: of the clearing of a halt. A cancelled transfer is told later.
  func carryOut(_ order: BulkOrder) -> BulkResult
  /// Tells the receiver what has become of transfers by now, without waiting.
  /// - Returns: false when that can be found out no more.
  func handleEvents() -> Bool
  /// Gives the device back, to the kernel's driver where it is one of its devices. No transfer is
  /// in flight.
  func close(isUnplugged: Bool)
  /// In place of ``close(isUnplugged:)``, while transfers are still in flight: leaves their memory
  /// and the device as they are, until the process ends.
  func abandon()
}

protocol BulkReceiver: AnyObject, Sendable {
  /// - Parameter bytes: valid during the call; some may have come whatever the result.
  func received(_ slot: Int, _ bytes: UnsafeRawBufferPointer, _ result: BulkResult)
  /// - Parameter count: how many bytes the device has taken.
  func sent(_ count: Int, _ result: BulkResult)
}

/// What became of a transfer, of its submission, or of the clearing of a halt.
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

package enum BulkDirection: Hashable, Sendable { case incoming, outgoing }

/// A transfer to begin.
package enum BulkSubmission: Hashable, Sendable {
  case incoming(Int)
  /// So many of the bytes that wait, and a packet of none behind them.
  case outgoing(Int, zeroPacket: Bool)
}

/// What may wait for the device.
package enum BulkOrder: Hashable, Sendable {
  case cancelIncoming(Int)
  case cancelOutgoing
  case clearHalt(BulkDirection)
}

/// Why a line ends.
package enum BulkEnd: Hashable, Sendable {
  case stopped
  case hungUp
  /// It failed once too often, at last with this.
  case failed(BulkResult)
}
