import FobBase
import Testing
import WireProtocol

@testable import Firmware

struct HostRequestTests {
  @Test func `each HELLO is answered with its session, then the state shown`() {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 100)
    for session in [UInt32(81), 81, 82] {
      _ = bench.take()
      bench.hello(session: session)
      let answer = bench.take()
      #expect(answer.map(\.type) == [.hello, .ledState])
      #expect(answer[0].read(Hello.self)?.session == session)
    }
  }

  @Test func `a time request is answered at once with two stamps of the device`() {
    let bench = Bench()
    bench.run(ms: 250)
    let request = TimeRequest(hostSend: 0x1122_3344_5566_7788, session: 5)
    let answers = bench.ask(request).all(TimeResponse.self)
    #expect(answers.count == 1)
    #expect(answers.first?.hostSend == request.hostSend && answers.first?.session == 5)
    #expect(answers.first?.deviceReceive == 250_000 && answers.first?.deviceSend == 250_000)
    #expect(answers.first?.bootNonce == 41)
  }

  @Test func `a heartbeat comes each second from boot on, linked or not`() {
    let bench = Bench()
    bench.run(ms: 5_500)
    let beats = bench.sent.filter { $0.type == .heartbeat }
    #expect(beats.map { $0.at.microseconds } == (1...5).map { $0 * 1_000_000 })
    let last = beats.last?.read(Heartbeat.self)
    #expect(last?.uptime == 5_000_000 && last?.millivolts == 3_900 && last?.unacked == 1)
    #expect(last?.shown == .unclaimed && last?.flags == Heartbeat.Flags.none)
  }

  @Test func `a heartbeat says button, sounder and damage`() {
    let bench = Bench()
    bench.hello()
    bench.indicate(.accepted, sounder: true, lease: 60_000)
    bench.board.toDevice += Array("AT\r\n".utf8) + [0, 9, 9, 0]
    bench.board.setContact(closed: true)
    bench.run(ms: 1_100)
    let beat = bench.sent.all(Heartbeat.self).last
    #expect(beat?.flags.contains(.sounder) == true && beat?.flags.contains(.buttonClosed) == true)
    #expect(beat?.damagedFrames == 2)
  }

  @Test func `FW_INFO is board and build, parted by a zero`() throws {
    let bench = Bench()
    _ = bench.take()
    bench.send(FrameBody(type: .firmwareInfo, sequence: 1))
    bench.run(ms: 1)
    let answer = try #require(bench.take().first { $0.type == .firmwareInfo })
    let parts = answer.payload.split(separator: 0)
    #expect(parts.count == 2)
    #expect(parts.allSatisfy { String(validating: $0, as: UTF8.self)?.isEmpty == false })
  }

  @Test func `its own frames come back without any answer or effect`() {
    let bench = Bench(acks: { _ in true })
    bench.press()
    bench.run(ms: 1_500)
    let before = bench.sent.count
    bench.board.toDevice += bench.board.fromDevice.flatMap(\.bytes)
    bench.run(ms: 100)
    #expect(bench.sent.count == before)
    #expect(bench.keychain.unackedCount == 0)
  }

  @Test func `a clock that goes back costs no REJECT for longer than a second`() {
    let bench = Bench()
    bench.run(ms: 90_000)
    for number in 0..<40 { bench.send(FrameBody(type: .ledSet, sequence: UInt16(number))) }
    bench.run(ms: 1)
    #expect(bench.sent.all(Reject.self).count == Int(Limits.rejectsPerSecond))
    bench.board.clock = .milliseconds(20_000)
    bench.run(ms: 5)
    bench.send(FrameBody(type: .ledSet, sequence: 99))
    bench.run(ms: 1)
    #expect(bench.sent.all(Reject.self).last?.rejectedSequence == 99)
  }

  @Test func `what is not understood is rejected by type and number`() {
    let bench = Bench()
    var unknown = FrameBody(type: .ledSet, sequence: 513)
    unknown.append(UInt8(200))
    unknown.append(UInt8(0))
    unknown.append(UInt16(0))
    _ = bench.take()
    bench.send(unknown)
    bench.run(ms: 1)
    #expect(bench.take().all(Reject.self) == [Reject(type: 0x21, reason: .badValue, sequence: 513)])
  }
}

