import FobBase
import Glibc
import Testing

@testable import SerialIO

@Suite final class TCPTests {
  private let never: EventSignal

  init() throws { never = try EventSignal() }

  @Test(arguments: ["127.0.0.1", "::1", "localhost"])
  func `bytes pass both ways`(host: String) throws {
    let listener = try TCPListener(host: host, port: 0)
    #expect(listener.port != 0)
    let near = try connect(host, listener.port)
    let far = try accept(listener)
    try TerminalProbe.writeAll([1, 2, 3], to: near)
    #expect(try TerminalProbe.read(3, from: far) == [1, 2, 3])
    try TerminalProbe.writeAll([4], to: far)
    #expect(try TerminalProbe.read(1, from: near) == [4])
  }

  @Test func `both ends send at once and notice a dead peer in about ten seconds`() throws {
    let listener = try TCPListener(host: "127.0.0.1", port: 0)
    let near = try connect("127.0.0.1", listener.port)
    let far = try accept(listener)
    for number in [near.number, far.number] {
      let tcp = Int32(IPPROTO_TCP)
      #expect(try option(tcp, TCP_NODELAY, of: number) != 0)
      #expect(try option(SOL_SOCKET, SO_KEEPALIVE, of: number) != 0)
      let idle = try option(tcp, TCP_KEEPIDLE, of: number)
      let interval = try option(tcp, TCP_KEEPINTVL, of: number)
      let limit = try option(tcp, TCP_USER_TIMEOUT, of: number)
      #expect(interval == 1)
      // Silent: the probes begin within the limit. Not silent: what is sent by then counts.
      #expect(Int(idle) * 1_000 < Int(limit))
      #expect((8_000...12_000).contains(Int(idle) * 1_000 + Int(limit)))
    }
    _ = consume near
    _ = consume far
  }

  @Test func `nobody listening is a refusal by name`() throws {
    let port = try freePort()
    let refusal = #expect(throws: IOFailure.self) { _ = try connect("127.0.0.1", port) }
    #expect(refusal?.errno == ECONNREFUSED)
    #expect(refusal?.description == "cannot connect to 127.0.0.1:\(port): Connection refused")
  }

  @Test func `a port that is taken is refused, and free again at once when it is let go`() throws {
    let port: UInt16
    do {
      let listener = try TCPListener(host: "127.0.0.1", port: 0)
      let taken = listener.port
      let refusal = #expect(throws: IOFailure.self) {
        _ = try TCPListener(host: "127.0.0.1", port: taken)
      }
      #expect(refusal?.errno == EADDRINUSE)
      let near = try connect("127.0.0.1", taken)
      // This end closes first, and so keeps the port in TIME_WAIT.
      _ = try accept(listener)
      _ = consume listener
      _ = consume near
      port = taken
    }
    _ = try TCPListener(host: "127.0.0.1", port: port)
  }

  @Test func `an end that would be connected to itself is refused`() throws {
    let port = try freePort()
    let socket = try TCPOptions.makeSocket(AF_INET, path: "itself")
    let address = try #require(TCPAddress.numeric(host: "127.0.0.1", port: port))
    let number = socket.number
    let results = try address.withPointer { (pointer, length) throws(IOFailure) in
      [bind(number, pointer, length), Glibc.connect(number, pointer, length)]
    }
    #expect(results[0] == 0)
    _ = try Syscall.poll(number, for: POLLOUT, until: Watchdog.deadline())
    // This is what the kernel makes of it, and how the connector knows.
    #expect(try TCPAddress(of: socket) == address)
    #expect(try TCPAddress(of: socket).port == port)
  }

  @Test func `a connecting that hangs ends when it is cancelled, and at its deadline`() throws {
    // A listener whose queue is full answers no SYN.
    let listener = try TCPListener(host: "127.0.0.1", port: 0, backlog: 0)
    let port = listener.port
    let first = try connect("127.0.0.1", port)
    let cancel = try EventSignal()
    let connector = TCPConnector(host: "127.0.0.1", port: port)
    let began = BootClock.now()
    let late = #expect(throws: IOFailure.self) {
      _ = try connector.connect(cancel: never.descriptor, until: began + .milliseconds(50))
    }
    #expect(late?.errno == ETIMEDOUT)
    cancel.signal()
    let ended = #expect(throws: IOFailure.self) {
      _ = try connector.connect(cancel: cancel.descriptor, until: began + .seconds(60))
    }
    #expect(ended?.errno == ECANCELED)
    #expect(BootClock.now() - began < .seconds(5))
    _ = consume first
    _ = consume listener
  }

  @Test func `a name that nobody has is told in the resolver's words`() throws {
    let refusal = #expect(throws: IOFailure.self) { _ = try connect("bench.invalid", 4_000) }
    #expect(refusal?.path == "bench.invalid")
    #expect(refusal?.operation == "find")
  }

  @Test func `a look-up that is cancelled does not wait for the resolver`() throws {
    let cancel = try EventSignal()
    cancel.signal()
    let lookup = NameLookup(host: "bench.invalid", port: 1)
    let began = BootClock.now()
    #expect(throws: IOFailure.self) {
      try lookup.addresses(cancel: cancel.descriptor, until: began + .seconds(60))
    }
    #expect(BootClock.now() - began < .seconds(5))
  }

  private func connect(_ host: String, _ port: UInt16) throws(IOFailure) -> OwnedDescriptor {
    try TCPConnector(host: host, port: port).connect(
      cancel: never.descriptor, until: Watchdog.deadline())
  }

  private func accept(_ listener: borrowing TCPListener) throws -> OwnedDescriptor {
    let events = try Syscall.poll(listener.descriptor, for: POLLIN, until: Watchdog.deadline())
    try #require(events != 0, "no client came")
    guard let client = try listener.accept() else {
      throw IOFailure("accept at", errno: EAGAIN, path: "the listener")
    }
    return client
  }

  /// One on which nobody listens any more.
  private func freePort() throws -> UInt16 {
    let listener = try TCPListener(host: "127.0.0.1", port: 0)
    return listener.port
  }

  private func option(_ level: Int32, _ name: Int32, of number: Int32) throws -> Int32 {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    try #require(getsockopt(number, level, name, &value, &length) == 0)
    return value
  }
}
