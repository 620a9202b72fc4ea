import FobBase
import Glibc
import SerialIO
import Synchronization
import TestSupport
import Testing

@testable import Transport

/// The thread of a USB line, with libusb stood in for.
@Suite struct USBReaderTests {
  private let connection: StandInConnection
  private let told = Gathered<GoneReason>()
  private let came = Gathered<UInt8>()

  init() throws { connection = try StandInConnection() }

  private func reader(
    nextWake: @escaping @Sendable () -> Instant? = { nil },
    onWake: @escaping @Sendable (Instant) -> Void = { _ in }
  ) throws -> USBReader {
    try USBReader(
      connection,
      handlers: ReaderHandlers(
        onBytes: { [came] bytes, _ in for byte in bytes { came.put(byte) } }, nextWake: nextWake,
        onWake: onWake, onGone: { [told] in told.put($0) }))
  }

  private func bytes(_ count: Int) throws -> [UInt8] {
    try came.take("\(count) bytes") { bytes in
      guard bytes.count >= count else { return nil }
      defer { bytes.removeFirst(count) }
      return Array(bytes.prefix(count))
    }
  }

  @Test func `bytes come in order, each packet by itself`() throws {
    let reader = try reader()
    try reader.start()
    for n in 0..<200 as Range<UInt8> { try connection.say([n]) }
    #expect(try bytes(200) == Array(0..<200))
    #expect(reader.stop())
    let closings = connection.state.withLock { $0.closings }
    #expect(closings == [false])
    #expect(reader.send([1]) == .closed)
    #expect(told.all.isEmpty, "a stop is no unplugging")
  }

  @Test func `an unplugged device is closed before it is told, once`() throws {
    let reader = try reader()
    try reader.start()
    try connection.say([1])
    #expect(try bytes(1) == [1])
    connection.pullOut()
    _ = try told.take("the end") { $0.isEmpty ? nil : $0.removeFirst() == .hungUp }
    let closings = connection.state.withLock { $0.closings }
    #expect(closings == [true])
    #expect(reader.send([1]) == .closed)
    #expect(reader.stop())
    #expect(connection.state.withLock { $0.closings.count } == 1)
  }

  @Test func `a stall is cleared, and the line goes on`() throws {
    let reader = try reader()
    try reader.start()
    try connection.say([], .stalled)
    try connection.say([5])
    #expect(try bytes(1) == [5])
    #expect(connection.state.withLock { $0.clearings } == 1)
    #expect(reader.stop())
  }

  @Test func `a device that stalls for ever ends the line, and the failure says so`() throws {
    let reader = try reader()
    try reader.start()
    while told.all.isEmpty {
      connection.stall()
      sched_yield()
    }
    let reason = try told.take("the end") { $0.isEmpty ? nil : $0.removeFirst() }
    guard case .failed(let failure) = reason else {
      Issue.record("\(reason)")
      return
    }
    #expect(failure.errno == EPIPE && failure.path == "usb:1209:0001:A")
    #expect(reader.stop())
  }

  @Test func `a device that never gives a transfer back does not keep a stop for ever`() throws {
    connection.state.withLock { $0.givesBack = false }
    let reader = try reader()
    try reader.start()
    try connection.say([1])
    #expect(try bytes(1) == [1])
    let began = BootClock.now()
    #expect(!reader.stop(), "and it says so")
    #expect(BootClock.now() - began < USBReader.stopPatience + .seconds(1))
    let (closings, isAbandoned) = connection.state.withLock { ($0.closings, $0.isAbandoned) }
    #expect(closings.isEmpty && isAbandoned, "what is in flight keeps its memory")
  }

  @Test func `frames to a device that takes none are dropped at once, and counted`() throws {
    connection.state.withLock { $0.takes = false }
    let reader = try reader()
    try reader.start()
    let frame = [UInt8](repeating: 3, count: 256)
    let outcomes = (0..<20).map { _ in reader.send(frame) }
    let room = Limits.hostTransmitBuffer / 256
    #expect(outcomes[0] == .written)
    #expect(outcomes[1..<room].allSatisfy { $0 == .queued })
    #expect(outcomes[room...].allSatisfy { $0 == .dropped })
    #expect(reader.droppedFrames == UInt64(20 - room))
    #expect(reader.stop())
  }

  @Test func `frames sent by several threads, and before the start, stay whole`() throws {
    let reader = try reader()
    #expect(reader.send([0, 0]) == .written)
    try reader.start()
    let threads = try (1...3 as ClosedRange<UInt8>).map { number in
      try BlockingThread(name: "sender") {
        for _ in 0..<200 { while reader.send([number, number]) == .dropped { sched_yield() } }
      }
    }
    for thread in threads { #expect(thread.join(within: .seconds(10))) }
    while connection.state.withLock({ $0.taken.count }) < 1_202 { sched_yield() }
    let taken = connection.state.withLock { $0.taken }
    #expect(stride(from: 0, to: taken.count, by: 2).allSatisfy { taken[$0] == taken[$0 + 1] })
    #expect(reader.stop())
  }

  @Test func `a deadline and a wake call the handler on the reader's thread`() throws {
    let next = Mutex<Instant?>(BootClock.now() + .milliseconds(20))
    let woken = Gathered<Int>()
    let reader = try reader(
      nextWake: { next.withLock { $0 } },
      onWake: { _ in
        next.withLock { $0 = nil }
        woken.put(1)
      })
    try reader.start()
    _ = try woken.take("the deadline") { $0.isEmpty ? nil : $0.removeFirst() }
    reader.wake()
    _ = try woken.take("the wake") { $0.isEmpty ? nil : $0.removeFirst() }
    #expect(reader.stop())
  }

  @Test func `a handler may send, and stop the line`() throws {
    let line = Mutex<USBReader?>(nil)
    let done = Gathered<Bool>()
    let connection = connection
    let reader = try USBReader(
      connection,
      handlers: ReaderHandlers(
        onBytes: { bytes, _ in
          let reader = line.withLock { $0 }
          done.put(reader?.send(bytes) == .written && reader?.stop() == true)
        }, onGone: { _ in }))
    line.withLock { $0 = reader }
    try reader.start()
    try connection.say([9])
    #expect(try done.take("the answer") { $0.isEmpty ? nil : $0.removeFirst() })
    #expect(reader.stop())
    #expect(connection.state.withLock { $0.closings } == [false])
    line.withLock { $0 = nil }
  }

  @Test func `one that never started closes its device`() throws {
    do {
      let reader = try reader()
      #expect(reader.send([1]) == .written)
      _ = consume reader
    }
    #expect(connection.state.withLock { $0.closings } == [false])
  }

  @Test func `a thousand lines leave neither thread nor reader behind`() throws {
    for number in 0..<1_000 {
      weak var gone: USBReader?
      let connection = try StandInConnection()
      do {
        let reader = try USBReader(
          connection, handlers: ReaderHandlers(onBytes: { _, _ in }, onGone: { _ in }))
        gone = reader
        try reader.start()
        if number % 2 == 0 { connection.pullOut() }
        #expect(reader.stop())
      }
      #expect(gone == nil)
    }
  }
}

extension USBReader {
  fileprivate func send(_ frame: [UInt8]) -> SendOutcome { frame.withUnsafeBytes { send($0) } }
}
