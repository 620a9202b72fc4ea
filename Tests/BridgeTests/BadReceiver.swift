import FobBase
import Glibc
import SerialIO
import Synchronization

/// A receiver on this host that does it wrong: it says what it is given after each request, or
/// nothing, and never closes.
final class BadReceiver: Sendable {
  let url: String
  private let stopping: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)
  private let heard = Mutex(0)

  /// - Parameter delay: before it answers.
  init(says answer: String, after delay: Interval = .zero) throws {
    let listener = try TCPListener(host: "127.0.0.1", port: 0)
    url = "http://127.0.0.1:\(listener.port)"
    stopping = try EventSignal()
    let held = Held(listener)
    let started = try BlockingThread(name: "bad receiver") { [self] in
      while !isStopping(within: .zero) {
        try? Syscall.awaitEither(held.listener.descriptor, stopping.descriptor)
        if let client = try? held.listener.accept() {
          answerOne(client.number, answer, delay)
          held.keep(client)
        }
      }
    }
    thread.withLock { $0 = started }
  }

  deinit { stop() }

  /// Requests, or first parts of them.
  var requests: Int { heard.withLock { $0 } }

  func stop() {
    stopping.signal()
    if let thread = thread.withLock({ $0.take() }) { _ = thread.join(within: .seconds(5)) }
  }

  private func answerOne(_ client: Int32, _ answer: String, _ delay: Interval) {
    _ = try? Syscall.poll(client, for: POLLIN, until: BootClock.now() + .seconds(5))
    var buffer = [UInt8](repeating: 0, count: 65_536)
    if read(client, &buffer, buffer.count) > 0 { heard.withLock { $0 += 1 } }
    if isStopping(within: delay) { return }
    _ = Array(answer.utf8).withUnsafeBytes {
      send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  private func isStopping(within patience: Interval) -> Bool {
    (try? Syscall.poll(stopping.descriptor, for: POLLIN, until: BootClock.now() + patience)) != 0
  }

  private final class Held: Sendable {
    let listener: TCPListener
    private let clients = Mutex<[Client]>([])

    init(_ listener: consuming TCPListener) { self.listener = listener }

    func keep(_ client: consuming OwnedDescriptor) {
      let client = Client(client)
      clients.withLock { $0.append(client) }
    }
  }

  private final class Client: Sendable {
    private let socket: OwnedDescriptor
    init(_ socket: consuming OwnedDescriptor) { self.socket = socket }
  }
}
