import FobBase
import Glibc
import SerialIO
import Synchronization
import TestSupport
import Testing

@Suite struct ReaderLoopTests {
  private let bytes: Gathered<UInt8>
  private let gone: Gathered<GoneReason>

  init() throws {
    bytes = Gathered()
    gone = Gathered()
  }

  private func loop(on device: borrowing PseudoTerminal) throws -> ReaderLoop {
    let handlers = ReaderHandlers(
      onBytes: { [bytes] read, _ in bytes.put(contentsOf: Array(read)) },
      onGone: { [gone] in gone.put($0) })
    return try ReaderLoop(
      SerialLine(path: device.slavePath).intoDescriptor(), name: "reader", handlers: handlers)
  }

  @Test func `bytes come with the time after their read, on a real pty`() throws {
    let device = try PseudoTerminal()
    let times = Gathered<UInt64>()
    let loop = try ReaderLoop(
      SerialLine(path: device.slavePath).intoDescriptor(), name: "reader",
      handlers: ReaderHandlers(onBytes: { times.put($1) }, onGone: { _ in }))
    try loop.start()
    let before = BootClock.nanoseconds()
    try TerminalProbe.writeAll([1], to: device.master)
    let time = try times.take()[0]
    #expect(before < time && time < BootClock.nanoseconds())
    #expect(loop.stop())
  }

  @Test func `a device that closes hangs up, after its last bytes, on a socket`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    try #require(fcntl(ends[0], F_SETFL, O_RDWR | O_NONBLOCK) == 0)
    let handlers = ReaderHandlers(
      onBytes: { [bytes] read, _ in bytes.put(contentsOf: Array(read)) },
      onGone: { [gone] in gone.put($0) })
    let loop = try ReaderLoop(
      OwnedDescriptor(owning: ends[0], path: "a socket"), name: "reader", handlers: handlers)
    do {
      let device = OwnedDescriptor(owning: ends[1], path: "a socket")
      try TerminalProbe.writeAll([1, 2, 3], to: device)
    }
    try loop.start()
    #expect(try gone.take() == [.hungUp])
    #expect(try bytes.take() == [1, 2, 3])
    #expect(loop.send([4]) == .closed)
    #expect(loop.stop())
  }

  @Test func `a hang-up closes the line before it is told, on a real pty`() throws {
    let loop: ReaderLoop
    do {
      let device = try PseudoTerminal()
      loop = try self.loop(on: device)
      try loop.start()
    }
    #expect(try gone.take() == [.hungUp])
    #expect(loop.send([1]) == .closed)
    #expect(loop.stop())
  }

  @Test func `a stop ends a blocked reader within 100 ms and says nothing, on a real pty`() throws {
    let device = try PseudoTerminal()
    for _ in 0..<20 {
      let loop = try loop(on: device)
      try loop.start()
      TerminalProbe.expect(device, isOpen: true)
      #expect(loop.stop())
      #expect(loop.stop(), "a second stop is harmless")
      TerminalProbe.expect(device, isOpen: false)
    }
    gone.put(.hungUp)
    #expect(try gone.take().count == 1, "a stop is not told as a loss")
  }

  @Test func `a handler may stop its own reader, on a real pty`() throws {
    let device = try PseudoTerminal()
    let stopped = Gathered<Bool>()
    let handle = SharedLoop()
    let loop = try ReaderLoop(
      SerialLine(path: device.slavePath).intoDescriptor(), name: "reader",
      handlers: ReaderHandlers(
        onBytes: { _, _ in stopped.put(handle.loop.withLock { $0 }?.stop() ?? false) },
        onGone: { _ in }))
    handle.loop.withLock { $0 = loop }
    try loop.start()
    try TerminalProbe.writeAll([1], to: device.master)
    #expect(try stopped.take() == [true])
    #expect(loop.stop())
  }

  @Test func `a deadline comes, and comes again where it was moved to, on a real pty`() throws {
    let device = try PseudoTerminal()
    let start = BootClock.now()
    let deadlines = Deadlines([.milliseconds(1), .milliseconds(3), .milliseconds(2)])
    let woken = Gathered<Instant>()
    let loop = try ReaderLoop(
      SerialLine(path: device.slavePath).intoDescriptor(), name: "reader",
      handlers: ReaderHandlers(
        onBytes: { _, _ in }, nextWake: { deadlines.next },
        onWake: { now in
          deadlines.pass(now)
          woken.put(now)
        }, onGone: { _ in }))
    try loop.start()
    let times = try woken.take(atLeast: 3)
    #expect(times.count == 3)
    #expect(times[2] - start >= .milliseconds(6))
    loop.wake()
    #expect(try woken.take().count == 1, "a wake needs no deadline")
    #expect(loop.stop())
  }
}

private final class SharedLoop: Sendable {
  let loop = Mutex<ReaderLoop?>(nil)
}

/// Delays to keep one after the other, the next one counted from the last wake.
private final class Deadlines: Sendable {
  private let state: Mutex<(left: [Interval], next: Instant?)>

  init(_ delays: [Interval]) {
    state = Mutex((Array(delays.dropFirst()), BootClock.now() + delays[0]))
  }

  var next: Instant? { state.withLock { $0.next } }

  func pass(_ now: Instant) {
    state.withLock { $0.next = $0.left.isEmpty ? nil : now + $0.left.removeFirst() }
  }
}
