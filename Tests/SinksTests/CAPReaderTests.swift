import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Sinks

/// Alerts of CAP 1.2, read by a program that others have made and by the schema of OASIS.
@Suite struct CAPReaderTests {
  @Test func `each message, in each language, with any name and at any place, is an alert`() throws
  {
    let seed = UInt64.random(in: 0 ... .max)
    print("alerts of CAP: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var alerts: [CAPReader.Alert] = []
    for language in ["en", "de", "fr", "es"] {
      for kind in Notification.Kind.allCases {
        for hostile in Self.hostile + (0..<12).map({ _ in Self.text(&random) }) {
          let message = Self.message(kind, language, hostile, &random)
          alerts.append(Self.alert(CAPAlert(message)))
        }
      }
    }
    for state in EmergencyState.allCases {
      for hostile in Self.hostile {
        alerts.append(Self.alert(Self.document(state, hostile, &random)))
      }
    }
    let refusals = try CAPReader.refusals(of: alerts)
    #expect(refusals.isEmpty, "seed \(seed): \(refusals.prefix(5))")
    print("alerts of CAP: \(alerts.count) read")
  }

  /// Each with what the reader says of it.
  private static let planted: [(name: String, from: String, to: String, says: String)] = [
    ("a word that CAP does not have", "Immediate", "Now", "the schema"),
    ("UTC as Z", "04:49:00-00:00</sent>", "04:49:00Z</sent>", "the schema"),
    ("UTC as +00:00", "04:49:00-00:00</sent>", "04:49:00+00:00</sent>", "sent writes UTC"),
    ("an identifier with a space", "<identifier>", "<identifier>an ", "the schema"),
    ("an ampersand that is none of XML", "&amp;b=2", "&b=2", "no XML"),
    ("an end without its beginning", "<info>", "", "no XML"),
    ("an element at a wrong place", "<scope>Private</scope>", "", "the schema"),
    ("an update of nothing", "<msgType>Alert", "<msgType>Update", "references are those"),
    ("a private alert for nobody", "<addresses>contact-1</addresses>", "", "for nobody"),
    ("a circle without a radius", " 0</circle>", "</circle>", "the schema"),
    ("a place not on earth", "<circle>51", "<circle>95", "not on earth"),
    ("another version", "cap:1.2", "cap:1.1", "the schema"),
    ("another text", "ALERT! Owner", "ALERT! Nobody", "description is"),
    ("an element that says nothing", "<web>", "<instruction></instruction><web>", "says nothing"),
  ]

  @Test func `the reader refuses each alert that is wrong, so that it proves the others`() throws {
    let right = CAPAlert(.cap(.raise, sequence: 2))
    var first = right
    first.earlier = []
    let alerts = Self.planted.map { planted in
      let source = planted.name == "an update of nothing" ? first.xml : right.xml
      #expect(source.contains(planted.from), "\(planted)")
      return CAPReader.Alert(
        source.replacing(planted.from, with: planted.to),
        texts: ["description": right.description])
    }
    let refusals = try CAPReader.refusals(of: alerts)
    for (index, planted) in Self.planted.enumerated() {
      let said = refusals.filter { $0.hasPrefix("\(index).xml: ") }
      #expect(said.contains { $0.contains(planted.says) }, "\(planted.name): \(said)")
    }
  }

  @Test func `a webhook that wants CAP gets an alert, signed as any body`() throws {
    let peer = try HTTPPeer(.answers(204, ""))
    defer { peer.stop() }
    let sink = try WebhookSink(
      name: "webhook", address: HTTPAddress("\(peer.url)/alarms", field: "url"),
      secret: SinkSecret(WebhookSink.secret), format: .cap, isTest: true)
    let channel = try #require(sink.channel).id
    let update = OutgoingMessage.cap(.update, sequence: 2, contact: channel)
    let end = OutgoingMessage.cap(.closing, sequence: 3, ended: .disarmed, contact: channel)
    for message in [update, update, end] { try sink.carry(message) }
    let requests = peer.requests
    try #require(requests.count == 3)
    #expect(requests[0].body == requests[1].body, "a repeat is the same alert")
    for request in requests {
      #expect(request.headers["content-type"] == "application/cap+xml")
      let time = try #require(request.headers["fob-timestamp"])
      let key = try #require(request.headers["idempotency-key"])
      let signed = try Tool.output(
        "openssl", ["dgst", "-sha256", "-hmac", WebhookSink.secret, "-hex"],
        input: Array("v2\n\(time)\n\(key)\n".utf8) + request.body)
      let digest = try #require(signed.split(separator: " ").last).filter { !$0.isNewline }
      #expect(request.headers["fob-signature-2"] == "v2=\(digest)")
    }
    let read = try CAPReader.refusals(
      of: requests.map { CAPReader.Alert($0.text, texts: ["type": "Update", "status": "Test"]) })
    #expect(read.isEmpty, "\(read)")
  }

  // MARK: What is sent

  private static let hostile = [
    "Owner", "", " ", "<b>&\"'</b>", "]]>", "<!-- --", "<?xml version=\"1.0\"?>", "&amp;&#0;",
    "\u{0}\u{1}\u{8}\u{B}\u{C}\u{1F}\u{7F}\u{85}", "Owner\r\nof two\tlines\u{2028}\u{2029}",
    "\u{FFFE}\u{FFFF}", "👩‍👩‍👧 🚨",
    "\u{202E}renwO\u{2066}", "مالك \u{200F}", "{name}",
    String(repeating: "long ", count: 2_000), "e" + String(repeating: "\u{301}", count: 5_000),
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      let range: ClosedRange<UInt32> =
        [0...0x7F, 0x80...0x2FFF, 0xD000...0xFFFF, 0...0x10FFFF].randomElement(using: &random)!
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func place(_ random: inout SeededGenerator) -> Position? {
    let all = Int32.min ... .max
    guard Bool.random(using: &random) else { return nil }
    let accuracy: UInt16? =
      Bool.random(using: &random) ? UInt16.random(in: 0 ... .max, using: &random) : nil
    return Position(
      latitude: Int32.random(in: all, using: &random) % 900_000_001,
      longitude: Int32.random(in: all, using: &random) % 1_800_000_001,
      quality: UInt8.random(in: 0...2, using: &random),
      wall: Int64.random(in: .min ... .max, using: &random), accuracy: accuracy)
  }

  private static func account(_ name: String, _ language: String) -> Account {
    var account = Account.owner
    account.name = name
    account.language = language
    account.places = [Place(name: name, latitude: 0, longitude: 0)]
    return account
  }

  private static func message(
    _ kind: Notification.Kind, _ language: String, _ hostile: String,
    _ random: inout SeededGenerator
  ) -> OutgoingMessage {
    let triggers: [Trigger.Source?] = [nil, .fall, .checkIn]
    let trigger = triggers.randomElement(using: &random)!
    return .cap(
      kind, at: place(&random), sequence: Int.random(in: 1...40, using: &random), trigger: trigger,
      question: trigger == .checkIn ? UnansweredCheckIn(description: hostile, due: 0) : nil,
      isPressed: .random(using: &random), isUnproved: .random(using: &random),
      ended: kind == .closing ? EndReason.allCases.randomElement(using: &random)! : nil,
      aliases: Int.random(in: 0...40, using: &random), language: language, contact: hostile,
      account: account(hostile, language),
      device: [DeviceID.bench(1), .live].randomElement(using: &random)!)
  }

  private static func document(
    _ state: EmergencyState, _ hostile: String, _ random: inout SeededGenerator
  ) -> CAPAlert {
    let isOver = state == .emergencyEnded || state == .noEmergency
    var incident = Incident.cap(
      sequence: Int.random(in: 1...40, using: &random), trigger: .checkIn,
      question: UnansweredCheckIn(description: hostile, due: 0),
      ended: isOver ? EndReason.allCases.randomElement(using: &random)! : nil, aliases: 3)
    if state == .alertCountdown { incident.phase = .open(.countdown(ends: .evening)) }
    incident.lastPosition = place(&random)
    incident.told = [hostile, "contact-1"]
    incident.acknowledgedBy = [hostile]
    let languages = ["en", "de", "fr", "es", hostile]
    return CAPAlert(
      incident, revision: "state-1-2", messages: incident.messageTimes, changed: 0,
      account: account(hostile, languages.randomElement(using: &random)!),
      now: .evening + .minutes(50))
  }

  /// The alert with what has to come out of it, of texts that are not cut.
  private static func alert(_ alert: CAPAlert) -> CAPReader.Alert {
    var texts = [
      "identifier": alert.identifier, "status": alert.isBench ? "Test" : "Actual",
      "certainty": alert.assessment.certainty,
    ]
    for (name, text, size) in [
      ("headline", alert.headline, 160), ("description", alert.description, 4_096),
      ("contact", alert.contact, 256),
    ] where text.utf8.count <= size {
      // A text of spaces alone is left out.
      texts[name] = text.allSatisfy(\.isWhitespace) ? "" : readable(text)
    }
    return CAPReader.Alert(alert.xml, texts: texts)
  }

  /// All characters but those that XML cannot hold.
  private static func readable(_ text: String) -> String {
    var readable = ""
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 && scalar != "\t" && scalar != "\n"
      let isLost = isControl || scalar == "\u{FFFE}" || scalar == "\u{FFFF}"
      readable.unicodeScalars.append(isLost ? "\u{FFFD}" : scalar)
    }
    return readable
  }
}
