import AlertCore
import FobBase
import TestSupport
import Testing
import WireProtocol

/// What a host answers at once, and how it reads a device's trace.
struct HostTraceTests {
  @Test func `an LED state brings the question for the trace`() {
    let bench = HostBench()
    bench.link()
    bench.say(LEDState.idle)
    #expect(bench.asked() == ["trace 0"])
  }

  @Test func `an ack is followed by the question for the trace`() {
    let bench = HostBench()
    bench.link()
    bench.say(EventRecord.press(1))
    #expect(bench.asked() == [])
    bench.acknowledge(.press(1))
    #expect(bench.asked() == ["ack 1.1", "trace 0"])
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
    #expect(bench.traced.allSatisfy { $0.fit != nil })
    bench.say(LEDState.idle)
    #expect(bench.asked() == ["trace 5"])
  }

  @Test func `a full frame with something new asks on, and no other does`() {
    let bench = HostBench()
    bench.link()
    let most = UInt64(TraceEntry.mostInFrame)
    bench.sayTrace(from: 0, .some(most))
    #expect(bench.asked() == ["trace 14"])
    bench.sayTrace(from: 0, .some(most))
    #expect(bench.asked() == [])
    bench.sayTrace(from: 14, .some(most - 1))
    #expect(bench.asked() == [])
  }

  @Test func `entries that the ring has lost are passed over, and indices may wrap`() {
    let bench = HostBench()
    bench.link()
    bench.sayTrace(from: 0x7FFF_FFF0, .some(2))
    bench.sayTrace(from: 0xFFFF_FFF0, .some(14))
    bench.sayTrace(from: 0xFFFF_FFFE, .some(4))
    #expect(bench.traced.count == 20)
    bench.say(LEDState.idle)
    #expect(bench.asked().last == "trace 2")
  }

  @Test(arguments: [0x7FFF_FFFE, 0x8000_0000, 0x9000_0000, 0xFFFF_FFFE] as [UInt32])
  func `the trace of a device that has long been up is read from where it begins`(first: UInt32) {
    let bench = HostBench()
    bench.link()
    bench.sayTrace(from: first, .some(14))
    #expect(bench.asked() == ["trace \(first &+ 14)"])
    bench.sayTrace(from: first &+ 10, .some(6))
    #expect(bench.traced.map(\.entry.argument) == Array(0..<14) + [4, 5])
  }

  @Test func `an empty trace changes nothing`() {
    let bench = HostBench()
    bench.link()
    bench.sayTrace(from: 7, [])
    bench.say(LEDState.idle)
    #expect(bench.asked() == ["trace 0"])
    bench.sayTrace(from: 3, .some(2))
    bench.sayTrace(from: 0x8000_0000, [])
    bench.say(LEDState.idle)
    #expect(bench.asked() == ["trace 5"])
  }

  @Test func `a trace of nobody is not read`() {
    let bench = HostBench()
    bench.open()
    bench.wake()
    bench.sayTrace(from: 0, .some(3))
    #expect(bench.traced.isEmpty)
    bench.say(EventRecord.press(1))
    bench.sayTrace(from: 0, .some(3))
    #expect(bench.traced.count == 3)
  }

  @Test func `a new link reads the trace from its start`() {
    let bench = HostBench()
    bench.link()
    bench.sayTrace(from: 0, .some(3))
    bench.wake(after: .seconds(3))
    bench.answerHello()
    bench.sayTrace(from: 0, .some(2))
    #expect(bench.traced.map(\.entry.argument) == [0, 1, 2, 0, 1])
  }

  @Test func `a trace that comes with the HELLO is asked for again: no clock was compared yet`() {
    let bench = HostBench()
    bench.open()
    bench.wake()
    let stream = bench.bytes(bench.hello(keychain)) + bench.traceBytes(from: 0, .some(3))
    bench.hear(stream + bench.bytes(LEDState.idle))
    #expect(bench.traced.isEmpty)
    #expect(bench.asked().last == "trace 0")
  }

  @Test(arguments: [UInt64](1...20))
  func `what a link brings does not depend on how the reads are cut`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func run(_ reads: ([UInt8]) -> [[UInt8]]) -> (heard: [String], traced: [UInt64]) {
      let bench = HostBench()
      bench.link()
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
