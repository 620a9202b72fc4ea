import AlertCore
import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

@testable import Sinks

@Suite struct MailTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  @Test func `Python's reader finds in a mail what was put into it`() throws {
    let texts = [
      "ALERT! Owner", "Grüße aus Łódź 🔔", String(repeating: "é", count: 500), "=?utf-8?B?eA==?=",
      "a line\nBcc: contact-9@example.org\r\nX-Evil: 1\n\n.\nFrom x", "",
    ]
    for subject in texts {
      for body in texts {
        let read = try readBack(subject, body)
        #expect(read["subject"] as? String == subject)
        #expect(read["body"] as? String == body + "\n")
        #expect(
          read["headers"] as? [String] == [
            "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version",
            "Content-Type", "Content-Transfer-Encoding",
          ])
        #expect(read["to"] as? String == "contact-1@example.org")
        #expect(read["date"] as? String == "2026-01-15T04:47:00+00:00")
        #expect(read["defects"] as? Int == 0)
        #expect((read["longest"] as? Int ?? 1_000) <= 76)
      }
    }
  }

  @Test func `repeats have the same Message-ID, other messages another`() throws {
    func id(_ key: String) throws -> String {
      let text = String(decoding: mail("s", "b", key: key).bytes, as: UTF8.self)
      return try #require(text.split(separator: "\n").first { $0.hasPrefix("Message-ID") })
        .description
    }
    #expect(try id("one") == id("one"))
    #expect(try id("one") != id("two"))
    #expect(try id("one").hasSuffix("@example.org>"))
  }

  @Test(arguments: [
    "", "owner", "owner@", "@example.org", "a@b@c", "owner@example.org\nBcc: x@example.org",
    "owner@example.org, other@example.org", "Owner <owner@example.org>", "ow ner@example.org",
    "owner@exa_mple.org", "-f@example.org", "owner@-x.org", "owner@example..org", "ó@example.org",
    "owner@example.org\r", "owner\0@example.org", "\"o\"@example.org",
  ])
  func `what is no plain mailbox is refused before any mailer starts`(address: String) throws {
    #expect(MailAddress(address) == nil)
    let sink = try MailSink(
      name: "mail", from: "alarm@example.org", command: ["/bin/false"], isTest: true)
    let refusal = #expect(throws: SinkFailure.self) {
      try sink.mail(to: address, subject: "s", body: "b", key: "k")
    }
    #expect(refusal?.description == "mail sink: the mailbox is not as name@example.org")
    let contact = Contact(id: "contact-1", name: "Contact 1", email: address)
    #expect(sink.obstacle(to: contact) == "has a mailbox that is not as name@example.org")
  }

  @Test func `the mailer gets the mail on standard input, and its arguments`() throws {
    let kept = folder.path("kept")
    let script = try script("echo \"$@\" > \(kept).words; cat > \(kept)")
    try sink(script + ["-i", "-t"]).carry(.sample(.raise))
    #expect(try String(contentsOfFile: kept + ".words", encoding: .utf8) == "-i -t\n")
    let mail = try String(contentsOfFile: kept, encoding: .utf8)
    #expect(mail.contains("To: contact-1@example.org\n"))
    #expect(mail.contains("Subject: BENCH TEST: ALERT!\n"))
  }

  @Test(arguments: [
    (75, "it cannot send now, and may later"), (69, "its mail server cannot be reached"),
    (78, "its configuration is wrong"), (1, "ended with status 1"),
  ])
  func `a mailer that refuses is a refusal with the meaning of its status`(
    status: Int, meaning: String
  ) throws {
    let script = try script("echo contact-1@example.org >&2; exit \(status)")
    let refusal = #expect(throws: SinkFailure.self) { try sink(script).carry(.sample(.raise)) }
    let text = try #require(refusal?.description)
    #expect(text.contains("ended with status \(status)"))
    #expect(text.contains(meaning))
    #expect(!text.contains("contact-1"))
  }

  @Test func `a mailer that reads nothing blocks nobody, whatever the length`() throws {
    let script = try script("exit 0")
    try sink(script).mail(
      to: "owner@example.org", subject: "s", body: String(repeating: "x", count: 1_000_000),
      key: "k")
  }

  @Test func `a mailer that hangs is killed with what it started`() throws {
    let pids = folder.path("pids")
    let script = try script("sleep 1000 & echo $! > \(pids); wait")
    var sink = try sink(script)
    sink.program.patience = .milliseconds(500)
    let start = BootClock.now()
    let refusal = #expect(throws: SinkFailure.self) { try sink.carry(.sample(.raise)) }
    #expect(BootClock.now() - start < .seconds(10))
    #expect(refusal?.reason.hasSuffix("did not end within 500 ms and was killed") == true)
    let waiter = try String(contentsOfFile: pids, encoding: .utf8).filter(\.isNumber)
    let deadline = BootClock.now() + .seconds(10)
    while isRunning(waiter), BootClock.now() < deadline {}
    #expect(!isRunning(waiter))
  }

  @Test func `a mailer that is not there is refused by name`() throws {
    let refusal = #expect(throws: SinkFailure.self) {
      try sink(["/no/such/sendmail", "-t"]).carry(.sample(.raise))
    }
    #expect(
      refusal?.description
        == "mail sink: cannot start /no/such/sendmail: No such file or directory")
  }

  /// Gone, or ended and not yet collected by whoever inherited it.
  private func isRunning(_ process: String) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
      return false
    }
    return !stat.contains(") Z ")
  }

  private func sink(_ command: [String]) throws -> MailSink {
    try MailSink(name: "mail", from: "alarm@example.org", command: command, isTest: true)
  }

  /// Read by a shell: the kernel starts no file that a child of another test still has open.
  private func script(_ body: String) throws -> [String] {
    let path = folder.path("mailer")
    try "#!/bin/sh\n\(body)\n".write(toFile: path, atomically: true, encoding: .utf8)
    return ["/bin/sh", path]
  }

  private func mail(_ subject: String, _ body: String, key: String = "key") -> MailMessage {
    MailMessage(
      from: MailAddress("alarm@example.org")!, to: MailAddress("contact-1@example.org")!,
      subject: subject, body: body, key: key, wall: Timestamp.evening.wall)
  }

  private func readBack(_ subject: String, _ body: String) throws -> [String: Any] {
    let program = """
      import sys, json, email, email.header, email.utils
      raw = sys.stdin.buffer.read()
      mail = email.message_from_bytes(raw)
      subject = str(email.header.make_header(email.header.decode_header(mail["Subject"] or "")))
      print(json.dumps({"subject": subject, "headers": mail.keys(), "to": mail["To"],
        "body": mail.get_payload(decode=True).decode(mail.get_content_charset()),
        "date": email.utils.parsedate_to_datetime(mail["Date"]).isoformat(),
        "defects": len(mail.defects), "longest": max(map(len, raw.split(b"\\n")))}))
      """
    let printed = try Tool.output("python3", ["-c", program], input: mail(subject, body).bytes)
    return try #require(
      JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any])
  }
}
