import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// How a host asks for a device's trace, and reads it.
struct HostTraceTests {
  @Test func `an ack and the light that follows it bring one question, 20 ms after the first`() {
    let bench = HostBench()
    bench.link()
    bench.say(EventRecord.press(1))
    #expect(bench.asked() == [])
    bench.acknowledge(.press(1))
    #expect(bench.asked() == ["ack 1.1"])
    bench.wake(after: .milliseconds(10))
    bench.say(LEDState.idle)
    bench.wake(after: .microseconds(9_999))
    #expect(bench.asked() == [])
    #expect(bench.host.nextWake == bench.now + .microseconds(1))
    bench.wake(after: .microseconds(1))
    #expect(bench.asked() == ["trace 0"])
    bench.wake(after: .milliseconds(20))
    #expect(bench.asked() == [])
  }

  @Test func `a frame that is not understood is answered by REJECT`() {
    let bench = HostBench()
    bench.link()
    let short = [0x10, MessageType.battery.rawValue, 7, 0, 1, 2]
    let frame = short.withUnsafeBytes { WireFrame(FrameBody(raw: $0)) }
    // Its number is behind what was missed.
    #expect(bench.hear(frame.bytes).map(\.words) == ["missed"])
    #expect(bench.asked() == ["ignored(WireProtocol.HostRequest.Ignored.rejected)"])
  }

  @Test func `each entry is read once, with whose it is and the fit`() {
    let bench = HostBench()
    bench.link()
    bench.compareClocks()
    bench.sayTrace(from: 0, .some(3))
    bench.sayTrace(from: 1, .some(4))
    #expect(bench.traced.map(\.entry.argument) == [0, 1, 2, 2, 3])
    #expect(bench.traced.allSatisfy { $0.device == keychain && $0.fit == bench.host.fit })
    #expect(bench.askedForTrace() == ["trace 5"])
  }

  @Test func `a full frame with something new asks on, and no other does`() {
    let bench = HostBench()
    bench.linkFitted()
    let most = UInt64(TraceEntry.maxInFrame)
    bench.sayTrace(from: 0, .some(most))
    bench.wake(after: .milliseconds(20))
    #expect(bench.asked() == ["trace 14"])
    bench.sayTrace(from: 0, .some(most))
    bench.sayTrace(from: 14, .some(most - 2))
    bench.wake(after: .milliseconds(20))
    #expect(bench.asked() == [])
  }

  @Test func `entries that the ring has lost are passed over, and indices may wrap`() {
    let bench = HostBench()
    bench.linkFitted()
    bench.sayTrace(from: 0x7FFF_FFF0, .some(2))
    bench.sayTrace(from: 0xFFFF_FFF0, .some(14))
    bench.sayTrace(from: 0xFFFF_FFFE, .some(4))
    #expect(bench.traced.count == 20)
    #expect(bench.askedForTrace() == ["trace 2"])
  }

  @Test(arguments: [0x7FFF_FFFE, 0x8000_0000, 0x9000_0000, 0xFFFF_FFFE] as [UInt32])
  func `the trace of a device that has long been up is read from where it begins`(first: UInt32) {
    let bench = HostBench()
    bench.linkFitted()
    bench.sayTrace(from: first, .some(14))
    #expect(bench.askedForTrace() == ["trace \(first &+ 14)"])
    bench.sayTrace(from: first &+ 10, .some(6))
    #expect(bench.traced.map(\.entry.argument) == Array(0..<14) + [4, 5])
  }

  @Test func `an empty trace changes nothing`() {
    let bench = HostBench()
    bench.linkFitted()
    bench.sayTrace(from: 7, [])
    #expect(bench.askedForTrace() == ["trace 0"])
    bench.sayTrace(from: 3, .some(2))
    bench.sayTrace(from: 0x8000_0000, [])
    #expect(bench.askedForTrace() == ["trace 5"])
  }

  @Test func `a trace whose clock was not compared yet is not read, and asked for again`() {
    let bench = HostBench()
    bench.link()
    bench.sayTrace(from: 0, .some(3))
    #expect(bench.traced.isEmpty)
    bench.compareClocks()
    #expect(bench.askedForTrace() == ["trace 0"])
    bench.sayTrace(from: 0, .some(3))
    #expect(bench.traced.count == 3)
  }

  @Test func `a new link reads the trace from its start`() {
    let bench = HostBench()
    bench.linkFitted()
    bench.sayTrace(from: 0, .some(3))
    bench.wake(after: .seconds(3))
    bench.answerHello()
    bench.compareClocks()
    bench.sayTrace(from: 0, .some(2))
    #expect(bench.traced.map(\.entry.argument) == [0, 1, 2, 0, 1])
  }

  @Test(arguments: [UInt64](1...20))
  func `what a link brings does not depend on how the reads are cut`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func run(_ reads: ([UInt8]) -> [[UInt8]]) -> (heard: [String], traced: [UInt64]) {
      let bench = HostBench()
      bench.linkFitted()
      var stream = bench.traceBytes(from: 0, .some(2)) + bench.bytes(EventRecord.press(1))
      stream += bench.traceBytes(from: 5, .some(14)) + bench.bytes(Heartbeat())
      stream += bench.traceBytes(from: 17, .some(4)) + bench.bytes(EventRecord.press(2))
      stream += bench.bytes(EventRecord.press(2)) + bench.traceBytes(from: 3, .some(2))
      let inputs = reads(stream).flatMap { bench.hear($0) }
      return (inputs.map { "\($0)" }, bench.traced.map(\.entry.argument))
    }
    let whole = run { [$0] }
    let cut = run { stream in
      var rest = stream[...]
      var reads: [[UInt8]] = []
      while !rest.isEmpty {
        let count = Int.random(in: 1...100, using: &random)
        reads.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      return reads
    }
    #expect(whole.heard.count == 4 && whole.traced.count == 2 + 14 + 2)
    #expect(cut.heard == whole.heard)
    #expect(cut.traced == whole.traced)
  }
}

extension [TraceEntry] {
  /// As many, each with its place as its argument.
  static func some(_ count: UInt64) -> [TraceEntry] {
    (0..<count).map { TraceEntry(clock: $0, code: .eventAcked, argument: $0) }
  }
}
