import Foundation
import Testing

@testable import AlertCore
@testable import Sinks

@Suite struct SMSSinkTests {
  private let made = #"{"sid":"SM00000000000000000000000000000001","status":"queued"}"#

  // The example of https://www.twilio.com/docs/messaging/api/message-resource#create-a-message:
  // `curl -X POST …/2010-04-01/Accounts/$SID/Messages.json --data-urlencode "Body=…"
  // --data-urlencode "From=…" --data-urlencode "To=…" -u $SID:$TOKEN`, answered by 201.
  @Test func `the request is the one of the provider's example`() throws {
    let peer = try HTTPPeer(.answers(201, made))
    defer { peer.stop() }
    try SMSSink.sample(peer).carry(.toNumber())
    let request = try #require(peer.requests.first)
    #expect(request.line == "POST /2010-04-01/Accounts/AC01/Messages.json HTTP/1.1")
    #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(request.headers["authorization"] == "Basic QUMwMTpodXNo")
    let fields = try form(request)
    #expect(Set(fields.keys) == ["To", "From", "Body"])
    #expect(fields["To"] == "+15555550101")
    #expect(fields["From"] == "+15555550199")
    #expect(fields["Body"]?.hasPrefix("BENCH TEST: ALERT! Owner has activated") == true)
  }

  @Test func `a messaging service stands in place of the number`() throws {
    let peer = try HTTPPeer(.answers(201, made))
    defer { peer.stop() }
    try SMSSink.sample(peer, sender: .service("MG01")).carry(.toNumber())
    let fields = try form(try #require(peer.requests.first))
    #expect(Set(fields.keys) == ["To", "MessagingServiceSid", "Body"])
    #expect(fields["MessagingServiceSid"] == "MG01")
  }

  @Test func `an ampersand in a name stays in the body`() throws {
    let peer = try HTTPPeer(.answers(201, made))
    defer { peer.stop() }
    try SMSSink.sample(peer).carry(.toNumber(of: "O&To=+1&é=%\r\n"))
    let fields = try form(try #require(peer.requests.first))
    #expect(fields["To"] == "+15555550101")
    #expect(fields["Body"]?.hasPrefix("BENCH TEST: ALERT! O&To=+1&é=%\r\n has") == true)
  }

  @Test func `a refusal has the provider's number for it`() throws {
    let peer = try HTTPPeer(.answers(400, #"{"code":21211,"message":"Invalid 'To'","status":400}"#))
    defer { peer.stop() }
    let refusal = #expect(throws: SinkFailure.self) {
      try SMSSink.sample(peer).carry(.toNumber())
    }
    #expect(refusal?.description == "sms sink: 127.0.0.1 answered 400, error 21211")
  }

  @Test(arguments: [(200, "{\"sid\":\"SM1\"}"), (201, "{}"), (201, "{\"sid\":\"\"}"), (201, "sid")])
  func `only a message that was made is accepted`(status: Int, body: String) throws {
    let peer = try HTTPPeer(.answers(status, body))
    defer { peer.stop() }
    #expect(throws: SinkFailure.self) { try SMSSink.sample(peer).carry(.toNumber()) }
  }

  @Test func `a text without end is ten messages, its links whole`() throws {
    let url = "https://core.example.org/ack/0123456789abcdef"
    for name in [String(repeating: "Owner", count: 1_000), String(repeating: "Ш", count: 3_000)] {
      let message = OutgoingMessage.toNumber(of: name, acknowledgeURL: url)
      let body = SMSSink.body(of: message)
      #expect(body.segments == SMSSink.maxSegments)
      #expect(body.text.hasSuffix("Map: geo:51.4778000,-0.0015000 I have it in hand: \(url)"))
    }
  }

  /// R124: 160 bytes of the owner's words, in either alphabet, leave place and links whole.
  @Test(arguments: [
    (String(repeating: "Well? ", count: 26) + "Well", 3, SMSText.Alphabet.gsm7),
    (String(repeating: "\u{1F511}", count: 40), 7, .ucs2),
    (String(repeating: "ж", count: 80), 7, .ucs2),
  ])
  func `the longest question of a check-in is told whole`(
    question: String, segments: Int, alphabet: SMSText.Alphabet
  ) {
    #expect(question.utf8.count == 160)
    let message = OutgoingMessage(
      .sample(
        .raise, trigger: .checkIn,
        question: UnansweredCheckIn(description: question, due: UnansweredCheckIn.wellness.due)),
      account: .owner, acknowledgeURL: "https://example.org/ack/1", now: .evening)
    let told = SMSSink.body(of: message)
    #expect(told.text == message.text)
    #expect(told.alphabet == alphabet && told.segments <= segments)
    #expect(told.text.contains("(\"\(question)\") that was due at 11:27pm EST"))
    #expect(told.text.hasSuffix("I have it in hand: https://example.org/ack/1"))
  }

  @Test(arguments: [
    ("+15555550101", true), ("+4930123456", true), ("15555550101", false), ("+05555", false),
    ("+1 555 555", false), ("+", false), ("", false), ("+1234567890123456", false),
  ])
  func `a number is E.164, or an obstacle while idle`(number: String, isNumber: Bool) throws {
    let peer = try HTTPPeer(.closes)
    defer { peer.stop() }
    let contact = Contact(id: "contact-1", name: "Contact 1", numbers: [number])
    #expect((try SMSSink.sample(peer).obstacle(to: contact) == nil) == isNumber)
    let mailed = Contact(id: "contact-2", name: "Contact 2", email: "contact-2@example.org")
    #expect(try SMSSink.sample(peer).obstacle(to: mailed) == "has no number that is chosen")
  }

  private func form(_ request: HTTPPeer.Request) throws -> [String: String] {
    var fields: [String: String] = [:]
    for field in request.text.split(separator: "&") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.replacing("+", with: " ").removingPercentEncoding ?? "%" }
      fields[parts[0]] = parts[1]
    }
    return fields
  }
}
