import FobBase
import HTTPTypes
import Hummingbird
import NIOCore
import SerialIO
import Synchronization

/// A stream of server-sent events to one client. It shows that it lives while nothing happens,
/// drops a client that does not read, and notices a client that leaves.
struct ServedStream: Sendable {
  /// Writes to the client; each write waits until the client's end takes it.
  struct Outlet: Sendable {
    fileprivate let writer: SharedWriter
    fileprivate let pulse: StreamPulse
    fileprivate let call: Call

    func write(_ text: ByteBuffer) async throws {
      if let end = call.end { throw ShutOut(end: end) }
      pulse.beginWrite()
      try await writer.write(text)
      pulse.endWrite()
    }
  }

  private struct ShutOut: Error { let end: Streams.End }

  private let call: Call
  private let place: Streams.Place
  private let pulse = StreamPulse()

  /// - Parameter pass: writes the events, until it is cancelled or throws.
  /// - Throws: `Problem` if the limit of streams is reached.
  static func response(
    _ call: Call, _ pass: @escaping @Sendable (Outlet) async throws -> Void
  ) throws(Problem) -> Response {
    let stream = ServedStream(call: call, place: try call.streamPlace())
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/event-stream", .cacheControl: "no-store",
        .xContentTypeOptions: "nosniff", .xAccelBuffering: "no",
      ],
      body: ResponseBody { writer in
        let writer = SharedWriter(writer)
        try await withTaskExecutorPreference(call.api.common) { try await stream.run(writer, pass) }
      })
  }

  private init(call: Call, place: Streams.Place) {
    self.call = call
    self.place = place
  }

  private func run(
    _ writer: SharedWriter, _ pass: @escaping @Sendable (Outlet) async throws -> Void
  ) async throws {
    var reason = Streams.End.left
    defer { place.end(reason) }
    let outlet = Outlet(writer: writer, pulse: pulse, call: call)
    do {
      // An idle client that leaves is noticed only by the end of its own input.
      try await call.request.body.consumeWithCancellationOnInboundClose { _ in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await watch(outlet) }
          group.addTask { try await pass(outlet) }
          defer { group.cancelAll() }
          try await group.next()
        }
      }
    } catch {
      reason = self.reason(of: error)
      if reason != .left && reason != .slow {
        try? await writer.write(EventText.dropped(reason.rawValue))
      }
      throw error
    }
  }

  private func reason(of error: any Error) -> Streams.End {
    if pulse.isSlow { return .slow }
    if call.api.isStopping { return .stopping }
    if let error = error as? ShutOut { return error.end }
    return error is CancellationError || error is ChannelError || error is IOError ? .left : .failed
  }

  /// Writes heartbeats while nothing happens, and drops a client that does not read.
  private func watch(_ outlet: Outlet) async throws {
    let streams = call.api.streams
    let step = min(streams.patience.microseconds / 4, streams.heartbeat.microseconds / 4, 1_000_000)
    while true {
      try await Task.sleep(for: .microseconds(step))
      if let end = call.end { throw ShutOut(end: end) }
      if pulse.becameSlow(after: streams.patience) {
        try await drop(outlet.writer)
      } else if pulse.isQuiet(for: streams.heartbeat) {
        try await outlet.write(EventText.heartbeat)
      }
    }
  }

  /// Tells the reason, which the client learns if it reads again within 250 ms.
  private func drop(_ writer: SharedWriter) async throws {
    let channel = call.channel
    Task {
      try await Task.sleep(for: .milliseconds(250))
      channel.close(promise: nil)
    }
    try await writer.write(EventText.dropped("nothing was read for too long"))
  }
}

extension Call {
  /// False once the token is revoked or the session over: the stream ends then.
  var isStillLetIn: Bool { caller.map { api.authorizer.stillKnows($0) } ?? true }

  /// Why a stream that is not of the alarm ends now; nil: it goes on.
  fileprivate var end: Streams.End? {
    guard isStillLetIn else { return .revoked }
    return caller?.account.map { api.isSuspended($0) } == true ? .suspended : nil
  }

  /// Counts the stream for its caller; every stream needs a scope.
  func streamPlace() throws(Problem) -> Streams.Place {
    guard let caller else { throw .scopeNeeded(.observe) }
    return try api.streams.begin(caller)
  }
}

extension HTTPField.Name {
  fileprivate static let xAccelBuffering = HTTPField.Name("X-Accel-Buffering")!
}

/// When a stream last wrote, and since when a write waits.
final class StreamPulse: Sendable {
  private struct State {
    var wroteAt: Instant
    var waitsSince: Instant?
    var isSlow = false
  }

  private let state = Mutex(State(wroteAt: BootClock.now()))

  func beginWrite() { state.withLock { $0.waitsSince = BootClock.now() } }

  func endWrite() {
    state.withLock { state in
      state.waitsSince = nil
      state.wroteAt = BootClock.now()
    }
  }

  /// True once, when a write has waited for longer than `patience`.
  func becameSlow(after patience: Interval) -> Bool {
    state.withLock { state in
      guard !state.isSlow, let since = state.waitsSince, BootClock.now() - since > patience else {
        return false
      }
      state.isSlow = true
      return true
    }
  }

  var isSlow: Bool { state.withLock { $0.isSlow } }

  func isQuiet(for interval: Interval) -> Bool {
    state.withLock { $0.waitsSince == nil && BootClock.now() - $0.wroteAt >= interval }
  }
}

/// Unchecked: the protocol does not promise it, but NIO's writer takes the writes of several tasks,
/// each of them whole.
struct SharedWriter: @unchecked Sendable {
  private let writer: any ResponseBodyWriter

  init(_ writer: any ResponseBodyWriter) { self.writer = writer }

  func write(_ text: ByteBuffer) async throws {
    var writer = writer
    try await writer.write(text)
  }
}
