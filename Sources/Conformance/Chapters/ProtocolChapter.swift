import Capture
import FobBase
import WireProtocol

/// Cases of frames, session and growth: PROTOCOL.md, 2, 3, 5, 10 and 11.
enum ProtocolChapter {
  static let cases = frames + noise + session + growth + inspection

  static let frames = [
    ConformanceCase(
      .protocol, "vector-streams", "2.6", "every stream of the vectors gives its frames and no more"
    ) { talk in
      var answered = 0
      for stream in StreamVector.all {
        answered += stream.good.count
        if answered > Limits.rejectsPerSecond {
          try talk.letDevicePass(.milliseconds(1_050))
          answered = stream.good.count
        }
        talk.step("send \(stream.name)")
        // Spoils a frame that is still open at the stream's end.
        let end: [UInt8] = stream.bytes.last == 0 ? [] : [1, 1, 1, 0]
        try talk.send([0] + stream.bytes + end)
        let answers = try talk.settle().compactMap { $0.read(Reject.self) }
        try talk.check(
          answers, is: stream.good.map(StreamVector.answer),
          "of '\(stream.name)', what was answered")
      }
    },
    ConformanceCase(
      .protocol, "vector-refused", "2.6", "no refused run of the vectors is ever answered"
    ) { talk in
      for (name, bytes) in StreamVector.refused {
        talk.step("send \(name)")
        try talk.send([0] + bytes)
        try talk.expectNoReject("'\(name)'")
      }
    },
    ConformanceCase(
      .protocol, "damage-counted", "2.6", "each refused run is counted once, however long"
    ) { talk in
      let before = try talk.nextHeartbeat().value.damagedFrames
      for length in [5, 40, 255, 1_000] {
        let run = (0..<length).map { _ in UInt8.random(in: 1...255, using: &talk.random) }
        try talk.say(raw: [0] + run + [0], "\(length) bytes of noise")
      }
      try talk.settle()
      let after = try talk.nextHeartbeat().value.damagedFrames
      try talk.check(after &- before, is: 4, "rx_damaged has grown by what")
    },
    ConformanceCase(
      .protocol, "bit-errors", "2.3", "no frame with one bit turned is taken for a whole one"
    ) { talk in
      let good = talk.frame(TimeRequest(hostSend: talk.draw(), session: talk.session))
      for bit in 0..<8 * (good.count - 1) {
        var bytes = good
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        try talk.transmit([0] + bytes)
        if bit % 16 == 15 { try talk.settle() }
      }
      talk.step("say TIME_REQ \(8 * (good.count - 1)) times, each with another bit turned")
      let answers = try talk.settle().filter { $0.isA(.reject) || $0.isA(.timeResponse) }
      try talk.check(
        answers.isEmpty, "a frame with one bit turned was answered by \(answers.first?.words ?? "")"
      )
    },
    ConformanceCase(
      .protocol, "wrong-crc", "2.3", "a frame with a wrong CRC is not answered"
    ) { talk in
      for _ in 0..<8 {
        var wrong = talk.body(TimeRequest(hostSend: 7, session: talk.session))
        wrong += (0..<4).map { _ in UInt8.random(in: 0...255, using: &talk.random) }
        try talk.say(raw: [0] + COBS.encode(wrong) + [0], "TIME_REQ with a wrong CRC")
        let answers = try talk.settle().filter { $0.isA(.timeResponse) }
        try talk.check(answers.isEmpty, "it was answered: the CRC is not looked at")
      }
    },
    ConformanceCase(
      .protocol, "longest", "2.1", "the longest frame is read, and one byte more is not"
    ) { talk in
      let payload = (0..<245).map { _ in UInt8.random(in: 1...255, using: &talk.random) }
      let body = talk.body(type: 0x7E, payload: payload)
      try talk.say(body: body, "type 7e with 245 bytes of payload")
      try talk.expectReject(0x7E, .unknownType, sequence: StreamVector.sequence(of: body))
      let longer = COBS.encode(COBS.sealed(body + [1]))
      try talk.say(raw: [0] + longer + [0], "a frame that is a byte too long")
      try talk.expectNoReject("a frame that is too long")
    },
    ConformanceCase(
      .protocol, "bytewise", "2.6", "a frame that comes byte by byte is read like any other"
    ) { talk in
      let body = talk.body(type: 0x7D)
      talk.step("say type 7d, one byte each 2 ms")
      talk.beginsNow()
      for byte in Conversation.wire(body) {
        try talk.transmit([byte])
        try talk.wait(.milliseconds(2))
      }
      try talk.expectReject(0x7D, .unknownType, sequence: StreamVector.sequence(of: body))
    },
    ConformanceCase(
      .protocol, "own-frames", "2.4", "its own frames are whole, of version 1, and numbered by one"
    ) { talk in
      for _ in 0..<10 { try talk.settle() }
      try talk.wait(.milliseconds(2_500))
      try talk.check(talk.damaged, is: 0, "the count of runs of the device that are no frame")
      for frame in talk.heard {
        try talk.check(
          frame.head.rawValue == 0x10 || frame.head.rawValue == 0x14,
          "the head of \(frame.words) is \(Hex.text([frame.head.rawValue]))")
      }
      for (one, next) in zip(talk.heard, talk.heard.dropFirst()) {
        try talk.check(
          next.sequence == one.sequence &+ 1,
          "seq goes from \(one.sequence) to \(next.sequence), at \(next.words)")
      }
      talk.step("looked at \(talk.heard.count) frames")
    },
  ]

