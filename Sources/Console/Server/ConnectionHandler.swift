import FobBase
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Says of one connection how it stands, and lets it go where it takes too long before it has shown
/// a token: to ask, to send what it has announced, to take its answer.
///
/// One request at a time: an event loop reads no socket while a task waits for it, and requests
/// that are there already would make it task after task. Whoever sends another before the answer
/// is let go, as HTTP allows (RFC 9112, 9.3.2). A stranger's request waits for its turn
/// among those of all strangers.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let connections: Connections
  private let patience: TimeAmount
  /// Whether a request shows a token or a session.
  private let knows: @Sendable (HTTPRequest) -> Bool
  private var deadline: Scheduled<Void>?
  private var isAsking = false
  /// What the body that is under way has cost, in bytes.
  private var received = 0
  private var isRefused = false
  /// Until the request's turn: then what of it has come is passed on.
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
    // Of what had been read before, the rest still comes.
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
      // Whoever answers has long said that it is too large.
      guard received <= ConsoleLimits.unreadBody else { return refuse(context) }
    case .end: expectMore(context)
    }
    if turn == nil { context.fireChannelRead(data) } else { waiting.append(part) }
  }

  /// No more is read from who waits for a turn.
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

  /// A whole answer. From here on it may be idle for as long as the server allows, and gives way.
  private func isTaken(by channel: any Channel) {
    isAsking = false
    deadline?.cancel()
    connections.isAnswered(channel)
  }

  /// Within its patience, or it is let go.
  private func expectMore(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    let (channel, connections) = (context.channel, connections)
    deadline = context.eventLoop.scheduleTask(in: patience) { connections.isLate(channel) }
  }
}
