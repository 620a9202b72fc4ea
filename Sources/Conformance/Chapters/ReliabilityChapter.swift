import FobBase
import WireProtocol

/// Cases that show that no event is lost: PROTOCOL.md, 4.
enum ReliabilityChapter {
  static let cases = acks + resending + boots + ring + store

  static let acks = [
    ConformanceCase(
      .reliability, "ack-forgets", "4.6", needs: [.button],
      "a matching ack ends the sending, and a second one does nothing"
    ) { talk in
      talk.acks = { $0.identity.kind != .pressed }
      try talk.press()
      let event = try talk.expectEvent(.pressed).value
      try talk.ack(event)
      try talk.ack(event)
      // By then, everything sent before the acks were read has arrived.
      try talk.settle()
      talk.beginsNow()
      try talk.expectNone(EventRecord.self, "EVENT pressed", for: .milliseconds(2_500)) {
        $0.identity == event.identity
      }
      try talk.check(try talk.nextHeartbeat().value.unacked, is: 0, "unacked in HEARTBEAT")
    },
    ConformanceCase(
      .reliability, "ack-lost", "4.4", needs: [.button],
      "an event comes again until an ack arrives"
    ) { talk in
      var sendings = 0
      talk.acks = { event in
        guard event.identity.kind == .pressed else { return true }
        sendings += 1
        return sendings >= 4
      }
      try talk.press()
      let event = try talk.expectEvent(.pressed)
      _ = try talk.wait(until: talk.rig.now + .milliseconds(1_500)) { sendings >= 4 }
      try talk.check(
        sendings >= 4, "with three acks lost it was sent \(sendings) times, then no more")
      let number = event.value.identity.number
      let before = talk.sendings(of: number).count
      try talk.wait(.milliseconds(2_200))
      try talk.check(
        talk.sendings(of: number).count <= before + 1, "it is sent though the ack has arrived")
      try talk.check(try talk.nextHeartbeat().value.unacked, is: 0, "unacked in HEARTBEAT")
    },
    ConformanceCase(
      .reliability, "ack-wrong-identity", "4.6", needs: [.button],
      "an ack with another identity's CRC is ignored, without an answer"
    ) { talk in
      talk.acks = { $0.identity.kind != .pressed }
      try talk.press()
      let event = try talk.expectEvent(.pressed).value
      var ack = EventAck(event.identity)
      ack.identityCRC = ~ack.identityCRC
      try talk.say(ack, "EVENT_ACK with another CRC")
      try talk.expectNoReject("it")
      _ = try talk.expectEvent(.pressed, within: .milliseconds(1_000)) {
        $0.identity == event.identity
      }
    },
    ConformanceCase(
      .reliability, "ack-unknown", "4.6", needs: [.button],
      "an ack of an event that it has not is ignored, without an answer"
    ) { talk in
      talk.acks = { $0.identity.kind != .pressed }
      try talk.press()
      let event = try talk.expectEvent(.pressed).value
      for number in [0, event.identity.number.rawValue + 1_000, .max] {
        var ack = EventAck(event.identity)
        ack.number = EventNumber(rawValue: number)
        try talk.say(ack, "EVENT_ACK of \(ack.number.text)")
        try talk.expectNoReject("it")
      }
      _ = try talk.expectEvent(.pressed, within: .milliseconds(1_000)) {
        $0.identity == event.identity
      }
    },
  ]

