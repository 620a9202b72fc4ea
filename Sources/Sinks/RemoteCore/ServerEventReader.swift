import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// Reads the body of one response as server-sent events.
final class ServerEventReader: HTTPClientResponseDelegate {
  typealias Response = Void

  struct Refused: Error { let status: HTTPResponseStatus }

  private let parser = Mutex(ServerEventParser())
  private let onEvent: @Sendable (ServerEvent) -> Void

  init(_ onEvent: @escaping @Sendable (ServerEvent) -> Void) { self.onEvent = onEvent }

  func didReceiveHead(
    task: HTTPClient.Task<Void>, _ head: HTTPResponseHead
  ) -> EventLoopFuture<Void> {
    head.status == .ok
      ? task.eventLoop.makeSucceededVoidFuture()
      : task.eventLoop.makeFailedFuture(Refused(status: head.status))
  }

  func didReceiveBodyPart(
    task: HTTPClient.Task<Void>, _ buffer: ByteBuffer
  ) -> EventLoopFuture<Void> {
    do {
      for event in try parser.withLock({ try $0.read(buffer.readableBytesView) }) { onEvent(event) }
      return task.eventLoop.makeSucceededVoidFuture()
    } catch {
      return task.eventLoop.makeFailedFuture(error)
    }
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) throws {}
}
