import AlertCore
import Foundation
import TestSupport
import Testing

/// R123: numbers as people write them, by the account's country.
struct PhoneNumberTests {
  private func read(_ text: String, _ country: String) -> String? {
    try? PhoneNumber.e164(text, country: country)
  }

  @Test(
    arguments: [
      ("(614) 867-5309", "US", "+16148675309"), ("1-614-867-5309", "US", "+16148675309"),
      ("614.867.5309", "CA", "+16148675309"), ("011 49 30 1234567", "US", "+49301234567"),
      ("030 1234567", "DE", "+49301234567"), ("030/1234567", "DE", "+49301234567"),
      ("00 49 30 1234567", "FR", "+49301234567"), ("0151 12345678", "DE", "+4915112345678"),
      ("+49 (0)30 1234567", "US", "+49301234567"), ("+49 (0)30 1234567", "", "+49301234567"),
      ("06 12 34 56 78", "FR", "+33612345678"), ("06 1234 5678", "IT", "+390612345678"),
      ("+39 06 1234 5678", "DE", "+390612345678"), ("392 123 4567", "IT", "+393921234567"),
      ("0664 1234567", "AT", "+436641234567"), ("98765 43210", "IN", "+919876543210"),
      ("8 (912) 345-67-89", "RU", "+79123456789"), ("07400 123456", "GB", "+447400123456"),
      ("011 1234-5678", "AR", "+541112345678"), ("020 12 34 56 78", "HU", nil),
      ("06 20 123 4567", "HU", "+36201234567"), ("0400 123 456", "AU", "+61400123456"),
      ("0011 49 30 1234567", "AU", "+49301234567"), ("tel:030 1234567", "DE", nil),
      ("\u{202A}+1 (614)\u{A0}867\u{2011}5309\u{202C}", "DE", "+16148675309"),
    ] as [(String, String, String?)])
  func `a number is read as people write it in its country`(
    _ text: String, _ country: String, _ expected: String?
  ) {
    #expect(read(text, country) == expected)
  }

  @Test(
    arguments: [
      ("867-5309", "US", "has 7 digits, and is no whole number of US"),
      ("1234567", "DE", "with 0 and the area's code before it, or with +49"),
      ("49 30 1234567", "DE", "or with +49"), ("011 15-2345-6789", "AR", "or with +54"),
      ("030 1234567", "", "give the account a country first"),
      ("030 1234567", "QQ", "write + and the country's code"),
      ("(614) 867-5309 ext. 5", "US", "has “e”, which is no part of a number"),
      ("+49 30", "DE", "has 4 digits: with its country's code a number has 7 to 15"),
      ("()", "DE", "is empty"), ("+0 1234567", "DE", "none begins with 0"),
    ])
  func `what may be another number is refused, and what is wrong is said`(
    _ text: String, _ country: String, _ words: String
  ) {
    #expect {
      try PhoneNumber.e164(text, country: country)
    } throws: {
      "\($0)".contains(words)
    }
  }

  /// Fixed, mobile and free numbers of every country in their national form, and as they are
  /// dialled from there to themselves.
  @Test func `libphonenumber's examples of all countries are read as it reads them`() throws {
    let path = "Tests/AlertCoreTests/Account/numbers.tsv"
    let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    let rows = text.split(separator: "\n").map {
      $0.split(separator: "\t").map(String.init)
    }
    #expect(rows.count > 1_200)
    var refused = 0
    for row in rows {
      let expected = row[2] == "-" ? nil : row[2]
      #expect(read(row[1], row[0]) == expected, "\(row)")
      guard let expected else {
        refused += 1
        continue
      }
      #expect(read(expected, "US") == expected, "\(row)")
    }
    #expect(refused < 20, "what this form cannot carry")
  }

  @Test func `whatever is typed, what is read has 7 to 15 digits, and reads the same again`() {
    var random = SeededGenerator(seed: 123)
    let countries = ["US", "DE", "IT", "RU", "KR", "BY", "AR", "", "XX"]
    for _ in 0..<(Soak.isOn ? 1_000_000 : 20_000) {
      let text = String(
        (0..<Int.random(in: 0...20, using: &random)).map { _ in
          "+0123456789 -(/)x".randomElement(using: &random) ?? " "
        })
      guard let number = read(text, countries.randomElement(using: &random) ?? "") else { continue }
      #expect(number.wholeMatch(of: /\+[1-9][0-9]{6,14}/) != nil, "\(text)")
      #expect(read(number, "") == number, "\(text)")
    }
  }

  @Test func `R57, R123: the country of the same edit counts, and contacts go by the account's`() {
    var bench = CoreBench(.complete(pinned: false))
    var profile = AccountChange.Profile()
    profile.country = "US"
    profile.mobile = "(614) 867-5309"
    #expect(bench.change(.edit(profile)) == nil)
    #expect(bench.core.account.mobile == "+16148675309")
    #expect(bench.change(.addContact(.named("Contact 3", "(614) 867-5300"))) == nil)
    #expect(bench.core.account.contacts.last?.number == "+16148675300")
    #expect(
      bench.change(.addContact(.named("Contact 4", "867-5300")))
        == .invalid(
          "numbers",
          "has 7 digits, and is no whole number of US: write it, with 1 and the area's code before"
            + " it, or with +1"))
  }
}

/// The number that is called for help: never that of another country.
struct EmergencyNumberTests {
  /// Written out here, and not read from the table.
  @Test(arguments: [
    ("US", "911"), ("CA", "911"), ("MX", "911"), ("GB", "999"), ("IE", "112"), ("DE", "112"),
    ("FR", "112"), ("ES", "112"), ("IT", "112"), ("AT", "112"), ("CH", "112"), ("SE", "112"),
    ("NO", "112"), ("PL", "112"), ("TR", "112"), ("UA", "112"), ("AU", "000"), ("NZ", "111"),
    ("JP", "110"), ("KR", "112"), ("CN", "110"), ("HK", "999"), ("SG", "999"), ("IN", "112"),
    ("BR", "190"), ("AR", "911"), ("CL", "133"), ("CO", "123"), ("ZA", "112"), ("AE", "999"),
    ("IL", "100"), ("TH", "191"), ("PH", "911"), ("MY", "999"), ("VN", "113"), ("JM", "119"),
  ])
  func `a country has its own general number, else that of its police`(
    _ country: String, _ number: String
  ) {
    let emergency = EmergencyNumber(country: country)
    #expect(emergency.text == number && emergency.isKnown)
  }

  @Test(arguments: ["", "XX", "AQ", "us", "IQ"])
  func `where it is not known it is 112, and that is said`(_ country: String) {
    let emergency = EmergencyNumber(country: country)
    #expect(emergency.text == "112" && !emergency.isKnown)
  }

  @Test func `the status has it by the account's country`() {
    var account = Account.complete()
    for (country, number, isKnown) in [
      ("US", "911", true), ("GB", "999", true), ("", "112", false),
    ] {
      account.country = country
      let bench = CoreBench(account)
      let shown = bench.core.status(at: bench.now).account
      #expect(shown.country == country && shown.emergencyNumber == number)
      #expect(shown.isEmergencyNumberKnown == isKnown)
    }
  }
}
