import AlertCore
import Foundation
import TestSupport
import Testing

@testable import Console

/// Contacts of a telephone's book (R23, R120, R123).
struct ContactImportTests {
  private static let cards = """
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
    BEGIN:VCARD\r
    VERSION:2.1\r
    N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=84;=\r
    Contact;;;\r
    TEL;CELL:(614) 867-5309\r
    TEL;WORK;PREF:12\r
    EMAIL:none\r
    END:VCARD\r
    """

  private func found(_ text: String, _ account: Account = BenchCore.owner) -> ContactImport {
    ContactImport(VCards.people(in: text), account)
  }

  @Test func `a vCard gives its name and numbers with what they are for, the best one chosen`() {
    let people = found(Self.cards).people
    #expect(people.map(\.name) == ["Contact 1", "Contact 2, work", "Contact Ä"])
    #expect(people.map(\.person) == [2, 1, 4])
    #expect(people[1].numbers.map(\.number) == ["+15555550102", "+15555550103"])
    #expect(people[1].numbers.map(\.types) == [["home"], ["cell"]])
    #expect(people[1].numbers.map(\.chosen) == [false, true])
    #expect(people[1].email == "contact-2@example.org")
    #expect(people[2].numbers.map(\.written) == ["(614) 867-5309", "12"])
    #expect(people[2].numbers.map(\.number) == ["+16148675309", nil], "by the account's country")
    #expect(people[2].numbers.map(\.chosen) == [true, false], "what is preferred is no number")
    #expect(people[2].numbers[1].problem?.hasPrefix("has 2 digits") == true)
    #expect(people[2].email == nil && people[2].problem?.contains("mail address") == true)
  }

