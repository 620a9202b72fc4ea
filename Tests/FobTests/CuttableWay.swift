import Glibc
import SerialIO

/// The way to a PostgreSQL server's socket, which can be cut as a network between two machines:
/// then nothing passes, and neither end hears of it.
final class CuttableWay: Sendable {
  private let listener: UnixListener
  private let server: String
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

  /// - Parameters:
  ///   - server: the folder of its socket.
  ///   - folder: where it is reached by this way.
  init(to server: String, by folder: String) throws {
    let name = "/.s.PGSQL.5432"
    self.server = server + name
    listener = try UnixListener(path: folder + name)
    open = try EventSignal()
    open.signal()
    _ = try BlockingThread(name: "way") { [self] in accept() }
  }

  func cut() { open.clear() }

  func mend() { open.signal() }

  private func accept() {
    while (try? Syscall.poll(listener.descriptor, for: POLLIN)) != nil, waitsTillMended() {
      guard let client = try? listener.accept(),
        let behind = try? UnixSocket.connectAtOnce(path: server)
      else { continue }
      let ends = Ends(client, behind)
      for isAnswer in [false, true] {
        _ = try? BlockingThread(name: "way") { [self] in pass(ends, isAnswer: isAnswer) }
      }
    }
  }

  private func waitsTillMended() -> Bool {
    (try? Syscall.poll(open.descriptor, for: POLLIN)) != nil
  }

  private func pass(_ ends: Ends, isAnswer: Bool) {
    let (from, to) =
      isAnswer
      ? (ends.server.number, ends.client.number) : (ends.client.number, ends.server.number)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while (try? Syscall.poll(from, for: POLLIN)) != nil, waitsTillMended() {
      let count = read(from, &buffer, buffer.count)
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0, waitsTillMended(), send(buffer[..<count], to) else { break }
    }
    shutdown(to, Int32(SHUT_WR))
  }

  private func send(_ bytes: ArraySlice<UInt8>, _ to: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      guard (try? Syscall.poll(to, for: POLLOUT)) != nil else { return false }
      let sent = rest.withUnsafeBytes {
        Glibc.send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent < 0, errno != EAGAIN, errno != EINTR { return false }
      rest = rest.dropFirst(max(0, sent))
    }
    return true
  }
}
