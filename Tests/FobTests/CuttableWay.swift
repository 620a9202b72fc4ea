import Glibc
import SerialIO
import Synchronization

/// The way to a server, which can be cut as a network between two machines: then nothing passes,
/// and neither end hears of it.
final class CuttableWay: Sendable {
  /// A port of this host, where the server is reached by this way.
  let port: UInt16
  /// Nil: nobody listens behind, so nobody does here, and who connects is refused: libpq goes on to
  /// the next host then, and not where a connection is closed.
  private let listener: Mutex<TCPListener?>
  private let connect: @Sendable () throws -> OwnedDescriptor
  /// Readable unless the way is cut.
  private let open: EventSignal

  /// A connection, and the one behind it.
  private final class Ends: Sendable {
    let client: OwnedDescriptor
    let server: OwnedDescriptor

    init(_ client: consuming OwnedDescriptor, _ server: consuming OwnedDescriptor) {
      self.client = client
      self.server = server
    }
  }

  /// - Parameter connect: a connection to the server.
  init(to connect: @escaping @Sendable () throws -> OwnedDescriptor) throws {
    self.connect = connect
    let listener = try TCPListener(host: "127.0.0.1", port: 0)
    port = listener.port
    self.listener = Mutex(listener)
    open = try EventSignal()
    open.signal()
    _ = try BlockingThread(name: "way") { [self] in accept() }
  }

  func cut() { open.clear() }

  func mend() { open.signal() }

  private func accept() {
    while true {
      guard let waiting = listener.withLock({ $0?.descriptor }) else {
        listenAgain()
        continue
      }
      guard (try? Syscall.poll(waiting, for: POLLIN)) != nil, waitsTillMended() else { return }
      guard let client = listener.withLock({ try? $0?.accept() }) else { continue }
      guard let behind = try? connect() else {
        listener.withLock { $0 = nil }
        continue
      }
      let ends = Ends(client, behind)
      _ = try? BlockingThread(name: "way") { [self] in pass(ends.client, to: ends.server) }
      _ = try? BlockingThread(name: "way") { [self] in pass(ends.server, to: ends.client) }
    }
  }

  private func listenAgain() {
    while !isServed() { usleep(50_000) }
    listener.withLock { $0 = try? TCPListener(host: "127.0.0.1", port: port) }
  }

  private func isServed() -> Bool {
    do {
      _ = try connect()
      return true
    } catch { return false }
  }

  private func waitsTillMended() -> Bool {
    (try? Syscall.poll(open.descriptor, for: POLLIN)) != nil
  }

  private func pass(_ from: borrowing OwnedDescriptor, to: borrowing OwnedDescriptor) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while (try? Syscall.poll(from.number, for: POLLIN)) != nil, waitsTillMended() {
      do {
        guard let count = try buffer.withUnsafeMutableBytes({ try from.read(into: $0) }) else {
          continue
        }
        guard count > 0, waitsTillMended() else { break }
        try send(buffer[..<count], to)
      } catch { break }
    }
    shutdown(to.number, Int32(SHUT_WR))
  }

  private func send(_ bytes: ArraySlice<UInt8>, _ to: borrowing OwnedDescriptor) throws {
    var rest = bytes
    while !rest.isEmpty {
      _ = try Syscall.poll(to.number, for: POLLOUT)
      rest = rest.dropFirst(try rest.withUnsafeBytes { try to.send($0) } ?? 0)
    }
  }
}
