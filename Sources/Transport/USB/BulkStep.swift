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
