import FobBase
import Glibc
import SerialIO
import USB

/// One client of a USB/IP server, from its coming until it has its answer.
final class USBIPConnection {
  private static let patience = Interval.seconds(5)

  private var connection: OwnedDescriptor?
  private var handshake = USBIPHandshake()
  private var reply: [UInt8] = []
  /// Who stays longer is sent away.
  let deadline = BootClock.now() + patience

  init(_ connection: consuming OwnedDescriptor) { self.connection = consume connection }

  /// Nil once nothing is left to do for it.
  var polled: pollfd? {
    switch connection {
    case .some(let connection):
      pollfd(fd: connection.number, events: Int16(reply.isEmpty ? POLLIN : POLLOUT), revents: 0)
    case .none: nil
    }
  }

  func leave() { connection = nil }

  /// Reads what there is of the request and no byte behind it; `answer` is given it once it is
  /// whole.
  func serve(_ answer: (USBIPRequest) -> Void) {
    do {
      guard reply.isEmpty else { return try sendReply() }
      while let bytes = try receive() {
        if let request = try bytes.withUnsafeBytes({ try handshake.take($0) }) {
          return answer(request)
        }
      }
    } catch {
      leave()
    }
  }

  /// Sends the last that it is told, now and as it takes it.
  func say(_ bytes: [UInt8]) {
    reply = bytes
    do { try sendReply() } catch { leave() }
  }

  /// Sends all of a short reply, and gives the connection away; nil for a client that has gone.
  func handOver(after bytes: [UInt8]) -> OwnedDescriptor? {
    guard let connection = connection.take() else { return nil }
    let sent = bytes.withUnsafeBytes { (try? connection.send($0)) ?? nil }
    guard sent == bytes.count else { return nil }
    return consume connection
  }

  private func sendReply() throws {
    guard let connection = connection.take() else { return }
    let count = try reply.withUnsafeBytes { try connection.send($0) }
    reply.removeFirst(count ?? 0)
    if !reply.isEmpty { self.connection = consume connection }
  }

  /// Nil where none are there yet.
  private func receive() throws -> [UInt8]? {
    switch connection {
    case .some(let connection):
      var bytes = [UInt8](repeating: 0, count: handshake.missing)
      guard let count = try bytes.withUnsafeMutableBytes({ try connection.read(into: $0) }) else {
        return nil
      }
      guard count > 0 else { throw IOFailure("read", errno: ECONNRESET, path: connection.path) }
      return Array(bytes[..<count])
    case .none: return nil
    }
  }
}
