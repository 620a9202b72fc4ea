import CProtocolReference
import TestSupport
import Testing

@testable import WireProtocol

struct TagVector: Decodable, Sendable {
  let name: String
  let key: String
  let person: String
  let message: String
  let tag: String
}

struct SessionKeyVector: Decodable, Sendable {
  let name: String
  let key: String
  let message: String
  let sessionKey: String

  private enum CodingKeys: String, CodingKey {
    case name, key, message
    case sessionKey = "session_key"
  }
}

private struct SealVectors: Decodable {
  let tags: [TagVector]
  let sessionKeys: [SessionKeyVector]

  private enum CodingKeys: String, CodingKey {
    case tags
    case sessionKeys = "session_keys"
  }

  static func load() throws -> SealVectors { try ProtocolFolder.json("vectors/seal.json") }
}

/// `seal.json` through BLAKE2s in C and in Swift, and both on seeded messages.
struct SealReferenceTests {
  @Test(arguments: try SealVectors.load().tags)
  func `C and Swift make the tag of the vector`(_ vector: TagVector) {
    let key = [UInt8](hex: vector.key)
    let message = [UInt8](hex: vector.message)
    let tag = [UInt8](hex: vector.tag).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    #expect(Self.tagInC(message, key, vector.person) == tag)
    #expect(Self.tagInSwift(message, key, vector.person) == tag)
  }

  @Test(arguments: try SealVectors.load().sessionKeys)
  func `C and Swift make the session key of the vector`(_ vector: SessionKeyVector) {
    let key = [UInt8](hex: vector.key)
    let message = [UInt8](hex: vector.message)
    #expect(Self.digestInC(message, key).hex == vector.sessionKey)
    #expect(Self.digestInSwift(message, key).hex == vector.sessionKey)
  }

  @Test func `C and Swift make the same tags, however the message is cut`() {
    var random = SeededGenerator(seed: 15)
    for _ in 0..<500 {
      let key = bytes(.random(in: 1...32, using: &random), &random)
      let message = bytes(.random(in: 1...300, using: &random), &random)
      let cut = Int.random(in: 0...message.count, using: &random)
      let tag = Self.tagInSwift(message, key, "fob-host")
      #expect(Self.tagInC(message, key, "fob-host", cut: cut) == tag)
    }
  }

  @Test func `there are vectors for every person`() throws {
    let vectors = try SealVectors.load()
    #expect(vectors.tags.count >= 40 && vectors.sessionKeys.count >= 4)
    #expect(
      Set(vectors.tags.map(\.person))
        == ["fob-pair", "fob-prov", "fob-host", "fob-devi", "fob-evnt"])
  }

  private func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  // MARK: C

  private static func hashInC(
    _ message: [UInt8], _ key: [UInt8], _ person: String, cut: Int
  ) -> fob_blake2s {
    var prepared = fob_blake2s_key()
    var hash = fob_blake2s()
    fob_blake2s_prepare(&prepared, key, key.count, person)
    fob_blake2s_begin(&hash, &prepared)
    fob_blake2s_add(&hash, message, cut)
    let rest = Array(message[cut...])
    fob_blake2s_add(&hash, rest, rest.count)
    return hash
  }

  private static func tagInC(
    _ message: [UInt8], _ key: [UInt8], _ person: String, cut: Int = 0
  ) -> UInt64 {
    var hash = hashInC(message, key, person, cut: cut)
    return fob_blake2s_tag(&hash)
  }

  private static func digestInC(_ message: [UInt8], _ key: [UInt8]) -> [UInt8] {
    var hash = hashInC(message, key, "fob-sess", cut: 0)
    return [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      fob_blake2s_end(&hash, digest.baseAddress)
      count = 32
    }
  }

  // MARK: Swift

  private static func keyInSwift(_ key: [UInt8], _ person: String) -> SealKey {
    let number = person.utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return key.withUnsafeBytes { SealKey(key: $0, person: number) }
  }

  private static func tagInSwift(_ message: [UInt8], _ key: [UInt8], _ person: String) -> UInt64 {
    keyInSwift(key, person).tag { hash in message.withUnsafeBytes { hash.update($0) } }
  }

  private static func digestInSwift(_ message: [UInt8], _ key: [UInt8]) -> [UInt8] {
    var hash = BLAKE2s(keyInSwift(key, "fob-sess"))
    message.withUnsafeBytes { hash.update($0) }
    let digest = hash.finish()
    return digest.indices.flatMap { word in (0..<4).map { UInt8(digest[word] >> (8 * $0) & 0xFF) } }
  }
}
