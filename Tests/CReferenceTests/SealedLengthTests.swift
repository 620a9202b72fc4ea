import FobBase
import Testing
import WireProtocol

@testable import Firmware

/// What a sealed payload of the device in C may be at most (PROTOCOL.md, 15.4).
struct SealedLengthTests {
  private let bench = CBench(name: String(repeating: "n", count: 300))
  private var host = SealingHost()

  @Test mutating func `a text is cut, so that the frame has room for what seals it`() throws {
    #expect(try #require(info()).payload.count == 245)
    try prove()
    let sealed = try #require(info())
    #expect(sealed.head.isSealed && sealed.payload.count == 229 + 16)
    #expect(host.proved > 0, "by the right key")
  }

  /// The answer to FW_INFO.
  private mutating func info() -> DeviceFrame? {
    if bench.clock == 0 {
      bench.setContact(closed: true)
      bench.boot(1, nonce: 41)
    }
    return say(host.frame(.firmwareInfo)).last { $0.type == .firmwareInfo }
  }

  private mutating func prove() throws {
    _ = say(host.frame(Hello(role: .host, session: 7, software: Keychain.software)))
    let pair = Pair(session: 7, keyLow: host.key.low, keyHigh: host.key.high)
    let paired = say(host.frame(pair))
    #expect(paired.all(PairResult.self).map(\.outcome) == [.paired])
    _ = say(host.challenge(Challenge(session: 7, hostNonce: 1)))
    try #require(host.isSealing)
    host.sealing = .right
  }

  private mutating func say(_ wire: [UInt8]) -> [DeviceFrame] {
    bench.toDevice += wire
    bench.run(until: bench.clock + 1_000)
    let frames = bench.takeSent().map { DeviceFrame(at: Instant(microseconds: 0), body: $0) }
    for frame in frames { host.hear(frame) }
    return frames
  }
}
