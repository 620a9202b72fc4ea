import FobBase
import SystemCrypto
import Testing

@Suite struct ZeroIVCipherTests {
  /// NIST SP 800-38A, F.2.1, F.2.3 and F.2.5. Their vector is 00 01 … 0f: it goes into the first
  /// block, as ciphering does with it.
  @Test(arguments: [
    (
      "2b7e151628aed2a6abf7158809cf4f3c",
      "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
        + "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"
    ),
    (
      "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
      "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"
        + "571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd"
    ),
    (
      "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
      "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
        + "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"
    ),
  ])
  func `keys of three lengths cipher as NIST has it`(key: String, sealed: String) throws {
    var text = try #require(
      Hex.bytes(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
          + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"))
    for index in 0..<16 { text[index] ^= UInt8(index) }
    let bytes = try #require(Hex.bytes(key))
    let cipher = try #require(ZeroIVCipher(key: bytes))
    #expect(Hex.text(cipher.encrypt(text)) == sealed)
    #expect(cipher.decrypt(cipher.encrypt(text)) == text)
  }

  @Test func `keys of other lengths and parts of blocks are refused, nothing has nothing`() throws {
    for count in 0...33 where ![16, 24, 32].contains(count) {
      #expect(ZeroIVCipher(key: [UInt8](repeating: 1, count: count)) == nil)
    }
    let cipher = try #require(ZeroIVCipher(key: [UInt8](repeating: 1, count: 16)))
    #expect(cipher.decrypt([1]) == nil && cipher.decrypt([UInt8](repeating: 1, count: 17)) == nil)
    #expect(cipher.decrypt([]) == [] && cipher.encrypt([]) == [])
  }

  @Test func `it shows nothing of its key`() throws {
    let cipher = try #require(ZeroIVCipher(key: [UInt8](repeating: 177, count: 16)))
    var shown = "\(cipher) \(String(reflecting: cipher))"
    dump(cipher, to: &shown)
    #expect(!shown.contains("177") && shown.contains("(secret)"))
  }
}
