import HummingbirdCore
import Logging
import NIOCore
import SystemCrypto

/// TLS between a connection's bytes and the handlers behind it, on the server's side.
///
/// A peer that ends its TLS output still gets its answer, as one does that half-closes a plain
/// connection. A peer whose TLS is wrong gets an alert and is disconnected. ``ConnectionHandler``,
/// which comes next, limits the time of a handshake.
final class TLSHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Bytes that are encrypted at once; the session keeps no larger buffer.
  private static let part = 16 << 10

  /// Of what TLS itself answers, without a request, in bytes: the handshake, alerts, new keys.
  private static let maxUnasked = 256 << 10

  private let session: TLSSession
  /// Bytes that TLS itself has answered, over the connection's life.
  private var unasked = 0
  private var isInputOver = false
  private var isOutputOver = false

  init(_ server: TLSServer) throws(TLSFailure) { session = try TLSSession(server) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    var plain = context.channel.allocator.buffer(capacity: bytes.readableBytes)
    var failure: TLSFailure?
    do throws(TLSFailure) {
      try bytes.withUnsafeReadableBytes { (bytes) throws(TLSFailure) in
        try session.take(bytes) { plain.writeBytes($0) }
      }
    } catch {
      failure = error
    }
    unasked += session.outputCount
    flushOutput(context)
    // A peer that has it answer over and over, and does not read, would fill the memory.
    guard unasked <= Self.maxUnasked else { return context.close(promise: nil) }
    if plain.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(plain)) }
    if let failure {
      context.fireErrorCaught(failure)
      context.close(promise: nil)
    } else if session.hasEnded {
      endInput(context)
    }
  }

  /// Ends the input once, whether by TLS or by the connection's end.
  private func endInput(_ context: ChannelHandlerContext) {
    guard !isInputOver else { return }
    isInputOver = true
    if isOutputOver {
      context.close(promise: nil)
    } else {
      context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .inputClosed? = event as? ChannelEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    // A peer that leaves during the handshake gets no answer.
    if session.isEstablished { endInput(context) } else { context.close(promise: nil) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let bytes = unwrapOutboundIn(data)
    var wire = context.channel.allocator.buffer(capacity: bytes.readableBytes + 256)
    do throws(TLSFailure) {
      try bytes.withUnsafeReadableBytes { (bytes) throws(TLSFailure) in
        for start in stride(from: 0, to: bytes.count, by: Self.part) {
          let part = bytes[start..<min(start + Self.part, bytes.count)]
          try session.write(UnsafeRawBufferPointer(rebasing: part))
          takeOutput(into: &wire)
        }
      }
    } catch {
      promise?.fail(error)
      // What was ready of it is numbered already: nothing behind it could be read.
      context.close(promise: nil)
      return
    }
    context.write(wrapOutboundOut(wire), promise: promise)
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode != .input, !isOutputOver {
      isOutputOver = true
      session.close()
      flushOutput(context)
    }
    // The peer has ended, too: nothing more can come.
    let isAll = mode == .output && isInputOver
    context.close(mode: isAll ? .all : mode, promise: promise)
  }

  private func flushOutput(_ context: ChannelHandlerContext) {
    guard session.outputCount > 0 else { return }
    var wire = context.channel.allocator.buffer(capacity: session.outputCount)
    takeOutput(into: &wire)
    context.writeAndFlush(wrapOutboundOut(wire), promise: nil)
  }

  private func takeOutput(into wire: inout ByteBuffer) {
    while session.outputCount > 0 {
      wire.writeWithUnsafeMutableBytes(minimumWritableBytes: session.outputCount) {
        session.takeOutput(into: $0)
      }
    }
  }
}

/// A kind of connection, inside TLS.
struct TLSChannel<Base: ServerChildChannel>: ServerChildChannel {
  let base: Base
  let server: TLSServer

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(TLSHandler(server))
    }.flatMap { base.setup(channel: channel, logger: logger) }
  }

  func handle(value: Base.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}
