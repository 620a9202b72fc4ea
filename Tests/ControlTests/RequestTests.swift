import Control
import FobBase
import Glibc
import SerialIO
import Synchronization
import Testing

@Suite struct RequestTests {
  @Test func `one line in, one line out`() throws {
    let fixture = try Fixture()
    let client = try fixture.client()
    #expect(try client.request(#"{"n":7}"#) == #"{"n":7}"#)
    #expect(try client.request(Numbered(n: 8), as: Numbered.self) == Numbered(n: 8))
  }

  @Test func `requests sent ahead are answered in order, even when answers come late`() throws {
    let late = LateAnswers()
    let fixture = try Fixture { request, reply in late.answer(request, reply) }
    let client = try fixture.client()
    for n in 0..<50 { try client.send(#"{"n":\#(n)}"#, before: Fixture.deadline()) }
    for n in 0..<50 {
      #expect(try client.nextLine(before: Fixture.deadline()) == #"{"n":\#(n)}"#)
    }
  }

  @Test func `a client whose answer is late keeps no other waiting`() throws {
    let shared = Kept()
    let fixture = try Fixture { request, reply in
      if (try? request.decode(Numbered.self))?.n == 0 {
        shared.reply.withLock { $0 = reply }
      } else {
        reply.send(Numbered(n: 1))
      }
    }
    let slow = try fixture.client()
    try slow.send(#"{"n":0}"#, before: Fixture.deadline())
    let fast = try fixture.client()
    #expect(try fast.request(#"{"n":1}"#) == #"{"n":1}"#)
    while shared.reply.withLock({ $0 == nil }) { _ = try fast.request(#"{"n":1}"#) }
    shared.reply.withLock { $0.take() }?.send(Numbered(n: 2))
    #expect(try slow.nextLine(before: Fixture.deadline()) == #"{"n":2}"#)
  }

  @Test func `a request that nobody answers is answered with an error`() throws {
    let fixture = try Fixture { _, _ in }
    let answer = try fixture.client().request("{}")
    #expect(answer == #"{"error":"the request was not answered","ok":false}"#)
  }

  @Test(arguments: ["[]", "7", "{", #"{"a":}"#, "{}{}", "null", "\u{FEFF}?"])
  func `what is no object is refused and the next request works`(line: String) throws {
    let fixture = try Fixture()
    let client = try fixture.client()
    let refusal = #"{"error":"the request is not a JSON object","ok":false}"#
    #expect(try client.request(line) == refusal)
    #expect(try client.request(#"{"n":1}"#) == #"{"n":1}"#)
  }

  @Test func `the longest request passes, one byte more is refused and loses nothing else`() throws
  {
    let fixture = try Fixture()
    let client = try fixture.client()
    let frame = #"{"n":1,"x":""}"#
    let room = ControlLimits.maxRequestSize - frame.utf8.count
    let fits = #"{"n":1,"x":"\#(String(repeating: "x", count: room))"}"#
    #expect(try client.request(fits) == #"{"n":1}"#)
    #expect(
      try client.request(fits + " ")
        == #"{"error":"the request is longer than 65536 bytes","ok":false}"#)
    #expect(try client.request(String(repeating: "[", count: 300_000)).contains("longer"))
    #expect(try client.request(#"{"n":2}"#) == #"{"n":2}"#)
  }

  @Test func `deep nesting is refused`() throws {
    let fixture = try Fixture()
    let deep = String(repeating: #"{"a":"#, count: 10_000)
    #expect(try fixture.client().request(deep).contains("not a JSON object"))
  }

  @Test func `a client that sends no more still gets its answers`() throws {
    let fixture = try Fixture()
    let socket = try UnixSocket.connect(path: fixture.server.path)
    let sent = Array("{\"n\":1}\n{\"n\":2}".utf8)
    #expect(try sent.withUnsafeBytes { try socket.send($0) } == sent.count)
    #expect(shutdown(socket.number, Int32(SHUT_WR)) == 0)
    let answers = try Garbage.readToEnd(of: socket)
    #expect(
      answers == [
        #"{"n":1}"#, #"{"error":"the request does not end with a newline","ok":false}"#,
      ])
  }

  @Test func `one client too many takes the place of the one that asked for nothing for longest`()
    throws
  {
    let fixture = try Fixture()
    let clients = try (0..<ControlLimits.clients).map { _ in try fixture.client() }
    // The first asks again, so that the second is the quietest.
    for client in clients + [clients[0]] { _ = try client.request(#"{"n":1}"#) }
    #expect(try fixture.client().request(#"{"n":2}"#) == #"{"n":2}"#)
    let told = try clients[1].nextLine(before: Fixture.deadline())
    #expect(told?.hasPrefix(#"{"error":"too many clients: this one had asked for nothing"#) == true)
    #expect(try clients[1].nextLine(before: Fixture.deadline()) == nil)
    #expect(try clients[0].request(#"{"n":3}"#) == #"{"n":3}"#)
  }

  @Test func `one client too many is refused where all others are being answered`() throws {
    let streams = Mutex<[ControlStream]>([])
    let fixture = try Fixture { _, reply in
      let stream = reply.stream()
      stream.send(Numbered(n: 1))
      streams.withLock { $0.append(stream) }
    }
    let clients = try (0..<ControlLimits.clients).map { _ in try fixture.client() }
    for client in clients { #expect(try client.request("{}") == #"{"n":1}"#) }
    let refused = try fixture.client()
    let answer = try refused.nextLine(before: Fixture.deadline())
    #expect(answer == #"{"error":"too many clients","ok":false}"#)
    #expect(streams.withLock { $0[0].send(Numbered(n: 2)) })
    #expect(try clients[0].nextLine(before: Fixture.deadline()) == #"{"n":2}"#)
  }
}

private final class Kept: Sendable {
  let reply = Mutex<ControlReply?>(nil)
}

/// Answers every second request from a thread of its own.
private final class LateAnswers: Sendable {
  func answer(_ request: ControlRequest, _ reply: ControlReply) {
    guard let numbered = try? request.decode(Numbered.self) else { return }
    guard numbered.n.isMultiple(of: 2) else {
      reply.send(numbered)
      return
    }
    _ = try? BlockingThread(name: "late") { reply.send(numbered) }
  }
}
