import Testing
import USB

@Suite struct ControlTests {
  private let stall: Int32 = -32

  @Test func `an address is taken and 128 is none`() {
    var bench = Bench(isConfigured: false)
    #expect(bench.control(0, 5, 7).status == 0)
    #expect(bench.control(0, 5, 128).status == stall)
  }

  @Test func `there is one configuration, and none`() {
    var bench = Bench(isConfigured: false)
    #expect(bench.control(0x80, 8, length: 1).data == [0])
    #expect(bench.control(0, 9, 1).status == 0)
    #expect(bench.control(0x80, 8, length: 1).data == [1])
    #expect(bench.control(0, 9, 2).status == stall)
    #expect(bench.control(0, 9, 0).status == 0)
    #expect(bench.control(0x80, 8, length: 1).data == [0])
  }

  @Test func `each interface has one setting`() {
    var bench = Bench()
    for interface in [UInt16(0), 1] {
      #expect(bench.control(0x81, 10, 0, interface, length: 1).data == [0])
      #expect(bench.control(1, 11, 0, interface).status == 0)
      #expect(bench.control(1, 11, 1, interface).status == stall)
    }
    #expect(bench.control(1, 11, 0, 2).status == stall)
    _ = bench.control(0, 9, 0)
    #expect(bench.control(0x81, 10, 0, 0, length: 1).status == stall, "not configured")
  }

  @Test func `an endpoint is halted and freed again`() {
    var bench = Bench()
    for endpoint in [UInt16(0x81), 0x01, 0x82] {
      #expect(bench.control(0x82, 0, 0, endpoint, length: 2).data == [0, 0])
      #expect(bench.control(2, 3, 0, endpoint).status == 0)
      #expect(bench.control(0x82, 0, 0, endpoint, length: 2).data == [1, 0])
      #expect(bench.control(2, 1, 0, endpoint).status == 0)
      #expect(bench.control(0x82, 0, 0, endpoint, length: 2).data == [0, 0])
    }
    #expect(bench.control(2, 3, 0, 0).status == stall, "endpoint 0 is never halted")
    #expect(bench.control(2, 3, 0, 0x83).status == stall)
    #expect(bench.control(2, 3, 1, 0x81).status == stall, "no such feature")
    #expect(bench.control(0, 3, 1).status == stall, "it wakes nobody")
  }

  @Test func `the line's coding is remembered`() {
    var bench = Bench()
    let coding: [UInt8] = [0x00, 0xC2, 0x01, 0x00, 0, 0, 8]
    #expect(bench.control(0xA1, 0x21, length: 7).data == coding)
    let other: [UInt8] = [0x80, 0x25, 0x00, 0x00, 2, 2, 7]
    let set = bench.control(0x21, 0x20, data: other)
    #expect(set.status == 0 && set.actual == 7)
    #expect(bench.control(0xA1, 0x21, length: 7).data == other)
    #expect(bench.device.lineCoding.text == "9600 7E2")
    let unusable: [[UInt8]] = [
      [0, 0, 0, 0, 3, 0, 8], [0, 0, 0, 0, 0, 5, 8], [0, 0, 0, 0, 0, 0, 9], [1],
    ]
    for wrong in unusable {
      #expect(bench.control(0x21, 0x20, data: wrong).status == stall)
    }
    #expect(bench.control(0xA1, 0x21, length: 7).data == other)
  }

  @Test func `DTR and RTS are seen, and a break means nothing`() {
    var bench = Bench()
    #expect(bench.control(0x21, 0x22, 3).status == 0)
    #expect(bench.device.dtr && bench.device.rts)
    #expect(bench.control(0x21, 0x22, 0).status == 0)
    #expect(!bench.device.dtr && !bench.device.rts)
    #expect(bench.control(0x21, 0x23, 0xFFFF).status == 0)
    #expect(bench.control(0x21, 0x22, 3, 1).status == stall, "of the wrong interface")
  }

  @Test func `the data stage must fit the request`() {
    var bench = Bench()
    let setup = SetupPacket(requestType: 0x21, request: 0x20, length: 7)
    bench.submit(0, in: false, setup: setup, data: [1, 2, 3])
    #expect(bench.answers().map(\.status) == [stall])
    bench.submit(0, in: true, 7, setup: setup)
    #expect(bench.answers().map(\.status) == [stall])
    let getting = SetupPacket(requestType: 0x80, request: 6, value: 0x100, length: 18)
    bench.submit(0, in: false, setup: getting, data: Array(repeating: 0, count: 18))
    #expect(bench.answers().map(\.status) == [stall])
  }

  @Test func `what it does not know stalls, and nothing traps`() {
    for type in UInt8.min...UInt8.max {
      var bench = Bench()
      for request in UInt8.min...UInt8.max where (type, request) != (0, 9) {
        let answer = bench.control(type, request, 0x0102, 0x0304, length: 3)
        #expect(answer.code == 3 && [0, stall].contains(answer.status))
      }
    }
  }
}
