import AlertCore
import Sinks
import Testing

@testable import Bridge

/// Only who does not exist may be told by a process whose time a test moves.
@Suite struct TestIdentityTests {
  @Test(arguments: [
    ("contact@example.org", true), ("a@b.example.net", true), ("a@something.example", true),
    ("a@EXAMPLE.com", true), ("a@example.org.evil.com", false), ("a@notexample.org", false),
    ("a@gmail.com", false), ("nobody", false), ("", false),
  ])
  func `mailboxes of domains that nobody can own are of test identity`(
    mailbox: String, isTest: Bool
  ) {
    #expect(TestIdentity.isTest(mailbox: mailbox) == isTest)
  }

  @Test(arguments: [
    ("+15555550100", true), ("+12025550199", true), ("+12025550200", false),
    ("+12025551100", false), ("+442025550199", false), ("+1202555019", false), ("", false),
    ("+1202555019x", false),
  ])
  func `numbers kept for fiction are of test identity`(number: String, isTest: Bool) {
    #expect(TestIdentity.isTest(number: number) == isTest)
  }

  @Test func `an account is as real as the realest of its contacts`() {
    var account = Account(
      name: "Owner", email: "owner@example.org", mobile: "+15555550100",
      contacts: [Contact(id: "contact-1", name: "Contact 1", address: "+15555550101")])
    #expect(TestIdentity.obstacle(account: account, sinks: []) == nil)
    account.contacts.append(Contact(id: "contact-2", name: "Contact 2", address: "+4930123456"))
    #expect(TestIdentity.obstacle(account: account, sinks: [])?.contains("contact-2") == true)
    account.contacts.removeLast()
    account.email = "owner@mail.com"
    #expect(TestIdentity.obstacle(account: account, sinks: [])?.contains("e-mail") == true)
  }

  private struct LiveSink: Sink {
    let name = "live"
    func deliver(_ message: OutgoingMessage) throws(SinkFailure) {}
  }

  @Test func `a notification channel that reaches real receivers is an obstacle`() {
    let account = Account(name: "Owner", contacts: [])
    #expect(TestIdentity.obstacle(account: account, sinks: [LiveSink()])?.contains("live") == true)
  }
}
