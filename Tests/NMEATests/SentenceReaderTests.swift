import NMEA
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
}
