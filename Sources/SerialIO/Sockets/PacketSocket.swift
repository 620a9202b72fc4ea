import FobBase
import Glibc

/// One end of a connection between this process and its child. A packet comes whole or not at all,
/// in order (SOCK_SEQPACKET, unix(7)).
public final class PacketSocket: Sendable {
  /// Bytes of the longest packet: what a socket's buffer holds as a rule, and a little less.
  public static let longest = 160 * 1_024

  private let socket: OwnedDescriptor

  /// Takes over one that this process was started with.
  public init(owning number: Int32) {
    socket = OwnedDescriptor(owning: number, path: "the other process")
  }

  /// Makes a connection.
  /// - Parameter start: starts the child, which gets the descriptor of the other end.
  /// - Returns: this end, and what `start` returns.
  public static func connect<Child: Sendable>(
    to start: (Int32) throws(IOFailure) -> Child
  ) throws(IOFailure) -> (PacketSocket, Child) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try Syscall.run("make", "a pair of sockets") { socketpair(AF_UNIX, kind, 0, &ends) }
    let own = PacketSocket(owning: ends[0])
    let theirs = OwnedDescriptor(owning: ends[1], path: "a pair of sockets")
    return (own, try start(theirs.number))
  }

  /// Readable where a packet or the end of the connection has come.
  public var descriptor: Int32 { socket.number }

  /// Sends one packet.
  /// - Parameters:
  ///   - packet: at most ``longest`` bytes.
  ///   - waits: until the other end has room.
  /// - Throws: `IOFailure` with EAGAIN where it has none, EMSGSIZE for a longer packet, EPIPE where
  ///   nobody is there.
  public func send(_ packet: [UInt8], waits: Bool) throws(IOFailure) {
    guard packet.count <= Self.longest else {
      throw IOFailure("write", errno: EMSGSIZE, path: socket.path)
    }
    let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
    try Syscall.run("write", socket.path) {
      Glibc.send(socket.number, packet, packet.count, flags)
    }
  }

  /// Waits for the next packet; nil at the end of the connection.
  public func receive() throws(IOFailure) -> [UInt8]? {
    // How long it is comes first: most packets are short.
    let length = try Syscall.run("read", socket.path) {
      recv(socket.number, nil, 0, Int32(MSG_PEEK) | Int32(MSG_TRUNC))
    }
    var packet = [UInt8](repeating: 0, count: length)
    let count = try Syscall.run("read", socket.path) {
      recv(socket.number, &packet, packet.count, 0)
    }
    return count == 0 ? nil : packet
  }
}
