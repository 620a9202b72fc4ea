import AlertCore
import Bridge
import FobBase
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Bridges on other hosts: they bring frames of keychains, and get acks and indications.
enum FeedOperations {
  private static let bridge = JSONSchema.pattern("^[0-9a-f]{16}$", 16...16)
  /// A payload of the wire protocol in base64; its exact length is checked when it is decoded.
  private static let payload = JSONSchema.text(0...400)

  private static let input = JSONSchema.closed(
    .needed("kind", .choice(FeedBatch.Input.Kind.allCases.map(\.rawValue))),
    .needed("payload", payload),
    .optional("age", .array(.integer(Int64.min...Int64.max), limit: 2)),
    .optional("head", .integer(0...255)), .optional("trailer", .text(0...24)))

  private static let batch = JSONSchema.closed(
    .needed("bridge", bridge), .needed("line", .integer(0...Int64(Limits.devices - 1))),
    .needed("sequence", .count),
    .optional("echo", .closed(.needed("clock", .count), .needed("held", .count))),
    .optional("down", .text(0...400)), .optional("trouble", .text(0...400)),
    .optional("hello", payload), .needed("inputs", .array(input, limit: 256)))

  private static let shown = JSONSchema.open(
    .needed("line", .integer(0...Int64(Limits.devices - 1))),
    .needed("incident", JSONSchema.pattern("^[0-9a-f]{16}$", 16...16)),
    .needed("state", .integer(0...255)), .needed("detail", .integer(0...255)),
    .needed("sounder", .boolean))

  static let all = [
    Operation(
      method: .post, path: "/v1/feed", scope: .feed,
      summary: "What a keychain's line at another host has brought; may be posted again",
      form: .json(batch, isRequired: true), most: ConsoleLimits.body, isUrgent: true,
      success: [
        .json(
          .open(
            .needed("acks", .array(.text(0...100), limit: 256)), .optional("sealed", .boolean),
            .optional("shown", shown)),
          "What of its events is committed; what is missing follows in the stream")
      ], handler: take),
    Operation(
      method: .get, path: "/v1/feed/stream", scope: .feed,
      summary: "What a bridge's keychains are acked and to show, as server-sent events",
      parameters: [.query("bridge", bridge, "The bridge's name, as in its batches")],
      isUrgent: true,
      success: [.other("text/event-stream", "heartbeat, ack, indicate and frame")],
      problems: [422, 429],
      handler: stream),
  ]

  private static func feedServer(_ call: Call) throws(Problem) -> FeedServer {
    guard let feedServer = call.api.feed else {
      throw Problem(.serviceUnavailable, "noFeed", "this core takes no bridges on other hosts")
    }
    return feedServer
  }

  private static func take(_ call: Call) async throws -> Response {
    let feedServer = try feedServer(call)
    let batch: FeedBatch = try call.decode()
    let waiting = Waiting<FeedAnswer>()
    do throws(FeedRefusal) {
      try feedServer.take(batch, of: call.holder) { waiting.put($0) }
    } catch {
      throw problem(error)
    }
    // The feed server answers within a fraction of this.
    let answer = await waiting.get(within: ConsoleLimits.durable) ?? FeedAnswer()
    // What it brought is heard here, too, and told; its bridge may know who makes it durable.
    if answer.acks.isEmpty { try requireLeading(feedServer) }
    return Reply.json(answer)
  }

  private static func requireLeading(_ feedServer: FeedServer) throws(Problem) {
    guard feedServer.isLeading else {
      throw Problem(
        .serviceUnavailable, "standby",
        "this core cannot prove that it leads: its store's server does not answer, or another core"
          + " has taken it over")
    }
  }

  private static func problem(_ refusal: FeedRefusal) -> Problem {
    switch refusal {
    case .malformed(let field, _):
      Problem(.unprocessableContent, "invalid", refusal.description, field: field)
    case .full: Problem.busy("bridges")
    }
  }

  private static func stream(_ call: Call) async throws -> Response {
    let feedServer = try feedServer(call)
    guard let name = call.query["bridge"] else {
      throw Problem(
        .unprocessableContent, "invalid", "bridge must be the bridge's name", field: "bridge")
    }
    try requireLeading(feedServer)
    let stream = FeedStream(call: call, place: try call.streamPlace(), feedServer: feedServer)
    do throws(FeedRefusal) {
      try stream.open(for: name)
    } catch {
      throw problem(error)
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/event-stream", .cacheControl: "no-store",
        .xContentTypeOptions: "nosniff",
      ],
      body: ResponseBody { writer in
        let writer = SharedWriter(writer)
        try await withTaskExecutorPreference(call.api.feeding) { try await stream.run(writer) }
      })
  }
}

extension Call {
  /// The credential by which the bridge is let in.
  var holder: String {
    switch caller?.credential {
    case .token(let id): "token \(id)"
    case .session: "session"
    // Every operation of the feed needs a token.
    case nil: ""
    }
  }
}

/// One bridge's stream. The stream of a bridge that does not read is closed: the bridge opens a new
/// one, and is told the present state.
final class FeedStream: Sendable {
  /// The most signals that wait for a bridge that does not read.
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

  /// Also covers a client that leaves before the first byte.
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
    // An idle bridge that leaves is noticed only by the end of its own input.
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
