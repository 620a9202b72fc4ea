import Testing
import USB

/// When somebody has the port open.
@Suite struct PresenceTests {
  @Test func `the first IN transfer shows a host, whatever DTR says`() {
    var bench = Bench()
    #expect(bench.control(0x21, 0x22, 1).status == 0)
    bench.submit(2, in: true, 16)
    bench.submit(1, in: false, data: [1])
    #expect(!bench.device.hostIsPresent)
    bench.submit(1, in: true, 64)
    #expect(bench.device.hostIsPresent)
    #expect(bench.control(0x21, 0x22, 0).status == 0)
    #expect(bench.device.hostIsPresent)
  }

  @Test func `between an answer and the next transfer it stays`() {
    var bench = Bench()
    bench.submit(1, in: true, 64)
    #expect(bench.write([1]) == 1)
    #expect(bench.device.hostIsPresent)
    let stray = bench.submit(0, in: true, 1, setup: SetupPacket(requestType: 0x80, request: 8))
    bench.unlink(stray)
    #expect(bench.device.hostIsPresent, "an unlinked control transfer says nothing of the port")
  }

  @Test func `it ends when the last one is taken back`() {
    var bench = Bench()
    let urbs = (0..<16).map { _ in bench.submit(1, in: true, 128) }
    for urb in urbs.dropLast() {
      bench.unlink(urb)
      #expect(bench.device.hostIsPresent)
    }
    bench.unlink(urbs[15])
    #expect(!bench.device.hostIsPresent)
  }

  @Test func `it ends where the last one was answered just before`() {
    var bench = Bench()
    let urb = bench.submit(1, in: true, 128)
    #expect(bench.write([1]) == 1)
    bench.unlink(urb)
    #expect(!bench.device.hostIsPresent)
  }

  @Test func `without a host what is written is dropped`() {
    var bench = Bench()
    let urb = bench.submit(1, in: true, 64)
    bench.unlink(urb)
    #expect(bench.write([1, 2, 3]) == 3)
    bench.submit(1, in: true, 64)
    _ = bench.answers()
    #expect(bench.write([4]) == 1)
    #expect(bench.answers().map(\.data) == [[4]])
  }

  @Test func `what a host had still to hear and to say goes with it`() {
    var bench = Bench()
    let urb = bench.submit(1, in: true, 64)
    bench.submit(1, in: false, data: [1, 2])
    #expect(bench.write([1]) == 1)
    #expect(bench.write([2]) == 1)
    bench.unlink(urb)
    _ = bench.answers()
    bench.submit(1, in: true, 64)
    #expect(bench.answers().isEmpty)
    #expect(bench.read().isEmpty)
  }

  @Test(arguments: [(0x00, 9, 1, 0), (0x00, 9, 0, 0), (0x01, 11, 0, 1)])
  func `a new set-up ends it`(setup: (type: Int, request: Int, value: Int, index: Int)) {
    var bench = Bench()
    let urb = bench.submit(1, in: true, 64)
    let request = SetupPacket(
      requestType: UInt8(setup.type), request: UInt8(setup.request), value: UInt16(setup.value),
      index: UInt16(setup.index))
    bench.submit(0, in: false, setup: request)
    #expect(!bench.device.hostIsPresent)
    let answers = bench.answers()
    #expect(answers.map(\.status) == [-108, 0], "an endpoint that begins anew")
    #expect(answers[0].sequence == urb)
  }

  @Test func `the end of the connection ends it, and the next host finds it fresh`() {
    var bench = Bench()
    bench.device.isPowered = true
    bench.submit(1, in: true, 64)
    _ = bench.control(0x21, 0x22, 3)
    bench.submit(1, in: false, data: Array(repeating: 0, count: 4_000))
    bench.device.disconnect()
    #expect(!bench.device.hostIsPresent && bench.device.configuration == 0 && !bench.device.dtr)
    #expect(bench.device.isPowered)
    #expect(bench.answers().isEmpty)
  }
}
