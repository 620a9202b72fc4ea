import WireProtocol

/// The vectors of `vectors/streams.json` and `vectors/frames.json`; a test keeps both equal. A byte
/// that comes many times is written once, with a `*` and a count.
extension StreamVector {
  static let all: [StreamVector] = [
    StreamVector(
      "one frame",
      "04100102056a58072300",
      good: ["10010200"]),
    StreamVector(
      "two frames",
      "04100102056a58072300041021bf01065566f653050100",
      good: ["10010200", "1021bf00005566"]),
    StreamVector(
      "a lone delimiter first",
      "0004100102056a58072300",
      good: ["10010200"]),
    StreamVector(
      "one byte at a time",
      "04100102056a58072300041021bf01065566f653050100",
      good: ["10010200", "1021bf00005566"]),
    StreamVector(
      "three frames, chunks that end nowhere in particular",
      "04100102056a58072300041021bf01065566f653050100012c0102030405060708090a0b0c0d0e0f1011"
        + "12131415161718191a1b1c1d1e1f202122232425262783f04e1300",
      good: [
        "10010200", "1021bf00005566",
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627",
      ]),
    StreamVector(
      "noise first, closed by the lone delimiter",
      "9311fe0004100102056a58072300",
      good: ["10010200"]),
    StreamVector(
      "noise first, without a delimiter: it costs the first frame",
      "9311fe04100102056a58072300041021bf01065566f653050100",
      good: ["1021bf00005566"]),
    StreamVector(
      "AT and line end first, closed by the lone delimiter",
      "41540d0a0004100102056a58072300",
      good: ["10010200"]),
    StreamVector(
      "AT and line end first, without a delimiter",
      "41540d0a04100102056a58072300041021bf01065566f653050100",
      good: ["1021bf00005566"]),
    StreamVector(
      "a frame cut by a reset; the lone delimiter closes it",
      "04100102056a58072300012c0102030405060708090a0b0c0d0e0f00041021bf01065566f653050100",
      good: ["10010200", "1021bf00005566"]),
    StreamVector(
      "a frame cut by a reset, no lone delimiter",
      "04100102056a58072300012c0102030405060708090a0b0c0d0e0f041021bf01065566f6530501000410"
        + "0102056a58072300",
      good: ["10010200", "10010200"]),
    StreamVector(
      "a delimiter lost: two frames merge, the third is whole",
      "04100102056a580723041021bf01065566f653050100012c0102030405060708090a0b0c0d0e0f101112"
        + "131415161718191a1b1c1d1e1f202122232425262783f04e1300",
      good: ["000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627"]),
    StreamVector(
      "a delimiter put in: both parts are refused",
      "012c010203040506070008090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627"
        + "83f04e130004100102056a58072300",
      good: ["10010200"]),
    StreamVector(
      "a delimiter put in after the first byte",
      "0400100102056a58072300041021bf01065566f653050100",
      good: ["1021bf00005566"]),
    StreamVector(
      "runs of delimiters count for nothing",
      "00*300 04100102056a580723000000000000041021bf01065566f65305010000",
      good: ["10010200", "1021bf00005566"]),
    StreamVector(
      "nothing but delimiters",
      "0000000000000000000000000000000000000000",
      good: []),
    StreamVector(
      "over-long, then good",
      "55*1000 0004100102056a58072300",
      good: ["10010200"]),
    StreamVector(
      "over-long by one, then good",
      "01*255 0004100102056a58072300",
      good: ["10010200"]),
    StreamVector(
      "over-long in chunks, one refusal",
      "55*600 00041021bf01065566f653050100",
      good: ["1021bf00005566"]),
    StreamVector(
      "text between frames",
      "04100102056a58072300626f6f74206f6b0d0a00041021bf01065566f653050100",
      good: ["10010200", "1021bf00005566"]),
    StreamVector(
      "text spliced into a frame",
      "04100102056a58072300041021bf016c6f673a2068656c6c6f0d0a065566f653050100012c0102030405"
        + "060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262783f04e1300",
      good: [
        "10010200",
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627",
      ]),
    StreamVector(
      "an open frame is neither good nor refused",
      "04100102056a58072300012c0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e"
        + "1f202122232425262783f04e13",
      good: ["10010200"]),
    StreamVector(
      "the last zero code turned into a delimiter",
      "041021bf01065566f65305000004100102056a58072300",
      good: ["10010200"]),
    StreamVector(
      "our own echo: frames like any other",
      "04100102056a5807230004100102056a58072300041021bf01065566f653050100041021bf01065566f6"
        + "53050100",
      good: ["10010200", "10010200", "1021bf00005566", "1021bf00005566"]),
    StreamVector(
      "a frame twice is two frames",
      "04100102056a5807230004100102056a58072300",
      good: ["10010200", "10010200"]),
    StreamVector(
      "the longest frame between short ones",
      "04100102056a58072300fe ff*249 a2ac7a7200041021bf01065566f653050100",
      good: ["10010200", "ff*249", "1021bf00005566"]),
  ]

  static let refused: [(name: String, bytes: [UInt8])] = [
    (
      "a CRC of nothing over nothing",
      bytes(
        "010101010100")
    ),
    (
      "seven bytes with a good CRC",
      bytes(
        "0810010270365fe200")
    ),
    (
      "the last code 01 turned to 00, without the delimiter it leaves",
      bytes(
        "041021bf01065566f6530500")
    ),
    (
      "one bit turned",
      bytes(
        "04900102056a58072300")
    ),
    (
      "the last byte lost",
      bytes(
        "04100102056a580700")
    ),
    (
      "the first byte lost",
      bytes(
        "100102056a58072300")
    ),
    (
      "two frames run together",
      bytes(
        "04100102056a58072304100102056a58072300")
    ),
    (
      "text",
      bytes(
        "41540d0a00")
    ),
    (
      "255 bytes before the delimiter",
      bytes(
        "01*255 00")
    ),
    (
      "254 bytes without a frame in them",
      bytes(
        "01*254 00")
    ),
    (
      "code ff",
      bytes(
        "ff 11*253 00")
    ),
  ]
}

/// A stream of the test vectors. A device rejects each of its good frames, so the rejects show from
/// outside what it took for a frame.
struct StreamVector: Sendable {
  let name: String
  let bytes: [UInt8]
  /// The bodies of the frames in it.
  let good: [[UInt8]]

  init(_ name: String, _ bytes: String, good: [String]) {
    self.name = name
    self.bytes = Self.bytes(bytes)
    self.good = good.map(Self.bytes)
  }

  /// The REJECT that a device owes to a body. The vectors' bodies have another major version, or
  /// are too short for their type.
  static func answer(to body: [UInt8]) -> Reject {
    Reject(
      type: body[1], reason: body[0] >> 4 == 1 ? .tooShort : .version, sequence: sequence(of: body))
  }

  static func sequence(of body: [UInt8]) -> UInt16 { UInt16(body[2]) | UInt16(body[3]) << 8 }

  /// Hexadecimal digits; `55*24` is a byte, so many times.
  static func bytes(_ text: String) -> [UInt8] {
    text.split(separator: " ").flatMap { word -> [UInt8] in
      let parts = word.split(separator: "*")
      if parts.count == 2, let byte = UInt8(parts[0], radix: 16), let count = Int(parts[1]) {
        return [UInt8](repeating: byte, count: count)
      }
      let digits = Array(word)
      return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
      }
    }
  }
}
