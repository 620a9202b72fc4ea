import Control
import Glibc
import SerialIO
import TestSupport
import Testing

@Suite struct GarbageTests {
  @Test(arguments: 1...60)
  func `every line of garbage gets one answer and the server lives on`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try Fixture()
    let stream = Garbage.stream(using: &random) + [0x0A]
    let socket = try UnixSocket.connect(path: fixture.server.path)
    var sent = 0
    while sent < stream.count {
      let taken = try stream[sent...].withUnsafeBytes { try socket.send($0) }
      sent += taken ?? 0
      if taken == nil {
        let events = try Syscall.poll(socket.number, for: POLLOUT, until: Fixture.deadline())
        try #require(events != 0)
      }
    }
    try #require(shutdown(socket.number, Int32(SHUT_WR)) == 0)
    let answers = try Garbage.readToEnd(of: socket)
    #expect(answers.count == Garbage.lines(of: stream))
    #expect(answers.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    #expect(try fixture.client().request(#"{"n":1}"#) == #"{"n":1}"#)
  }

  @Test(arguments: 1...20)
  func `clients that leave at any point harm nobody`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try Fixture()
    for _ in 0..<ControlLimits.clients / 2 {
      let socket = try UnixSocket.connect(path: fixture.server.path)
      let stream = Garbage.stream(using: &random)
      _ = try stream.withUnsafeBytes { try socket.send($0) }
    }
    #expect(try fixture.client().request(#"{"n":1}"#) == #"{"n":1}"#)
  }
}
