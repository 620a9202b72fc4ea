import FobBase
import TestSupport
import Testing
import WireProtocol

/// Two clocks and a line between them, in microseconds. A class, since `#expect` calls no mutating
/// method.
private final class Exchange {
  var sync = TimeSync()
  /// Host clock minus device clock when the device's clock is at 0.
  var offset: Int64 = 5_000_000_000
  /// Parts per million that the host's clock gains.
  var drift: Int64 = 0

  init() { sync.deviceBooted(nonce: 1) }

  func host(atDevice device: Int64) -> Int64 {
    device + offset + device / 1_000_000 * drift + device % 1_000_000 * drift / 1_000_000
  }

  /// One exchange whose request reaches the device at its time `device`.
  @discardableResult
  func run(at device: Int64, there: Int64, thinking: Int64, back: Int64) -> Bool {
    let request = TimeRequest(
      hostSend: UInt64(host(atDevice: device) - there), session: 1)
    let response = TimeResponse(
      to: request, receive: UInt64(device), send: UInt64(device + thinking), bootNonce: 1)
    return sync.receive(
      response, at: Instant(microseconds: host(atDevice: device + thinking) + back))
  }

  func error(atDevice device: Int64) -> Int64? {
    sync.fit.map { $0.hostInstant(UInt64(device)).microseconds - host(atDevice: device) }
  }
}

struct TimeSyncTests {
  @Test func `there is no fit before the first exchange`() {
    #expect(Exchange().sync.fit == nil)
  }

  @Test(arguments: [(Int64(5), Int64(5_000)), (5_000, 5), (0, 40_000), (20_000, 0)])
  func `an asymmetric delay stays within the uncertainty`(_ there: Int64, _ back: Int64) throws {
    let exchange = Exchange()
    for n in Int64(0)..<8 {
      #expect(exchange.run(at: 1_000 + 20_000 * n, there: there, thinking: 30, back: back))
    }
    let fit = try #require(exchange.sync.fit)
    let error = try #require(exchange.error(atDevice: 500_000))
    #expect(fit.uncertainty == (there + back) / 2 + 1)
    #expect(abs(error) <= fit.uncertainty)
    #expect(abs(abs(error) - abs(there - back) / 2) <= 1)
  }

  @Test func `the exchange with the shortest round trip is trusted`() throws {
    let exchange = Exchange()
    for delay in [Int64(4_000), 300, 10, 900] {
      exchange.run(at: delay * 10, there: delay, thinking: 0, back: 0)
    }
    #expect(exchange.sync.fit?.uncertainty == 6)
  }

  @Test(arguments: [Int64(100), -100, 20])
  func `drift is fitted`(_ ppm: Int64) throws {
    let exchange = Exchange()
    exchange.drift = ppm
    for n in Int64(0)..<16 {
      #expect(exchange.run(at: 1_000_000 + n * 10_000_000, there: 40, thinking: 20, back: 60))
    }
    let fit = try #require(exchange.sync.fit)
    #expect(abs(fit.drift - ppm * 1_000) <= 1_000)
    for device in stride(from: Int64(0), through: 200_000_000, by: 10_000_000) {
      let error = try #require(exchange.error(atDevice: device))
      #expect(abs(error) <= fit.uncertainty + 100)
    }
  }

  @Test func `drift is not fitted before the exchanges span 20 s`() {
    let exchange = Exchange()
    exchange.drift = 100
    for n in Int64(0)..<8 { exchange.run(at: n * 2_000_000, there: 5, thinking: 0, back: 5) }
    #expect(exchange.sync.fit?.drift == 0)
  }

