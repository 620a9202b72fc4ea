import Control
import FobBase
import Glibc
import SerialIO
import Synchronization
import Testing

@Suite struct StreamTests {
  @Test func `a stream has its lines in order, and requests again after its end`() throws {
    let fixture = try Fixture { request, reply in
      guard let count = (try? request.decode(Numbered.self))?.n, count > 0 else {
        reply.send(Numbered(n: -1))
        return
      }
      let stream = reply.stream()
      for n in 0..<count { stream.send(Numbered(n: n)) }
      stream.end()
      #expect(!stream.send(Numbered(n: 99)), "an ended stream takes no more")
    }
    let client = try fixture.client()
    try client.send(#"{"n":100}"#, before: Fixture.deadline())
    try client.send(#"{"n":0}"#, before: Fixture.deadline())
    let expected = (0..<100).map { #"{"n":\#($0)}"# } + [#"{"n":-1}"#]
    #expect(Array(client.lines(before: Fixture.deadline()).prefix(101)) == expected)
  }

  @Test func `a client that reads too slowly is told how many lines it lost, and goes on`() throws {
    let streams = Streams()
    let fixture = try Fixture { _, reply in streams.open(reply) }
    let client = try fixture.client()
    try client.send("{}", before: Fixture.deadline())
    let stream = try streams.wait()
    let padding = String(repeating: "x", count: 1_000)
    var sent = 0
    var lost = 0
    while lost < 10 {
      if stream.send(Padded(n: sent, padding: padding)) { sent += 1 } else { lost += 1 }
    }
    for n in 0..<sent {
      let line = try #require(try client.nextLine(before: Fixture.deadline()))
      #expect(line.hasPrefix(#"{"n":\#(n),"#))
    }
    #expect(try client.nextLine(before: Fixture.deadline()) == #"{"lost":10}"#)
    #expect(stream.send(Numbered(n: 7)))
    #expect(try client.nextLine(before: Fixture.deadline()) == #"{"n":7}"#)
  }

  @Test func `a client that leaves is noticed, though the stream is silent`() throws {
    let streams = Streams()
    let fixture = try Fixture { _, reply in streams.open(reply) }
    let stream: ControlStream
    do {
      let client = try fixture.client()
      try client.send("{}", before: Fixture.deadline())
      stream = try streams.wait()
    }
    try streams.waitForLeaving()
    #expect(stream.clientHasLeft)
    #expect(!stream.send(Numbered(n: 1)))
  }

  @Test func `a stream that is let go ends`() throws {
    let fixture = try Fixture { _, reply in reply.stream().send(Numbered(n: 1)) }
    let client = try fixture.client()
    for _ in 0..<3 { #expect(try client.request("{}") == #"{"n":1}"#) }
  }

  private struct Padded: Encodable {
    let n: Int
    let padding: String
  }
}

/// Takes a stream from the server's thread to the test's.
private final class Streams: Sendable {
  private let stream = Mutex<ControlStream?>(nil)
  private let opened: EventSignal
  private let left: EventSignal

  init() {
    do {
      opened = try EventSignal()
      left = try EventSignal()
    } catch {
      preconditionFailure(error.description)
    }
  }

  func open(_ reply: ControlReply) {
    let new = reply.stream(onLeave: { [weak self] in self?.left.signal() })
    stream.withLock { $0 = new }
    opened.signal()
  }

  func wait() throws -> ControlStream {
    try wait(for: opened.descriptor)
    return try #require(stream.withLock { $0 })
  }

  func waitForLeaving() throws { try wait(for: left.descriptor) }

  private func wait(for descriptor: Int32) throws {
    let events = try Syscall.poll(descriptor, for: POLLIN, until: Fixture.deadline())
    try #require(events != 0, "nothing came within 10 s")
  }
}
