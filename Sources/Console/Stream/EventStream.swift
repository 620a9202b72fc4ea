import FobBase
import HTTPTypes
import Hummingbird
import NIOCore
import Storage

/// The log as it grows, to one client: each line once and in order, from where the client says.
struct EventStream: Sendable {
  private let call: Call
  private let reader: any LineReader
  private let greeting: ByteBuffer
  private let pulse = StreamPulse()

  static func open(_ call: Call) async throws -> Response {
    let newest = try await call.reading { try $0.lastLogID() }
    let asked = (call.query["Last-Event-ID"] ?? call.query["after"]).flatMap { Int64($0) }
    // An id that this log has not reached is another log's: start anew, and say what is true.
    let resumed = asked.flatMap { $0 <= newest ? $0 : nil }
    guard call.api.streams.begin() else { throw Problem.busy("event streams") }
    let stream = EventStream(call, after: resumed ?? newest, isResumed: resumed != nil)
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/event-stream", .cacheControl: "no-store",
        .xContentTypeOptions: "nosniff", .xAccelBuffering: "no",
      ],
      body: ResponseBody { writer in try await stream.run(&writer) })
  }

  private init(_ call: Call, after: Int64, isResumed: Bool) {
    self.call = call
    reader = call.core.lines(
      after: after, matching: call.logFilter)
    var greeting = ByteBuffer(string: "retry: 1000\n\n")
    if !isResumed {
      // With an id, so that a client that loses the line before anything happens resumes here.
      greeting.writeImmutableBuffer(EventText.status(call.core.status, id: after))
    }
    self.greeting = greeting
  }

  private func run(_ writer: inout any ResponseBodyWriter) async throws {
    var reason = Streams.End.left
    defer { call.api.streams.end(reason) }
    let writer = SharedWriter(writer)
    do {
      // An idle client that leaves is noticed by the end of what it sends alone.
      try await call.request.body.consumeWithCancellationOnInboundClose { _ in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { try await watch(writer) }
          group.addTask { try await pass(writer) }
          defer { group.cancelAll() }
          try await group.next()
        }
      }
    } catch {
      reason = self.reason(of: error)
      if reason == .failed || reason == .stopping {
        try? await write(EventText.dropped(reason.rawValue), to: writer)
      }
      throw error
    }
  }

  private func reason(of error: any Error) -> Streams.End {
    if pulse.isSlow { return .slow }
    if call.api.isStopping { return .stopping }
    return error is CancellationError || error is ChannelError || error is IOError ? .left : .failed
  }

  private func pass(_ writer: SharedWriter) async throws {
    try await write(greeting, to: writer)
    let isNamed = call.query["form"] != "line"
    while true {
      let lines = try await reader.next()
      try await write(EventText.lines(lines, isNamed: isNamed), to: writer)
    }
  }

  private func write(_ text: ByteBuffer, to writer: SharedWriter) async throws {
    pulse.beginWrite()
    try await writer.write(text)
    pulse.endWrite()
  }

  /// Says that the stream lives while nothing happens, and drops a client that does not read.
  private func watch(_ writer: SharedWriter) async throws {
    let streams = call.api.streams
    let step = min(streams.patience.microseconds / 4, streams.heartbeat.microseconds / 4, 1_000_000)
    while true {
      try await Task.sleep(for: .microseconds(step))
      if pulse.becameSlow(after: streams.patience) {
        try await drop(writer)
      } else if pulse.isQuiet(for: streams.heartbeat) {
        try await write(EventText.heartbeat, to: writer)
      }
    }
  }

  /// Should the client read again within a moment, it learns why.
  private func drop(_ writer: SharedWriter) async throws {
    let channel = call.channel
    Task {
      try await Task.sleep(for: .milliseconds(250))
      channel.close(promise: nil)
    }
    try await writer.write(EventText.dropped("nothing was read for too long"))
  }
}

/// Unchecked, because the protocol does not say what NIO's writer promises: it takes the writes of
/// several tasks, each of them whole.
private struct SharedWriter: @unchecked Sendable {
  private let writer: any ResponseBodyWriter

  init(_ writer: any ResponseBodyWriter) { self.writer = writer }

  func write(_ text: ByteBuffer) async throws {
    var writer = writer
    try await writer.write(text)
  }
}

extension HTTPField.Name {
  fileprivate static let xAccelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
