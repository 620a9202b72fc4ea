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
