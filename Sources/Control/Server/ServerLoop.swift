import FobBase
import Glibc
import SerialIO
import Synchronization

/// The server's thread: waits for the listener, its signal and all clients at once.
struct ServerLoop: ~Copyable {
  private let listener: UnixListener
  private let shared: ServerShared
  private var connections: [ServerConnection] = []
  private var polled: [pollfd] = []
  /// Set when the process has no descriptor left: the listener stays readable, and would make
  /// the loop spin.
  private var acceptAgain: Instant?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: Limits.readBuffer, alignment: 16)

  init(_ listener: consuming UnixListener, _ shared: ServerShared) {
    self.listener = listener
    self.shared = shared
  }

  deinit { buffer.deallocate() }

  mutating func run() {
    while !shared.isStopping.load(ordering: .acquiring) {
      guard wait() else { break }
      shared.signal.clear()
      for (index, connection) in connections.enumerated() {
        connection.read(into: buffer, events: Int32(polled[index + 2].revents))
      }
      for connection in connections { connection.advance(shared.handler) }
      // Before new clients come in, or they would be refused for the sake of those that left.
      removeFinished()
      if polled[0].revents != 0 || acceptAgain != nil { acceptClients() }
    }
    for connection in connections {
      connection.advance { _, reply in reply.fail("the server is stopping") }
      connection.outbox.clientLeft()
    }
  }

  /// False if polling itself fails, which only a broken process does.
  private mutating func wait() -> Bool {
    polled.removeAll(keepingCapacity: true)
    let listenerEvents = Int16(acceptAgain == nil ? POLLIN : 0)
    polled.append(pollfd(fd: listener.descriptor, events: listenerEvents, revents: 0))
    polled.append(pollfd(fd: shared.signal.descriptor, events: Int16(POLLIN), revents: 0))
    for connection in connections {
      polled.append(
        pollfd(fd: connection.descriptor, events: Int16(connection.events), revents: 0))
    }
    return (try? Syscall.poll(&polled, count: polled.count, until: acceptAgain)) != nil
  }

  private mutating func acceptClients() {
    acceptAgain = nil
    let began = BootClock.now()
    do {
      while true {
        let isFull = connections.count >= ControlLimits.clients
        let place = isFull ? quietest(before: began) : nil
        // Who has come in this turn is heard before it gives way; the others wait for the next.
        if isFull, place == nil, connections.contains(where: \.canTakeRequest) { return }
        guard let socket = try listener.accept() else { return }
        let outbox = WriteBuffer { [shared] in shared.signal.signal() }
        let connection = ServerConnection(socket, outbox: outbox)
        if let place {
          let reason = "too many clients: this one had asked for nothing for longest"
          connections.remove(at: place).dismiss(reason)
        } else if isFull {
          connection.dismiss("too many clients")
          continue
        }
        connections.append(connection)
      }
    } catch {
      acceptAgain = BootClock.now() + .seconds(1)
    }
  }

  /// Whoever has asked for nothing for longest: clients that are forgotten somewhere keep nobody
  /// from ending an alarm. Nil: each is being answered, or has a stream, or has just come.
  private func quietest(before began: Instant) -> Int? {
    connections.indices.filter { connections[$0].canTakeRequest && connections[$0].heardAt < began }
      .min { connections[$0].heardAt < connections[$1].heardAt }
  }

  private mutating func removeFinished() {
    connections.removeAll { connection in
      guard connection.isOver else { return false }
      connection.outbox.clientLeft()
      return true
    }
  }
}
