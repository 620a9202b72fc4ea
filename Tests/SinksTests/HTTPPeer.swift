import FobBase
import Glibc
import SerialIO
import Synchronization
import Testing

/// A server on this host that notes each request, and answers as it is told to, however badly.
final class HTTPPeer: Sendable {
  struct Request: Equatable, Sendable {
    /// As in "POST /path HTTP/1.1".
    let line: String
    /// Names in lower case.
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  enum Behaviour: Sendable {
    case answers(Int, String)
    case says([UInt8])
    /// Reads the request, and no more.
    case hangs
    /// A byte each 20 ms, for ever.
    case drips
    /// Begins an answer that never ends.
    case sendsWithoutEnd
    case closes
  }

  let port: UInt16
  private let state: Mutex<(behaviours: [Behaviour], requests: [Request])>
  private let stopping: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)

  /// - Parameter behaviours: of each connection in turn; the last stays.
  init(_ behaviours: Behaviour...) throws {
    let listener = try TCPListener(host: "127.0.0.1", port: 0)
    port = listener.port
    state = Mutex((behaviours, []))
    stopping = try EventSignal()
    let held = Held(listener)
    let started = try BlockingThread(name: "http peer") { [self] in
      while !isStopping {
        try? Syscall.awaitEither(held.listener.descriptor, stopping.descriptor)
        // Each on a thread of its own: one that is made to wait holds up no other.
        if let client = try? held.listener.accept() { serve(Client(client)) }
      }
    }
    thread.withLock { $0 = started }
  }

  var url: String { "http://127.0.0.1:\(port)" }
  var requests: [Request] { state.withLock { $0.requests } }

  func stop() {
    stopping.signal()
    if let thread = thread.withLock({ $0.take() }) { _ = thread.join(within: .seconds(5)) }
  }

  private var isStopping: Bool {
    (try? Syscall.poll(stopping.descriptor, for: POLLIN, until: BootClock.now())) != 0
  }

  private func serve(_ client: Client) {
    let behaviour = state.withLock { state in
      state.behaviours.count > 1 ? state.behaviours.removeFirst() : state.behaviours[0]
    }
    _ = try? BlockingThread(name: "http client") { [self] in
      guard let request = client.readRequest() else { return }
      state.withLock { $0.requests.append(request) }
      switch behaviour {
      case .answers(let status, let body):
        client.write(
          "HTTP/1.1 \(status) Said\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
      case .says(let bytes): client.write(bytes)
      case .hangs: client.waitForEnd()
      case .drips:
        client.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while client.write("x") { client.pause() }
      case .sendsWithoutEnd:
        client.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = "1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n"
        while client.write(chunk) {}
      case .closes: break
      }
    }
  }

  private final class Held: Sendable {
    let listener: TCPListener
    init(_ listener: consuming TCPListener) { self.listener = listener }
  }

  private final class Client: Sendable {
    private let socket: OwnedDescriptor
    init(_ socket: consuming OwnedDescriptor) { self.socket = socket }

    func readRequest() -> Request? {
      var bytes: [UInt8] = []
      let blank = Array("\r\n\r\n".utf8)
      while let more = read() {
        bytes += more
        guard let end = bytes.firstRange(of: blank)?.upperBound else { continue }
        let lines = String(decoding: bytes[..<(end - 4)], as: UTF8.self)
          .split(whereSeparator: \.isNewline).map(String.init)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1)
          headers[parts[0].lowercased()] = String(parts[1].drop(while: \.isWhitespace))
        }
        let length = Int(headers["content-length"] ?? "0") ?? 0
        if bytes.count - end >= length {
          return Request(line: lines[0], headers: headers, body: Array(bytes[end...]))
        }
      }
      return nil
    }

    /// Nil at the end.
    private func read() -> [UInt8]? {
      _ = try? Syscall.poll(socket.number, for: POLLIN, until: BootClock.now() + .seconds(20))
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = buffer.withUnsafeMutableBytes {
        Glibc.read(socket.number, $0.baseAddress, $0.count)
      }
      return count > 0 ? Array(buffer[..<count]) : nil
    }

    @discardableResult func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let ready = try? Syscall.poll(
          socket.number, for: POLLOUT, until: BootClock.now() + .seconds(20))
        guard let ready, ready & POLLHUP == 0, ready != 0 else { return false }
        let sent = rest.withUnsafeBytes {
          Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent > 0 else { return false }
        rest = rest.dropFirst(sent)
      }
      return true
    }

    func waitForEnd() { while read() != nil {} }

    func pause() {
      _ = try? Syscall.poll(socket.number, for: 0, until: BootClock.now() + .milliseconds(20))
    }
  }
}
