import AlertCore
import FobBase
import Foundation
import TestSupport
import Testing

@testable import Sinks

@Suite struct SinkConfigurationTests {
  private static let secret = "0123456789abcdef0123456789abcdef"

  @Test func `each type is made, with its type as its name where it has none`() throws {
    let sinks = try configuration(
      """
      {"sinks": [
        {"type": "webhook", "url": "https://example.org/a", "secret": "\(Self.secret)",
          "format": "cap"},
        {"type": "sms", "account": "AC01", "secret": "hush", "from": "+15555550100"},
        {"type": "sms", "name": "sms-2", "url": "https://sms.example.org", "account": "AC01",
          "secret": "hush", "service": "MG01"},
        {"type": "mail", "from": "alarm@example.org", "command": ["/usr/bin/msmtp", "-t"]},
        {"type": "ntfy", "url": "http://127.0.0.1:8080", "topic": "alarms", "test": true},
        {"type": "alertmanager", "url": "http://am.example.org:9093", "insecure": true},
        {"type": "mqtt", "url": "mqtts://broker.example.org", "account": "fob", "secret": "hush",
          "topic": "house/fob", "discovery": "homeassistant"},
        {"type": "dc09", "url": "tcp://receiver.example.org:4242", "account": "12ab",
          "secret": "\(Self.secret)", "format": "cid", "receiver": "1", "line": "2F",
          "supervision": 60}]}
      """
    ).make()
    #expect(
      sinks.map(\.name) == [
        "webhook", "sms", "sms-2", "mail", "ntfy", "alertmanager", "mqtt", "dc09",
      ])
    #expect(sinks.map(\.isTest) == [false, false, false, false, true, false, false, false])
    #expect(
      sinks.map { $0.channel?.id } == [
        "webhook:webhook", nil, nil, nil, "ntfy:ntfy", "alertmanager:alertmanager",
        "mqtt:mqtt", "dc09:dc09",
      ])
    let receiver = try #require(sinks.last as? DC09Sink)
    #expect(receiver.supervision == .seconds(60))
    #expect(receiver.link.place == (try DC09Place(account: "12AB", receiver: "1", line: "2F")))
  }

  @Test(arguments: [
    (#"{}"#, "type is none of webhook, sms, mail, ntfy, alertmanager, mqtt, dc09"),
    (#"{"type": "fax"}"#, "type is none of webhook, sms, mail, ntfy, alertmanager, mqtt, dc09"),
    (
      #"{"type": "mqtt", "url": "mqtt://example.org"}"#,
      "url is plain mqtt to another host, where everybody on the way reads it: use mqtts, or say"
        + " `insecure: true`"
    ),
    (
      #"{"type": "mqtt", "url": "tcp://127.0.0.1"}"#,
      "url is no broker's address: write it as mqtts://host or mqtt://127.0.0.1"
    ),
    (
      #"{"type": "mqtt", "url": "mqtt://u:p@127.0.0.1"}"#,
      "url has a user in it: give `account`, and `secret` or `secretFile`"
    ),
    (
      #"{"type": "mqtt", "url": "mqtts://example.org", "test": true}"#,
      "test is true, but `url` leads to another host: a test receiver is on 127.0.0.1"
    ),
    (
      #"{"type": "mqtt", "url": "mqtts://example.org", "topic": "fob/#"}"#,
      "topic is not of 1 to 64 letters, digits, - and _, and / between them"
    ),
    (
      #"{"type": "mqtt", "url": "mqtts://example.org", "caFile": "/no/such"}"#,
      "caFile cannot be read: /no/such"
    ),
    (#"{"type": "dc09"}"#, "url is missing: a dc09 sink needs it"),
    (
      #"{"type": "dc09", "url": "tcp://example.org", "account": "1234"}"#,
      "url is no receiver's address: write it as tcp://receiver.example.org:PORT"
    ),
    (
      #"{"type": "dc09", "url": "udp://example.org:1", "account": "1234"}"#,
      "url is no receiver's address: write it as tcp://receiver.example.org:PORT"
    ),
    (#"{"type": "dc09", "url": "tcp://e.org:1"}"#, "account is missing: a dc09 sink needs it"),
    (
      #"{"type": "dc09", "url": "tcp://e.org:1", "account": "123"}"#,
      "account is not of 4 to 16 hexadecimal digits"
    ),
    (
      #"{"type": "dc09", "url": "tcp://e.org:1", "account": "123G"}"#,
      "account is not of 4 to 16 hexadecimal digits"
    ),
    (
      #"{"type": "dc09", "url": "tcp://e.org:1", "account": "1234", "line": "L0"}"#,
      "line is not of 1 to 6 hexadecimal digits"
    ),
    (
      #"{"type": "dc09", "url": "tcp://e.org:1", "account": "1234", "receiver": ""}"#,
      "receiver is not of 1 to 6 hexadecimal digits"
    ),
    (
      #"{"type": "dc09", "url": "tcp://e.org:1", "account": "1234"}"#,
      "secret is missing: without a key everybody on the way to another host reads and forges it;"
        + " give one, or say `insecure: true`"
    ),
    (
      #"{"type": "dc09", "url": "tcp://e.org:1", "account": "1234", "secret": "0123456789ABCDEF"}"#,
      "secret is not of 32, 48 or 64 hexadecimal digits: `openssl rand -hex 32` makes a key"
    ),
    (
      #"{"type": "dc09", "url": "tcp://127.0.0.1:1", "account": "1234", "format": "sia"}"#,
      "format is neither cid nor dcs"
    ),
    (
      #"{"type": "dc09", "url": "tcp://127.0.0.1:1", "account": "1234", "supervision": 9}"#,
      "supervision is not 10 to 86400 seconds"
    ),
    (
      #"{"type": "dc09", "url": "tcp://127.0.0.1:1", "account": "1234", "supervision": "9 s"}"#,
      "supervision is not a whole number of seconds"
    ),
    (
      #"{"type": "dc09", "url": "tcp://e.org:1", "account": "1234", "test": true}"#,
      "test is true, but `url` leads to another host: a test receiver is on 127.0.0.1"
    ),
    (#"{"type": "webhook"}"#, "url is missing: a webhook sink needs it"),
    (
      #"{"type": "webhook", "url": "https://e.org", "secret": "\#(Self.secret)", "format": "xml"}"#,
      "format is none of json, cap"
    ),
    (
      #"{"type": "webhook", "url": "https://e.org", "format": 12}"#,
      "format is not a text: put it in quotes"
    ),
    (
      #"{"type": "ntfy", "url": "https://e.org", "topic": "a", "format": "cap"}"#,
      "format is no field of a ntfy sink: it has type, name, test, url, secret, secretFile,"
        + " insecure, topic"
    ),
    (
      #"{"type": "webhook", "url": "https://e.org"}"#,
      "secret is missing: give `secret` or `secretFile`"
    ),
    (
      #"{"type": "webhook", "url": "https://e.org", "secret": "s", "secretFile": "f"}"#,
      "secretFile stands beside `secret`: give one of them"
    ),
    (
      #"{"type": "webhook", "url": "https://e.org", "secret": 12345}"#,
      "secret is not a text: put it in quotes"
    ),
    (
      #"{"type": "webhook", "url": "https://e.org", "secretFile": "/no/such"}"#,
      "secretFile cannot be read as a text of at most 4096 bytes: /no/such"
    ),
    (
      #"{"type": "ntfy", "url": "http://example.org", "topic": "a"}"#,
      "url is plain http to another host, where everybody on the way reads it: use https, or say"
        + " `insecure: true`"
    ),
    (
      #"{"type": "ntfy", "url": "https://u:p@example.org", "topic": "a"}"#,
      "url has a password in it: give it as `secret` or `secretFile`"
    ),
    (
      #"{"type": "ntfy", "url": "ftp://example.org", "topic": "a"}"#,
      "url is no web address: write it as https://host/path or http://127.0.0.1:PORT/path"
    ),
    (
      #"{"type": "ntfy", "url": "https://e.org", "topic": "a/b"}"#,
      "topic is not of 1 to 64 letters, digits, - and _: choose one that nobody guesses"
    ),
    (
      #"{"type": "ntfy", "url": "https://e.org", "topic": "a", "test": true}"#,
      "test is true, but `url` leads to another host: a test receiver is on 127.0.0.1"
    ),
    (
      #"{"type": "ntfy", "url": "https://e.org", "topic": "a", "test": "yes"}"#,
      "test is not true or false"
    ),
    (#"{"type": "mail"}"#, "from is missing: a mail sink needs it"),
    (
      #"{"type": "mail", "from": "alarm"}"#,
      "from is no mailbox: write it as alarm@example.org"
    ),
    (
      #"{"type": "mail", "from": "a@e.org", "command": ["sendmail"]}"#,
      "command has no absolute path in front: write it as [/usr/sbin/sendmail, -i, -t]"
    ),
    (
      #"{"type": "mail", "from": "a@e.org", "url": "https://e.org"}"#,
      "url is no field of a mail sink: it has type, name, test, from, command"
    ),
    (#"{"type": "sms", "account": "AC1", "secret": "s"}"#, "from or `service`: give one of them"),
    (
      #"{"type": "sms", "account": "AC/1", "secret": "s", "from": "+15555550100"}"#,
      "account is no account SID: copy it from the provider (AC…)"
    ),
    (
      #"{"type": "alertmanager", "url": "https://e.org", "name": "a b"}"#,
      "name is not of 1 to 32 letters, digits, - and _"
    ),
  ])
  func `a wrong field is named, with its place and what to write`(entry: String, says: String) {
    let refusal = #expect(throws: ConfigurationFailure.self) {
      try configuration(#"{"sinks": [\#(entry)]}"#).make()
    }
    #expect(refusal?.description == "sinks[0].\(says)")
  }

  /// R57.
  @Test func `the countries that are served are those of the file, as two letters`() throws {
    #expect(try configuration(#"{"sinks":[]}"#).countries.isEmpty)
    #expect(
      try configuration(#"{"sinks":[],"countries":["DE","FR"]}"#).countries == ["DE", "FR"])
    for wrong in ["de", "DEU", ""] {
      #expect(
        throws: ConfigurationFailure("countries[1]", "is not two capital letters, as in FR")
      ) { try configuration(#"{"sinks":[],"countries":["FR","\#(wrong)"]}"#) }
    }
  }

  @Test func `two of one name are refused`() {
    let refusal = #expect(throws: ConfigurationFailure.self) {
      try configuration(
        #"{"sinks": [{"type": "mail", "from": "a@e.org"}, {"type": "mail", "from": "b@e.org"}]}"#
      ).make()
    }
    #expect(
      refusal?.description == "sinks[1].name is another sink's, too: give each its own")
  }

  @Test(arguments: [
    ("http://localhost:1", true), ("http://LOCALHOST", true), ("http://127.0.0.1:80/x", true),
    ("http://127.9.9.9", true), ("http://[::1]:9093", true),
    ("https://127.0.0.1.example.org", false),
    ("https://localhost.example.org", false), ("https://128.0.0.1", false),
    ("https://127.1", false), ("https://[::2]", false),
  ])
  func `loopback is an address of this host and nothing that looks like one`(
    url: String, isLoopback: Bool
  ) throws {
    #expect(try HTTPAddress(url, field: "url").isLoopback == isLoopback)
  }

  @Test func `a secret comes from its file, and from none that others read`() throws {
    let folder = try ScratchDirectory()
    let path = folder.path("secret")
    try "hush\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try SinkSecret(file: path).text == "hush")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: path)
    #expect(try SinkSecret(file: folder.path("link")).text == "hush")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let refusal = #expect(throws: ConfigurationFailure.self) { try SinkSecret(file: path) }
    #expect(refusal?.description == "secretFile can be read by others: chmod 600 \(path)")
  }

  @Test(arguments: ["webhook", "dc09"])
  func `a secret shows in no description, interpolation or dump`(type: String) throws {
    let url = type == "dc09" ? #"tcp://e.org:1", "account": "1234"# : "https://e.org"
    let sinks = try configuration(
      #"{"sinks": [{"type": "\#(type)", "url": "\#(url)", "secret": "\#(Self.secret)"}]}"#)
    var dumped = ""
    dump(sinks, to: &dumped)
    dump(try sinks.make(), to: &dumped)
    for text in ["\(sinks)", String(reflecting: sinks), "\(try sinks.make())", dumped] {
      #expect(!text.contains(Self.secret))
      #expect(text.lowercased().contains(type))
    }
  }

  private func configuration(_ json: String) throws -> SinkConfiguration {
    try JSONDecoder().decode(SinkConfiguration.self, from: Data(json.utf8))
  }
}
