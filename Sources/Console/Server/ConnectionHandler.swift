import FobBase
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Tracks the state of one connection, and closes it if its client takes too long: for its body,
/// for taking the answer, or, without a token, for its request. A stream is no such answer.
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
  /// Whose known token or session the request shows.
  private let holder: @Sendable (HTTPRequest) -> Caller.Holder?
  /// What the last request that showed one had of it.
  private var shown: String?
  private var deadline: Scheduled<Void>?
  private var isAsking = false
  private var isWhole = false
  private var isAnswering = false
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
    holder: @escaping @Sendable (HTTPRequest) -> Caller.Holder?
  ) {
    self.connections = connections
    self.holder = holder
    self.patience = .microseconds(patience.microseconds)
  }

  func channelActive(context: ChannelHandlerContext) {
    if connections.open(context.channel) {
      expectMore(context.channel)
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
      (isAsking, isWhole, isAnswering) = (true, false, false)
      received = 0
      if !shows(head, context.channel), !connections.isKnown(context.channel) {
        awaitTurn(context)
      }
      connections.asks(context.channel)
      expectMore(context.channel)
    case .body(let bytes):
      received += max(bytes.readableBytes, ConsoleLimits.minBodyRate)
      // The operation has long answered that the body is too large.
      guard received <= ConsoleLimits.unreadBody else { return refuse(context) }
    case .end: hasAsked(context.channel)
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

  /// Notes whose connection it is: a proxy's may be another's by each request.
  /// - Returns: whether the request shows a known token or session.
  private func shows(_ head: HTTPRequest, _ channel: any Channel) -> Bool {
    guard let now = head.headerFields[.authorization] ?? head.headerFields[.sessionKey] else {
      return false
    }
    guard now != shown else { return true }
    guard let holder = holder(head) else { return false }
    shown = now
    connections.shows(channel, of: holder)
    return true
  }

  private func hasAsked(_ channel: any Channel) {
    isWhole = true
    connections.isWhole(channel)
    if !connections.isKnown(channel) {
      expectMore(channel)
    } else if !isAnswering {
      // From here on it is the core that takes time.
      deadline?.cancel()
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
    let channel = context.channel
    switch unwrapOutboundIn(data) {
    case .head(let head):
      begins(head, channel)
      context.write(data, promise: promise)
    case .body: context.write(data, promise: promise)
    case .end:
      let promise = promise ?? context.eventLoop.makePromise()
      promise.futureResult.assumeIsolated().whenSuccess { [self] in isTaken(by: channel) }
      context.write(data, promise: promise)
    }
  }

  /// Who has shown a token may take an answer for as long as it is long. A stream has no length,
  /// and looks after itself.
  private func begins(_ head: HTTPResponse, _ channel: any Channel) {
    guard connections.isKnown(channel) else { return }
    isAnswering = true
    deadline?.cancel()
    guard let length = head.headerFields[.contentLength].flatMap({ Int($0) }) else { return }
    expectMore(channel, times: 1 + length / ConsoleLimits.patientAnswer)
  }

  /// The whole answer was taken. Now the connection may be idle as long as the server allows, and
  /// may give way to others.
  private func isTaken(by channel: any Channel) {
    (isAsking, isAnswering) = (false, false)
    connections.isAnswered(channel)
    // The rest of its body may still be on its way.
    if isWhole { deadline?.cancel() } else { expectMore(channel) }
  }

  /// Closes the connection unless more comes in time.
  private func expectMore(_ channel: any Channel, times: Int = 1) {
    deadline?.cancel()
    let connections = connections
    deadline = channel.eventLoop.scheduleTask(in: times * patience) { connections.isLate(channel) }
  }
}