  @Test(arguments: UInt64(1)...20)
  func `without drift the error never exceeds the stated uncertainty`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let exchange = Exchange()
    exchange.offset = Int64.random(in: 0...1_000_000_000_000, using: &random)
    var device = Int64.random(in: 0...1_000_000_000, using: &random)
    for _ in 0..<60 {
      device += [20_000, 10_000_000].randomElement(using: &random)!
      let slow = Int64.random(in: 0..<4, using: &random) == 0
      let most: Int64 = slow ? 30_000 : 200
      #expect(
        exchange.run(
          at: device, there: Int64.random(in: 0...most, using: &random),
          thinking: Int64.random(in: 0...500, using: &random),
          back: Int64.random(in: 0...most, using: &random)))
      let fit = try #require(exchange.sync.fit)
      #expect(fit.drift == 0)
      for later in [Int64(-60_000_000), 0, 3_600_000_000] where device + later >= 0 {
        #expect(abs(try #require(exchange.error(atDevice: device + later))) <= fit.uncertainty)
      }
    }
  }

  @Test func `a reboot throws samples and fit away, also in mid-exchange`() {
    let exchange = Exchange()
    exchange.run(at: 1_000, there: 5, thinking: 5, back: 5)
    exchange.sync.deviceBooted(nonce: 1)
    #expect(exchange.sync.fit != nil)
    exchange.sync.deviceBooted(nonce: 2)
    #expect(exchange.sync.fit == nil)
    #expect(!exchange.run(at: 2_000, there: 5, thinking: 5, back: 5))
    #expect(exchange.sync.fit == nil)
  }

  @Test func `stamps that run backwards are dropped`() {
    var sync = TimeSync()
    sync.deviceBooted(nonce: 1)
    let request = TimeRequest(hostSend: 1_000, session: 1)
    let cases: [(receive: UInt64, send: UInt64, now: Int64)] = [
      (20, 10, 1_100), (10, 200, 1_100), (10, 20, 900), (.max, .max, 1_100), (10, .max, 1_100),
    ]
    for (receive, send, now) in cases {
      let response = TimeResponse(to: request, receive: receive, send: send, bootNonce: 1)
      let taken = sync.receive(response, at: Instant(microseconds: now))
      #expect(!taken)
    }
    #expect(sync.fit == nil)
  }

  @Test func `stamps at the ends of the range do not trap`() {
    var sync = TimeSync()
    sync.deviceBooted(nonce: 1)
    for (sent, device, now) in [
      (UInt64(900), UInt64(0), Int64(1_000)), (0, UInt64(Int64.max), 1_010), (0, 0, .max),
      (UInt64(Int64.max), UInt64(Int64.max), .max),
    ] {
      let response = TimeResponse(
        to: TimeRequest(hostSend: sent, session: 1), receive: device, send: device, bootNonce: 1)
      _ = sync.receive(response, at: Instant(microseconds: now))
      if let fit = sync.fit { _ = fit.hostInstant(.max) }
    }
  }

  @Test func `a host asks eight times 20 ms apart, then each ten seconds`() {
    let host = FedHost()
    host.linkUp()
    var asked: [Int64] = []
    for ms in stride(from: Int64(0), through: 21_000, by: 10) {
      host.receive(Heartbeat.after(ms: UInt64(ms)), at: ms)
      for frame in host.send(at: ms) where frame.type == .timeRequest { asked.append(ms) }
    }
    #expect(asked == [0, 20, 40, 60, 80, 100, 120, 140, 10_140, 20_140])
  }

  @Test func `a host whose device's clock has jumped asks eight times again`() throws {
    let host = FedHost()
    host.linkUp()
    var asked: [Int64] = []
    for ms in stride(from: Int64(0), through: 31_000, by: 10) {
      let jump: UInt64 = ms < 10_000 ? 0 : 5_000
      host.receive(Heartbeat.after(ms: UInt64(ms) + jump), at: ms)
      for request in host.send(at: ms).compactMap({ $0.read(TimeRequest.self) }) {
        asked.append(ms)
        let clock = (UInt64(ms) + jump) * 1_000
        let answer = TimeResponse(to: request, receive: clock, send: clock, bootNonce: 0xB007_0001)
        #expect(host.receive(answer, at: ms).names == ["time"])
      }
    }
    let first = Array(stride(from: Int64(0), through: 140, by: 20))
    let again = [10_140] + Array(stride(from: Int64(10_150), through: 10_270, by: 20))
    #expect(asked == first + again + [20_270, 30_270])
    #expect(host.fit?.offset == -5_000_000)
  }

  @Test func `a fit proves nothing any more once a frame was missed, until the next exchange`()
    throws
  {
    let host = FedHost()
    host.linkUp()
    try exchange(host, at: 0)
    #expect(host.provenFit != nil)
    host.receive(Heartbeat.after(ms: 10), at: 10)
    #expect(host.provenFit != nil)
    host.sequence &+= 1
    host.receive(Heartbeat.after(ms: 20), at: 20)
    #expect(host.provenFit == nil && host.fit != nil)
    try exchange(host, at: 100)
    #expect(host.provenFit != nil)
  }

  @Test func `a missed frame makes a host ask at once, and not oftener than ten times a second`() {
    let host = FedHost()
    host.linkUp()
    var asked: [Int64] = []
    for ms in stride(from: Int64(0), through: 1_200, by: 10) {
      if ms > 500 { host.sequence &+= 1 }
      host.receive(Heartbeat.after(ms: UInt64(ms)), at: ms)
      for frame in host.send(at: ms) where frame.type == .timeRequest { asked.append(ms) }
    }
    #expect(asked.filter { $0 > 140 } == [510, 610, 710, 810, 910, 1_010, 1_110])
  }

  @Test func `a fit says nothing of stamps before the clock's last jump`() throws {
    let host = FedHost()
    host.linkUp()
    try exchange(host, at: 0)
    let jumped = 5_000_000 + UInt64(20_000)
    try exchange(host, at: 20, clock: jumped)
    #expect(host.provenFit?.since == Int64(jumped))
  }

  private func exchange(_ host: FedHost, at ms: Int64, clock: UInt64? = nil) throws {
    let request = try #require(host.send(at: ms).compactMap { $0.read(TimeRequest.self) }.first)
    let clock = clock ?? UInt64(ms * 1_000)
    host.receive(
      TimeResponse(to: request, receive: clock, send: clock, bootNonce: 0xB007_0001), at: ms)
  }

  @Test func `a host hands on each exchange that is fitted`() throws {
    let host = FedHost()
    host.linkUp()
    let request = try #require(host.send(at: 0).compactMap { $0.read(TimeRequest.self) }.first)
    let answer = TimeResponse(to: request, receive: 10, send: 20, bootNonce: 0xB007_0001)
    #expect(host.receive(answer, at: 1).names == ["time"])
    #expect(host.fit?.uncertainty == 496)
  }
}

