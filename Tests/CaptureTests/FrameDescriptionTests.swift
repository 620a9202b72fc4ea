import Capture
import FobBase
import TestSupport
import Testing
import WireProtocol

@Suite struct FrameDescriptionTests {
  @Test func `an event is told in human units`() throws {
    let vector = try #require(try FrameVectors.load().messages.first { $0.type == "EVENT" })
    let wire = try #require(Hex.bytes(vector.wire))
    guard case .frame(let frame)? = Sample.described(wire: wire).first?.content else {
      Issue.record("it is no frame")
      return
    }
    let wanted = [
      "device_id": "8000000000000001", "event_no": "1.2", "kind": "pressed", "clock": "1.000000 s",
      "commit_delta": "15.000 ms", "flags": "none", "detail": "0", "millivolts": "3900 mV",
      "battery_percent": "87 %", "fix_quality": "good", "latitude": "39.3298832°",
      "longitude": "-82.0977485°", "fix_age": "1.500 s", "fix_accuracy": "4.0 m",
      "satellites": "9",
    ]
    for (name, text) in wanted { #expect(frame.text(of: name) == text) }
    #expect(frame.summary == "1.2, pressed, 87 %")
    #expect(frame.head.major == 1 && !frame.head.isResent && !frame.isSealed)
  }

  @Test(arguments: [
    ("GPS_FIX", "utc", "2026-01-01 00:00:00 UTC"), ("GPS_FIX", "altitude", "-12.50 m"),
    ("GPS_FIX", "latitude", "-33.7654321°"), ("INDICATE", "lease", "5.000 s"),
    ("INDICATE", "flags", "sounder"), ("LED_STATE", "flags", "sounder + by lease"),
    ("HEARTBEAT", "uptime", "10.000000 s"), ("REJECT", "rejected_type", "0x7f"),
    ("REJECT", "reason", "unknown type"), ("CONFIG", "key", "debounce in ms"),
    ("BATTERY", "level", "low"), ("LOG", "text", "store ok: 3 µs"),
    ("NMEA_RAW", "bytes", #"$GPGGA,,,,,,0,,,,,,,,*66\r\n"#), ("FW_INFO", "build", "build 42"),
  ])
  func `a value is shown as a person reads it`(type: String, field: String, text: String) throws {
    let vectors = try FrameVectors.load().messages.filter { $0.type == type }
    let shown = vectors.compactMap { vector -> String? in
      guard case .frame(let frame)? = Sample.described(wire: Hex.bytes(vector.wire)!).first?.content
      else { return nil }
      return frame.text(of: field)
    }
    #expect(shown.contains(text), "\(shown)")
  }

  @Test func `the capabilities of HELLO have names, and unknown bits their numbers`() {
    var hello = Hello(
      role: .device, session: 0, software: SoftwareVersion(major: 0, minor: 1, patch: 0))
    func shown(_ capabilities: UInt32) -> String? {
      hello.capabilities = capabilities
      var body = FrameBody(type: .hello, sequence: 0)
      hello.write(to: &body)
      let wire = WireFrame(body).withBytes { Array($0) }
      guard case .frame(let frame)? = Sample.described(wire: wire).first?.content else {
        return nil
      }
      return frame.text(of: "capabilities")
    }
    #expect(shown(0) == "none")
    #expect(
      shown(Hello.seals | Hello.hasNoBattery | Hello.hasNoGPS) == "SEAL + NO_BATTERY + NO_GPS")
    #expect(shown(Hello.isPaired | 1 << 31) == "PAIRED + bit 31 (not known)")
  }

  @Test func `a merged event has its tail, and one without its tail is refused`() throws {
    var payload = [UInt8](repeating: 0, count: 54)
    payload[33] = 4
    let cut = try #require(Sample.frame(type: 0x10, payload: payload + [1, 2]))
    #expect(
      cut.remark == "refused: with MERGED, EVENT has 64 bytes of payload, here are 56")
    let whole = try #require(
      Sample.frame(type: 0x10, payload: payload + [1, 0, 0, 0, 1, 0, 0, 0, 9, 0]))
    #expect(whole.text(of: "first_covered") == "1.1")
    #expect(whole.text(of: "covered") == "9 presses")
    #expect(whole.remark == nil)
  }

  @Test func `what the host asks and what the device answers with TRACE are two things`() throws {
    let payload = [5, 0, 0, 0] + [UInt8](repeating: 0, count: 17 * 2 + 3)
    let answer = try #require(Sample.frame(type: 0x51, payload: payload))
    #expect(answer.fields.compactMap(\.entry) == [0, 0, 0, 1, 1, 1])
    #expect(answer.remark == "+ 3 bytes not known to this version")
    #expect(answer.summary == "from 5, entries 2")
    let question = try #require(
      Sample.frame(type: 0x51, payload: payload, direction: .toDevice))
    #expect(question.fields.map(\.name) == ["first"])
    #expect(question.remark == "+ 37 bytes not known to this version")
  }

  @Test func `another major version, reserved bits and unknown types are said`() throws {
    let press = [UInt8](repeating: 1, count: 40)
    let future = try #require(Sample.frame(head: 0x20, type: 0x10, payload: press))
    #expect(future.remark == "major version 2 is not known to this version")
    #expect(future.fields.last?.name == "boot_nonce" && future.unread.count == 11)
    let reserved = try #require(
      Sample.frame(head: 0x1C, type: 0x02, payload: [UInt8](repeating: 0, count: 12)))
    #expect(reserved.head.isResent && reserved.isSealed)
    #expect(reserved.remark == "reserved bits are set in the head")
    let unknown = try #require(Sample.frame(type: 0x7F, payload: [1, 2]))
    #expect(unknown.name == "0x7f")
    #expect(unknown.remark == "this type is not known to this version")
    #expect(unknown.unread == [1, 2])
  }

  @Test func `text of a device cannot steer a terminal`() throws {
    let text = Array("a\u{1B}[2Jb\u{9B}c\u{202E}d\n".utf8) + [0xFF]
    let log = try #require(Sample.frame(type: 0x80, payload: [1] + text))
    #expect(log.text(of: "text") == #"a\u{1b}[2Jb\u{9b}c\u{202e}d\n"# + "\u{FFFD}")
  }

  @Test func `any body of any type is described without a trap`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...245, using: &random)
      let frame = Sample.frame(
        head: UInt8.random(in: 0...255, using: &random),
        type: [1, 2, 3, 4, 5, 16, 17, 32, 33, 34, 48, 49, 64, 65, 80, 81, 128, 129, 7]
          .randomElement(using: &random)!,
        payload: Sample.random(count, zeros: 0.2, using: &random),
        direction: Bool.random(using: &random) ? .toHost : .toDevice)
      let read = frame?.fields.reduce(0) { sum, field in
        if case .bytes(let bytes) = field.value, field.kind == .rest { return sum + bytes.count }
        return sum + Self.size(field.kind)
      }
      // Texts may be parted by one zero byte.
      let total = (read ?? -1) + (frame?.unread.count ?? 0)
      #expect(total == count || (frame?.name == "FW_INFO" && total == count - 1))
    }
  }

  private static func size(_ kind: FieldKind) -> Int {
    switch kind {
    case .u8: 1
    case .u16: 2
    case .u32, .i32: 4
    case .u64: 8
    case .bytes(let count): count
    case .rest: 0
    }
  }
}
