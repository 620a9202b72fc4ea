import FobBase
import TestSupport
import Testing

@testable import WireProtocol

/// What a tap shows of keys: nothing, however the bytes come.
struct KeyMaskTests {
  private static let key: [UInt8] = [
    0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0xF1, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA, 0x99, 0x8F,
  ]
  private static let pair = frame(
    Pair(session: 7, keyLow: 0x1122_3344_5566_7788, keyHigh: 0x8F99_AABB_CCDD_EEF1))
  private static let blank = frame(Pair(session: 7, keyLow: 0, keyHigh: 0))
  private static let ack = frame(EventAck(number: .init(boot: 1, n: 2), identityCRC: 7))

  private static func frame(_ payload: some Payload) -> [UInt8] {
    WireFrame(FrameBody(payload, sequence: 2)).bytes
  }

  private static func masked(_ bytes: [UInt8], pieces: Int = 5) -> [UInt8] {
    var mask = KeyMask()
    return stride(from: 0, to: bytes.count, by: pieces).flatMap { at in
      mask.masked(Array(bytes[at..<min(at + pieces, bytes.count)]))
    }
  }

  /// Whether two bytes of the key stand there as they stand in it.
  private static func hasKey(_ shown: [UInt8]) -> Bool {
    zip(shown, shown.dropFirst()).contains { pair in
      zip(key, key.dropFirst()).contains { $0 == pair }
    }
  }

  @Test(arguments: [1, 2, 3, 7, 64, 1_000])
  func `frames pass as they are, and PAIR with zeros for its key, in pieces of any size`(
    pieces: Int
  ) {
    let noise: [UInt8] = [0x41, 0x54, 0x0D, 0x0A, 0, 0, 3, 0]
    let text = [UInt8](repeating: 0x55, count: 10_000)
    let line = Self.ack + noise + Self.ack + [0]
    #expect(
      Self.masked(line + Self.pair + text + [0] + Self.ack, pieces: pieces)
        == line + Self.blank + text + [0] + Self.ack)
    #expect(Self.hasKey(Self.pair) && !Self.hasKey(Self.blank))
  }

  @Test func `of a PAIR in which a bit was turned over, or beside which, no key is left`() {
    let line = Self.ack + Self.pair + Self.ack
    let delimiter = Self.ack.count - 1
    for at in delimiter..<delimiter + 1 + Self.pair.count {
      for bit in UInt8(0)..<8 {
        var damaged = line
        damaged[at] ^= 1 << bit
        for pieces in [1, 1_000] {
          let shown = Self.masked(damaged, pieces: pieces)
          #expect(!Self.hasKey(shown), "byte \(at), bit \(bit)")
        }
      }
    }
  }

  @Test func `of a PAIR of which a byte was lost no key is left, unless it is the type`() {
    for at in Self.pair.indices where at != 2 {
      var damaged = Self.pair
      damaged.remove(at: at)
      #expect(!Self.hasKey(Self.masked(Self.ack + damaged + Self.ack)), "byte \(at)")
    }
  }

  @Test func `who begins to listen in the middle of a PAIR hears no key, and then every byte`() {
    let noise: [UInt8] = [0x41, 0x54, 0]
    for at in 1..<Self.pair.count {
      let rest = Self.ack + noise + Self.ack
      let shown = Self.masked(Self.pair[at...] + rest)
      #expect(!Self.hasKey(shown), "from byte \(at) on")
      #expect(shown.suffix(rest.count) == rest)
    }
    let text = [UInt8](repeating: 0x55, count: 1_000)
    #expect(Self.masked(text).count > 700, "a line without frames is shown, too")
  }

  @Test func `behind a PAIR that never ends nothing is left until the next delimiter`() {
    let endless = Self.pair.dropLast() + [UInt8](repeating: 0x55, count: 100_000)
    #expect(Self.masked(Self.ack + endless + [0] + Self.ack, pieces: 100).count < 80)
  }

  @Test func `another frame that is damaged is shown as it came`() {
    let beat = Self.frame(Heartbeat())
    var random = SeededGenerator(seed: 12)
    for at in 3..<beat.count - 1 {
      var damaged = beat
      repeat {
        damaged[at] = UInt8.random(in: 1...255, using: &random)
      } while damaged[at] == beat[at] || damaged[at] == MessageType.pair.rawValue
      #expect(Self.masked(Self.ack + damaged) == Self.ack + damaged, "byte \(at)")
    }
  }
}
