import FobBase
import Glibc
import SerialIO
import Synchronization
import TestSupport
import Testing

@testable import Sinks

/// A receiver on this host that notes each message, and answers as it is told to, however badly.
final class DC09Peer: Sendable {
  struct Received: Equatable, Sendable {
    /// What stands between LF and CR.
    let text: String

    /// Nil where it has none.
    var sequence: Int? {
      text.firstMatch(of: /"(\d{4})R/).flatMap { Int($0.1) }
    }
    /// As in `SIA-DCS`.
    var token: String {
      text.firstMatch(of: /"\*?([A-Z-]+)"/).map { String($0.1) } ?? ""
    }
  }

  enum Move: Sendable {
    case says([UInt8])
    /// The same, each byte by itself.
    case spells([UInt8])
    case confirms
    case closes
    /// Answers until nobody reads any more.
    case floods([UInt8])
    /// First hands the message on to another receiver of this host, and its answer back.
    case passesOn(to: UInt16, change: @Sendable (inout [UInt8]) -> Void)
  }

  let port: UInt16
  let received = Gathered<Received>()
  private let answer: @Sendable (_ count: Int, Received) -> [Move]
  private let stopping: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)
  private let count = Mutex(0)

  /// - Parameter answer: what it does at each message, by its number from 0 over all connections.
  init(_ answer: @escaping @Sendable (_ count: Int, Received) -> [Move]) throws {
    self.answer = answer
    let held = Held(try TCPListener(host: "127.0.0.1", port: 0))
    port = held.listener.port
    stopping = try EventSignal()
    let started = try BlockingThread(name: "dc09 peer") { [self] in
      while !isStopping {
        try? Syscall.awaitEither(held.listener.descriptor, stopping.descriptor)
        if let client = try? held.listener.accept() { serve(Client(client)) }
      }
    }
    thread.withLock { $0 = started }
  }

  func stop() {
    stopping.signal()
    if let thread = thread.withLock({ $0.take() }) { _ = thread.join(within: .seconds(5)) }
  }

  private var isStopping: Bool {
    (try? Syscall.poll(stopping.descriptor, for: POLLIN, until: BootClock.now())) != 0
  }

  private func serve(_ client: Client) {
    _ = try? BlockingThread(name: "dc09 client") { [self] in
      var reader = DC09FrameReader()
      while let bytes = client.read() {
        for case .success(let frame) in reader.read(bytes) {
          let message = Received(text: String(decoding: frame, as: UTF8.self))
          let number = count.withLock { count in
            defer { count += 1 }
            return count
          }
          received.put(message)
          for move in answer(number, message) {
            guard client.make(move, at: message, frame) else { return }
          }
        }
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

    /// Nil at the end.
    func read() -> [UInt8]? { Self.read(socket) }

    private static func read(_ socket: borrowing OwnedDescriptor) -> [UInt8]? {
      _ = try? Syscall.poll(socket.number, for: POLLIN, until: BootClock.now() + .seconds(20))
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = buffer.withUnsafeMutableBytes {
        Glibc.read(socket.number, $0.baseAddress, $0.count)
      }
      return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// - Returns: false: the connection is over.
    func make(_ move: Move, at message: Received, _ frame: [UInt8]) -> Bool {
      switch move {
      case .says(let bytes): return write(bytes)
      case .spells(let bytes): return bytes.allSatisfy { write([$0]) }
      case .confirms: return write(SampleAnswer(sequence: message.sequence ?? 0).bytes)
      case .closes: return false
      case .floods(let bytes):
        while write(bytes) {}
        return false
      case .passesOn(let port, let change):
        var whole = [DC09Frame.lineFeed] + frame + [DC09Frame.carriageReturn]
        change(&whole)
        guard let answer = Self.ask(port, whole) else { return false }
        return write(answer)
      }
    }

    private static func ask(_ port: UInt16, _ bytes: [UInt8]) -> [UInt8]? {
      guard let never = try? EventSignal(),
        let other = try? TCPConnector(host: "127.0.0.1", port: port)
          .connect(cancel: never.descriptor, until: BootClock.now() + .seconds(10))
      else { return nil }
      _ = bytes.withUnsafeBytes { try? other.send($0) }
      return read(other)
    }

    private func write(_ bytes: [UInt8]) -> Bool {
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
  }
}
