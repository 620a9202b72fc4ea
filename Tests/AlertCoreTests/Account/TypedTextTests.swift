import AlertCore
import TestSupport
import Testing

/// R5, R11, R57 and G7: what people type, at its edges. Asked through the account, as it comes.
struct TypedTextTests {
  private typealias Part = WritableKeyPath<AccountChange.Profile, String?>

  /// What the account keeps of a text; nil: it is refused.
  private func kept(_ part: Part, _ text: String, _ read: KeyPath<Account, String>) -> String? {
    var account = Account.complete(pinned: false)
    account.language = "xx"
    account.zone = "Etc/GMT"
    account.name = "Somebody"
    account.email = "somebody@example.org"
    account.mobile = "+15555550199"
    account.country = "ZZ"
    var bench = CoreBench(account)
    return bench.change(.edit(.with(part, text))) == nil ? bench.core.account[keyPath: read] : nil
  }

  @Test(
    arguments: [
      ("+1 5555550100", "+15555550100"), ("+1 (555) 555-01.00", "+15555550100"),
      ("+1234567", "+1234567"), ("+123456789012345", "+123456789012345"),
      ("+123456", nil), ("+1234567890123456", nil), ("15555550100", nil), ("+05555550100", nil),
      ("++15555550100", nil), ("+1555555010O", nil), ("+1\t5555550100", nil), ("", nil), ("+", nil),
      ("+15555550100\u{301}", nil), ("+１５５５５５５０１００", nil), ("1+5555550100", nil),
      ("tel:+15555550100", nil), ("+15555550100\n", nil), (" +15555550100 ", "+15555550100"),
    ] as [(String, String?)])
  func `R57: a mobile number is one in E.164`(_ text: String, _ expected: String?) {
    #expect(kept(\.mobile, text, \.mobile) == expected)
  }

  @Test(arguments: [
    ("owner@example.org", true), ("a@b.c", true), ("o+tag@mail.example.org", true),
    ("owner", false), ("@example.org", false), ("owner@", false), ("owner@example", false),
    ("a@b@example.org", false), ("owner@example..org", false), ("owner@.org", false),
    ("owner@example.org\r\nBcc: x@example.org", false), ("own er@example.org", false),
    ("Owner <owner@example.org>", false), ("a,b@example.org", false), ("öwner@example.org", false),
    (String(repeating: "a", count: 64) + "@example.org", true),
    (String(repeating: "a", count: 65) + "@example.org", false),
    ("a@" + String(repeating: "b.", count: 125) + "cc", true),
    ("a@" + String(repeating: "b.", count: 125) + "ccc", false), ("", false), ("@", false),
  ])
  func `R5: a mail address has one @ and a domain with a dot`(_ text: String, _ isGood: Bool) {
    #expect(kept(\.email, text, \.email) == (isGood ? text : nil))
  }

  @Test(
    arguments: [
      ("Owner", "Owner"), ("  Owner \n", "Owner"), ("Ö", "Ö"), ("", nil), (" \u{A0}\t", nil),
      ("Own\u{0}er", nil), ("Own\ner", nil), ("Own\u{7F}er", nil),
      (String(repeating: "n", count: 100), String(repeating: "n", count: 100)),
      (String(repeating: "n", count: 101), nil),
    ] as [(String, String?)])
  func `R5: a name is there, short, and on one line`(_ text: String, _ expected: String?) {
    #expect(kept(\.name, text, \.name) == expected)
    #expect(kept(\.possessive, text, \.possessive) == expected)
    #expect(keptPlace(text) == expected)
  }

  /// What the account keeps as the name of a place, which stands in messages; nil: it is refused.
  private func keptPlace(_ name: String) -> String? {
    var bench = CoreBench(Account.complete(pinned: false))
    var profile = AccountChange.Profile()
    profile.places = [Place(name: name, latitude: 0, longitude: 0)]
    let refusal = bench.change(.edit(profile))
    return refusal == nil ? bench.core.account.places.map(\.name).first : nil
  }

  @Test(
    arguments: [
      ("FR", "FR"), ("fr", "FR"), ("", nil), ("F", nil), ("FRA", nil), ("F1", nil), ("é", nil),
      ("ß", nil), ("F ", nil), ("XX", nil), ("AQ", "AQ"),
    ] as [(String, String?)])
  func `R57: a country is two letters`(_ text: String, _ expected: String?) {
    #expect(kept(\.country, text, \.country) == expected)
  }

  @Test(arguments: [
    ("en", true), ("fr-CA", true), ("zh-Hant-TW", true), ("de-1996", true), ("", false),
    ("e", false), ("en-", false), ("-en", false), ("en_US", false), ("en--US", false),
    ("e1", false), ("abcdefghi", false), ("en-abcdefghi", false),
    ("en" + String(repeating: "-abcdefgh", count: 4), false),
  ])
  func `R60: a language is a tag of BCP 47's shape`(_ text: String, _ isGood: Bool) {
    #expect(kept(\.language, text, \.language) == (isGood ? text : nil))
  }

  @Test(arguments: [
    ("Europe/Paris", true), ("UTC", true), ("Etc/GMT+5", true), ("America/Port-au-Prince", true),
    ("Asia/Calcutta", true), ("Europe/Kyiv", true),
    ("", false), ("Europe/Paris\n", false), ("../passwd", false), ("Europe Paris", false),
    (String(repeating: "z", count: 65), false), ("Mars/Olympus", false), ("GMT+25", false),
    ("europe/paris", false), ("Europe", false), ("Factory", false),
    ("Europe/Paris America/Lima", false),
  ])
  func `G19: a zone is one that exists, by its IANA name`(_ text: String, _ isGood: Bool) {
    #expect(kept(\.zone, text, \.zone) == (isGood ? text : nil))
  }

  @Test(arguments: [
    ("ldawg61255420@hotmail.com", "ldaw****@hotmail.com"),
    ("owner@example.org", "owne****@example.org"), ("four@example.org", "f****@example.org"),
    ("abc@example.org", "a****@example.org"), ("a@example.org", "a****@example.org"),
    ("@example.org", "****@example.org"), ("nothing", "****"), ("", "****"),
    ("a@b@example.org", "a****@example.org"),
  ])
  func `R11, G7: four letters or one, then four asterisks, whatever the length`(
    _ address: String, _ masked: String
  ) {
    #expect(MaskedEmail.of(address) == masked)
  }

  @Test(arguments: UInt64(0)..<20)
  func `no text of any bytes traps`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bench = CoreBench(.complete(pinned: false))
    let parts: [Part] = [\.name, \.email, \.mobile, \.country, \.language, \.possessive, \.zone]
    for _ in 0..<60 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random)
          : "+@.-/1aZ \u{0}\n".utf8.randomElement(using: &random)!
      }
      let text = String(decoding: bytes, as: UTF8.self)
      for part in parts { _ = bench.change(.edit(.with(part, text))) }
      _ = bench.change(.addContact(.named(text, text)))
      _ = bench.change(.claim(keychain, email: text))
      #expect(MaskedEmail.of(text).contains("****"))
    }
  }
}
