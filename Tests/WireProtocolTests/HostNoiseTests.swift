import FobBase
import TestSupport
import Testing
import WireProtocol

struct HostNoiseTests {
  @Test func `its own frames come back as nothing but one summary`() {
    let host = FedHost()
    host.linkUp()
    host.indicate(Indication(state: .accepted), at: 5)
    host.send(at: 20)
    host.sendRaw(EventAck(.sample()), at: 30)
    host.sendRaw(Config(key: .debounce, value: 20), at: 30)
    host.sendRaw(LEDSet(state: .identify, detail: 0, duration: 9), at: 30)
    host.askFirmwareInfo(at: 30)
    let echo = host.wire
    let frames = UInt32(Decoded(echo).bodies.count)
    #expect(frames >= 7)
    #expect(host.receive(echo, at: 40).isEmpty)
    #expect(host.session == FedHost.session && host.state == .linked)
    #expect(host.noiseSummary(at: 1_039) == nil)
    let summary = host.noiseSummary(at: 1_040)
    #expect(summary?.echoedFrames == frames && summary?.damagedFrames == 0)
    #expect(summary?.bytes == UInt64(echo.count))
    #expect(host.noiseSummary(at: 5_000) == nil)
  }

  @Test func `an echo is no sign of life`() {
    let host = FedHost()
    host.linkUp()
    let echo = host.wire
    for ms in stride(from: Int64(100), to: 3_000, by: 100) { host.receive(echo, at: ms) }
    host.send(at: 3_000)
    #expect(host.state == .silent)
  }

  @Test func `text before the first frame is one summary`() {
    let host = FedHost()
    host.receive(Array("AT\r\n".utf8) + [0], at: 0)
    #expect(host.receive(RawFrame.bytes(Heartbeat()), at: 1).names == ["heartbeat"])
    #expect(host.noiseSummary(at: 999) == nil)
    let summary = host.noiseSummary(at: 1_000)
    #expect(summary?.damagedFrames == 1 && summary?.echoedFrames == 0 && summary?.bytes == 5)
    #expect(host.noiseSummary(at: 99_000) == nil)
  }

  @Test func `an episode is told when it is over, and each ten seconds while it lasts`() {
    let host = FedHost()
    var told: [Int64] = []
    for ms in stride(from: Int64(0), through: 25_000, by: 100) {
      if ms <= 15_000 { host.receive([9, 9, 9, 0], at: ms) }
      if host.noiseSummary(at: ms) != nil { told.append(ms) }
    }
    #expect(told == [10_000, 16_000])
  }

  @Test(arguments: UInt64(1)...4)
  func `random bytes neither trap nor report anything`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let host = FedHost()
    host.linkUp()
    for ms in Int64(1)...200 {
      let noise = [UInt8].random(200, zeros: 0.02, using: &random)
      #expect(host.receive(noise, at: ms).isEmpty)
    }
    #expect(host.state == .linked)
  }

  @Test(arguments: UInt64(1)...8)
  func `whole frames of random content never trap`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let host = FedHost()
    host.linkUp()
    let types = (UInt8.min...UInt8.max).filter { MessageType(rawValue: $0) != nil }
    for ms in Int64(1)...1_500 {
      let body = [UInt8].random(Int.random(in: 0...80, using: &random), zeros: 0.7, using: &random)
      let type = types.randomElement(using: &random)!
      let head: UInt8 =
        Int.random(in: 0..<9, using: &random) == 0
        ? UInt8.random(
          in: 0...255, using: &random) : 0x10
      for report in host.receive(RawFrame.bytes(head: head, type: type, payload: body), at: ms) {
        guard case .trace = report else { continue }
        host.lastPayload.withUnsafeBytes { TraceFrame.entries($0) { _, _ in } }
      }
      host.send(at: ms)
    }
  }
}
