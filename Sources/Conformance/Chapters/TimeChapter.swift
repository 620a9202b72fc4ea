import FobBase
import WireProtocol

/// Cases of the device's clock: PROTOCOL.md, 6.
enum TimeChapter {
  static let cases = [
    ConformanceCase(
      .time, "stamps-ascend", "6", "the stamps of TIME_RESP never go back"
    ) { talk in
      var last: UInt64 = 0
      for exchange in try exchanges(talk, 20, apart: .milliseconds(20)) {
        let (receive, send) = (exchange.response.deviceReceive, exchange.response.deviceSend)
        try talk.check(receive <= send, "t3 \(send) is before t2 \(receive)")
        try talk.check(receive >= last, "t2 \(receive) is before the last t3 \(last)")
        last = send
      }
    },
    ConformanceCase(
      .time, "answers-what-was-asked", "6",
      "TIME_RESP repeats host_send and session, of any session"
    ) { talk in
      for session in [talk.session, 0, talk.session ^ 0x5555_5555] {
        let token = talk.draw()
        try talk.say(
          TimeRequest(hostSend: token, session: session), "TIME_REQ of session \(session)")
        let response = try talk.expect(TimeResponse.self, "TIME_RESP") { $0.hostSend == token }
          .value
        try talk.check(response.session, is: session, "its session")
        try talk.check(response.bootNonce, is: talk.device.bootNonce, "its boot nonce")
      }
    },
    ConformanceCase(
      .time, "offset-stable", "6",
      "every exchange of 3 s fits one offset within half its round trip"
    ) { talk in
      // 1000 ppm of 3 s are 3 ms.
      let drift = Interval.milliseconds(3) + talk.rig.clockSlack
      var (least, greatest) = (Int64.max, Int64.min)
      for exchange in try exchanges(talk, 20, apart: .milliseconds(150)) {
        // The device's clock minus the host's, at the earliest and the latest.
        least = min(least, exchange.highest)
        greatest = max(greatest, exchange.lowest)
      }
      try talk.check(
        greatest - least <= drift.microseconds,
        "two exchanges contradict each other by \(greatest - least) µs")
    },
    ConformanceCase(
      .time, "burst", "6", "eight requests in one go are answered, in their order"
    ) { talk in
      let tokens = (0..<8).map { _ in talk.draw() }
      talk.step("say TIME_REQ 8 times at once")
      try talk.send(
        tokens.flatMap { talk.frame(TimeRequest(hostSend: $0, session: talk.session)) })
      try talk.settle()
      let found = talk.sinceMark.compactMap { $0.read(TimeResponse.self)?.hostSend }
        .filter(tokens.contains)
      try talk.check(found == tokens, "\(found.count) were answered, or in another order")
    },
    ConformanceCase(
      .time, "uptime", "8", "HEARTBEAT's uptime is of the same clock"
    ) { talk in
      let before = try exchanges(talk, 1, apart: .zero)[0]
      let beat = try talk.nextHeartbeat().value
      let after = try exchanges(talk, 1, apart: .zero)[0]
      try talk.check(
        before.response.deviceSend <= beat.uptime && beat.uptime <= after.response.deviceReceive,
        "uptime \(beat.uptime) is not between \(before.response.deviceSend) and"
          + " \(after.response.deviceReceive)")
    },
    ConformanceCase(
      .time, "event-clock", "4.2", needs: [.button], "events are stamped with the same clock"
    ) { talk in
      let before = try exchanges(talk, 1, apart: .zero)[0]
      try talk.press()
      let event = try talk.expectEvent(.pressed).value
      let release = try talk.expectEvent(.released).value
      let after = try exchanges(talk, 1, apart: .zero)[0]
      let clocks = [
        before.response.deviceSend, event.identity.clock, release.identity.clock,
        after.response.deviceReceive,
      ]
      try talk.check(clocks == clocks.sorted(), "in the order of what was done: \(clocks)")
      guard talk.rig.obstacle(to: .brief) == nil else { return }
      let held = Int64(release.identity.clock - event.identity.clock)
      try talk.check(
        abs(held - 60_000) <= talk.slack.microseconds + 25_000,
        "by its clock the button was held \(held) µs, not 60000")
    },
    ConformanceCase(
      .time, "after-reset", "6", needs: [.reset], "after a reset it is another clock, and says so"
    ) { talk in
      let before = try exchanges(talk, 1, apart: .zero)[0].response
      try talk.reset()
      let after = try exchanges(talk, 1, apart: .zero)[0].response
      try talk.check(after.bootNonce != before.bootNonce, "the boot nonce is the same")
      try talk.check(after.bootNonce, is: talk.device.bootNonce, "the boot nonce of TIME_RESP")
      try talk.check(after.deviceReceive < 5_000_000, "its clock says \(after.deviceReceive) µs")
    },
    ConformanceCase(
      .time, "clock-jump", "6", needs: [.clock],
      "a clock that goes back says so by a HEARTBEAT, before any new stamp"
    ) { talk in
      try talk.wait(.milliseconds(2_000))
      let before = try exchanges(talk, 1, apart: .zero)[0].response.deviceSend
      try talk.perform(.clock(.milliseconds(-1_000)))
      try talk.transmit(talk.frame(TimeRequest(hostSend: 77, session: talk.session)))
      let beat = try talk.expect(Heartbeat.self, "HEARTBEAT", within: .milliseconds(200))
      let answer = try talk.expect(TimeResponse.self, "TIME_RESP") { $0.hostSend == 77 }
      try talk.check(beat.value.uptime < before, "its uptime has not gone back")
      try talk.check(
        answer.frame.sequence &- beat.frame.sequence < 0x8000, "TIME_RESP came before it")
    },
  ]

  private struct Exchange {
    let sent: Instant
    let received: Instant
    let response: TimeResponse

    /// By how much the device's clock is ahead of the host's, at least and at most, in
    /// microseconds.
    var lowest: Int64 { Int64(bitPattern: response.deviceSend) - received.microseconds }
    var highest: Int64 { Int64(bitPattern: response.deviceReceive) - sent.microseconds }
  }

  private static func exchanges(
    _ talk: Conversation, _ count: Int, apart: Interval
  ) throws -> [Exchange] {
    var exchanges: [Exchange] = []
    for _ in 0..<count {
      let token = talk.draw()
      let sent = talk.rig.now
      try talk.send(talk.frame(TimeRequest(hostSend: token, session: talk.session)))
      let found = try talk.expect(TimeResponse.self, "TIME_RESP", within: .milliseconds(100)) {
        $0.hostSend == token
      }
      exchanges.append(Exchange(sent: sent, received: found.frame.at, response: found.value))
      try talk.wait(apart)
    }
    return exchanges
  }
}
