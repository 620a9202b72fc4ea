import FobBase
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

/// What a tap of a keychain shows of keys: nothing, however the bytes come.
@Suite struct KeyMaskTests {
  private static let pair = Pair(
    session: 7, keyLow: 0x1122_3344_5566_7788, keyHigh: 0x99AA_BBCC_DDEE_FF11)

  private static func wire(_ body: FrameBody) -> [UInt8] { WireFrame(body).withBytes { Array($0) } }

  private static func masked(_ bytes: [UInt8], pieces: Int) -> [UInt8] {
    var mask = KeyMask()
    return stride(from: 0, to: bytes.count, by: pieces).flatMap { at in
      Array(bytes[at..<min(at + pieces, bytes.count)]).withUnsafeBytes { mask.masked($0) }
    }
  }

  @Test(arguments: [1, 2, 3, 7, 64, 1_000])
  func `frames pass as they are, and PAIR with zeros for its key, in pieces of any size`(
    pieces: Int
  ) {
    let hello = Self.wire(
      FrameBody(EventAck(number: .init(boot: 1, n: 2), identityCRC: 7), sequence: 1))
    let pair = Self.wire(FrameBody(Self.pair, sequence: 2))
    let blank = Self.wire(
      FrameBody(Pair(session: 7, keyLow: 0, keyHigh: 0), sequence: 2))
    let noise: [UInt8] = [0x41, 0x54, 0x0D, 0x0A, 0, 0, 3, 0]
    #expect(
      Self.masked(noise + hello + [0] + pair + hello, pieces: pieces)
        == noise + hello + [0] + blank + hello)
  }

  @Test func `of a PAIR that is damaged, too long or never ends nothing of the key is left`() {
    let pair = Self.wire(FrameBody(Self.pair, sequence: 2))
    for at in 3..<pair.count - 1 {
      var damaged = pair
      damaged[at] ^= 0x80
      if damaged[at] == 0 { continue }
      let shown = Self.masked(damaged, pieces: 5)
      #expect(Data(shown).range(of: Data([0xEE, 0xDD, 0xCC])) == nil, "\(at)")
    }
    let endless = pair.dropLast() + [UInt8](repeating: 0x55, count: 100_000)
    #expect(Self.masked(Array(endless), pieces: 100).isEmpty)
  }
}
