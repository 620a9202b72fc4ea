import AlertCore
import TestSupport
import Testing

@testable import Console

/// Contacts of a telephone's book (R23).
struct ContactImportTests {
  @Test func `a vCard gives its name and numbers, the preferred one chosen`() {
    let text = """
      BEGIN:VCARD\r
      VERSION:4.0\r
      FN:Contact 2\\, work\r
      TEL;VALUE=uri;TYPE=home:tel:+1-555-555-0102\r
      item1.TEL;TYPE=cell,pref:+1 (555) 555\r
       -0103\r
      EMAIL:contact-2@example.org\r
      END:VCARD\r
      begin:vcard\r
      N:1;Contact;;;\r
      TEL:+15555550101\r
      END:VCARD\r
      BEGIN:VCARD\r
      FN:No number\r
      END:VCARD\r
      """
    let contacts = VCards.contacts(in: text)
    #expect(contacts.map(\.name) == ["Contact 1", "Contact 2, work"])
    #expect(contacts[1].numbers.map(\.number) == ["+15555550102", "+15555550103"])
    #expect(contacts[1].numbers.map(\.chosen) == [false, true])
    #expect(contacts[1].email == "contact-2@example.org")
  }

  @Test func `a table gives its rows, quoted or not, by name`() {
    let text = #"""
      Name,Mobile phone,E-mail,Phone 2
      "Contact 2, ""work""",+1 555 5550102,contact-2@example.org,
      Contact 1,,,+15555550101

      Nobody,,,
      """#
    let contacts = ContactTable.contacts(in: text)
    #expect(contacts.map(\.name) == ["Contact 1", "Contact 2, \"work\""])
    #expect(contacts.map { $0.numbers.map(\.number) } == [["+15555550101"], ["+15555550102"]])
    #expect(contacts[1].email == "contact-2@example.org")
  }

  @Test func `garbage gives contacts that hold their limits, or none`() {
    var generator = SeededGenerator(seed: 23)
    let words = [
      "BEGIN:VCARD\r\n", "END:VCARD\n", "FN:", "N:", "TEL:", "+1555", ";", ",", "\"", "\n", " ",
      "\\", "name", "number", "é", "\u{0}", ":", "PREF",
    ]
    for _ in 0..<(Soak.isOn ? 100_000 : 3_000) {
      let text = (0..<Int.random(in: 0...40, using: &generator))
        .map { _ in words.randomElement(using: &generator)! }.joined()
      for contact in VCards.contacts(in: text) + ContactTable.contacts(in: text) {
        #expect(!contact.name.isEmpty && contact.name.count <= 100)
        #expect((1...8).contains(contact.numbers.count))
        #expect(contact.numbers.filter(\.chosen).count == 1)
      }
    }
  }

  @Test func `an import is one change, and the list comes back by name`() async throws {
    try await Rig.run { rig in
      let answer = try await rig.send(
        "POST", "/v1/contacts/import",
        headers: [
          "Authorization": "Bearer \(rig.token[.administer]!)", "Content-Type": "text/csv",
          "Fob-PIN": "2468",
        ], body: Array("name,number\nContact 9,+15555550109\n".utf8))
      #expect(answer.status == 200)
      let draft = ContactDraft(
        name: "Contact 9", numbers: [.init(number: "+15555550109", chosen: true)])
      #expect(
        rig.core.asked.map(\.userCommand) == [.change(.importContacts([draft]), isProven: true)])
    }
  }
}