  static let noise = [
    ConformanceCase(
      .protocol, "noise-first", "2.5", "noise before a frame costs nothing where a 00 closes it"
    ) { talk in
      for _ in 0..<10 {
        let count = Int.random(in: 1...300, using: &talk.random)
        let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &talk.random) }
        try talk.say(raw: noise + [0], "\(count) bytes of noise, closed by a 00")
        try talk.settle()
      }
    },
    ConformanceCase(
      .protocol, "modem-manager", "2.6", "AT commands of a modem manager are not answered"
    ) { talk in
      try talk.say(raw: Array("AT\r\nATE1 E0\r\nAT+GMM\r\n".utf8) + [0], "AT commands")
      try talk.expectNoReject("AT")
    },
    ConformanceCase(
      .protocol, "cut-frame", "2.6", "a frame that was cut costs itself alone"
    ) { talk in
      let whole = talk.frame(Hello(role: .host, session: 5, software: talk.hello.software))
      for length in [1, 7, 20, whole.count - 2] {
        try talk.say(raw: Array(whole[..<length]) + [0], "the first \(length) bytes of a HELLO")
        let hellos = try talk.settle().filter { $0.isA(.hello) }
        try talk.check(hellos.isEmpty, "a HELLO of which \(length) bytes came was answered")
      }
    },
    ConformanceCase(
      .protocol, "over-long", "2.6", "5000 bytes without a 00 cost nothing but themselves"
    ) { talk in
      let run = (0..<5_000).map { _ in UInt8.random(in: 1...255, using: &talk.random) }
      try talk.say(raw: [0] + run + [0], "5000 bytes without a 00")
      try talk.expectNoReject("a run of 5000 bytes")
    },
    ConformanceCase(
      .protocol, "noise-flood", "12.9", "after 16 KiB of anything it still answers"
    ) { talk in
      for _ in 0..<64 {
        talk.beginsNow()
        try talk.transmit((0..<256).map { _ in UInt8.random(in: 0...255, using: &talk.random) })
        try talk.settle()
      }
      talk.step("said 64 times 256 bytes of anything")
      try talk.sayHello()
      _ = try talk.expect(Hello.self, "HELLO") { $0.session == talk.session }
    },
  ]

  static let session = [
    ConformanceCase(
      .protocol, "hello-answered", "5.1", "each HELLO is answered with the host's session"
    ) { talk in
      for _ in 0..<3 {
        try talk.sayHello()
        _ = try talk.expect(Hello.self, "HELLO of the same session") {
          $0.role == .device && $0.session == talk.session
        }
      }
      try talk.say(talk.hello, "HELLO with the same session again")
      _ = try talk.expect(Hello.self, "HELLO") { $0.session == talk.session }
    },
    ConformanceCase(
      .protocol, "hello-zero", "5.1", "HELLO with session 0 is rejected, and the session stays"
    ) { talk in
      var hello = talk.hello
      hello.session = 0
      let body = talk.body(hello)
      try talk.say(body: body, "HELLO with session 0")
      try talk.expectReject(body[1], .badValue, sequence: StreamVector.sequence(of: body))
      try talk.check(!talk.sinceMark.contains { $0.isA(.hello) }, "it was answered by HELLO")
      try talk.indicate(.idle, revision: 1)
      _ = try talk.expectShown(.idle)
    },
    ConformanceCase(
      .protocol, "max-frame", "5.1", "a host's smaller max_frame changes nothing"
    ) { talk in
      talk.session = UInt32(truncatingIfNeeded: talk.draw()) | 1
      var hello = talk.hello
      hello.maxFrame = 20
      try talk.say(hello, "HELLO with max_frame 20")
      _ = try talk.expect(Hello.self, "HELLO") { $0.session == talk.session }
      _ = try talk.expect(LEDState.self, "LED_STATE")
      _ = try talk.nextHeartbeat()
    },
    ConformanceCase(
      .protocol, "hello-fields", "3", "HELLO says who it is and what it speaks"
    ) { talk in
      let hello = talk.device
      try talk.check(hello.role, is: .device, "role")
      try talk.check(
        hello.versionMin <= 1 && hello.versionMax >= 1,
        "it speaks versions \(hello.versionMin) to \(hello.versionMax), and not 1")
      try talk.check(hello.maxFrame, is: 255, "max_frame")
      try talk.check(
        hello.capabilities
          & ~(Hello.seals | Hello.isPaired | Hello.hasNoBattery | Hello.hasNoGPS) == 0,
        "capabilities without a meaning are set: \(hello.capabilities)")
      try talk.check(hello.deviceID.rawValue != 0, "device_id is 0")
      try talk.check(hello.bootNonce != 0, "boot_nonce is 0")
      try talk.check(hello.bootCounter != 0, "boot_counter is 0: numbers begin with boot 1")
    },
    ConformanceCase(
      .protocol, "boot-hello", "5.1", needs: [.reset], "a boot says one HELLO, unasked"
    ) { talk in
      try talk.reset()
      try talk.wait(.milliseconds(700))
      let hellos = talk.sinceMark.filter { $0.isA(.hello) }
      try talk.check(hellos.count, is: 1, "the count of HELLO at a boot")
    },
    ConformanceCase(
      .protocol, "heartbeat", "8", "a heartbeat comes each second, with an uptime that goes on"
    ) { talk in
      var beats = [try talk.nextHeartbeat()]
      for _ in 0..<3 { beats.append(try talk.nextHeartbeat()) }
      for (one, next) in zip(beats, beats.dropFirst()) {
        let passed = (next.frame.at - one.frame.at).microseconds / 1_000
        let wall = 950 - talk.slack.microseconds / 1_000...1_050 + talk.slack.microseconds / 1_000
        try talk.check(wall.contains(passed), "two heartbeats are \(passed) ms apart, not 1000")
        let uptime = Int64(bitPattern: next.value.uptime &- one.value.uptime) / 1_000
        try talk.check((900...1_100).contains(uptime), "their uptimes are \(uptime) ms apart")
      }
    },
    ConformanceCase(
      .protocol, "heartbeat-alone", "8", needs: [.reset],
      "heartbeats come from boot on, though no host says a word"
    ) { talk in
      talk.acks = { _ in false }
      try talk.reset()
      for _ in 0..<2 { _ = try talk.nextHeartbeat() }
    },
  ]
}

/// Frames that `WireFrame` would not make: too long, or with a wrong CRC.
enum COBS {
  /// Without a delimiter.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).flatMap { piece in
      [UInt8(truncatingIfNeeded: min(piece.count + 1, 255))] + piece
    }
  }

  /// A body with its CRC.
  static func sealed(_ body: [UInt8]) -> [UInt8] {
    let crc = body.withUnsafeBytes { CRC32C.of($0) }
    return body + (0..<4).map { UInt8(truncatingIfNeeded: crc >> UInt32(8 * $0)) }
  }
}
