// Beside Console, the compiler looks for the fields of timeval in Dispatch's headers.
import CDispatch
import FobBase
import Glibc
import SerialIO

/// One connection to a port of this host, for one thread. What keeps silent for a minute fails.
struct LoopbackSocket: ~Copyable {
  private let socket: OwnedDescriptor
  private let path: String

  init(port: UInt16) throws {
    path = "port \(port)"
    socket = try Self.connect(to: "127.0.0.1", port: port)
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      socket.number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// - Parameter host: an IPv4 address.
  static func connect(to host: String, port: UInt16) throws(IOFailure) -> OwnedDescriptor {
    let path = "\(host):\(port)"
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let number = try Syscall.run("make a socket for", path) { Glibc.socket(AF_INET, kind, 0) }
    let socket = OwnedDescriptor(owning: number, path: path)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    try Syscall.run("connect to", path) {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
    }
    return socket
  }

  func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = try Syscall.run("write", path) {
        rest.withUnsafeBytes {
          Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads what is there, and waits for nothing.
  func discard() throws {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket.number, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EAGAIN { return }
      guard count > 0 else { throw IOFailure("read", errno: ECONNRESET, path: path) }
    }
  }

  /// Nil at the end.
  func receive() throws -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = try Syscall.run("read", path) { recv(socket.number, &bytes, bytes.count, 0) }
    return count == 0 ? nil : Array(bytes.prefix(count))
  }
}
