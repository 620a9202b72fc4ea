import FobBase
import TestSupport
import Testing
import WireProtocol

struct HostReadingTests {
  private func report(_ bytes: [UInt8]) -> [String] { FedHost().receive(bytes, at: 0).names }

  @Test(arguments: [UInt8(0x20), 0x00, 0xF0, 0x18, 0x11, 0x12])
  func `a press with another head raises by its frozen part alone`(_ head: UInt8) {
    let press = EventRecord(.sample())
    let reports = FedHost().receive(RawFrame.bytes(press, head: head, cut: 25), at: 0)
    guard case .barePress(let identity) = reports.first else {
      Issue.record("\(reports.names)")
      return
    }
    #expect(identity == press.identity && reports.count == 1)
    #expect(report(RawFrame.bytes(press, head: head)) == ["bare press"])
  }

  @Test(arguments: 29...53)
  func `a press cut short raises`(_ length: Int) {
    let press = EventRecord(.sample())
    #expect(report(RawFrame.bytes(press, cut: EventRecord.size - length)) == ["bare press"])
  }

  @Test(arguments: 0...28)
  func `a press without its whole frozen part cannot raise`(_ length: Int) {
    let cut = EventRecord.size - length
    #expect(report(RawFrame.bytes(EventRecord(.sample()), cut: cut)) == ["refused: tooShort"])
  }

  @Test func `a merged press without its tail raises`() {
    var press = EventRecord(.sample())
    press.flags.insert(.merged)
    #expect(report(RawFrame.bytes(press)) == ["event 1"])
    #expect(report(RawFrame.bytes(press, cut: 1)) == ["bare press"])
  }

  @Test(arguments: [EventKind.released, .booted, .batteryLow, .fault])
  func `an event that is no press must be whole`(_ kind: EventKind) {
    let event = EventRecord(.sample(kind))
    #expect(report(RawFrame.bytes(event, cut: 1)) == ["refused: tooShort"])
    #expect(report(RawFrame.bytes(event, head: 0x20)) == ["refused: version"])
    #expect(report(RawFrame.bytes(event, head: 0x12)) == ["refused: reservedBits"])
  }

  @Test func `an event of an unknown kind is an event`() {
    var payload = EventRecord(.sample()).bytes
    payload[16] = 99
    #expect(report(RawFrame.bytes(type: 0x10, payload: payload)) == ["event 99"])
  }

  @Test func `RESENT is no reserved bit`() {
    #expect(report(RawFrame.bytes(EventRecord(.sample()), head: 0x14)) == ["event 1"])
  }

  @Test func `a longer payload is read`() {
    let extra = [UInt8](repeating: 0xEE, count: 9)
    #expect(report(RawFrame.bytes(EventRecord(.sample()), extra: extra)) == ["event 1"])
    #expect(report(RawFrame.bytes(Heartbeat(), extra: extra)) == ["heartbeat"])
  }

  @Test func `a shorter payload is refused`() {
    #expect(report(RawFrame.bytes(Heartbeat(), cut: 1)) == ["refused: tooShort"])
    #expect(report(RawFrame.bytes(Hello.device(session: 1), cut: 1)) == ["refused: tooShort"])
  }

  @Test func `an unknown type below 80 is refused, from 80 on ignored`() {
    #expect(report(RawFrame.bytes(type: 0x7F)) == ["refused: unknownType"])
    #expect(report(RawFrame.bytes(type: 0x00)) == ["refused: unknownType"])
    for type in [UInt8(0x82), 0xFF] { #expect(report(RawFrame.bytes(type: type)) == []) }
  }

  @Test func `another head refuses every other frame but a REJECT`() {
    #expect(report(RawFrame.bytes(Heartbeat(), head: 0x20)) == ["refused: version"])
    #expect(report(RawFrame.bytes(Heartbeat(), head: 0x12)) == ["refused: reservedBits"])
    let short = [UInt8](repeating: 1, count: 15)
    #expect(
      report(RawFrame.bytes(head: 0x18, type: 0x50, payload: short)) == ["refused: reservedBits"])
    #expect(report(RawFrame.bytes(head: 0x20, type: 0x05, payload: [1, 1, 0, 0])) == [])
  }

