import FobBase
import Foundation
import SerialIO
import Sinks
import Testing

struct MailFileTests {
  private let file = LogFile()

  @Test func `each mail is one line, its owner's alone, with all that it says`() throws {
    let body = "Confirm:\nhttp://127.0.0.1:8787/v1/account/confirm?token=a\n"
    for key in ["confirm/1", "confirm/2"] {
      try MailFile(path: file.path).mail(
        to: "owner@example.org", subject: "Confirm Email Address", body: body, key: key)
    }
    let mails = try file.lines().map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(mails.map { $0["key"] as? String } == ["confirm/1", "confirm/2"])
    #expect(mails[0]["to"] as? String == "owner@example.org")
    #expect(mails[0]["subject"] as? String == "Confirm Email Address")
    #expect(mails[0]["body"] as? String == body)
    #expect(mails[0]["wall"] as? Int64 ?? 0 > 1_700_000_000_000_000)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `a full disk is a refusal that says so, and nothing of the mail`() throws {
    let sink = try MailFile(path: "/dev/full")
    let refusal = #expect(throws: SinkFailure.self) {
      try sink.mail(to: "owner@example.org", subject: "s", body: "4711", key: "k")
    }
    #expect(
      refusal?.description == "mail file sink: cannot write /dev/full: No space left on device")
  }
}
