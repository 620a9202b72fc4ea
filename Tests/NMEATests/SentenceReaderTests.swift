import NMEA
import TestSupport
import Testing

struct SentenceReaderTests {
  let reader = FedReader()

  @Test(arguments: ["\r\n", "\r\r\n", "\n", "\r"])
  func `each line end ends a sentence once`(_ lineEnd: String) {
    let two = sentence("GPGLL,1", lineEnd: lineEnd) + sentence("GPGLL,2", lineEnd: lineEnd)
    #expect(reader.read(two) == ["GPGLL,1", "GPGLL,2"])
    #expect(reader.accepted == 2)
    #expect(reader.refused == 0)
  }

  @Test func `checksum digits may be small letters`() {
    #expect(reader.read(Array("$GPGLL,A*3d\r\n".utf8)) == ["GPGLL,A"])
  }

  @Test func `a sentence of 120 characters is read and one of 121 refused`() {
    let longest = "GPTXT," + String(repeating: "x", count: 114)
    #expect(reader.read(sentence(longest)) == [longest])
    #expect(reader.read(sentence(longest + "x")).isEmpty)
    #expect(reader.refused == 1)
  }

  @Test(arguments: [
    "$GPGLL,1\r\n", "$GPGLL,1*\r\n", "$GPGLL,1*4\r\n", "$GPGLL,1*GG\r\n", "$GPGLL,1*4C\r\n",
    "$GPGLL,1*4Dx\r\n", "$GPGLL,\u{7}1*4A\r\n", "$GPGLL,é*16\r\n",
  ])
  func `no, wrong and torn checksums and control characters are refused`(_ text: String) {
    #expect(reader.read(Array(text.utf8)).isEmpty)
    #expect(reader.refused == 1)
    #expect(reader.read(sentence("GPGLL,2")) == ["GPGLL,2"])
  }

  @Test func `a new dollar sign begins anew after a torn sentence`() {
    let whole = sentence("GPGLL,2")
    for end in 1..<whole.count - 1 {
      let reader = FedReader()
      #expect(reader.read(whole[..<end] + whole) == ["GPGLL,2"], "torn after \(end) bytes")
      #expect(reader.refused == 1)
    }
  }

  @Test func `text between sentences is passed over and not counted`() {
    let noise = Array("# a log\r\n*41\r\n!AIVDM,1*00\r\n\u{0}\u{FF}".utf8)
    #expect(reader.read(noise + sentence("GPGLL,1") + noise + sentence("GPGLL,2")).count == 2)
    #expect(reader.refused == 0)
  }

  @Test func `a sentence stands until the next dollar sign`() {
    _ = reader.read(sentence("GPGLL,1") + Array("noise\r\n".utf8))
    #expect(reader.text == "GPGLL,1")
    _ = reader.read([UInt8(ascii: "$")])
    #expect(reader.text == "")
  }

  @Test(arguments: ["\r\n", "\n", "\r"])
  func `by policy a sentence without a checksum is read`(_ lineEnd: String) {
    let reader = FedReader(checksum: .optional)
    let bytes = Array("$GPGLL,1\(lineEnd)".utf8) + sentence("GPGLL,2", lineEnd: lineEnd)
    #expect(reader.read(bytes) == ["GPGLL,1", "GPGLL,2"])
    #expect(reader.refused == 0)
  }

  @Test(arguments: [
    "$GPGLL,1*\r\n", "$GPGLL,1*4\r\n", "$GPGLL,1*4C\r\n", "$GPGLL,1*4Dx\r\n", "$GPGLL,1$",
    "$GPGLL,\u{7}1\r\n",
  ])
  func `a wrong, torn or half checksum is refused whatever the policy`(_ text: String) {
    let reader = FedReader(checksum: .optional)
    #expect(reader.read(Array(text.utf8)).isEmpty)
    #expect(reader.refused == 1)
  }

  @Test(arguments: [
    "GNGNS,043539.0000,4333.19020612345,N,00127.61838012345,E,AAAAAA,14,1.35,250.835,50.015,1,1,V",
    "GPGSV,4,1,16,193,45,100,40,194,45,200,41,195,45,300,42,196,45,359,43,7",
    "GNGSA,A,3,201,202,203,204,205,206,207,208,209,210,211,212,10.65,10.64,10.83,4",
  ])
  func `the longest sentences that receivers send fit`(_ body: String) throws {
    #expect(reader.read(sentence(body)) == [body])
    let bytes = Array(body.utf8)
    #expect(try Sentence(bytes.span) != .other)
  }

  @Test func `one sentence after the other is read from a chunk, past one that cannot be`() {
    let chunk = sentence("GPGLL,,,,,,V,N") + sentence("GPGSA,X") + gga() + Array("$GPGGA".utf8)
    var reader = SentenceReader()
    var start = 0
    let first = try? reader.next(in: chunk.span, from: &start)
    #expect(first == .gll(GLL(talker: .gps, fix: nil)))
    #expect(throws: FieldError.malformed) { try reader.next(in: chunk.span, from: &start) }
    let third = try? reader.next(in: chunk.span, from: &start)
    #expect(third?.gga?.fix?.satellites == 8)
    let rest = try? reader.next(in: chunk.span, from: &start)
    #expect(rest == nil)
    #expect(start == chunk.count)
  }

  @Test(arguments: UInt64(1)...40)
  func `chunks say the same as bytes, however they are cut`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let policy = Bool.random(using: &random) ? ChecksumPolicy.optional : .required
    let bytes = Noise.bytes(lines: 60, using: &random)
    let (alone, together) = (FedReader(checksum: policy), FedReader(checksum: policy))
    let expected = alone.read(bytes)
    var found: [String] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let chunk = rest.prefix(Int.random(in: 1...200, using: &random))
      found += together.readChunk(Array(chunk))
      rest = rest.dropFirst(chunk.count)
    }
    #expect(found == expected)
    #expect(found.count > 10)
    #expect(together.accepted == alone.accepted)
    #expect(together.refused == alone.refused)
  }
}

/// Sentences, some without or with a wrong checksum, among whatever else a line may carry.
private enum Noise {
  static func bytes(lines: Int, using random: inout SeededGenerator) -> [UInt8] {
    (0..<lines).flatMap { _ in line(using: &random) }
  }

  private static func line(using random: inout SeededGenerator) -> [UInt8] {
    let length = Int.random(in: 0...130, using: &random)
    let body = String(
      decoding: (0..<length).map { _ in UInt8.random(in: 0x2B...0x7E, using: &random) },
      as: UTF8.self)
    var bytes = sentence(body)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1
    case 1:
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
    case 2: bytes = bytes.dropLast(Int.random(in: 1..<bytes.count, using: &random))
    case 3: bytes = bytes.dropLast(5) + Array("\r\n".utf8)
    case 4: bytes = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
    default: break
    }
    return bytes
  }
}
