import Capture
import FobBase
import WireProtocol

/// Cases of frames that the device does not know, and of what it says of itself.
extension ProtocolChapter {
  static let growth = [
    ConformanceCase(
      .protocol, "unknown-mandatory", "5.3", "an unknown type below 80 is rejected"
    ) { talk in
      for type: UInt8 in [0x00, 0x0F, 0x3F, 0x7F] {
        let body = talk.body(type: type, payload: [1, 2])
        try talk.say(body: body, "type \(Hex.text([type]))")
        try talk.expectReject(type, .unknownType, sequence: StreamVector.sequence(of: body))
      }
    },
    ConformanceCase(
      .protocol, "reject-flood", "5.3", "of a flood at most 16 frames a second are rejected"
    ) { talk in
      try talk.letDevicePass(.milliseconds(1_050))
      let began = try talk.deviceClock()
      talk.step("say type 7f 100 times")
      talk.beginsNow()
      for _ in 0..<100 {
        try talk.transmit(Conversation.wire(talk.body(type: 0x7F)))
        try talk.wait(.milliseconds(1))
      }
      let answers = try talk.settle().filter { $0.isA(.reject) }.count
      let passed = try talk.deviceClock() &- began
      let most = 16 * (Int(passed / 1_000_000) + 1)
      try talk.check(
        (1...most).contains(answers), "\(answers) were rejected in \(passed / 1_000) ms")
      try talk.letDevicePass(.milliseconds(1_050))
      let body = talk.body(type: 0x7F)
      try talk.say(body: body, "type 7f a second later")
      try talk.expectReject(body[1], .unknownType, sequence: StreamVector.sequence(of: body))
    },
    ConformanceCase(
      .protocol, "unknown-optional", "5.3", "an unknown type from 80 on is ignored"
    ) { talk in
      for type: UInt8 in [0x82, 0xC0, 0xFF] {
        try talk.say(body: talk.body(type: type, payload: [1]), "type \(Hex.text([type]))")
        try talk.expectNoReject("type \(Hex.text([type]))")
      }
    },
    ConformanceCase(
      .protocol, "longer-payload", "11", "a payload that is longer than known is read"
    ) { talk in
      let request = TimeRequest(hostSend: talk.draw(), session: talk.session)
      try talk.say(body: talk.body(request, extra: [9, 9, 9]), "TIME_REQ with 3 bytes more")
      _ = try talk.expect(TimeResponse.self, "TIME_RESP") { $0.hostSend == request.hostSend }
      talk.session = UInt32(truncatingIfNeeded: talk.draw()) | 1
      try talk.say(body: talk.body(talk.hello, extra: [1]), "HELLO with a byte more")
      _ = try talk.expect(Hello.self, "HELLO") { $0.session == talk.session }
    },
    ConformanceCase(
      .protocol, "shorter-payload", "11", "a payload that is shorter than known is rejected"
    ) { talk in
      let bodies: [(String, [UInt8])] = [
        ("HELLO", talk.body(talk.hello, cut: 1)),
        ("TIME_REQ", talk.body(TimeRequest(hostSend: 1, session: 2), cut: 4)),
        ("EVENT_ACK", talk.body(EventAck(number: .none, identityCRC: 0), cut: 1)),
        ("CONFIG", talk.body(Config(key: .debounce, value: 20), cut: 6)),
      ]
      for (name, body) in bodies {
        try talk.say(body: body, "\(name), too short")
        try talk.expectReject(body[1], .tooShort, sequence: StreamVector.sequence(of: body))
      }
    },
    ConformanceCase(
      .protocol, "other-major", "5.2", "another major version is rejected"
    ) { talk in
      for head: UInt8 in [0x00, 0x20, 0xF0] {
        let body = talk.body(TimeRequest(hostSend: 1, session: 2), head: head)
        try talk.say(body: body, "TIME_REQ of major \(head >> 4)")
        try talk.expectReject(body[1], .version, sequence: StreamVector.sequence(of: body))
      }
    },
    ConformanceCase(
      .protocol, "reserved-bits", "5.3", "reserved bits in the head are rejected"
    ) { talk in
      for head: UInt8 in [0x11, 0x12, 0x18] {
        let body = talk.body(TimeRequest(hostSend: 1, session: 2), head: head)
        try talk.say(body: body, "TIME_REQ with head \(Hex.text([head]))")
        try talk.expectReject(body[1], .reservedBits, sequence: StreamVector.sequence(of: body))
      }
    },
    ConformanceCase(
      .protocol, "bad-value", "11", "an unknown state is rejected, and what was shown stays"
    ) { talk in
      try talk.indicate(.idle, revision: 1)
      _ = try talk.expectShown(.idle)
      var body = talk.body(
        Indicate(
          session: talk.session, incident: 0, revision: 2, state: .idle, sounder: false,
          lease: 5_000))
      body[4 + 16] = 11
      try talk.say(body: body, "INDICATE of state 11")
      try talk.expectReject(body[1], .badValue, sequence: StreamVector.sequence(of: body))
      body[4] ^= 0xFF
      try talk.say(body: body, "INDICATE of state 11 in another session")
      try talk.expectReject(body[1], .badValue, sequence: StreamVector.sequence(of: body))
      try talk.check(
        try talk.nextHeartbeat().value.shown == .idle, "it no longer shows idle")
    },
    ConformanceCase(
      .protocol, "own-echo", "5.3", "its own frames that come back are never answered"
    ) { talk in
      try talk.sayHello()
      try talk.wait(.milliseconds(1_200))
      let echo = talk.heard.suffix(30).flatMap { Conversation.wire($0.body) }
      try talk.say(raw: [0] + echo, "everything that it said, back to it")
      let answers = try talk.settle().filter { $0.isA(.reject) || $0.isA(.hello) }
      try talk.check(answers.isEmpty, "an echo was answered by \(answers.first?.words ?? "")")
    },
    ConformanceCase(
      .protocol, "other-direction", "5.3", "messages of the device's own direction are echo"
    ) { talk in
      for type in [
        MessageType.timeResponse, .heartbeat, .event, .ledState, .battery, .gpsFix, .configResult,
        .log, .nmeaRaw,
      ] {
        let payload = [UInt8](repeating: 1, count: 60)
        try talk.say(body: talk.body(type: type.rawValue, payload: payload), "\(type)")
        try talk.expectNoReject("\(type)")
      }
    },
    ConformanceCase(
      .protocol, "reject-unanswered", "5.3", "REJECT is never answered, whatever it says"
    ) { talk in
      try talk.say(Reject(type: 0x10, reason: .badValue, sequence: 1), "REJECT")
      try talk.expectNoReject("REJECT")
      try talk.say(body: talk.body(type: 0x05, payload: [1]), "REJECT, too short")
      try talk.expectNoReject("a short REJECT")
    },
  ]

