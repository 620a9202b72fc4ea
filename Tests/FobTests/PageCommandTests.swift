import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// `fob run` as the server of its page, real processes.
struct PageCommandTests {
  @Test func `with --listen fob run serves without a terminal, until a signal comes`() throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      ["run", "--listen", "127.0.0.1:0"], in: scratch, awaitsReady: false)
    try fob.awaitOutput("the page is at http://127.0.0.1:", "its one-time code: ", "linked")
    let page = try Asking(fob, state: scratch.path("state-home/fob/run"))
    #expect(try page.ask("/").contains("<!doctype html>"))
    #expect(try page.ask("/bench").contains("<!doctype html>"))
    #expect(!fob.output.contains("the button is pressed"))
    fob.interrupt()
    #expect(fob.awaitEnd() == 0)
  }

  /// R5, R12, R15: what the page makes is what is told, by the notification channels of a bench.
  @Test func `with --set-up the account is made through the page, and its contacts are told`()
    throws
  {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      ["run", "--set-up", "--listen", "127.0.0.1:0", "--state", scratch.path("state")],
      in: scratch, awaitsReady: false)
    try fob.awaitOutput("its one-time code: ", "linked")
    #expect(!fob.output.contains("the PIN is"))
    let api = try Asking(fob, state: scratch.path("state"))
    #expect(try api.tell("GET", "/v1/account").status == 404)
    try Self.setUp(fob, api)
    try api.must("POST", "/v1/account/confirmation", "{}")
    let mail = try String(contentsOfFile: scratch.path("state/mails.jsonl"), encoding: .utf8)
    #expect(mail.contains("\(api.url)/v1/account/confirm?token="))
    try fob.awaitOutput("a mail to o****@example.org")
    try Self.keychain(fob).must(["do": "press"])
    try fob.awaitOutput("Contact 1: “")
    let told = try String(contentsOfFile: scratch.path("state/alerts.jsonl"), encoding: .utf8)
    #expect(told.contains("+15555550101"))
    fob.interrupt()
    #expect(fob.awaitEnd() == 0)
  }

  /// R34: under 20 % the owner is mailed, once a day.
  @Test func `the owner is mailed of a low battery`() throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      ["run", "--set-up", "--listen", "127.0.0.1:0", "--state", scratch.path("state")],
      in: scratch, awaitsReady: false)
    try fob.awaitOutput("its one-time code: ", "linked")
    try Self.setUp(fob, Asking(fob, state: scratch.path("state")))
    try Self.keychain(fob).must(["do": "battery", "percent": 14])
    try fob.awaitOutput("a mail to o****@example.org")
    let mail = try String(contentsOfFile: scratch.path("state/mails.jsonl"), encoding: .utf8)
    #expect(mail.contains("charge your SafeTime device") && mail.contains("is low: "))
    try Self.keychain(fob).must(["do": "battery", "percent": 12])
    try Self.keychain(fob).must(["do": "press"])
    try fob.awaitOutput("Contact 1: “")
    #expect(fob.output.matches(of: /a mail to/).count == 1)
    fob.interrupt()
    #expect(fob.awaitEnd() == 0)
  }

  /// An account with a contact, and the keychain that is plugged in.
  private static func setUp(_ fob: RunningFob, _ api: Asking) throws {
    try api.must("POST", "/v1/account", profile)
    try api.must(
      "POST", "/v1/contacts",
      #"{"name":"Contact 1","numbers":[{"number":"+15555550101","chosen":true}]}"#)
    let device = try #require(
      fob.output.firstMatch(of: /keychain ([0-9a-f]{16}) linked/)?.output.1)
    try api.must("PUT", "/v1/devices/\(device)/claim", "{}")
  }

  private static func keychain(_ fob: RunningFob) throws -> Talk {
    try Talk(String(#require(fob.output.firstMatch(of: /control (\S+keychain\.sock)/)?.output.1)))
  }

  private static let profile = #"""
    {"name":"Owner","email":"o@example.org","mobile":"+15555550100","country":"US"}
    """#
}
