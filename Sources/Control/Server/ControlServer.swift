import FobBase
public import SerialIO
import Synchronization

/// A control socket: newline-delimited JSON on a unix socket that only its owner can open.
///
/// A client sends one object a line and reads one line of answer for each, or a stream of lines.
/// It may send ahead; requests of one client are handled one after the other, in order. What is no
/// JSON object is answered `{"error":"…","ok":false}` and does no other harm.
public final class ControlServer: Sendable {
  public let path: String
  private let shared: ServerShared
  private let thread: BlockingThread

  /// Listens and starts the thread. A socket that a dead process left behind is replaced.
  /// - Parameters:
  ///   - path: at most 107 bytes.
  ///   - handler: called on the server's thread, so it must not block; it may answer later.
  /// - Throws: `IOFailure`; EADDRINUSE if a process listens there already.
  public init(
    path: String, handler: @escaping @Sendable (ControlRequest, ControlReply) -> Void
  ) throws(IOFailure) {
    let listener = try UnixListener(path: path)
    let shared = try ServerShared(handler: handler)
    let handover = SendableBox(listener)
    thread = try BlockingThread(name: "control") {
      guard let listener = handover.take() else { return }
      var loop = ServerLoop(listener, shared)
      loop.run()
    }
    self.path = path
    self.shared = shared
  }

  deinit { stop() }

  /// Writes what the clients take at once, closes them, and removes the socket.
  /// - Returns: false if the handler kept the thread longer than a second.
  @discardableResult
  public func stop() -> Bool {
    shared.isStopping.store(true, ordering: .releasing)
    shared.signal.signal()
    return thread.isCurrent ? true : thread.join(within: .seconds(1))
  }
}