  static let resending = [
    ConformanceCase(
      .reliability, "sent-at-once", "4.3", needs: [.button],
      "a press is sent as soon as it is stored, and says how long that took"
    ) { talk in
      try talk.perform(.close)
      let closed = talk.rig.now
      let event = try talk.expectEvent(.pressed, within: .milliseconds(80))
      let passed = event.frame.at - closed
      try talk.check(
        Int64(event.value.commitDelta) < 60_000 + max(0, passed.microseconds),
        "commit_delta is \(event.value.commitDelta) µs")
      try talk.check(!event.frame.head.isResent, "its first sending is marked RESENT")
      try talk.check(event.value.flags == .none, "its flags are \(event.value.flags.rawValue)")
      try talk.release()
      _ = try talk.expectEvent(.released)
    },
    ConformanceCase(
      .reliability, "resend-doubles", "4.4", needs: [.button],
      "an unacked event comes again after 100, 200, 400, 800, 1600, then each 2000 ms"
    ) { talk in
      let sendings = try unackedPress(talk, for: .milliseconds(7_600))
      let gaps = zip(sendings, sendings.dropFirst()).map { ($1.at - $0.at).microseconds / 1_000 }
      try talk.check(gaps.count >= 6, "it was sent again only \(gaps.count) times: \(gaps) ms")
      let slack = talk.slack.microseconds / 1_000
      for (gap, wanted) in zip(gaps, [100, 200, 400, 800, 1_600, 2_000, 2_000] as [Int64]) {
        try talk.check(
          (wanted * 9 / 10 - slack...wanted * 11 / 10 + slack).contains(gap),
          "the intervals are \(gaps) ms: \(gap) stands where \(wanted) should")
      }
    },
    ConformanceCase(
      .reliability, "resend-for-ever", "4.4", needs: [.button], isLong: true,
      "resending has no end"
    ) { talk in
      let sendings = try unackedPress(
        talk, for: talk.rig.isVirtual ? .minutes(10) : .seconds(30))
      let last = talk.rig.now - sendings[sendings.count - 1].at
      try talk.check(
        last <= .milliseconds(2_100) + talk.slack, "the last sending was \(last.text) ago")
    },
    ConformanceCase(
      .reliability, "resent-same", "4.1", needs: [.button],
      "each sending has the same 29 bytes of identity, and is marked RESENT from the second on"
    ) { talk in
      let sendings = try unackedPress(talk, for: .milliseconds(1_700))
      for (index, frame) in sendings.enumerated() {
        try talk.check(
          frame.payload.prefix(29) == sendings[0].payload.prefix(29),
          "sending \(index + 1) has another identity")
        try talk.check(
          frame.head.isResent, is: index > 0, "RESENT in the head of sending \(index + 1)")
      }
      try talk.check(sendings.count >= 4, "it was sent only \(sendings.count) times")
    },
    ConformanceCase(
      .reliability, "hello-resends", "4.4", needs: [.button],
      "at HELLO everything unacked is due at once, with the first interval"
    ) { talk in
      let sendings = try unackedPress(talk, for: .milliseconds(2_000))
      let number = sendings[0].read(EventRecord.self)!.identity.number
      try talk.sayHello()
      let first = try talk.expectEvent(.pressed, within: .milliseconds(50)) {
        $0.identity.number == number
      }
      let second = try talk.expectEvent(
        .pressed, within: .milliseconds(120), after: first.frame
      ) { $0.identity.number == number }
      let gap = (second.frame.at - first.frame.at)
      try talk.check(
        gap >= .milliseconds(90) - talk.slack, "the next sending came after \(gap.text)")
    },
    ConformanceCase(
      .reliability, "window", "4.4", needs: [.button],
      "of many unacked events at most four are sent again within 100 ms"
    ) { talk in
      talk.acks = { _ in false }
      for _ in 0..<6 {
        try talk.press(hold: .milliseconds(50))
        try talk.wait(.milliseconds(70))
      }
      let answer = try sayHello(talk)
      try talk.wait(.milliseconds(400) + talk.slack)
      let resent = talk.heard[(answer + 1)...].filter { $0.isA(.event) && $0.head.isResent }
      let early = resent.filter { $0.at - talk.heard[answer].at < .milliseconds(85) }
      try talk.check(early.count <= 4, "\(early.count) were sent again within 85 ms of HELLO")
      let numbers = Set(resent.compactMap { $0.read(EventRecord.self)?.identity.number })
      try talk.check(numbers.count >= 8, "of 12 only \(numbers.count) were sent again in 400 ms")
    },
    ConformanceCase(
      .reliability, "new-press-first", "4.4", needs: [.button],
      "a new press waits for no window and no resend"
    ) { talk in
      talk.acks = { _ in false }
      for _ in 0..<5 {
        try talk.press(hold: .milliseconds(50))
        try talk.wait(.milliseconds(70))
      }
      let known = Set(talk.heard.compactMap { $0.read(EventRecord.self)?.identity })
      try talk.sayHello()
      try talk.wait(.milliseconds(5))
      try talk.perform(.close)
      let event = try talk.expectEvent(.pressed, within: .milliseconds(60)) {
        !known.contains($0.identity)
      }
      try talk.check(!event.frame.head.isResent, "its first sending is marked RESENT")
      try talk.release()
    },
    ConformanceCase(
      .reliability, "presses-first", "4.4", needs: [.button],
      "of what is due, presses go before everything else"
    ) { talk in
      talk.acks = { _ in false }
      for _ in 0..<3 {
        try talk.press(hold: .milliseconds(50))
        try talk.wait(.milliseconds(70))
      }
      try talk.wait(.milliseconds(300))
      let answer = try sayHello(talk)
      try talk.wait(.milliseconds(60) + talk.slack)
      let kinds = talk.heard[answer...].compactMap { $0.read(EventRecord.self)?.identity.kind }
      try talk.check(
        kinds.prefix(3) == [.pressed, .pressed, .pressed],
        "after HELLO came \(kinds.map { "\($0)" }.joined(separator: ", "))")
    },
  ]

  /// Says HELLO, and waits for its answer. Frames behind the answer are caused by this HELLO.
  /// - Returns: the index of the answer in what was heard.
  private static func sayHello(_ talk: Conversation) throws -> Int {
    try talk.sayHello()
    let answer = try talk.expect(Hello.self, "HELLO") { $0.session == talk.session }
    return talk.heard.lastIndex(of: answer.frame) ?? talk.heard.count - 1
  }

  /// Presses once, and never acks it.
  /// - Returns: every sending of the event within `interval`.
  private static func unackedPress(
    _ talk: Conversation, for interval: Interval
  ) throws -> [Heard] {
    talk.acks = { $0.identity.kind != .pressed }
    try talk.press()
    let event = try talk.expectEvent(.pressed).value
    try talk.wait(interval)
    let sendings = talk.sendings(of: event.identity.number)
    talk.step("heard it \(sendings.count) times in \(interval.text)")
    return sendings
  }
}
