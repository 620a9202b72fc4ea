import Testing
import USB

@Suite struct TransferTests {
  private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  }

  @Test func `an IN transfer waits for bytes and ends with a short packet`() {
    var bench = Bench()
    let first = bench.submit(1, in: true, 128)
    let second = bench.submit(1, in: true, 128)
    #expect(bench.answers().isEmpty)
    #expect(bench.write(bytes(10)) == 10)
    let answers = bench.answers()
    #expect(answers.map(\.sequence) == [first])
    #expect(answers[0].status == 0 && answers[0].data == bytes(10))
    #expect(bench.write(bytes(100)) == 100)
    #expect(bench.answers().map(\.sequence) == [second])
  }

  @Test(arguments: USBSpeed.allCases)
  func `a whole number of packets ends at once in an URB with room`(speed: USBSpeed) {
    var bench = Bench(speed)
    let packet = speed.bulkPacket
    bench.submit(1, in: true, 4 * packet)
    bench.submit(1, in: true, 4 * packet)
    #expect(bench.write(bytes(packet)) == packet)
    #expect(bench.answers().map(\.data.count) == [packet], "by a packet of no bytes")
    #expect(bench.write(bytes(3)) == 3)
    #expect(bench.answers().map(\.data.count) == [3])
  }

  @Test func `the empty packet after a full URB is the next one's`() {
    var bench = Bench()
    for _ in 0..<3 { bench.submit(1, in: true, 64) }
    #expect(bench.write(bytes(64)) == 64)
    #expect(bench.answers().map(\.data.count) == [64, 0])
    #expect(bench.write(bytes(5)) == 5)
    #expect(bench.answers().map(\.data.count) == [5])
  }

  @Test func `what does not fit an URB goes on in the next`() {
    var bench = Bench()
    for _ in 0..<4 { bench.submit(1, in: true, 64) }
    #expect(bench.write(bytes(150)) == 150)
    let answers = bench.answers()
    #expect(answers.map(\.data.count) == [64, 64, 22])
    #expect(answers.flatMap(\.data) == bytes(150))
  }

  @Test func `a write longer than the endpoint holds is one transfer`() {
    var bench = Bench()
    for _ in 0..<4 { bench.submit(1, in: true, 512) }
    #expect(bench.write(bytes(1_500)) == 1_500)
    let answers = bench.answers()
    #expect(answers.map(\.data.count) == [512, 512, 476], "no empty packet within it")
    #expect(answers.flatMap(\.data) == bytes(1_500))
  }

  @Test func `an URB shorter than the packet overflows, and no byte is lost`() {
    var bench = Bench()
    bench.submit(1, in: true, 100)
    #expect(bench.write(bytes(120)) == 120)
    let cut = bench.answers()
    #expect(cut.map(\.status) == [-75] && cut[0].data == Array(bytes(120).prefix(64)))
    bench.submit(1, in: true, 128)
    #expect(bench.answers()[0].data == Array(bytes(120).dropFirst(64)))
  }

  @Test func `the firmware is held back while the host fetches nothing`() {
    var bench = Bench()
    bench.submit(1, in: true, 64)
    #expect(bench.write(bytes(1_064)) == 1_064)
    #expect(bench.answers().map(\.data.count) == [64])
    #expect(bench.write(bytes(500)) == 24, "1024 wait")
    #expect(bench.write(bytes(1)) == 0)
    bench.submit(1, in: true, 4_096)
    #expect(bench.answers().map(\.data.count) == [1_024])
    #expect(bench.write(bytes(1)) == 1)
  }

  @Test func `an OUT transfer is taken while there is room`() {
    var bench = Bench()
    bench.submit(1, in: true, 64)
    let first = bench.submit(1, in: false, data: bytes(1_000))
    #expect(bench.answers().map(\.sequence) == [first])
    let second = bench.submit(1, in: false, data: bytes(3_000))
    #expect(bench.answers().isEmpty, "held back as by NAK")
    #expect(bench.read(1_000) == bytes(1_000))
    #expect(bench.answers().isEmpty)
    var rest: [UInt8] = []
    while rest.count < 3_000 {
      let more = bench.read(100)
      #expect(more.count == 100)
      rest += more
    }
    #expect(rest == bytes(3_000))
    let answers = bench.answers()
    #expect(answers.map(\.sequence) == [second] && answers[0].actual == 3_000)
    bench.submit(1, in: false)
    #expect(bench.answers().map(\.status) == [0], "an empty packet needs no room")
  }

  @Test func `a halted endpoint stalls all that waits and comes`() {
    var bench = Bench()
    bench.submit(1, in: true, 64)
    bench.submit(1, in: true, 64)
    bench.submit(1, in: false, data: bytes(2_000))
    bench.submit(0, in: false, setup: SetupPacket(requestType: 2, request: 3, index: 0x81))
    #expect(bench.answers().map(\.status) == [-32, -32, 0])
    bench.submit(0, in: false, setup: SetupPacket(requestType: 2, request: 3, index: 0x01))
    let out = bench.answers()
    #expect(out.map(\.status) == [-32, 0] && out[0].actual == 1_024)
    bench.submit(1, in: true, 64)
    bench.submit(1, in: false, data: [1])
    #expect(bench.answers().map(\.status) == [-32, -32])
    #expect(bench.control(2, 1, 0, 0x81).status == 0)
    bench.submit(1, in: true, 64)
    #expect(bench.write([9]) == 1)
    #expect(bench.answers().map(\.data) == [[9]])
  }

  @Test func `endpoints that are not there stall`() {
    var bench = Bench()
    for endpoint in UInt8(2)...15 {
      bench.submit(endpoint, in: false, data: [1])
      if endpoint > 2 { bench.submit(endpoint, in: true, 8) }
    }
    let answers = bench.answers()
    #expect(answers.count == 27 && answers.allSatisfy { $0.status == -32 })
    var fresh = Bench(isConfigured: false)
    fresh.submit(1, in: true, 64)
    #expect(fresh.answers().map(\.status) == [-32], "before SET_CONFIGURATION")
    #expect(!fresh.device.hostIsPresent)
  }

  @Test func `a host cannot have it keep more than the bound`() {
    var bench = Bench()
    for _ in 0..<128 { bench.submit(1, in: true, 64) }
    #expect(bench.answers().isEmpty)
    bench.submit(1, in: true, 64)
    #expect(bench.answers().map(\.status) == [-12])
    bench.submit(1, in: false, data: bytes(1_024))
    #expect(bench.answers().map(\.status) == [0])
    bench.submit(1, in: false, data: bytes(1 << 20))
    bench.submit(1, in: false, data: bytes(1 << 20))
    #expect(bench.answers().isEmpty)
    bench.submit(1, in: false, data: [1])
    #expect(bench.answers().map(\.status) == [-12])
  }

  @Test func `what is taken back makes room again`() {
    var bench = Bench()
    bench.submit(1, in: false, data: bytes(1_024))
    for _ in 0..<5 {
      let urbs = (0..<2).map { _ in bench.submit(1, in: false, data: bytes(1 << 20)) }
      for urb in urbs { bench.unlink(urb) }
    }
    #expect(
      bench.answers().filter { $0.code == 4 }.map(\.status) == Array(repeating: -104, count: 10))
  }

  @Test func `an URB that waits is taken back, one that is answered was answered`() {
    var bench = Bench()
    let first = bench.submit(1, in: true, 64)
    let second = bench.submit(1, in: true, 64)
    #expect(bench.write([1]) == 1)
    let late = bench.unlink(first)
    let early = bench.unlink(second)
    let answers = bench.answers()
    #expect(answers.map(\.sequence) == [first, late, early])
    #expect(answers.map(\.code) == [3, 4, 4])
    #expect(answers.map(\.status) == [0, 0, -104])
    bench.unlink(second)
    #expect(bench.answers().map(\.status) == [0], "and only once")
  }

  @Test func `the power of the board is told by DCD and DSR`() {
    var bench = Bench()
    bench.device.isPowered = true
    bench.submit(2, in: true, 16)
    let on = bench.answers()
    #expect(on.map(\.data) == [[0xA1, 0x20, 0, 0, 0, 0, 2, 0, 3, 0]])
    bench.submit(2, in: true, 16)
    #expect(bench.answers().isEmpty, "nothing new")
    bench.device.isPowered = false
    #expect(bench.answers().map(\.data.last) == [0])
    let waiting = bench.submit(2, in: true, 16)
    bench.device.isPowered = true
    #expect(bench.answers().map(\.data[8]) == [3])
    bench.unlink(waiting)
    let next = bench.submit(2, in: true, 16)
    bench.unlink(next)
    _ = bench.answers()
    bench.submit(2, in: true, 16)
    #expect(bench.answers().map(\.data[8]) == [3], "a port that is opened again is told anew")
  }
}