  @Test func `the card that is wrong is named, and what is wrong with it`() {
    let wrong = found(
      Self.cards + "BEGIN:VCARD\nFN:Contact 5\nTEL:12 ext 3\nEND:VCARD\nBEGIN:VCARD\nEND:VCARD"
    ).wrong
    #expect(wrong.map(\.person) == [3, 5, 6])
    #expect(
      wrong.map(\.problem) == [
        "card 3 (No number) has no number",
        "card 5 (Contact 5): the number 12 ext 3 has “e”, which is no part of a number",
        "card 6 has no name",
      ])
  }

  @Test func `names stand as people sort them, whatever their case and accents`() {
    let names = ["Zoé", "anna 10", "Älva", "Anna 9", "bea", "Alva", "Ödön"]
    let cards = names.map { "BEGIN:VCARD\nFN:\($0)\nTEL:+15555550101\nEND:VCARD" }
    let people = found(cards.joined(separator: "\n")).people
    #expect(people.map(\.name) == ["Alva", "Älva", "Anna 9", "anna 10", "bea", "Ödön", "Zoé"])
  }

  @Test func `who is a contact already is told, by name or by number`() {
    let people = found(
      """
      BEGIN:VCARD\nFN:Contact 1\nTEL:+15555550177\nEND:VCARD
      BEGIN:VCARD\nFN:Person 2\nTEL:555-555-0102\nEND:VCARD
      BEGIN:VCARD\nFN:Person 3\nTEL:555-555-0103\nEND:VCARD
      """
    ).people
    #expect(people.map(\.contact) == ["contact-1", "contact-2", nil])
    #expect(people.map(\.duplicate) == [.name, .number, nil])
  }

  @Test func `a table gives its rows, quoted or not`() {
    let text = #"""
      Name,Phone 2,Mobile phone,E-mail
      "Contact 2, ""work""",,+1 555 5550102,contact-2@example.org
      Contact 1,+15555550101,+15555550109,

      Nobody,,,
      """#
    let found = ContactImport(ContactTable.people(in: text), BenchCore.owner)
    #expect(found.people.map(\.name) == ["Contact 1", "Contact 2, \"work\""])
    #expect(found.people.map(\.person) == [2, 1])
    #expect(found.people[0].numbers.map(\.chosen) == [false, true], "the mobile one")
    #expect(found.people[1].email == "contact-2@example.org")
    #expect(found.wrong.map(\.problem) == ["card 3 (Nobody) has no number"])
    #expect(ContactTable.people(in: "a,b\n1,2").isEmpty)
  }

  @Test func `garbage gives persons who hold their limits, or none`() {
    var generator = SeededGenerator(seed: 23)
    let words = [
      "BEGIN:VCARD\r\n", "END:VCARD\n", "FN:", "N:", "TEL:", "+1555", ";", ",", "\"", "\n", " ",
      "\\", "name", "number", "é", "\u{0}", ":", "PREF", "5555550101", "=", "QUOTED-PRINTABLE",
    ]
    for _ in 0..<(Soak.isOn ? 100_000 : 3_000) {
      let text = (0..<Int.random(in: 0...40, using: &generator))
        .map { _ in words.randomElement(using: &generator)! }.joined()
      for written in [VCards.people(in: text), ContactTable.people(in: text)] {
        let found = ContactImport(written, BenchCore.owner)
        #expect(found.people.count + found.wrong.count == written.count)
        for person in found.people {
          #expect(!person.name.isEmpty && person.name.utf8.count <= 100)
          #expect((1...8).contains(person.numbers.count))
          #expect(person.draft(choosing: nil)?.numbers.filter(\.chosen).count == 1)
          #expect(person.draft(choosing: "+1") == nil)
        }
      }
    }
  }

  // MARK: By the API

  private struct Preview: Decodable {
    struct Person: Decodable {
      struct Number: Decodable {
        let written: String
        let number: String?
      }

      let person: Int
      let name: String
      let numbers: [Number]
    }

    let total: Int
    let people: [Person]
    let wrong: [Wrong]
  }

  private struct Wrong: Decodable {
    let person: Int
    let problem: String
  }

  private struct Brought: Decodable {
    let total: Int
    let added: [String]
    let passedOver: [Wrong]
    let wrong: [Wrong]
  }

  private static func json(_ members: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
  }

  @Test func `a file is looked at first, and adds nobody`() async throws {
    try await Rig.run { rig in
      let body = try Self.json(["vcard": Self.cards])
      let answer = try await rig.ask("POST", "/v1/contacts/import/preview", json: body)
      let preview: Preview = try answer.json()
      #expect(preview.total == 3 && preview.people.map(\.person) == [2, 1, 4])
      #expect(preview.people[2].numbers.map(\.number) == ["+16148675309", nil])
      #expect(preview.wrong.map(\.person) == [3])
      #expect(rig.core.asked.isEmpty)
    }
  }

  @Test func `R120: the persons who are picked are taken, each with the number that is picked`()
    async throws
  {
    try await Rig.run { rig in
      let take: [[String: Any]] = [
        ["person": 1, "number": "+15555550102"], ["person": 2, "number": "+15555550101"],
      ]
      let answer = try await rig.ask(
        "POST", "/v1/contacts/import", json: Self.json(["vcard": Self.cards, "take": take]))
      let brought: Brought = try answer.json()
      let draft = ContactDraft(
        name: "Contact 2, work",
        numbers: [
          .init(number: "+15555550102", chosen: true),
          .init(number: "+15555550103", chosen: false),
        ], email: "contact-2@example.org")
      #expect(
        rig.core.asked.map(\.userCommand) == [.change(.importContacts([draft]), isProven: false)])
      #expect(brought.added == ["contact-3"] && brought.total == 3)
      #expect(brought.passedOver.map(\.problem) == ["is a contact already"])
      #expect(brought.wrong.isEmpty)
    }
  }

  @Test func `a choice that the file does not have is refused, and nobody is added`() async throws {
    try await Rig.run { rig in
      for (person, number) in [(1, "+15555550199"), (3, "+15555550101"), (9, "+15555550101")] {
        let take: [[String: Any]] = [["person": person, "number": number]]
        let answer = try await rig.ask(
          "POST", "/v1/contacts/import", json: Self.json(["vcard": Self.cards, "take": take]))
        let problem: ProblemBody = try answer.json()
        #expect(answer.status == 422 && problem.field == "take", "\(person)")
        #expect(problem.detail.contains("card \(person)"))
      }
      #expect(rig.core.asked.isEmpty)
    }
  }

  @Test func `without a choice all are taken but those that are wrong, who are named`() async throws
  {
    try await Rig.run { rig in
      let answer = try await rig.send(
        "POST", "/v1/contacts/import",
        headers: [
          "Authorization": "Bearer \(rig.token[.administer]!)", "Content-Type": "text/csv",
          "Fob-PIN": "2468",
        ],
        body: Array("name,number\nContact 9,+15555550109\nContact 8,1\nContact 1,5555550101\n".utf8)
      )
      #expect(answer.status == 200)
      let brought: Brought = try answer.json()
      let draft = ContactDraft(
        name: "Contact 9", numbers: [.init(number: "+15555550109", chosen: true)])
      #expect(
        rig.core.asked.map(\.userCommand) == [.change(.importContacts([draft]), isProven: true)])
      #expect(brought.wrong.map(\.person) == [2] && brought.passedOver.map(\.person) == [3])
    }
  }

  @Test func `a file without anybody to take says which card is wrong`() async throws {
    try await Rig.run { rig in
      for path in ["/v1/contacts/import", "/v1/contacts/import/preview"] {
        let body = try Self.json(["vcard": "BEGIN:VCARD\nFN:Contact 5\nTEL:1\nEND:VCARD"])
        let answer = try await rig.ask("POST", path, json: body)
        let problem: ProblemBody = try answer.json()
        #expect(answer.status == 422 && problem.code == "noContacts")
        #expect(problem.detail.hasPrefix("card 1 (Contact 5): the number 1 has 1 digits"))
      }
    }
  }
}
