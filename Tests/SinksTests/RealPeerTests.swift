import AlertCore
import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

@testable import Sinks

/// Against what people run: Debian's own packages, on free ports of this host.
@Suite struct RealPeerTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  @Test func `a real Alertmanager has one alert an incident, and resolves it at the closing`()
    throws
  {
    let receiver = try HTTPPeer(.answers(200, ""))
    defer { receiver.stop() }
    try """
    route: {receiver: hook, group_by: [incident], group_wait: 100ms, group_interval: 200ms}
    receivers: [{name: hook, webhook_configs: [{url: '\(receiver.url)/', send_resolved: true}]}]
    """.write(toFile: folder.path("am.yml"), atomically: true, encoding: .utf8)
    let port = try freePort()
    let process = try Tool.start(
      "prometheus-alertmanager",
      [
        "--config.file=\(folder.path("am.yml"))", "--storage.path=\(folder.path("data"))",
        "--web.listen-address=127.0.0.1:\(port)", "--cluster.listen-address=",
      ])
    defer { Tool.stop(process) }
    try waitForPort(port)
    let sink = AlertmanagerSink(
      name: "am", base: try HTTPAddress("http://127.0.0.1:\(port)", field: "url"), isTest: true)
    for (sequence, kind) in [Notification.Kind.raise, .update, .again].enumerated() {
      try sink.carry(.onChannel("alertmanager:am", kind, sequence: sequence + 1))
    }
    let firing = try alerts(at: port)
    #expect(firing.count == 1)
    #expect(firing.first?["labels"]?["severity"] == "bench")
    #expect(firing.first?["annotations"]?["description"]?.contains("(message 3)") == true)
    try waitFor("a firing alert at the receiver") {
      receiver.requests.contains { $0.text.contains(#""status":"firing""#) }
    }
    try sink.carry(.onChannel("alertmanager:am", .closing, sequence: 4, ended: .disarmed))
    try waitFor("the resolved alert at the receiver") {
      receiver.requests.contains { $0.text.contains(#""status":"resolved""#) }
    }
    #expect(try alerts(at: port).isEmpty)
    let fingerprints = receiver.requests.flatMap { request in
      request.text.matches(of: /"fingerprint":"([0-9a-f]+)"/).map { String($0.1) }
    }
    #expect(Set(fingerprints).count == 1)
  }

  @Test func `a real SMTP server gets the mail through msmtp`() throws {
    let port = try freePort()
    let server = """
      import asyncio, sys
      from aiosmtpd.controller import Controller
      class Keep:
          async def handle_DATA(self, server, session, envelope):
              kept = repr(envelope.rcpt_tos).encode() + b"\\n" + envelope.content
              open(sys.argv[2], "wb").write(kept)
              return "250 OK"
      Controller(Keep(), hostname="127.0.0.1", port=int(sys.argv[1])).start()
      asyncio.new_event_loop().run_forever()
      """
    let check = try Tool.start("python3", ["-c", "import aiosmtpd"])
    check.waitUntilExit()
    try #require(check.terminationStatus == 0, "install python3-aiosmtpd")
    let kept = folder.path("kept")
    let process = try Tool.start("python3", ["-c", server, "\(port)", kept])
    defer { Tool.stop(process) }
    try waitForPort(port)
    try "account default\nhost 127.0.0.1\nport \(port)\nfrom alarm@example.org\n".write(
      toFile: folder.path("msmtprc"), atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.path("msmtprc"))
    let sink = try MailSink(
      name: "mail", from: "alarm@example.org",
      command: [try Tool.path("msmtp"), "-C", folder.path("msmtprc"), "-i", "-t"], isTest: true)
    try sink.carry(.sample(.raise, of: "Owner Łódź"))
    let mail = try String(contentsOfFile: kept, encoding: .utf8)
    #expect(mail.hasPrefix("['contact-1@example.org']\n"))
    #expect(mail.contains("Subject: BENCH TEST: ALERT!\r\n"))
    let body = try #require(mail.firstRange(of: "\r\n\r\n")).upperBound
    let decoded = Data(base64Encoded: String(mail[body...]), options: .ignoreUnknownCharacters)
    #expect(
      String(decoding: try #require(decoded), as: UTF8.self)
        == OutgoingMessage.sample(.raise, of: "Owner Łódź").text + "\n")

    Tool.stop(process)
    let refusal = #expect(throws: SinkFailure.self) { try sink.carry(.sample(.raise)) }
    #expect(refusal?.reason.contains("msmtp ended with status") == true)
  }

  @Test func `a broker has each message, once somebody has subscribed, and again after its death`()
    throws
  {
    let broker = try Broker(in: folder)
    let sink = try mqtt("mqtt://127.0.0.1:\(broker.port)")
    let connections = Gathered<String?>()
    try sink.connection.start(subscribing: []) {
      connections.put($0)
    } onMessage: { _ in
    }
    defer { sink.connection.stop() }
    try connections.wait("it is connected") { connections.all == [nil] }
    let alone = #expect(throws: SinkFailure.self) { try sink.carry(.onChannel("mqtt:house")) }
    #expect(alone?.reason == "127.0.0.1: nobody has subscribed to fob/messages")
    try broker.listen(to: "fob/messages")
    try sink.carry(.onChannel("mqtt:house", sequence: 2))
    try broker.heard.wait("the message is heard") { !broker.heard.all.isEmpty }
    let message = broker.heard.all[0].json()
    #expect(message["sequence"] as? Int == 2 && message["kind"] as? String == "raise")
    #expect((message["text"] as? String)?.hasPrefix("BENCH TEST: ALERT!") == true)

    broker.kill()
    try connections.wait("its death is told") { connections.all.count > 1 }
    let dead = #expect(throws: SinkFailure.self) {
      try sink.carry(.onChannel("mqtt:house", sequence: 3))
    }
    #expect(dead?.reason.hasPrefix("127.0.0.1: ") == true)
    try broker.start()
    try broker.listen(to: "fob/messages")
    try connections.wait("it is connected again") { connections.all.last == .some(nil) }
    try sink.carry(.onChannel("mqtt:house", sequence: 4))
    try broker.heard.wait("the next message is heard") { broker.heard.all.count > 1 }
    #expect(broker.heard.all.map { $0.json()["sequence"] as? Int } == [2, 4])
  }

  @Test func `a broker has to prove itself, and be told who comes`() throws {
    let certificate = folder.path("broker.pem")
    _ = try Tool.output(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-keyout", folder.path("broker.key"), "-out", certificate, "-days", "2", "-subj",
        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
      ])
    let passwords = folder.path("passwords")
    _ = try Tool.output("mosquitto_passwd", ["-c", "-b", passwords, "fob", "hush"])
    let broker = try Broker(
      """
      password_file \(passwords)
      certfile \(certificate)
      keyfile \(folder.path("broker.key"))
      """, in: folder)
    let address = "mqtts://localhost:\(broker.port)"
    for (secret, caFile, words) in [
      ("hush", certificate, nil), ("wrong", certificate, "it refuses: Not authorized"),
      ("hush", nil, "its certificate is not trusted, or it speaks no TLS"),
    ] as [(String, String?, String?)] {
      let sink = try mqtt(address, secret: secret, caFile: caFile)
      let connections = Gathered<String?>()
      try sink.connection.start(subscribing: []) {
        connections.put($0)
      } onMessage: { _ in
      }
      defer { sink.connection.stop() }
      try connections.wait("it is connected or not") { !connections.all.isEmpty }
      #expect(connections.all.first == .some(words))
    }
  }

  @Test func `what ends libmosquitto's process ends a connection alone, and the next one is made`()
    throws
  {
    let listener = try TCPListener(host: "127.0.0.1", port: 0)
    let port = listener.port
    // An unknown property in CONNACK and in PUBLISH, 256 MB that are announced, and a broker.
    let answers: [[UInt8]] = [
      [0x20, 5, 0, 0, 2, 0x78, 0], [0x20, 3, 0, 0, 0, 0x30, 8, 0, 1, 0x61, 2, 0x7F, 0, 0, 0],
      [0x20, 3, 0, 0, 0, 0x30, 0xFF, 0xFF, 0xFF, 0x7F, 0, 1, 0x61, 0], [0x20, 3, 0, 0, 0],
    ]
    let broker = try BlockingThread(name: "broker") {
      for answer in answers {
        _ = try? Syscall.poll(listener.descriptor, for: POLLIN)
        guard let line = try? listener.accept() else { return }
        _ = try? Syscall.poll(line.number, for: POLLIN)
        _ = answer.withUnsafeBytes { try? line.write($0) }
        // Until the other end has left.
        var bytes = [UInt8](repeating: 0, count: 4_096)
        repeat {
          _ = try? Syscall.poll(line.number, for: POLLIN)
        } while ((try? bytes.withUnsafeMutableBytes { try line.read(into: $0) }) ?? 0) != 0
      }
    }
    let sink = try mqtt("mqtt://127.0.0.1:\(port)")
    let connections = Gathered<String?>()
    try sink.connection.start(subscribing: []) {
      connections.put($0)
    } onMessage: { _ in
    }
    let ended = "what it sent has ended its connection"
    let expected = [ended, nil, ended, nil, "out of memory.", nil]
    try connections.wait("a broker is there") { connections.all.count == expected.count }
    #expect(connections.all == expected)
    sink.connection.stop()
    #expect(broker.join(within: .seconds(60)))
  }

  private func mqtt(
    _ address: String, secret: String? = nil, caFile: String? = nil
  ) throws -> MQTTSink {
    var settings = MQTTConnection.Settings(
      address: try BrokerAddress(address), client: "fob-test-\(UUID())",
      program: [Tool.fob, MQTTSession.command])
    settings.account = secret.map { _ in "fob" }
    settings.secret = secret.map { SinkSecret($0) }
    settings.caFile = caFile
    return try MQTTSink(name: "house", settings, topic: "fob", isTest: true)
  }

  private func freePort() throws -> UInt16 {
    try TCPListener(host: "127.0.0.1", port: 0).port
  }

  private func waitForPort(_ port: UInt16) throws {
    try waitFor("port \(port)") {
      let stream = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(stream) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(stream, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
    }
  }

  private func waitFor(_ what: String, _ isTrue: () throws -> Bool) throws {
    let deadline = BootClock.now() + .seconds(60)
    let never = try EventSignal()
    while try !isTrue() {
      try #require(BootClock.now() < deadline, "no \(what) within a minute")
      _ = try Syscall.poll(
        never.descriptor, for: POLLIN, until: BootClock.now() + .milliseconds(20))
    }
  }

  private func alerts(at port: UInt16) throws -> [[String: [String: String]]] {
    let program = "import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())"
    let printed = try Tool.output(
      "python3", ["-c", program, "http://127.0.0.1:\(port)/api/v2/alerts"])
    let all = try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [[String: Any]]
    return try #require(all).map { alert in
      alert.compactMapValues { $0 as? [String: String] }
    }
  }
}
