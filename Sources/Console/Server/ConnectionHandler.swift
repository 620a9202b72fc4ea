import FobBase
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Tracks the state of one connection, and closes it if an anonymous client takes too long: for its
/// request, its body, or taking the answer.
///
/// A connection has one request at a time. An event loop reads no socket while a task waits for it,
/// and queued requests would start task after task. A client that sends another request before the
/// answer is disconnected, as HTTP allows (RFC 9112, 9.3.2). An anonymous request waits for its
/// turn among those of all anonymous clients.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let connections: Connections
  private let patience: TimeAmount
  /// The request shows a known token or session.
  private let knows: @Sendable (HTTPRequest) -> Bool
  private var deadline: Scheduled<Void>?
  private var isAsking = false
  /// What the present body has cost so far, in bytes.
  private var received = 0
  private var isRefused = false
  /// Set until the request's turn comes; then the parts that have arrived are passed on.
  private var turn: Scheduled<Void>?
  private var waiting: [HTTPRequestPart] = []
  private var waitingEvents: [Any] = []
  private var isReadWaiting = false

  init(
    _ connections: Connections, patience: Interval,
    knows: @escaping @Sendable (HTTPRequest) -> Bool
  ) {
    self.connections = connections
    self.knows = knows
    self.patience = .microseconds(patience.microseconds)
  }

  func channelActive(context: ChannelHandlerContext) {
    if connections.open(context.channel) {
      expectMore(context)
    } else {
      context.close(promise: nil)
    }
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    if let turn {
      turn.cancel()
      self.turn = nil
      connections.anonymousClientLeaves()
    }
    connections.close(context.channel)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Parts that were read before the refusal still arrive.
    guard !isRefused else { return }
    let part = unwrapInboundIn(data)
    switch part {
    case .head(let head):
      guard !isAsking else { return refuse(context) }
      isAsking = true
      received = 0
      if !connections.isKnown(context.channel) {
        if knows(head) { connections.shows(context.channel) } else { awaitTurn(context) }
      }
      connections.asks(context.channel)
      expectMore(context)
    case .body(let bytes):
      received += max(bytes.readableBytes, ConsoleLimits.minBodyRate)
      // The operation has long answered that the body is too large.
      guard received <= ConsoleLimits.unreadBody else { return refuse(context) }
    case .end: expectMore(context)
    }
    if turn == nil { context.fireChannelRead(data) } else { waiting.append(part) }
  }

  /// Reads nothing more from a client that waits for its turn.
  func read(context: ChannelHandlerContext) {
    if turn == nil { context.read() } else { isReadWaiting = true }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if turn == nil {
      context.fireUserInboundEventTriggered(event)
    } else {
      waitingEvents.append(event)
    }
  }

  private func awaitTurn(_ context: ChannelHandlerContext) {
    let wait = connections.anonymousTurn()
    guard wait > .zero else { return }
    turn = context.eventLoop.assumeIsolated().scheduleTask(in: .microseconds(wait.microseconds)) {
      [self] in hasTurn(context)
    }
  }

  private func hasTurn(_ context: ChannelHandlerContext) {
    turn = nil
    let (parts, events) = (waiting, waitingEvents)
    (waiting, waitingEvents) = ([], [])
    for part in parts { context.fireChannelRead(wrapInboundOut(part)) }
    context.fireChannelReadComplete()
    for event in events { context.fireUserInboundEventTriggered(event) }
    if isReadWaiting {
      isReadWaiting = false
      context.read()
    }
  }

  private func refuse(_ context: ChannelHandlerContext) {
    isRefused = true
    context.close(promise: nil)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
    let promise = promise ?? context.eventLoop.makePromise()
    let channel = context.channel
    promise.futureResult.assumeIsolated().whenSuccess { [self] in isTaken(by: channel) }
    context.write(data, promise: promise)
  }

  /// The whole answer was taken. Now the connection may be idle as long as the server allows, and
  /// may give way to others.
  private func isTaken(by channel: any Channel) {
    isAsking = false
    deadline?.cancel()
    connections.isAnswered(channel)
  }

  /// Closes the connection unless more comes in time.
  private func expectMore(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    let (channel, connections) = (context.channel, connections)
    deadline = context.eventLoop.scheduleTask(in: patience) { connections.isLate(channel) }
  }
}
