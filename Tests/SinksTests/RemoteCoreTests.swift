import AlertCore
import FobBase
import SerialIO
import Synchronization
import Testing

@testable import Sinks

/// The client of a core on another host, before one that does it right or wrong.
@Suite struct RemoteCoreTests {
  private static func core(_ peer: HTTPPeer) throws -> RemoteCore {
    try RemoteCore(RemoteCoreAddress(peer.url), token: "fob_secret")
  }

  /// What came by then.
  private final class Heard: Sendable {
    private let state = Mutex((events: [ServerEvent](), end: RemoteCoreFailure?.none))
    var events: [ServerEvent] { state.withLock { $0.events } }
    var end: RemoteCoreFailure? { state.withLock { $0.end } }
    func event(_ event: ServerEvent) { state.withLock { $0.events.append(event) } }
    func end(_ failure: RemoteCoreFailure) { state.withLock { $0.end = failure } }

    func wait(_ isSo: (Heard) -> Bool) throws {
      let deadline = BootClock.now() + .seconds(20)
      while !isSo(self) {
        try #require(BootClock.now() < deadline, "20 s were too short")
        _ = try Syscall.poll(-1, for: 0, until: BootClock.now() + .milliseconds(2))
      }
    }
  }

  private static func post(_ core: RemoteCore, within: Interval = .seconds(5)) throws
    -> RemoteCore.Outcome
  {
    let done = try OneShot<RemoteCore.Outcome>()
    core.post("/v1/feed", Array("{}".utf8), within: within) { done.open(with: $0) }
    return try #require(try done.pass(until: BootClock.now() + .seconds(20)))
  }

  @Test func `a post has its token, and the body of a 200 comes back`() throws {
    let peer = try HTTPPeer(.answers(200, #"{"acks":[]}"#))
    defer { peer.stop() }
    let core = try Self.core(peer)
    defer { core.close() }
    for _ in 0..<3 {
      #expect(try Self.post(core) == .success(Array(#"{"acks":[]}"#.utf8)))
    }
    let request = try #require(peer.requests.first)
    #expect(request.line == "POST /v1/feed HTTP/1.1")
    #expect(request.headers["authorization"] == "Bearer fob_secret")
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.text == "{}")
    #expect(peer.requests.count == 3)
  }

  @Test(arguments: [
    (HTTPPeer.Behaviour.answers(401, ""), RemoteCoreFailure.Kind.token, "does not know"),
    (.answers(403, ""), .token, "lacks the scope"),
    (.answers(422, #"{"detail":"of no use"}"#), .refused(422), "answers 422, of no use"),
    (.answers(302, ""), .refused(302), "answers 302"),
    (.hangs, .unreachable, "no answer in time"),
    (.drips, .unreachable, "no answer in time"),
    (.closes, .unreachable, "it has closed the connection"),
    (.sendsWithoutEnd, .unreachable, "longer than it may be"),
    (.says(Array("SSH-2.0-none\r\n".utf8)), .unreachable, "does not speak HTTP"),
  ])
  func `a core that does it wrong is a failure in words`(
    behaviour: HTTPPeer.Behaviour, kind: RemoteCoreFailure.Kind, words: String
  ) throws {
    let peer = try HTTPPeer(behaviour)
    defer { peer.stop() }
    let core = try Self.core(peer)
    defer { core.close() }
    guard case .failure(let failure) = try Self.post(core, within: .milliseconds(700)) else {
      Issue.record("it was taken")
      return
    }
    #expect(failure.kind == kind)
    #expect(failure.description.contains(words), "\(failure)")
  }

  @Test func `events come as they are sent, and the end of the stream is told`() throws {
    let peer = try HTTPPeer(
      .says(
        Array(
          "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nevent: ack\ndata: 1\n\ndata: 2\n\n".utf8)))
    defer { peer.stop() }
    let core = try Self.core(peer)
    defer { core.close() }
    let heard = Heard()
    core.stream("/v1/feed/stream", onEvent: heard.event, onEnd: heard.end)
    try heard.wait { $0.end != nil }
    #expect(
      heard.events == [
        ServerEvent(name: "ack", data: "1"), ServerEvent(name: "message", data: "2"),
      ])
    #expect(heard.end?.description.contains("closed the stream") == true)
    #expect(peer.requests.first?.headers["accept"] == "text/event-stream")
  }

  @Test(arguments: [
    (HTTPPeer.Behaviour.answers(401, "{}"), "does not know the token"),
    // Its head says it: nobody waits for the rest.
    (.says(Array("HTTP/1.1 403 No\r\nContent-Length: 9\r\n\r\n".utf8)), "lacks the scope"),
    (
      .says(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + [UInt8](repeating: 120, count: 70_000)),
      "longer than it may be"
    ),
    (.closes, "it has closed the connection"),
  ])
  func `a stream that is refused or spoilt ends once, and says why`(
    behaviour: HTTPPeer.Behaviour, words: String
  ) throws {
    let peer = try HTTPPeer(behaviour)
    defer { peer.stop() }
    let core = try Self.core(peer)
    defer { core.close() }
    let heard = Heard()
    core.stream("/v1/feed/stream", onEvent: heard.event, onEnd: heard.end)
    try heard.wait { $0.end != nil }
    #expect(heard.end?.description.contains(words) == true, "\(String(describing: heard.end))")
  }

  @Test func `a stream that says nothing for five seconds ends`() throws {
    let peer = try HTTPPeer(.hangs)
    defer { peer.stop() }
    let core = try Self.core(peer)
    defer { core.close() }
    let heard = Heard()
    let start = BootClock.now()
    core.stream("/v1/feed/stream", onEvent: heard.event, onEnd: heard.end)
    try heard.wait { $0.end != nil }
    #expect(heard.end?.description.contains("no answer in time") == true)
    #expect(BootClock.now() - start >= RemoteCoreState.streamSilentAfter)
  }

  @Test func `a second stream and a close end the one that is open`() throws {
    let peer = try HTTPPeer(.hangs)
    defer { peer.stop() }
    let core = try Self.core(peer)
    let (first, second) = (Heard(), Heard())
    core.stream("/v1/feed/stream", onEvent: first.event, onEnd: first.end)
    core.stream("/v1/feed/stream", onEvent: second.event, onEnd: second.end)
    try first.wait { $0.end != nil }
    #expect(second.end == nil)
    core.close()
    try second.wait { $0.end != nil }
    guard case .failure = try Self.post(core) else {
      Issue.record("a client that is closed has posted")
      return
    }
  }
}
