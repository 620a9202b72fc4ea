import AlertCore
import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

@testable import Sinks

@Suite struct WebhookTests {
  @Test func `the message is posted as JSON, with a key that repeats have, too`() throws {
    let peer = try HTTPPeer(.answers(204, ""))
    defer { peer.stop() }
    let message = OutgoingMessage.onChannel("webhook:webhook")
    for _ in 1...2 { try WebhookSink.sample(peer).carry(message) }
    #expect(peer.requests.count == 2)
    for request in peer.requests {
      #expect(request.line == "POST /alarms?token=hush HTTP/1.1")
      #expect(request.headers["content-type"] == "application/json")
      #expect(request.headers["idempotency-key"] == message.key)
      let read = try JSONDecoder().decode(OutgoingMessage.self, from: Data(request.body))
      #expect(read.key == message.key)
      #expect(read.text == message.text)
      #expect(read.contact.id == message.contact.id)
      #expect(read.position == message.position)
    }
  }

  @Test func `openssl makes the same signature of timestamp, full stop and body`() throws {
    let peer = try HTTPPeer(.answers(200, ""))
    defer { peer.stop() }
    let before = WallClock.now() / 1_000_000
    try WebhookSink.sample(peer).carry(.onChannel("webhook:webhook"))
    let request = try #require(peer.requests.first)
    let timestamp = try #require(request.headers["fob-timestamp"])
    #expect((before...before + 60).contains(try #require(Int64(timestamp))))
    let expected = try Tool.output(
      "openssl", ["dgst", "-sha256", "-hmac", WebhookSink.secret, "-hex"],
      input: Array("\(timestamp).".utf8) + request.body)
    let digest = try #require(expected.split(separator: " ").last).trimmingCharacters(
      in: .whitespacesAndNewlines)
    #expect(request.headers["fob-signature"] == "v1=\(digest)")
  }

  @Test func `openssl makes the same second signature, of the key as well`() throws {
    let peer = try HTTPPeer(.answers(200, ""))
    defer { peer.stop() }
    try WebhookSink.sample(peer).carry(.onChannel("webhook:webhook"))
    let request = try #require(peer.requests.first)
    let timestamp = try #require(request.headers["fob-timestamp"])
    let key = try #require(request.headers["idempotency-key"])
    func signed(_ key: String) throws -> String {
      let output = try Tool.output(
        "openssl", ["dgst", "-sha256", "-hmac", WebhookSink.secret, "-hex"],
        input: Array("v2\n\(timestamp)\n\(key)\n".utf8) + request.body)
      return try "v2="
        + #require(output.split(separator: " ").last).trimmingCharacters(
          in: .whitespacesAndNewlines)
    }
    #expect(try request.headers["fob-signature-2"] == signed(key))
    #expect(try request.headers["fob-signature-2"] != signed(key + "x"))
  }

  @Test func `a contact's name that tries to make headers makes none`() throws {
    let peer = try HTTPPeer(.answers(200, ""))
    defer { peer.stop() }
    var contact = try #require(WebhookSink.sample(peer).channel)
    contact.id = "webhook:webhook"
    contact.name = "Contact\r\nX-Evil: 1"
    let message = OutgoingMessage(
      .sample(.raise, to: contact), account: .owner, now: .evening)
    try WebhookSink.sample(peer).carry(message)
    #expect(peer.requests.first?.headers["x-evil"] == nil)
    #expect(PercentEncoding.header("a\r\nX-Evil: 1%é") == "a%0D%0AX-Evil:%201%25%C3%A9")
  }

  @Test func `a short secret is refused, with the way to a good one`() {
    let refusal = #expect(throws: ConfigurationFailure.self) {
      try WebhookSink(
        name: "hook", address: HTTPAddress("https://example.org", field: "url"),
        secret: SinkSecret(String(repeating: "s", count: 31)))
    }
    #expect(
      refusal?.description
        == "secret is shorter than 32 characters: `openssl rand -hex 32` makes one")
  }
}
