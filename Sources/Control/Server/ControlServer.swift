import FobBase
import Glibc
public import SerialIO
import Synchronization

/// A control socket: newline-delimited JSON on a unix socket that only its owner can open.
///
/// A client sends one object a line, and reads for each one line of answer or a stream of lines. It
/// may send ahead: its requests are handled one after the other, in order. A line that is not a
/// JSON object is answered `{"error":"…","ok":false}` and does no other harm.
public final class ControlServer: Sendable {
  /// The socket's path.
  public let path: String
  private let shared: ServerShared
  private let thread: BlockingThread

  /// Listens and starts the thread. A socket that a dead process left behind is replaced.
  /// - Parameters:
  ///   - path: at most 107 bytes.
  ///   - handler: called on the server's thread, so it must not block; it may answer later.
  /// - Throws: `IOFailure`; EADDRINUSE if a process listens there already.
  public convenience init(
    path: String, handler: @escaping @Sendable (ControlRequest, ControlReply) -> Void
  ) throws(IOFailure) {
    try self.init(at: try UnixListener(path: path), handler: handler)
  }

  /// Starts the thread on a socket that listens already: who must not be in another's way takes the
  /// socket first, and what goes with it afterwards.
  /// - Parameter handler: as for ``init(path:handler:)``.
  public init(
    at listener: consuming UnixListener,
    handler: @escaping @Sendable (ControlRequest, ControlReply) -> Void
  ) throws(IOFailure) {
    path = listener.path
    let shared = try ServerShared(handler: handler)
    let handover = SendableBox(listener)
    thread = try BlockingThread(name: "control") {
      guard let listener = handover.take() else { return }
      var loop = ServerLoop(listener, shared)
      loop.run()
    }
    self.shared = shared
  }

  deinit { stop() }

  /// Writes as much as the clients take at once, closes them, and removes the socket.
  /// - Returns: false if the handler held the thread for longer than a second.
  @discardableResult
  public func stop() -> Bool {
    shared.isStopping.store(true, ordering: .releasing)
    shared.signal.signal()
    return thread.isCurrent ? true : thread.join(within: .seconds(1))
  }
}

/// Carries the listener into the thread: a closure that may run twice cannot own it.
final class SendableBox: Sendable {
  private let listener: Mutex<UnixListener?>

  init(_ listener: consuming UnixListener) {
    self.listener = Mutex(consume listener)
  }

  func take() -> UnixListener? { listener.withLock { $0.take() } }
}

/// The server's thread: waits for the listener, its signal and all clients at once.
struct ServerLoop: ~Copyable {
  private let listener: UnixListener
  private let shared: ServerShared
  private var connections: [ServerConnection] = []
  private var polled: [pollfd] = []
  /// Set while the process has no free descriptor: the listener stays readable, and the loop would
  /// spin.
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
      // Before new clients are accepted, which would otherwise be refused because of those that
      // left.
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
        // A client that came in this turn is heard before it gives way; further clients wait for
        // the next turn.
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

  /// The client that has asked for nothing for longest: forgotten clients must not keep a person
  /// from ending an alarm. Nil if every client is being answered, has a stream, or has just come.
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

/// Shared by the server's thread and its owner.
final class ServerShared: Sendable {
  let signal: EventSignal
  let isStopping = Atomic(false)
  let handler: @Sendable (ControlRequest, ControlReply) -> Void

  init(handler: @escaping @Sendable (ControlRequest, ControlReply) -> Void) throws(IOFailure) {
    signal = try EventSignal()
    self.handler = handler
  }
}

/// One client, as the server's thread sees it.
final class ServerConnection {
  let outbox: WriteBuffer
  private let socket: OwnedDescriptor
  private var splitter = LineSplitter(limit: ControlLimits.maxRequestSize)
  private var unwritten: ArraySlice<UInt8> = []
  /// The client sends no more, but may still read, as `printf … | nc -N` does.
  private var hasFinished = false
  private var isBroken = false
  /// When it came, or last sent something.
  private(set) var heardAt = BootClock.now()

  init(_ socket: consuming OwnedDescriptor, outbox: WriteBuffer) {
    self.socket = socket
    self.outbox = outbox
  }

  var descriptor: Int32 { socket.number }

  /// The events to poll for; hanging up is always reported. A client with an unanswered request or
  /// with unread answers is not read, so it cannot fill this process.
  var events: Int32 {
    let reads = canTakeRequest && !hasFinished ? POLLIN : 0
    return unwritten.isEmpty ? reads : reads | POLLOUT
  }

  /// Nothing is left to do, or nobody is there any more.
  var isOver: Bool {
    if isBroken { return true }
    return hasFinished && canTakeRequest && !splitter.hasUnfinishedLine
  }

  /// No answer to it is under way.
  var canTakeRequest: Bool { unwritten.isEmpty && !outbox.isBusy && outbox.isEmpty }

  func read(into buffer: UnsafeMutableRawBufferPointer, events: Int32) {
    if events & POLLIN == 0 {
      // Both directions are closed: nobody can read an answer.
      if events & (POLLHUP | POLLERR) != 0 { isBroken = true }
      return
    }
    do {
      guard let count = try socket.read(into: buffer) else { return }
      if count == 0 { hasFinished = true }
      heardAt = BootClock.now()
      splitter.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    } catch {
      isBroken = true
    }
  }

  /// Handles requests one at a time and writes answers, until one has to wait.
  func advance(_ handler: (ControlRequest, ControlReply) -> Void) {
    while !isBroken {
      write()
      guard canTakeRequest, !isBroken else { return }
      guard let item = splitter.next() else {
        refuseUnfinishedLine()
        return
      }
      switch item {
      case .tooLong:
        outbox.add(
          JSONLine.failure("the request is longer than \(ControlLimits.maxRequestSize) bytes"))
      case .line(let line) where JSONLine.isObject(line):
        outbox.beginRequest()
        handler(ControlRequest(line: line), ControlReply(outbox))
      case .line:
        outbox.add(JSONLine.failure("the request is not a JSON object"))
      }
    }
  }

  /// Tells a client why it must go.
  func dismiss(_ reason: String) {
    let line = JSONLine.failure(reason) + [0x0A]
    _ = try? line.withUnsafeBytes { try socket.send($0) }
    outbox.clientLeft()
  }

  private func write() {
    while true {
      if unwritten.isEmpty { unwritten = outbox.take()[...] }
      if unwritten.isEmpty { return }
      do {
        let taken = try unwritten.withUnsafeBytes { (bytes) throws(IOFailure) in
          try socket.send(bytes)
        }
        guard let taken else { return }
        unwritten.removeFirst(taken)
      } catch {
        isBroken = true
        return
      }
    }
  }

  /// A request that was cut off is refused, even if the part that came is an object.
  private func refuseUnfinishedLine() {
    guard hasFinished, splitter.hasUnfinishedLine else { return }
    splitter = LineSplitter(limit: ControlLimits.maxRequestSize)
    outbox.add(JSONLine.failure("the request does not end with a newline"))
    write()
  }
}
