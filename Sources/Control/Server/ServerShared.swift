import SerialIO
import Synchronization

/// What the server's thread and its owner both hold.
final class ServerShared: Sendable {
  let signal: EventSignal
  let isStopping = Atomic(false)
  let handler: @Sendable (ControlRequest, ControlReply) -> Void

  init(handler: @escaping @Sendable (ControlRequest, ControlReply) -> Void) throws(IOFailure) {
    signal = try EventSignal()
    self.handler = handler
  }
}
