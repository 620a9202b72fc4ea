import Testing
import USB

@Suite struct VendorRequestTests {
  @Test func `a payload of the wire protocol is asked for by its type`() {
    var bench = Bench()
    bench.answer = { question in
      switch question {
      case .hello: [1, 2, 3]
      case .heartbeat: [4]
      case .firmwareInfo: []
      case .ledSet: nil
      }
    }
    #expect(bench.control(0xC0, 0x01, length: 64).data == [1, 2, 3])
    #expect(bench.control(0xC0, 0x01, length: 2).data == [1, 2])
    #expect(bench.control(0xC0, 0x04, length: 64).data == [4])
    let empty = bench.control(0xC0, 0x50, length: 64)
    #expect(empty.status == 0 && empty.actual == 0)
    #expect(bench.asked == [.hello, .hello, .heartbeat, .firmwareInfo])
  }

  @Test func `LED_SET is handed on with its payload`() {
    var bench = Bench()
    bench.answer = { _ in [] }
    let done = bench.control(0x40, 0x21, data: [10, 0, 0xE8, 0x03])
    #expect(done.status == 0 && done.actual == 4)
    #expect(bench.asked == [.ledSet([10, 0, 0xE8, 0x03])])
    bench.answer = { _ in nil }
    #expect(bench.control(0x40, 0x21, data: [10, 0, 0xE8, 0x03]).status == -32)
  }

  @Test func `all else stalls, and nobody is asked`() {
    var bench = Bench()
    bench.answer = { _ in [1] }
    for request in UInt8.min...UInt8.max {
      let isKnown = [0x01, 0x04, 0x50].contains(request)
      #expect(bench.control(0xC0, request, length: 8).status == (isKnown ? 0 : -32))
      let isSet = request == 0x21
      #expect(bench.control(0x40, request, length: 0).status == (isSet ? 0 : -32))
    }
    let asked = bench.asked.count
    for (value, index) in [(1, 0), (0, 1)] as [(UInt16, UInt16)] {
      #expect(bench.control(0xC0, 0x01, value, index, length: 8).status == -32)
    }
    #expect(bench.control(0xC1, 0x01, length: 8).status == -32, "of the interface")
    #expect(bench.asked.count == asked)
  }

  @Test func `it is answered before a configuration is set`() {
    var bench = Bench(isConfigured: false)
    bench.answer = { _ in [7] }
    #expect(bench.control(0xC0, 0x04, length: 8).data == [7])
  }
}
