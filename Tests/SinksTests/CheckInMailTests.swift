import FobBase
import Testing

import struct Foundation.Data
import class Foundation.ProcessInfo
import struct Foundation.URL

@testable import AlertCore
@testable import Sinks

/// What the owner is mailed of check-ins, and how often (R100).
@Suite struct CheckInMailTests {
  private static let minute: Int64 = 60_000_000
  private static let evening = Timestamp.evening.wall

  private static var owner: Account {
    var account = Account.owner
    account.email = "owner@example.org"
    account.isEmailConfirmed = true
    account.isProtecting = true
    account.isSetUp = true
    return account
  }

  private static func after(minutes: Int64) -> Timestamp {
    var now = Timestamp.evening
    now.wall += minutes * minute
    return now
  }

  /// - Parameter due: minutes before the evening; negative: after it.
  private static func asked(
    _ description: String, due: Int64 = 0, escalates: Bool = true
  ) -> CheckIn {
    let due = evening - due * minute
    return CheckIn(
      series: 1, key: OccurrenceKey(text: "20260114T2347")!, description: description, due: due,
      answerableFrom: due, escalates: escalates, runsOut: due + 20 * minute,
      limit: 20, lead: 0)
  }

  private static func checkIns(_ open: [CheckIn], mails: Bool = true) -> CheckIns {
    var checkIns = CheckIns()
    checkIns.asked = open.map { CheckIns.Asked(checkIn: $0) }
    checkIns.settings.mails = mails
    return checkIns
  }

  private static func mail(
    _ open: [CheckIn], _ account: Account = owner, mails: Bool = true, byClick: Bool = true
  ) -> CheckInMail? {
    var all = CheckInMails(answersByClick: byClick)
    return all.mail(of: checkIns(open, mails: mails), account: account, now: .evening)
  }

  /// To accept other words, run this test with ACCEPT_WORDS=1, and read the difference.
  @Test(arguments: ["en", "de", "fr", "es"])
  func `each mail of check-ins reads as it was agreed`(language: String) throws {
    var owner = Self.owner
    owner.language = language
    var unprotected = owner
    unprotected.isProtecting = false
    let two = [
      Self.asked("Am I well?", due: 5), Self.asked("Medicine", due: 1, escalates: false),
    ]
    let many = (1...12).map { Self.asked("Question \($0)", escalates: false) }
    let mails = [
      ("one that raises an alarm", Self.mail([two[0]], owner)),
      ("one that raises none", Self.mail([two[1]], owner)),
      ("two", Self.mail(two, owner)), ("twelve", Self.mail(many, owner)),
      ("two, in profile literal", Self.mail(two, owner, byClick: false)),
      ("two, protection off", Self.mail(two, unprotected)),
    ]
    let words = mails.map { "# \($0.0)\n\($0.1?.subject ?? "")\n\n\($0.1?.body ?? "")\n" }
    let text = words.joined(separator: "\n")
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/check-ins.\(language).txt")
    if ProcessInfo.processInfo.environment["ACCEPT_WORDS"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test func `nobody is mailed who has not switched it on, or whose address is not confirmed`() {
    let due = [Self.asked("Am I well?")]
    var unconfirmed = Self.owner
    unconfirmed.isEmailConfirmed = false
    var loggedOut = Self.owner
    loggedOut.isLoggedIn = false
    #expect(Self.mail(due) != nil)
    #expect(Self.mail(due, mails: false) == nil)
    #expect(Self.mail(due, unconfirmed) == nil)
    #expect(Self.mail(due, loggedOut) == nil)
  }

  @Test func `what is answered, or not yet due, is in no mail`() {
    #expect(Self.mail([]) == nil)
    #expect(Self.mail([Self.asked("Later", due: -1)]) == nil)
    let mail = Self.mail([Self.asked("Now"), Self.asked("Later", due: -1)])
    #expect(mail?.body.contains("Now") == true && mail?.body.contains("Later") == false)
  }

  @Test(arguments: [1, 5, 60])
  func `however many fall due, there is at most one mail a nag interval`(minutes: Int) {
    var all = CheckInMails(answersByClick: true)
    var open: [CheckIn] = []
    var mailed: [Int64] = []
    // One falls due each minute, and each is asked again each interval.
    for at in 0..<Int64(4 * minutes) {
      open.append(Self.asked("Question \(at)", due: -at))
      var now = Self.checkIns(open)
      now.settings.nagEvery = minutes
      for _ in open
      where all.mail(of: now, account: Self.owner, now: Self.after(minutes: at)) != nil {
        mailed.append(at)
      }
    }
    #expect(mailed == (0..<4).map { Int64($0 * minutes) })
  }

  @Test func `a repeat that comes a second early is mailed, and a wall clock set back mutes none`()
  {
    var all = CheckInMails(answersByClick: true)
    let due = Self.checkIns([Self.asked("Am I well?", due: 600)])
    func isMailed(_ wall: Int64) -> Bool {
      var now = Timestamp.evening
      now.wall = wall
      return all.mail(of: due, account: Self.owner, now: now) != nil
    }
    #expect(isMailed(Self.evening))
    #expect(!isMailed(Self.evening + 4 * Self.minute))
    #expect(isMailed(Self.evening + 5 * Self.minute - 1_000_000))
    #expect(isMailed(Self.evening - 60 * Self.minute))
  }

  @Test func `the owner's words make no header and no other line of the mail`() throws {
    let words = "x\" \u{2028}\u{202E}Bcc: contact-1@example.org"
    let mail = try #require(Self.mail([Self.asked(words)]))
    let lines = mail.body.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4)
    #expect(lines[1].hasPrefix("- \"x' Bcc: contact-1@example.org\", due at 11:47pm EST; "))
  }
}