struct TraceTests {
  /// Reads the ring from `first` on by TRACE, over and over.
  private func read(_ bench: Bench, from first: UInt32) -> [(index: UInt32, entry: TraceEntry)] {
    var found: [(UInt32, TraceEntry)] = []
    var next = first
    while true {
      let answers = bench.ask(TraceFrame(first: next)).filter { $0.type == .trace }
      let before = found.count
      for frame in answers {
        frame.payload.withUnsafeBytes { TraceFrame.entries($0) { found.append(($0, $1)) } }
      }
      guard found.count > before, let last = found.last else { return found }
      next = last.0 &+ 1
    }
  }

  @Test func `a press leaves its stamps`() throws {
    let bench = Bench(acks: { _ in true })
    bench.run(ms: 1_000)
    let start = bench.keychain.trace.next
    bench.press(hold: 40, pause: 0)
    let entries = read(bench, from: start).map(\.entry)
    let number = EventNumber(boot: 1, n: 2).rawValue
    let expected: [(TraceEntry.Code, UInt64, UInt64)] = [
      (.edgeClosed, 1_000_000, 0), (.eventCommitted, 1_015_000, number),
      (.eventWritten, 1_015_000, number), (.stateShown, 1_015_000, 3),
      (.eventAcked, 1_015_000, number), (.stateShown, 1_015_000, 0), (.edgeOpen, 1_040_000, 0),
    ]
    #expect(entries.map(\.code) == expected.map(\.0))
    #expect(entries.map(\.clock) == expected.map(\.1))
    #expect(entries.map(\.argument) == expected.map(\.2))
  }

  @Test func `entries are numbered from the boot, and old ones give way`() {
    let bench = Bench(.watchdog, acks: { _ in true })
    let first = read(bench, from: 0)
    #expect(first.first?.index == 0 && first.first?.entry.code == .booted)
    #expect(first.first?.entry.argument == UInt64(ResetCause.watchdog.rawValue))
    for _ in 0..<20 { bench.press() }
    let later = read(bench, from: 0)
    #expect(later.count == 32)
    #expect(later.first?.index == bench.keychain.trace.first)
    #expect(later.map(\.index) == Array(later[0].index..<later[0].index + 32))
  }

  @Test func `of what comes next the ring has nothing`() {
    let bench = Bench()
    let next = bench.keychain.trace.next
    let answers = bench.ask(TraceFrame(first: next)).filter { $0.type == .trace }
    #expect(answers.map(\.payload.count) == [TraceFrame.size])
    #expect(answers.all(TraceFrame.self).map(\.first) == [next])
  }

  @Test(arguments: [0, 0x7FFF_FFF0, 0x8000_0000, 0xFFFF_FFF0, 0xFFFF_FFFF] as [UInt32])
  func `the ring is read across every wrap, and from its oldest by whoever asks for another`(
    start: UInt32
  ) {
    let bench = Bench(acks: { _ in true })
    bench.countTrace(from: start)
    var next = start
    for _ in 0..<12 {
      bench.press()
      let entries = read(bench, from: next)
      #expect(entries.map(\.index) == (0..<UInt32(entries.count)).map { next &+ $0 })
      next = next &+ UInt32(entries.count)
      #expect(next == bench.keychain.trace.next && !entries.isEmpty)
    }
    let oldest = bench.keychain.trace.first
    for distance: UInt32 in [1_000, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, .max] {
      let all = read(bench, from: oldest &+ distance)
      #expect(all.count == 32 && all.first?.index == oldest)
    }
  }
}
