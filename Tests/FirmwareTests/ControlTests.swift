import FobBase
import Testing
import WireProtocol

@testable import Firmware

/// What a keychain answers beside its line.
struct ControlTests {
  private let identify: [UInt8] = [ShownState.identify.rawValue, 0, 0xE8, 0x03]

  @Test func `payloads are those of the line's own messages`() throws {
    let bench = Bench()
    bench.hello(session: 81)
    let answer = try #require(bench.sent.last { $0.type == .hello })
    #expect(bench.tell(.hello) == answer.payload)
    bench.run(ms: 1_000 - bench.ms)
    let beat = try #require(bench.sent.last { $0.type == .heartbeat })
    #expect(bench.tell(.heartbeat) == beat.payload)
    bench.send(FrameBody(type: .firmwareInfo, sequence: 1))
    bench.run(ms: 1)
    let info = try #require(bench.sent.last { $0.type == .firmwareInfo })
    #expect(bench.tell(.firmwareInfo) == info.payload)
  }

  @Test func `no session is told while nobody is linked`() throws {
    let bench = Bench()
    func session(_ isLinked: Bool) throws -> UInt32 {
      try #require(bench.tell(.hello, isLinked: isLinked)).withUnsafeBytes { Hello($0)!.session }
    }
    #expect(try session(true) == 0)
    bench.hello(session: 81)
    #expect(try session(true) == 81)
    #expect(try session(false) == 0)
  }

  @Test func `what is told beside the line leaves the line alone`() {
    let asked = Bench()
    let other = Bench(copying: asked)
    for _ in 0..<5 {
      for type in [MessageType.hello, .heartbeat, .firmwareInfo] {
        #expect(asked.tell(type) != nil)
      }
      #expect(asked.tell(.event) == nil && asked.tell(.trace) == nil)
      asked.run(ms: 500)
      other.run(ms: 500)
    }
    #expect(asked.sent.map(\.type) == other.sent.map(\.type))
    #expect(asked.sent.map(\.payload) == other.sent.map(\.payload))
  }

  @Test func `a pattern is shown, and gives way to a press and to an alarm`() {
    let bench = Bench(acks: { _ in true })
    bench.hello()
    #expect(bench.setLight(identify))
    bench.run(ms: 10)
    #expect(bench.keychain.display.shown.state == .identify)
    bench.indicate(.sending, lease: 5_000)
    bench.run(ms: 10)
    #expect(!bench.setLight(identify))
    #expect(bench.keychain.display.shown.state == .sending)
    bench.run(ms: 6_000)
    #expect(bench.setLight(identify))
  }

  @Test func `a payload that cannot be used is refused`() {
    let bench = Bench()
    for payload in [[], [10], [10, 0, 0], [11, 0, 1, 0], [12, 0, 1, 0], [255, 0, 1, 0]] as [[UInt8]]
    {
      #expect(!bench.setLight(payload))
    }
    #expect(bench.setLight(identify + [1, 2, 3]), "payloads grow at their end")
  }
}