  static let inspection = [
    ConformanceCase(
      .protocol, "config", "10", "CONFIG is answered with the value in force"
    ) { talk in
      func set(_ key: UInt16, _ value: UInt32) throws -> ConfigResult {
        var config = Config(key: .debounce, value: value)
        config.key = key
        try talk.say(config, "CONFIG \(key) to \(value)")
        return try talk.expect(ConfigResult.self, "CONFIG_RESULT") { $0.key == key }.value
      }
      try talk.check(
        try set(1, 50), is: ConfigResult(key: 1, value: 50, outcome: .done), "the answer")
      try talk.check(
        try set(1, 51), is: ConfigResult(key: 1, value: 50, outcome: .outOfRange), "the answer")
      try talk.check(try set(999, 1).outcome, is: .unknownKey, "the result of an unknown key")
      try talk.check(
        try set(1, 20), is: ConfigResult(key: 1, value: 20, outcome: .done), "the answer")
    },
    ConformanceCase(
      .protocol, "config-reset", "4.7", needs: [.reset], "a reset forgets configuration"
    ) { talk in
      try talk.say(Config(key: .debounce, value: 50), "CONFIG debounce to 50 ms")
      _ = try talk.expect(ConfigResult.self, "CONFIG_RESULT") { $0.value == 50 }
      try talk.reset()
      try talk.say(Config(key: .debounce, value: 51), "CONFIG debounce out of range")
      let result = try talk.expect(ConfigResult.self, "CONFIG_RESULT").value
      try talk.check(result.value, is: 20, "the debounce time in force after a reset")
    },
    ConformanceCase(
      .protocol, "firmware-info", "3", "an empty FW_INFO is answered by board name and build"
    ) { talk in
      try talk.say(body: talk.body(type: 0x50), "FW_INFO")
      let answers = try talk.settle().filter { $0.isA(.firmwareInfo) }
      try talk.check(answers.count, is: 1, "the count of answers")
      let parts = answers[0].payload.split(separator: 0, omittingEmptySubsequences: false)
      try talk.check(parts.count, is: 2, "the count of its parts, board name and build")
      try talk.check(
        parts.allSatisfy { String(validating: $0, as: UTF8.self) != nil && !$0.isEmpty },
        "board name and build are no text")
    },
    ConformanceCase(
      .protocol, "trace", "10", "TRACE tells of recent events, on the device's clock"
    ) { talk in
      try talk.say(TraceFrame(first: 0), "TRACE from 0")
      let answers = try talk.settle().filter { $0.isA(.trace) }
      try talk.check(answers.count, is: 1, "the count of answers")
      let payload = answers[0].payload
      try talk.check(
        payload.count >= 4 && (payload.count - 4) % 17 == 0 && payload.count <= 4 + 14 * 17,
        "a TRACE of \(payload.count) bytes is none")
      var clocks: [UInt64] = []
      payload.withUnsafeBytes { TraceFrame.entries($0) { _, entry in clocks.append(entry.clock) } }
      let uptime = try talk.nextHeartbeat().value.uptime
      try talk.check(
        clocks.allSatisfy { $0 <= uptime }, "a TRACE entry is later than the device's uptime")
    },
    ConformanceCase(
      .protocol, "trace-elsewhere", "10",
      "TRACE of an entry that it has not, and that is not the next, begins at its oldest"
    ) { talk in
      func first(_ asked: UInt32) throws -> UInt32 {
        try talk.say(TraceFrame(first: asked), "TRACE from \(asked)")
        let answer = try talk.settle().first { $0.isA(.trace) }
        guard let first = answer?.read(TraceFrame.self)?.first else {
          throw talk.fail("TRACE from \(asked) was not answered")
        }
        return first
      }
      let oldest = try first(0)
      for step: UInt32 in [0x1000_0000, 0x8000_0000, 0xF000_0000] {
        let found = try first(oldest &+ step)
        try talk.check(
          found &- oldest < 0x100_0000, "it begins at \(found), where its oldest is \(oldest)")
      }
    },
  ]
}
