import Bridge
import Testing

@Suite struct PINTests {
  /// R6.
  @Test(arguments: ["0000", "0042", "2468", "9999"])
  func `four digits are a PIN`(text: String) { #expect(PIN(text)?.description == text) }

  /// R6: neither three digits nor five, and no letters.
  @Test(arguments: ["", "1", "123", "12345", "12a4", " 123", "-123", "１２３４", "1²3", "12.4"])
  func `anything else is none`(text: String) { #expect(PIN(text) == nil) }

  @Test func `a PIN matches its own hash, and no other does`() throws {
    let pin = try #require(PIN("0042"))
    let hash = pin.hash()
    #expect(hash.hasPrefix("$6$rounds=20000$"))
    #expect(!hash.contains("0042"))
    #expect(pin.matches(hash))
    for other in ["0043", "0420", "9042"] { #expect(PIN(other)?.matches(hash) == false) }
  }

  @Test func `two hashes of one PIN differ, and both match`() throws {
    let pin = try #require(PIN("1234"))
    let hashes = [pin.hash(), pin.hash()]
    #expect(hashes[0] != hashes[1])
    #expect(hashes.allSatisfy { pin.matches($0) })
  }

  @Test(arguments: ["", "*", "1234", "$6$", "$6$rounds=20000$salt$", "\u{0}"])
  func `what is no hash matches nothing`(hash: String) {
    #expect(PIN("1234")?.matches(hash) == false)
  }

  @Test func `random PINs are PINs`() {
    for _ in 0..<200 { #expect(PIN(PIN.random().description) != nil) }
  }
}
