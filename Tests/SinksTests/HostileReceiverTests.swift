import AlertCore
import FobBase
import SerialIO
import TestSupport
import Testing

@testable import Sinks

/// Whatever a receiver does, the sink's thread comes back, and says who did what.
@Suite struct HostileReceiverTests {
  @Test(arguments: [
    (HTTPPeer.Behaviour.hangs, "it did not answer in time"),
    (.drips, "it did not answer in time"),
    (.sendsWithoutEnd, "its answer is longer than 65536 bytes"),
    (.closes, "it closed the connection in mid-answer"),
    (
      .says(Array("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nshort".utf8)),
      "it closed the connection in mid-answer"
    ),
    (.says(Array("SSH-2.0-none\r\n".utf8)), "it does not speak HTTP"),
    (.says([]), "it closed the connection in mid-answer"),
    (.answers(500, "{}"), "answered 500"),
    (.answers(302, ""), "a redirect"),
    (.answers(429, ""), "too many messages"),
    (.answers(401, ""), "check the secret"),
  ])
  func `a receiver that does it wrong is a refusal with its host and a reason`(
    behaviour: HTTPPeer.Behaviour, reason: String
  ) throws {
    let peer = try HTTPPeer(behaviour)
    defer { peer.stop() }
    let start = BootClock.now()
    let refusal = #expect(throws: SinkFailure.self) {
      try webhook(peer).carry(.onChannel("webhook:hook"))
    }
    #expect(BootClock.now() - start < .seconds(8))
    let text = try #require(refusal?.description)
    #expect(text.hasPrefix("hook sink: 127.0.0.1"))
    #expect(text.contains(reason), "\(text)")
  }

  @Test func `a length that is too small leaves an accepted message accepted`() throws {
    let peer = try HTTPPeer(
      .says(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nfar more than two".utf8)),
      .answers(200, ""))
    defer { peer.stop() }
    for _ in 1...2 { try webhook(peer).carry(.onChannel("webhook:hook")) }
    #expect(peer.requests.count == 2)
  }

  @Test func `nobody at the port is a refusal at once`() throws {
    let peer = try HTTPPeer(.closes)
    peer.stop()
    let refusal = #expect(throws: SinkFailure.self) {
      try webhook(peer).carry(.onChannel("webhook:hook"))
    }
    #expect(refusal?.reason.contains("cannot be reached") == true, "\(String(describing: refusal))")
  }

  @Test func `no refusal holds the secret, the number, the position, the path or the answer`()
    throws
  {
    let says = "the number +15555550101 at 51.4778 of hush is wrong"
    for status in [200, 302, 400, 401, 404, 429, 500, 503] {
      let peer = try HTTPPeer(.answers(status, #"{"code":21211,"message":"\#(says)","sid":""}"#))
      defer { peer.stop() }
      var sms = try SMSSink.sample(peer)
      sms.http = HTTPClientShell(deadline: .seconds(5))
      let refusal = #expect(throws: SinkFailure.self) { try sms.carry(.toNumber()) }
      let text = try #require(refusal?.description)
      for private_ in ["555", "51.4", "hush", "AC01", "2010-04-01", "Owner"] {
        #expect(!text.contains(private_), "\(text)")
      }
    }
  }

  @Test(arguments: 0..<200)
  func `whatever bytes come back, the answer is a refusal or an acceptance`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bytes = Array("HTTP/1.1 201 Made\r\nContent-Length: 13\r\n\r\n{\"sid\":\"SM1\"}".utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    if seed % 3 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
    let peer = try HTTPPeer(.says(bytes))
    defer { peer.stop() }
    var sms = try SMSSink.sample(peer)
    sms.http = HTTPClientShell(deadline: .seconds(2))
    do throws(SinkFailure) {
      try sms.carry(.toNumber())
    } catch {
      #expect(error.sink == "sms")
    }
    #expect(peer.requests.count == 1)
  }

  private func webhook(_ peer: HTTPPeer) throws -> WebhookSink {
    var sink = try WebhookSink.sample(peer, name: "hook")
    sink.http = HTTPClientShell(deadline: .milliseconds(1_500))
    return sink
  }
}
