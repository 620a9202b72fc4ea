import AlertCore
import FobBase
import Testing

/// Who is told.
struct ContactTests {
  /// The log and past alarms name contacts by their ids.
  @Test func `no contact gets the id of one that was removed`() {
    var bench = CoreBench(.inSetUp)
    for contact in bench.core.account.contacts {
      #expect(bench.change(.removeContact(contact.id), isProven: true) == nil)
    }
    #expect(bench.change(.addContact(.named("Contact 9")), isProven: true) == nil)
    #expect(bench.core.account.contacts.map(\.id) == ["contact-3"])
  }

  private typealias Number = ContactDraft.Number

  @Test func `R15: a contact has a name, and exactly one chosen number out of several`() {
    let good = Number(number: "+15555550101", chosen: true)
    let other = Number(number: "+15555550102", chosen: false)
    let refused: [(String, [Number], String)] = [
      ("", [good], "name"), (" \n", [good], "name"), ("Contact", [], "numbers"),
      ("Contact", [other], "numbers"), ("Contact", [good, good], "numbers"),
      ("Contact", [Number(number: "5555550101", chosen: true)], "numbers"),
      ("Contact", [good, Number(number: "", chosen: false)], "numbers"),
    ]
    for (name, numbers, part) in refused {
      var bench = CoreBench(.inSetUp)
      let refusal = bench.change(.addContact(ContactDraft(name: name, numbers: numbers)))
      guard case .invalid(part, _) = refusal else {
        Issue.record("\(name), \(numbers): \(String(describing: refusal))")
        continue
      }
    }
    var bench = CoreBench(.inSetUp)
    #expect(
      bench.change(.addContact(ContactDraft(name: " Contact 3 ", numbers: [other, good]))) == nil)
    let contact = bench.core.account.contacts.last
    #expect(contact?.id == "contact-3" && contact?.name == "Contact 3")
    #expect(contact?.number == "+15555550101")
    #expect(
      bench.change(
        .addContact(
          ContactDraft(
            name: "Contact",
            numbers: [good] + Array(repeating: other, count: Limits.contactNumbers))))
        == .tooMany("numbers of a contact", limit: Limits.contactNumbers))
  }

  @Test func `R16: an edit is refused until the name or a number differs`() {
    var bench = CoreBench(.inSetUp)
    let draft = ContactDraft.named("Contact 1")
    #expect(bench.change(.editContact("contact-1", draft)) == nil)
    #expect(bench.change(.editContact("contact-1", draft)) == .unchanged)
    #expect(bench.change(.editContact("contact-1", .named("Contact 1", "+15555550109"))) == nil)
    #expect(bench.change(.editContact("contact-7", draft)) == .unknownContact)
    #expect(bench.core.account.contacts.map(\.id) == ["contact-1", "contact-2"])
  }

  @Test func `R17, R18: a removed contact is gone, and the count says so`() {
    var bench = CoreBench(.inSetUp)
    func count() -> Int { bench.core.status(at: bench.now).contacts }
    #expect(count() == 2)
    #expect(bench.change(.removeContact("contact-1")) == nil)
    #expect(bench.change(.removeContact("contact-1")) == .unknownContact)
    #expect(count() == 1)
    bench.press(.press(1))
    #expect(bench.deliveries(.raise).map(\.notification.contact.id) == ["contact-2"])
    #expect(count() == 1)
  }

  @Test func `R23: an import adds whoever is not there by name, all of them or none`() {
    var bench = CoreBench(.inSetUp)
    let drafts: [ContactDraft] = [
      .named("Contact 2"), .named("Contact 3"), .named(" Contact 1 "), .named("Contact 3"),
    ]
    #expect(bench.change(.importContacts(drafts)) == nil)
    #expect(bench.core.account.contacts.map(\.name) == ["Contact 1", "Contact 2", "Contact 3"])
    #expect(bench.change(.importContacts(drafts)) == .unchanged)
    let bad = [ContactDraft.named("Contact 4"), .named("Contact 5", "none")]
    #expect(bench.change(.importContacts(bad)) != nil)
    let many = (0...Limits.contacts).map { ContactDraft.named("Person \($0)") }
    #expect(
      bench.change(.importContacts(many)) == .tooMany("contacts", limit: Limits.contacts))
  }

  @Test(arguments: ["9223372036854775807", "a-9223372036854775807", "-", "", "x-y", "7-"])
  func `whatever a contact is called in the configuration, a new one gets a name of its own`(
    _ id: String
  ) {
    var account = Account.inSetUp
    account.contacts[0].id = id
    var bench = CoreBench(account)
    for n in 3...5 { #expect(bench.change(.addContact(.named("Contact \(n)"))) == nil) }
    #expect(Set(bench.core.account.contacts.map(\.id)).count == 5)
  }

  @Test func `R14: with no contacts the status warns that no one would be told`() {
    func warnings(_ account: Account, channels: [Contact] = []) -> [String] {
      let bench = CoreBench(account, channels: channels)
      return bench.core.status(at: bench.now).warnings
    }
    #expect(warnings(.complete()).isEmpty)
    #expect(
      warnings(.complete(contacts: 0)) == ["no contacts: an alarm would be told to no one"])
    #expect(
      warnings(.complete(contacts: 0), channels: [.board])
        == ["no contacts: an alarm would be told to no person"])
    #expect(
      warnings(.complete(pinned: false)) == ["no PIN: anybody can cancel an alarm"])
    var bare = Account.complete()
    bare.devices = []
    #expect(warnings(bare) == ["no keychain is claimed"])
    #expect(
      warnings(.loggedOut) == ["logged out: a press is stored and shown, and nobody is told"])
    #expect(
      warnings(.none)
        == ["there is no account: a press is stored and shown, and nobody is told"])
  }

  @Test
  func `a contact that no notification channel reaches is in the status while nothing happens`() {
    let bench = CoreBench(.complete(), ways: ["contact-1": ["sms"], "contact-2": []])
    let status = bench.core.status(at: bench.now)
    #expect(status.unreachable == ["contact-2"])
    #expect(
      status.warnings == [
        "contact-2 cannot be reached by any notification channel that is configured"
      ])
  }

  @Test func `the ways to a contact travel with each of its messages`() {
    let ways = ["contact-1": ["sms", "mail"], "contact-2": ["mail"]]
    var bench = CoreBench(.complete(), ways: ways)
    bench.press(.press(1))
    bench.press(.press(2))
    bench.perform(.disarm)
    #expect(bench.deliveries().count == 6)
    for delivery in bench.deliveries() {
      let contact = delivery.notification.contact
      #expect(contact.ways == ways[contact.id])
    }
  }

  @Test func `R52: a channel is told as contacts are, and hears the end`() {
    var bench = CoreBench(.complete(contacts: 1), channels: [.board])
    bench.press(.press(1))
    bench.press(.press(2))
    bench.run(for: .minutes(6))
    bench.perform(.disarm)
    for contact in ["contact-1", "board"] {
      #expect(
        bench.deliveries(to: contact).map(\.notification.kind)
          == [.raise, .update, .again, .closing], "\(contact)")
    }
    #expect(bench.core.status(at: bench.now).contacts == 1, "a channel is no contact (R18)")
  }

  @Test func `R45: where nobody is a contact, a channel's acceptance is one`() {
    var bench = CoreBench(.complete(contacts: 0), channels: [.board])
    bench.sinks["board"] = .accepts(after: .seconds(1))
    bench.press(.press(1))
    #expect(bench.state == .emergencySending)
    bench.run(for: .seconds(1))
    #expect(bench.state == .emergencySent)
  }
}

extension Contact {
  fileprivate static let board = Contact(id: "board", name: "board")
}
