public import FobBase
import Glibc
public import SerialIO

/// One connection to a control socket, for one thread.
///
/// A failure closes it: after a timeout, the late answer would be taken for the next request's.
public final class ControlClient {
  /// The socket's path.
  public let path: String
  private var socket: OwnedDescriptor?
  private var splitter = LineSplitter(limit: ControlLimits.maxAnswerSize)

  /// Connects at once; throws `IOFailure` if no server listens there.
  public init(path: String) throws(IOFailure) {
    socket = try UnixSocket.connect(path: path)
    self.path = path
  }

  /// Sends one line and waits for its answer.
  /// - Throws: `IOFailure` with ETIMEDOUT, or ECONNRESET if the server closed before it answered.
  public func request(
    _ line: String, timeout: Interval = .seconds(5)
  ) throws(IOFailure) -> String {
    let deadline = BootClock.now() + timeout
    try send(line, before: deadline)
    if let answer = try nextLine(before: deadline) { return answer }
    throw fail("get an answer from", ECONNRESET)
  }

  /// As ``request(_:timeout:)``, with values in place of text.
  /// - Throws: also `EncodingError`, and `DecodingError` if the answer has another shape.
  public func request<Answer: Decodable>(
    _ value: some Encodable, as type: Answer.Type, timeout: Interval = .seconds(5)
  ) throws -> Answer {
    let line = String(decoding: try JSONLine.encode(value), as: UTF8.self)
    return try JSONLine.decode(type, from: Array(try request(line, timeout: timeout).utf8))
  }

  /// Sends one line; read its answers with `nextLine` or `lines`.
  public func send(_ line: String, before deadline: Instant) throws(IOFailure) {
    let bytes = Array(line.utf8) + [0x0A]
    var sent = 0
    while sent < bytes.count {
      let taken = try attempt { (socket) throws(IOFailure) in
        let rest = bytes[sent...]
        return try rest.span.withUnsafeBytes { (bytes) throws(IOFailure) in
          try socket.send(bytes)
        }
      }
      sent += taken ?? 0
      if taken == nil { try wait(for: POLLOUT, until: deadline) }
    }
  }

  /// Waits for the next line; nil at the stream's end.
  /// - Throws: `IOFailure` with ETIMEDOUT at the deadline, EMSGSIZE for a line over
  ///   `ControlLimits.maxAnswerSize`.
  public func nextLine(before deadline: Instant) throws(IOFailure) -> String? {
    var chunk = [UInt8](repeating: 0, count: Limits.readBuffer)
    while true {
      switch splitter.next() {
      case .line(let line): return String(decoding: line, as: UTF8.self)
      case .tooLong: throw fail("read an answer from", EMSGSIZE)
      case nil: break
      }
      let count = try attempt { (socket) throws(IOFailure) in
        var span = chunk.mutableSpan
        return try span.withUnsafeMutableBytes { (bytes) throws(IOFailure) in
          try socket.read(into: bytes)
        }
      }
      switch count {
      case 0: return nil
      case let count?: splitter.append(chunk[..<count])
      case nil: try wait(for: POLLIN, until: deadline)
      }
    }
  }

  /// The lines until the deadline, or until the server closes.
  public func lines(before deadline: Instant) -> ControlLines {
    ControlLines(client: self, deadline: deadline)
  }

  /// Calls on the open socket; a failure closes it.
  private func attempt(
    _ call: (borrowing OwnedDescriptor) throws(IOFailure) -> Int?
  ) throws(IOFailure) -> Int? {
    do {
      switch socket {
      case .some(let socket): return try call(socket)
      case .none: break
      }
    } catch {
      throw fail(error.operation, error.errno)
    }
    throw IOFailure("use", errno: ENOTCONN, path: path, reason: "it was closed by a failure")
  }

  private func wait(for events: Int32, until deadline: Instant) throws(IOFailure) {
    let ready = try attempt { (socket) throws(IOFailure) in
      Int(try Syscall.poll(socket.number, for: events, until: deadline))
    }
    if ready == 0 { throw fail("get an answer from", ETIMEDOUT) }
  }

  private func fail(_ operation: String, _ code: Int32) -> IOFailure {
    socket = nil
    return IOFailure(operation, errno: code, path: path)
  }
}

/// The lines of a stream until a deadline; each is waited for when it is asked for.
public struct ControlLines: Sequence, IteratorProtocol {
  let client: ControlClient
  let deadline: Instant

  /// Nil at the deadline, at the stream's end and after a failure.
  public func next() -> String? { (try? client.nextLine(before: deadline)) ?? nil }
}
