import FobBase
import TestSupport
import Testing
import WireProtocol

struct WireFrameTests {
  static let lengths =
    Array(0...16) + Array(Swift.stride(from: 17, through: 237, by: 11))
    + Array(243...249)

  @Test(arguments: [0.0, 0.05, 0.5, 0.95, 1.0])
  func `what is encoded is decoded`(_ zeros: Double) {
    var random = SeededGenerator(seed: UInt64(zeros * 100))
    for length in Self.lengths {
      for _ in 0..<4 {
        let body = [UInt8].random(length, zeros: zeros, using: &random)
        let wire = body.framed
        #expect(wire.firstIndex(of: 0) == wire.count - 1)
        #expect(wire.count == length + 6)
        let decoded = Decoded(wire)
        #expect(decoded.bodies == (length < 4 ? [] : [body]))
        #expect(decoded.refusals == (length < 4 ? [.tooShort] : []))
      }
    }
  }

  @Test func `the longest frame is 255 bytes, and 256 with the lone delimiter first`() {
    let body = FrameBody(raw: [UInt8](repeating: 0xFF, count: 249))
    #expect(WireFrame(body).count == 255)
    let afterSilence = WireFrame(body, afterSilence: true)
    #expect(afterSilence.count == Limits.maxWireFrameSize)
    #expect(afterSilence.bytes.first == 0)
    #expect(Decoded(afterSilence.bytes).bodies == [body.bytes])
  }

  @Test func `the head says version and RESENT, and nothing else`() {
    #expect(FrameHead(resent: false).rawValue == 0x10)
    #expect(FrameHead(resent: true).rawValue == 0x14)
    for raw in UInt8(0)...255 {
      let head = FrameHead(rawValue: raw)
      #expect(head.major == raw >> 4)
      #expect(head.isResent == (raw & 4 != 0))
      #expect(head.hasReservedBits == (raw & 0x03 != 0))
    }
  }

  @Test func `a body counts down the room that its payload may still take`() {
    var body = FrameBody(type: .log, sequence: 0x0102)
    #expect(body.bytes == [0x10, 0x80, 0x02, 0x01])
    #expect(body.room == Limits.maxPayloadSize)
    body.append(UInt32(0x0403_0201))
    #expect(body.room == Limits.maxPayloadSize - 4)
    #expect(body.payload == [1, 2, 3, 4])
  }

  @Test func `a body too long for a frame is a programmer's error`() async {
    await #expect(processExitsWith: .failure) {
      _ = FrameBody(raw: [UInt8](repeating: 1, count: 250))
    }
  }
}
