import FobBase
import Testing

import struct Foundation.Data
import struct Foundation.Date
import class Foundation.JSONSerialization

@testable import AlertCore
@testable import Sinks

@Suite struct ChannelTests {
  // https://docs.ntfy.sh/publish/#publish-as-json and #action-buttons: `topic` is required, actions
  // of the kind `view` have a label and a url.
  @Test func `ntfy gets topic, title, message, priority, map and a button`() throws {
    let peer = try HTTPPeer(.answers(200, #"{"id":"x"}"#))
    defer { peer.stop() }
    let url = "https://core.example.org/ack/1"
    try ntfy(peer, token: SinkSecret("tk_hush")).carry(.onChannel("ntfy:ntfy", acknowledgeURL: url))
    let request = try #require(peer.requests.first)
    #expect(request.line == "POST / HTTP/1.1")
    #expect(request.headers["authorization"] == "Bearer tk_hush")
    let body = try object(request)
    #expect(body["topic"] as? String == "alarms")
    #expect(body["title"] as? String == "BENCH TEST: ALERT!")
    #expect((body["message"] as? String)?.hasPrefix("BENCH TEST: ALERT! Owner") == true)
    #expect(body["priority"] as? Int == 5)
    #expect(body["tags"] as? [String] == ["rotating_light"])
    #expect(body["click"] as? String == "geo:51.4778000,-0.0015000")
    let actions = try #require(body["actions"] as? [[String: String]])
    #expect(actions == [["action": "view", "label": "I have it in hand", "url": url]])
  }

  @Test func `ntfy's all-clear has no button, and no token where none is given`() throws {
    let peer = try HTTPPeer(.answers(200, "{}"))
    defer { peer.stop() }
    try ntfy(peer).carry(.onChannel("ntfy:ntfy", .closing, ended: .disarmed))
    let request = try #require(peer.requests.first)
    #expect(request.headers["authorization"] == nil)
    let body = try object(request)
    #expect(body["actions"] == nil)
    #expect(body["priority"] as? Int == 3)
    #expect(body["tags"] as? [String] == ["white_check_mark"])
  }

  // `postableAlerts` of https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml:
  // a list; of each, `labels` is required; labels and annotations are texts by text; startsAt and
  // endsAt are date-times.
  /// R60.
  @Test(arguments: [Notification.Kind.raise, .update, .again, .closing])
  func `an Alertmanager gets what its schema asks for`(kind: Notification.Kind) throws {
    let peer = try HTTPPeer(.answers(200, ""))
    defer { peer.stop() }
    let message = OutgoingMessage.onChannel(
      "alertmanager:alertmanager", kind, ended: kind == .closing ? .disarmed : nil)
    try alertmanager(peer).carry(message)
    let request = try #require(peer.requests.first)
    #expect(request.line == "POST /api/v2/alerts HTTP/1.1")
    let alerts = try #require(
      JSONSerialization.jsonObject(with: Data(request.body)) as? [[String: Any]])
    let alert = try #require(alerts.first)
    #expect(alerts.count == 1)
    #expect(Set(alert.keys) == ["labels", "annotations", "startsAt", "endsAt"])
    let labels = try #require(alert["labels"] as? [String: String])
    #expect(
      labels == [
        "alertname": "FobEmergency", "severity": "bench", "country": "GB", "language": "en",
        "incident": message.incident,
      ])
    let annotations = try #require(alert["annotations"] as? [String: String])
    #expect(annotations["description"] == message.text)
    #expect(annotations["position"] == "51.4778000, -0.0015000")
    let start = try date(alert["startsAt"])
    let end = try date(alert["endsAt"])
    #expect(start <= end)
    let ahead = end.timeIntervalSinceNow
    #expect(kind == .closing ? ahead <= 0 : (30 * 60...31 * 60).contains(ahead))
  }

  /// R60.
  @Test func `one incident is one alert: labels and start stay over an edit of the account`() throws
  {
    let peer = try HTTPPeer(.answers(200, ""))
    defer { peer.stop() }
    let sink = try alertmanager(peer)
    let contact = Contact(id: "alertmanager:alertmanager", name: "Alertmanager")
    for (kind, country) in [(Notification.Kind.raise, "GB"), (.update, "US"), (.closing, "FR")] {
      var account = Account.owner
      account.country = country
      try sink.carry(
        OutgoingMessage(.sample(kind, to: contact), account: account, now: .evening))
    }
    let alerts = try peer.requests.map { request in
      try #require(
        (JSONSerialization.jsonObject(with: Data(request.body)) as? [[String: Any]])?.first)
    }
    #expect(Set(alerts.map { $0["labels"] as? [String: String] }).count == 1)
    #expect(Set(alerts.map { $0["startsAt"] as? String }).count == 1)
  }

  @Test func `a closing message resolves the incident's other names, too`() throws {
    let peer = try HTTPPeer(.answers(200, ""))
    defer { peer.stop() }
    let alias = try #require(IncidentID("0000000100000002-00000003-8000000000000004"))
    try alertmanager(peer).carry(
      .onChannel("alertmanager:alertmanager", .closing, ended: .cancelled, aliases: [alias]))
    let text = try #require(peer.requests.first).text
    #expect(text.contains("\"incident\":\"\(alias)\""))
    #expect(text.ranges(of: "FobEmergency").count == 2)
  }

  @Test func `a channel tells its own receiver alone`() throws {
    let peer = try HTTPPeer(.answers(200, ""))
    defer { peer.stop() }
    let sinks: [any Sink] = [
      try ntfy(peer), try alertmanager(peer), try WebhookSink.sample(peer),
    ]
    for sink in sinks {
      let own = try #require(sink.channel)
      #expect(sink.obstacle(to: own) == nil)
      #expect(sink.obstacle(to: Account.owner.contacts[0]) == "is not its receiver")
      #expect(throws: SinkFailure.self) { try sink.carry(.toNumber()) }
    }
    #expect(peer.requests.isEmpty)
  }

  @Test func `a sink that is no test refuses bench devices and tells nobody`() throws {
    let peer = try HTTPPeer(.answers(200, ""))
    defer { peer.stop() }
    let sink = AlertmanagerSink(name: "am", base: try HTTPAddress(peer.url, field: "url"))
    let refusal = #expect(throws: SinkFailure.self) {
      try sink.carry(.onChannel("alertmanager:am"))
    }
    #expect(refusal?.reason.contains("bench devices may not") == true)
    #expect(peer.requests.isEmpty)
    try sink.carry(.onChannel("alertmanager:am", device: DeviceID(rawValue: 1)))
    #expect(peer.requests.count == 1)
    #expect(peer.requests[0].text.contains("\"severity\":\"critical\""))
  }

  private func ntfy(_ peer: HTTPPeer, token: SinkSecret? = nil) throws -> NtfySink {
    try NtfySink(
      name: "ntfy", server: HTTPAddress(peer.url + "/", field: "url"), topic: "alarms",
      token: token, isTest: true)
  }

  private func alertmanager(_ peer: HTTPPeer) throws -> AlertmanagerSink {
    AlertmanagerSink(
      name: "alertmanager", base: try HTTPAddress(peer.url, field: "url"), isTest: true)
  }

  private func object(_ request: HTTPPeer.Request) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
  }

  private func date(_ value: Any?) throws -> Date {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return try format.parse(try #require(value as? String))
  }
}