extension TimeSyncTests {
  @Test(arguments: [Int64(-5_000_000), 5_000_000, 40_000, -40_000])
  func `a clock that jumped is fitted anew by the next exchange`(_ jump: Int64) throws {
    let exchange = Exchange()
    for n in Int64(1)...16 { exchange.run(at: n * 10_000_000, there: 5, thinking: 0, back: 5) }
    exchange.offset -= jump
    exchange.run(at: 170_000_000 + jump, there: 4_000, thinking: 0, back: 2_000)
    let fit = try #require(exchange.sync.fit)
    #expect(fit.uncertainty == 3_001 && fit.drift == 0)
    #expect(abs(try #require(exchange.error(atDevice: 175_000_000))) <= fit.uncertainty)
  }

  @Test(arguments: [Int64(9_000), -9_000])
  func `a jump that a drift may explain widens the uncertainty`(_ jump: Int64) throws {
    let exchange = Exchange()
    for n in Int64(1)...16 { exchange.run(at: n * 10_000_000, there: 5, thinking: 0, back: 5) }
    exchange.offset -= jump
    for n in Int64(17)...60 {
      let device = n * 10_000_000 + jump
      exchange.run(at: device, there: 40, thinking: 0, back: 50)
      let fit = try #require(exchange.sync.fit)
      #expect(abs(try #require(exchange.error(atDevice: device))) <= fit.uncertainty)
    }
    #expect(try #require(exchange.sync.fit).uncertainty <= 46, "the old exchanges are forgotten")
  }
}