  @Test func `a value that the table does not know is refused`() {
    let battery = BatteryReading(clock: 1, millivolts: 3_900, percent: 87, level: .normal)
    let payload = Array(battery.bytes.dropLast()) + [9]
    #expect(report(RawFrame.bytes(type: 0x30, payload: payload)) == ["refused: badValue"])
  }

  @Test func `a shown state of a later version leaves the rest readable`() {
    var beat = Heartbeat.after(ms: 7).bytes
    beat[12] = 200
    #expect(Heartbeat(beat)?.shown == nil && Heartbeat(beat)?.uptime == 7_000)
    #expect(report(RawFrame.bytes(type: 0x04, payload: beat)) == ["heartbeat"])
    var led = [UInt8](repeating: 0, count: LEDState.size)
    led[8] = 200
    #expect(report(RawFrame.bytes(type: 0x22, payload: led)) == ["led"])
  }

  @Test func `a REJECT is reported, and a bad one not answered`() {
    let reject = Reject(type: 0x20, reason: .badValue, sequence: 3)
    #expect(report(RawFrame.bytes(reject)) == ["rejected"])
    #expect(report(RawFrame.bytes(reject, cut: 1)) == [])
    #expect(report(RawFrame.bytes(type: 0x05, payload: [1, 99, 0, 0])) == [])
  }

  @Test func `a refusal names the frame that it is for`() {
    let reports = FedHost().receive(RawFrame.bytes(type: 0x7F, sequence: 513), at: 0)
    guard case .refused(let reject) = reports.first else {
      Issue.record("\(reports.names)")
      return
    }
    #expect(reject == Reject(type: 0x7F, reason: .unknownType, sequence: 513))
  }

  @Test(arguments: 0...3)
  func `TRACE and LOG without their fixed fields are refused`(_ length: Int) {
    let payload = [UInt8](repeating: 0, count: length)
    #expect(report(RawFrame.bytes(type: 0x51, payload: payload)) == ["refused: tooShort"])
    let log = report(RawFrame.bytes(type: 0x80, payload: payload))
    #expect(log == [length == 0 ? "refused: tooShort" : "log"])
  }

  @Test func `a trace has its entries, and those of an unknown code are left out`() {
    let host = FedHost()
    var body = FrameBody(TraceFrame(first: 16), sequence: 0)
    for code in [UInt8(1), 99, 3] {
      body.append(UInt64(1_000) + UInt64(code))
      body.append(code)
      body.append(UInt64(code))
    }
    #expect(host.receive(WireFrame(body).bytes, at: 0).names == ["trace"])
    var seen: [UInt32: TraceEntry.Code] = [:]
    host.lastPayload.withUnsafeBytes { TraceFrame.entries($0) { seen[$0] = $1.code } }
    #expect(seen == [16: .edgeClosed, 18: .eventCommitted])
  }

  @Test func `every other message of a device is reported`() throws {
    let expected = [
      "HELLO of a device": ["hello"], "TIME_RESP": [], "HEARTBEAT": ["heartbeat"],
      "REJECT": ["rejected"],
      "EVENT pressed: 64 bytes on the wire": ["event 1"], "LED_STATE": ["led"],
      "BATTERY": ["battery"], "GPS_FIX": ["position"], "CONFIG_RESULT": ["config"],
      "FW_INFO, the answer": ["info"], "TRACE, the answer": ["trace"], "LOG": ["log"],
      "NMEA_RAW": ["nmea"],
    ]
    for vector in try FrameVectors.load().messages {
      guard let names = expected[vector.name] else { continue }
      let host = FedHost()
      #expect(host.receive([UInt8](hex: vector.wire), at: 0).names == names, "\(vector.name)")
    }
  }
}
