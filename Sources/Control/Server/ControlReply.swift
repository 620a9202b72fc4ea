import Synchronization

/// Answers one request, once, now or later, from any thread. If it is released unanswered it
/// answers with an error, so that no client waits for ever.
public final class ControlReply: Sendable {
  private let outbox: WriteBuffer
  private let isUsed = Atomic(false)

  init(_ outbox: WriteBuffer) { self.outbox = outbox }

  deinit {
    if !isUsed.load(ordering: .relaxed) {
      finish(JSONLine.failure("the request was not answered"))
    }
  }

  /// Answers with one line of JSON. False if the client has left, or if the value has no JSON form;
  /// the client is told so.
  @discardableResult
  public func send(_ value: some Encodable) -> Bool {
    use()
    guard let line = try? JSONLine.encode(value) else {
      finish(JSONLine.failure("the answer has no JSON form"))
      return false
    }
    return finish(line)
  }

  /// Answers `{"error":text,"ok":false}`.
  @discardableResult
  public func fail(_ text: String) -> Bool {
    use()
    return finish(JSONLine.failure(text))
  }

  /// Answers with any number of lines. The client's next request waits until the stream ends.
  /// - Parameter onLeave: called once if the client leaves before the end, on the server's thread.
  public func stream(onLeave: @escaping @Sendable () -> Void = {}) -> ControlStream {
    use()
    outbox.whenGone(onLeave)
    return ControlStream(outbox)
  }

  @discardableResult
  private func finish(_ line: [UInt8]) -> Bool {
    defer { outbox.endRequest() }
    return outbox.add(line)
  }

  private func use() {
    let wasUsed = isUsed.exchange(true, ordering: .relaxed)
    precondition(!wasUsed, "a request is answered once")
  }
}

/// One request: a line with a JSON object.
public struct ControlRequest: Hashable, Sendable {
  /// The bytes as they came, without the newline; at most `ControlLimits.maxRequestSize`.
  public let line: [UInt8]

  /// Takes a line as it is; the server hands out only lines that are JSON objects.
  public init(line: [UInt8]) { self.line = line }

  /// Reads the object as a value.
  /// - Throws: `DecodingError` if the object has another shape.
  public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONLine.decode(type, from: line)
  }
}

/// An answer of many lines, sent from any thread. It ends with `end()` or when it is released.
public final class ControlStream: Sendable {
  private let outbox: WriteBuffer
  private let hasEnded = Atomic(false)

  init(_ outbox: WriteBuffer) { self.outbox = outbox }

  deinit { end() }

  /// Queues a line and never waits. A client that reads too slowly loses lines beyond
  /// `ControlLimits.queuedLines`, and gets `{"lost":n}` where they are missing.
  /// - Returns: false if the line was lost, the client has left or the stream has ended.
  @discardableResult
  public func send(_ value: some Encodable) -> Bool {
    guard !hasEnded.load(ordering: .acquiring), let line = try? JSONLine.encode(value) else {
      return false
    }
    return outbox.add(line)
  }

  /// Sending is then in vain; `onLeave` says it as it happens.
  public var clientHasLeft: Bool { outbox.isGone }

  /// Ends the answer, and lets the client's next request begin; may be called twice.
  public func end() {
    if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { outbox.endRequest() }
  }
}
