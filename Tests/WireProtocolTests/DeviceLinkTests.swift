import FobBase
import TestSupport
import Testing
import WireProtocol

struct DeviceLinkTests {
  private let hello = Hello(role: .host, session: 81, software: FedHost.software)

  @Test func `every message of a host is a request`() throws {
    let expected = [
      "HELLO of a host": "hello", "TIME_REQ": "time",
      "EVENT_ACK of the pressed event above": "ack", "INDICATE": "indicate", "LED_SET": "led set",
      "CONFIG": "config", "FW_INFO, the question": "info", "TRACE, the question": "trace",
      "REJECT": "ignored: rejected",
    ]
    var seen = 0
    for vector in try FrameVectors.load().messages {
      guard let name = expected[vector.name] else { continue }
      seen += 1
      #expect(FedDevice().receive([UInt8](hex: vector.wire)) == [name], "\(vector.name)")
    }
    #expect(seen == expected.count)
  }

  @Test func `the session is that of the last HELLO`() {
    let device = FedDevice()
    #expect(device.session == 0)
    device.receive(RawFrame.bytes(hello))
    #expect(device.session == 81)
    device.receive(RawFrame.bytes(Hello(role: .host, session: 82, software: FedHost.software)))
    #expect(device.session == 82)
  }

  @Test func `its own frames come back as nothing`() {
    let device = FedDevice()
    let time = TimeResponse(
      to: TimeRequest(hostSend: 1, session: 2), receive: 3, send: 4, bootNonce: 5)
    let led = LEDState(
      clock: 1, shown: .idle, detail: 0, sounder: false, source: .own, session: 0, revision: 0)
    let config = ConfigResult(key: 1, value: 20, outcome: .done)
    let battery = BatteryReading(clock: 1, millivolts: 3_900, percent: 87, level: .normal)
    let trace = [UInt8](repeating: 0, count: TraceFrame.size + TraceEntry.size)
    let frames = [
      device.frame(Hello.device(session: 0), at: 0), device.frame(time, at: 0),
      device.frame(Heartbeat(), at: 0), device.frame(EventRecord(.sample()), at: 0, resent: true),
      device.frame(led, at: 0), device.frame(battery, at: 0), device.frame(PositionFix(), at: 0),
      device.frame(config, at: 0), device.frame(.firmwareInfo, Array("board".utf8), at: 0),
      device.frame(.trace, trace, at: 0), device.frame(.log, [1, 65], at: 0),
      device.frame(.nmeaRaw, [36], at: 0),
    ]
    for frame in frames { #expect(device.receive(frame) == ["ignored: echo"]) }
    let reject = device.frame(Reject(type: 1, reason: .version, sequence: 2), at: 0)
    #expect(device.receive(reject) == ["ignored: rejected"])
    #expect(device.session == 0 && device.damagedFrames == 0)
  }

  @Test func `text before the first frame is one damaged frame`() {
    let device = FedDevice()
    let names = device.receive(Array("AT\r\n".utf8) + [0] + RawFrame.bytes(hello))
    #expect(names == ["ignored: damaged", "hello"])
    #expect(device.damagedFrames == 1)
  }

  @Test func `an unknown type below 80 is refused, from 80 on ignored`() {
    let device = FedDevice()
    #expect(device.receive(RawFrame.bytes(type: 0x7F)) == ["refused: unknownType"])
    #expect(device.receive(RawFrame.bytes(type: 0x82)) == ["ignored: optional"])
  }

  @Test func `an event with a cut or strange head is an echo where it is a press`() {
    let device = FedDevice()
    let press = EventRecord(.sample())
    #expect(device.receive(RawFrame.bytes(press, head: 0x20, cut: 25)) == ["ignored: echo"])
    #expect(device.receive(RawFrame.bytes(press, head: 0x18)) == ["ignored: echo"])
    let boot = EventRecord(.sample(.booted))
    #expect(device.receive(RawFrame.bytes(boot, head: 0x20)) == ["refused: version"])
    #expect(device.receive(RawFrame.bytes(boot, cut: 20)) == ["ignored: echo"])
  }

  @Test func `the head is judged before the type`() {
    let device = FedDevice()
    #expect(device.receive(RawFrame.bytes(head: 0x20, type: 0x7F)) == ["refused: version"])
    #expect(device.receive(RawFrame.bytes(head: 0x11, type: 0x82)) == ["refused: reservedBits"])
  }

  @Test func `another major version and reserved bits are refused`() {
    let device = FedDevice()
    #expect(device.receive(RawFrame.bytes(hello, head: 0x20)) == ["refused: version"])
    #expect(device.receive(RawFrame.bytes(hello, head: 0x18)) == ["refused: reservedBits"])
    #expect(device.receive(RawFrame.bytes(hello, head: 0x11)) == ["refused: reservedBits"])
    #expect(device.receive(RawFrame.bytes(head: 0x20, type: 0x05)) == ["ignored: rejected"])
    #expect(device.session == 0)
  }

  @Test func `a longer payload is read, a shorter refused`() {
    let device = FedDevice()
    #expect(device.receive(RawFrame.bytes(hello, extra: [1, 2, 3])) == ["hello"])
    #expect(device.receive(RawFrame.bytes(hello, cut: 1)) == ["refused: tooShort"])
    let ack = EventAck(.sample())
    #expect(device.receive(RawFrame.bytes(ack, extra: [0])) == ["ack"])
    #expect(device.receive(RawFrame.bytes(ack, cut: 1)) == ["refused: tooShort"])
  }

  @Test func `LED_SET takes the states of INDICATE and no other`() {
    for state in UInt8(0)...255 {
      let names = FedDevice().receive(RawFrame.bytes(type: 0x21, payload: [state, 0, 0, 1]))
      #expect(names == [state <= 10 ? "led set" : "refused: badValue"])
    }
  }

  @Test func `a state that cannot be indicated is refused`() {
    var indicate = Indicate(
      session: 81, incident: 0, revision: 1, state: .idle, sounder: false, lease: 100
    ).bytes
    for state in UInt8(11)...255 {
      indicate[16] = state
      let names = FedDevice().receive(RawFrame.bytes(type: 0x20, payload: indicate))
      #expect(names == ["refused: badValue"])
    }
  }

  @Test func `frames are numbered, RESENT is said, and a lone zero goes before after silence`() {
    let device = FedDevice()
    let event = EventRecord(.sample())
    let first = device.frame(event, at: 0)
    let second = device.frame(event, at: 10, resent: true)
    let third = device.frame(event, at: 1_010)
    #expect(first[0] == 0 && second[0] != 0 && third[0] == 0)
    let bodies = [first, second, third].map { SentFrame(Decoded($0).bodies[0]) }
    #expect(bodies.map(\.sequence) == [0, 1, 2])
    #expect(bodies.map(\.head.isResent) == [false, true, false])
  }

  @Test(arguments: UInt64(1)...8)
  func `whole frames of random content never trap`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let device = FedDevice()
    for _ in 0..<1_500 {
      let body = [UInt8].random(Int.random(in: 0...60, using: &random), zeros: 0.7, using: &random)
      let type = UInt8.random(in: 0...0x82, using: &random)
      #expect(device.receive(RawFrame.bytes(type: type, payload: body)).count == 1)
    }
  }
}

struct EventIdentityTests {
  @Test func `an ack repeats the CRC of the 29 frozen bytes`() {
    let record = EventRecord(.sample())
    let crc = Array(record.bytes[..<29]).withUnsafeBytes { CRC32C.of($0) }
    #expect(record.identity.crc == crc)
    #expect(EventAck(record.identity) == EventAck(number: record.identity.number, identityCRC: crc))
  }

  @Test func `what a resend may change is not of the identity`() {
    var resent = EventRecord(.sample())
    resent.flags.insert(.replayed)
    resent.commitDelta = 9
    resent.millivolts = 3_000
    #expect(resent.identity.crc == EventRecord(.sample()).identity.crc)
  }

  @Test func `another clock or boot nonce is another event`() {
    var other = EventIdentity.sample()
    other.clock += 1
    #expect(other.crc != EventIdentity.sample().crc)
    other = .sample()
    other.bootNonce += 1
    #expect(other.crc != EventIdentity.sample().crc)
  }
}
