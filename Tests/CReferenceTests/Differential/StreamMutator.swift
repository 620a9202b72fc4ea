import CProtocolReference

/// Streams of valid frames, seeded damage to them, and payloads of every message beside their
/// sizes.
struct StreamMutator {
  /// Whole frames with their delimiters.
  private let corpus: [[UInt8]]

  init(corpus: [[UInt8]]) {
    precondition(!corpus.isEmpty)
    self.corpus = corpus
  }

  /// One to four frames, most of them damaged in one to four places.
  func stream(using random: inout some RandomNumberGenerator) -> [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(1_100)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      if Bool.random(using: &random) {
        stream += corpus[Int.random(in: 0..<corpus.count, using: &random)]
      } else {
        stream += framed(body(using: &random))
      }
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) { damage(&stream, using: &random) }
    return stream
  }

  /// A payload of the type, as long as its table says, a little longer or shorter, or of any
  /// length.
  func payload(of type: UInt8, using random: inout some RandomNumberGenerator) -> [UInt8] {
    let size = Self.sizes.first { $0.type == Int(type) }?.size ?? 20
    let count =
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4: size
      case 4..<7: max(0, size + Int.random(in: -3...30, using: &random))
      default: Int.random(in: 0...Int(FOB_LONGEST_PAYLOAD), using: &random)
      }
    return bytes(min(count, Int(FOB_LONGEST_PAYLOAD)), using: &random)
  }

  /// A type of the protocol, now and then another.
  func type(using random: inout some RandomNumberGenerator) -> UInt8 {
    if Int.random(in: 0..<16, using: &random) == 0 { return .random(in: 0...255, using: &random) }
    return UInt8(Self.sizes[Int.random(in: 0..<Self.sizes.count, using: &random)].type)
  }

  private func body(using random: inout some RandomNumberGenerator) -> [UInt8] {
    let type = type(using: &random)
    let head = Int.random(in: 0..<8, using: &random) == 0 ? UInt8(20) : 16
    return [head, type] + bytes(2, using: &random) + payload(of: type, using: &random)
  }

  /// Random bytes, half of the time with many zeros and small values, which is what fields hold.
  private func bytes(
    _ count: Int, using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let isSparse = Bool.random(using: &random)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var word: UInt64 = 0
      for at in 0..<count {
        if at % 8 == 0 { word = random.next() }
        let byte = UInt8(truncatingIfNeeded: word)
        buffer[at] = isSparse ? (byte < 96 ? 0 : byte & 15) : byte
        word >>= 8
      }
      initialized = count
    }
  }

  private func damage(_ stream: inout [UInt8], using random: inout some RandomNumberGenerator) {
    let at = Int.random(in: 0...stream.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where at < stream.count:
      stream[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1:
      let other = corpus[Int.random(in: 0..<corpus.count, using: &random)]
      let from = Int.random(in: 0..<other.count, using: &random)
      stream.insert(contentsOf: other[from...], at: at)
    case 2:
      let end = min(stream.count, at + Int.random(in: 1...20, using: &random))
      stream.removeSubrange(at..<end)
    case 3: stream.insert(0, at: at)
    case 4 where Int.random(in: 0..<4, using: &random) == 0:
      stream.removeSubrange(at...)
    default:
      // A run longer than any frame, from time to time.
      let count = Int.random(in: 0..<8, using: &random) == 0 ? 300 : 3
      stream.insert(contentsOf: bytes(count, using: &random), at: at)
    }
  }

  private func framed(_ body: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 256) { wire, count in
      count = fob_frame_encode(body, body.count, wire.baseAddress)
    }
  }

  private static let sizes: [(type: Int, size: Int)] = [
    (FOB_HELLO, FOB_HELLO_SIZE), (FOB_TIME_REQ, FOB_TIME_REQ_SIZE),
    (FOB_TIME_RESP, FOB_TIME_RESP_SIZE), (FOB_HEARTBEAT, FOB_HEARTBEAT_SIZE),
    (FOB_REJECT, FOB_REJECT_SIZE), (FOB_CHALLENGE, FOB_CHALLENGE_SIZE),
    (FOB_PROOF, FOB_PROOF_SIZE), (FOB_EVENT, FOB_EVENT_SIZE), (FOB_EVENT, FOB_EVENT_LONGEST),
    (FOB_EVENT_ACK, FOB_EVENT_ACK_SIZE), (FOB_PAIR, FOB_PAIR_SIZE),
    (FOB_PAIR_RESULT, FOB_PAIR_RESULT_SIZE), (FOB_UNPAIR, FOB_UNPAIR_SIZE),
    (FOB_INDICATE, FOB_INDICATE_SIZE),
    (FOB_LED_SET, FOB_LED_SET_SIZE), (FOB_LED_STATE, FOB_LED_STATE_SIZE),
    (FOB_BATTERY, FOB_BATTERY_SIZE), (FOB_GPS_FIX, FOB_GPS_FIX_SIZE),
    (FOB_CONFIG, FOB_CONFIG_SIZE), (FOB_CONFIG_RESULT, FOB_CONFIG_RESULT_SIZE),
    (FOB_FW_INFO, 20), (FOB_TRACE, FOB_TRACE_SIZE),
    (FOB_TRACE, FOB_TRACE_SIZE + 3 * FOB_TRACE_ENTRY_SIZE), (FOB_LOG, 12), (FOB_NMEA_RAW, 40),
  ]
}
