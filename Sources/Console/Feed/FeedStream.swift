import AlertCore
import Bridge
import FobBase
import Hummingbird
import NIOCore
import Synchronization

/// One bridge's stream. A bridge that does not read has it closed: it comes anew, and is told what
/// is true then.
final class FeedStream: Sendable {
  /// Held back for a bridge that does not read.
  private static let maxSignals = 4_096

  private let call: Call
  private let place: Streams.Place
  private let feedServer: FeedServer
  private let signals: AsyncStream<FeedSignal>
  private let ends: AsyncStream<FeedSignal>.Continuation
  private let id = Mutex<FeedServer.StreamID?>(nil)

  init(call: Call, place: Streams.Place, feedServer: FeedServer) {
    self.call = call
    self.place = place
    self.feedServer = feedServer
    (signals, ends) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maxSignals))
  }

  /// Of a client that has left before the first byte, too.
  deinit {
    if let id = id.withLock({ $0 }) { feedServer.close(id) }
  }

  func open(for bridge: String) throws(FeedRefusal) {
    let ends = ends
    let opened = try feedServer.open(for: bridge, of: call.holder) { signal in
      guard let signal, case .enqueued = ends.yield(signal) else {
        ends.finish()
        return false
      }
      return true
    }
    id.withLock { $0 = opened }
  }

  func run(_ held: SharedWriter) async throws {
    var reason = Streams.End.left
    defer {
      if let id = id.withLock({ $0.take() }) { feedServer.close(id) }
      ends.finish()
      place.end(reason)
    }
    let signals = signals
    // An idle bridge that leaves is noticed by the end of what it sends alone.
    reason = try await call.request.body.consumeWithCancellationOnInboundClose { _ in
      for await signal in signals {
        guard call.isStillLetIn else { return .revoked }
        let (name, data) = signal.event
        try await held.write(ByteBuffer(string: "event: \(name)\ndata: \(data)\n\n"))
      }
      return .left
    }
  }
}
