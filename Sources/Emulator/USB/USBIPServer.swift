import FobBase
import Glibc
public import SerialIO
import Synchronization
import USB

/// A USB/IP server that shows emulated keychains to hosts as USB devices. A stock kernel's USB/IP
/// client attaches them (`fob attach`, or `usbip attach`). It lists the keychains that are plugged
/// in and that no host has yet, and hands the connection of a host to the keychain that the host
/// imports.
///
/// Every program that reaches the address can take a keychain: give it a loopback address or a
/// path, unless another machine is meant.
public final class USBIPServer: Sendable {
  /// The TCP port that `usbip` uses by default.
  public static let standardPort: UInt16 = 3_240
  private static let maxConnections = 64

  /// Where it listens: `tcp:` or `unix:`. A TCP port asked for as 0 is the real one.
  public let address: DeviceSpec
  private let listener: Mutex<SocketListener?>
  private let listenerDescriptor: Int32
  private let end: EventSignal
  private let sockets = Mutex<[USBSocket]>([])
  private let thread = Mutex<BlockingThread?>(nil)

  /// Listens at once, but serves hosts only after ``start()``.
  /// - Parameter address: `tcp:` or `unix:`.
  /// - Throws: `IOFailure` where the address cannot be had; EINVAL for another kind of line.
  public init(_ address: DeviceSpec) throws(IOFailure) {
    switch address.kind {
    case .tcp, .unix: break
    case .pty, .serial, .tty, .usb, .memory:
      throw IOFailure(
        "serve USB devices at", errno: EINVAL, path: address.description,
        reason: "it is no socket; write tcp:127.0.0.1:\(Self.standardPort) or unix:PATH")
    }
    let listener = try SocketListener(address)!
    if case .tcp(let host, 0) = address.kind, let port = listener.port {
      self.address = DeviceSpec(.tcp(host: host, port: port))
    } else {
      self.address = address
    }
    listenerDescriptor = listener.descriptor
    end = try EventSignal()
    self.listener = Mutex(consume listener)
  }

  deinit { stop() }

  /// Starts the thread that serves hosts, once.
  public func start() throws(IOFailure) {
    let new = try BlockingThread(name: "usbip") {
      [weak self, ended = end.descriptor, listenerDescriptor] in
      var connections: [USBIPConnection] = []
      while self != nil, Self.rest(ended, listenerDescriptor, connections), let self {
        connections = self.turn(connections)
      }
    }
    thread.withLock { $0 = new }
  }

  /// Ends the thread and stops listening. Connections that were handed over go on.
  public func stop() {
    end.signal()
    let ended = thread.withLock { $0.take() }
    if let ended, !ended.isCurrent { _ = ended.join(within: .seconds(1)) }
    listener.withLock { $0 = nil }
  }

  // MARK: Keychains

  /// Plugs a keychain in.
  /// - Throws: `IOFailure` with EADDRINUSE where another is plugged in at its port.
  func add(_ socket: USBSocket) throws(IOFailure) {
    let isNew = sockets.withLock { sockets in
      guard !sockets.contains(where: { $0.record.busID == socket.record.busID }) else {
        return false
      }
      sockets.append(socket)
      sockets.sort { $0.record.deviceNumber < $1.record.deviceNumber }
      return true
    }
    guard isNew else {
      throw IOFailure(
        "plug in at", errno: EADDRINUSE, path: "the port \(socket.record.busID)",
        reason: "another keychain is there")
    }
  }

  func remove(_ socket: USBSocket) { sockets.withLock { $0.removeAll { $0 === socket } } }

  // MARK: Hosts

  /// Sleeps until there is something to do. False when the server is to end.
  private static func rest(
    _ end: Int32, _ listener: Int32, _ connections: [USBIPConnection]
  ) -> Bool {
    var polled = [
      pollfd(fd: end, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: connections.count < maxConnections ? listener : -1, events: Int16(POLLIN), revents: 0),
    ]
    polled += connections.compactMap(\.polled)
    let deadline = connections.map(\.deadline).min()
    let ready = try? Syscall.poll(&polled, count: polled.count, until: deadline)
    return ready != nil && polled[0].revents == 0
  }

  private func turn(_ connections: [USBIPConnection]) -> [USBIPConnection] {
    var connections = connections
    while connections.count < Self.maxConnections, let next = acceptNext() {
      connections.append(USBIPConnection(next))
    }
    let now = BootClock.now()
    for connection in connections {
      connection.serve { answer($0, connection) }
      if connection.deadline <= now { connection.leave() }
    }
    return connections.filter { $0.polled != nil }
  }

  private func acceptNext() -> OwnedDescriptor? {
    listener.withLock { listener in
      switch listener {
      case .some(let listener): (try? listener.accept()) ?? nil
      case .none: nil
      }
    }
  }

  private func answer(_ request: USBIPRequest, _ connection: USBIPConnection) {
    let sockets = sockets.withLock { $0 }
    switch request {
    case .deviceList:
      connection.say(
        USBIPReply.deviceList(
          sockets.filter { !$0.isTaken }.map { ($0.record, KeychainDescriptors.interfaces) }))
    case .importDevice(let busID):
      guard let socket = sockets.first(where: { $0.record.busID == busID }), socket.claim() else {
        return connection.say(USBIPReply.importRefused)
      }
      guard let connection = connection.handOver(after: USBIPReply.imported(socket.record)) else {
        return socket.release()
      }
      socket.hand(connection)
    }
  }
}

extension USBIPServer: Hashable {
  /// Equal only to itself, by identity.
  public static func == (a: USBIPServer, b: USBIPServer) -> Bool { a === b }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// One client of a USB/IP server, until it has its answer.
final class USBIPConnection {
  private static let patience = Interval.seconds(5)

  private var connection: OwnedDescriptor?
  private var handshake = USBIPHandshake()
  private var reply: [UInt8] = []
  /// When a client without an answer is disconnected.
  let deadline = BootClock.now() + patience

  init(_ connection: consuming OwnedDescriptor) { self.connection = consume connection }

  /// What to poll; nil once the client is served or gone.
  var polled: pollfd? {
    switch connection {
    case .some(let connection):
      pollfd(fd: connection.number, events: Int16(reply.isEmpty ? POLLIN : POLLOUT), revents: 0)
    case .none: nil
    }
  }

  func leave() { connection = nil }

  /// Reads the request, and no byte behind it. Calls `answer` once the request is whole.
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

  /// Sends the reply, now or as the client takes it; then the connection is closed.
  func say(_ bytes: [UInt8]) {
    reply = bytes
    do { try sendReply() } catch { leave() }
  }

  /// Sends a short reply and gives the connection away; nil for a client that has gone.
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

  /// The bytes that have come; nil if there are none yet.
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
