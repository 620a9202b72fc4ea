import Emulator
import FobBase
import WireProtocol

/// Cases of LED_SET, and of the light itself.
extension LEDChapter {
  static let bench = [
    ConformanceCase(
      .led, "led-set", "7.2", "LED_SET shows a pattern for its duration"
    ) { talk in
      try talk.say(LEDSet(state: .identify, detail: 0, duration: 500), "LED_SET identify, 500 ms")
      let shown = try talk.expectShown(.identify) { $0.source == .bench }
      let end = try talk.expectShown(
        .unclaimed, within: .milliseconds(600), after: shown.frame)
      let lasted = (end.frame.at - shown.frame.at).microseconds / 1_000
      let slack = talk.slack.microseconds / 1_000 + 20
      try talk.check(abs(lasted - 500) <= slack, "it lasted \(lasted) ms, not 500")
    },
    ConformanceCase(
      .led, "led-set-open", "7.2", "LED_SET is rejected while an incident is open, else shown"
    ) { talk in
      for (index, state) in [ShownState.countdown, .sending, .accepted, .acknowledged, .failed]
        .enumerated()
      {
        try talk.indicate(state, revision: UInt32(index + 1))
        _ = try talk.expectShown(state)
        try rejectLEDSet(talk, .ended)
        try talk.expectNone(LEDState.self, "LED_STATE ended", for: .milliseconds(150)) {
          $0.shown == .ended
        }
      }
      for (index, state) in [ShownState.unclaimed, .idle, .ended, .due, .breathing].enumerated() {
        try talk.indicate(state, revision: UInt32(index + 10))
        _ = try talk.expectShown(state) { $0.source == .lease }
        try talk.say(LEDSet(state: .identify, detail: 0, duration: 60_000), "LED_SET identify")
        _ = try talk.expectShown(.identify) { $0.source == .bench }
        try talk.say(LEDSet(state: .identify, detail: 0, duration: 0), "LED_SET for 0 ms")
        _ = try talk.expectShown(state) { $0.source == .lease }
      }
    },
    ConformanceCase(
      .led, "led-set-states", "7.2", "LED_SET takes the states of INDICATE, and rejects others"
    ) { talk in
      for state: UInt8 in [11, 12, 255] {
        let body = talk.body(type: MessageType.ledSet.rawValue, payload: [state, 0, 0xF4, 1])
        try talk.say(body: body, "LED_SET of state \(state)")
        try talk.expectReject(body[1], .badValue, sequence: StreamVector.sequence(of: body))
      }
      for state in LEDChapter.all.dropFirst() {
        try talk.say(LEDSet(state: state, detail: 1, duration: 60_000), "LED_SET \(state)")
        _ = try talk.expectShown(state) { $0.source == .bench }
      }
      try talk.say(LEDSet(state: .identify, detail: 0, duration: 0), "LED_SET for 0 ms")
      _ = try talk.expectShown(.unclaimed)
    },
    ConformanceCase(
      .led, "led-set-press", "7.2", needs: [.button],
      "LED_SET is rejected while a press is unacked, and one that is shown gives way to it"
    ) { talk in
      talk.acks = { $0.identity.kind != .pressed }
      try talk.say(LEDSet(state: .ended, detail: 0, duration: 5_000), "LED_SET ended, 5 s")
      _ = try talk.expectShown(.ended)
      try talk.press()
      let event = try talk.expectEvent(.pressed).value
      _ = try talk.expectShown(.sending)
      try rejectLEDSet(talk, .identify)
      try talk.expectNone(LEDState.self, "LED_STATE identify", for: .milliseconds(200)) {
        $0.shown == .identify
      }
      try talk.ack(event)
      try talk.wait(.milliseconds(50))
      try talk.say(LEDSet(state: .identify, detail: 0, duration: 0), "LED_SET for 0 ms")
    },
  ]

  private static func rejectLEDSet(_ talk: Conversation, _ state: ShownState) throws {
    let body = talk.body(LEDSet(state: state, detail: 0, duration: 500))
    try talk.say(body: body, "LED_SET \(state)")
    try talk.expectReject(body[1], .notNow, sequence: StreamVector.sequence(of: body))
  }

  static let light = [
    ConformanceCase(
      .led, "light-urgent", "7.3", needs: [.light],
      "the light itself flashes as the table says: sending, accepted, failed, identify"
    ) { talk in
      try look(talk, .sending, [100, 100], for: .milliseconds(1_500), revision: 1)
      try look(talk, .accepted, [700, 300], for: .milliseconds(3_200), revision: 2)
      try look(talk, .failed, [100, 100, 100, 100, 100, 700], for: .seconds(3), revision: 3)
      try look(talk, .identify, [50, 50], for: .seconds(1), revision: 4)
    },
    ConformanceCase(
      .led, "light-calm", "7.3", needs: [.light], isLong: true,
      "the light itself flashes as the table says: unclaimed, idle, ended, due, breathing"
    ) { talk in
      try look(talk, .idle, [30, 4_970], for: .seconds(11), revision: 1)
      try look(talk, .unclaimed, [100, 900], for: .milliseconds(3_300), revision: 2)
      try look(talk, .ended, [400, 200, 400, 2_000], for: .milliseconds(6_500), revision: 3)
      try look(
        talk, .due, detail: 2, [150, 150, 150, 1_500], for: .milliseconds(4_200), revision: 4)
      let nine = [Int](repeating: 150, count: 17) + [1_500]
      try look(talk, .due, detail: 12, nine, for: .milliseconds(4_300), revision: 9)
      // Successive steps that are all on, or all off, make no edge.
      let breath = [4_200] + [Int](repeating: 200, count: 18) + [4_200]
      let pause = (0..<8).map { $0 % 2 == 0 ? 100 : 900 }
      try look(talk, .breathing, breath + pause, for: .seconds(20), revision: 10)
      try look(talk, .countdown, detail: 90, [100, 900], for: .seconds(3), revision: 11)
      try look(talk, .countdown, detail: 30, [100, 400], for: .seconds(2), revision: 12)
      try look(talk, .countdown, detail: 5, [100, 150], for: .seconds(1), revision: 13)
    },
    ConformanceCase(
      .led, "light-press", "7.2", needs: [.light, .button],
      "the light itself flashes sending from the press on"
    ) { talk in
      talk.acks = { $0.identity.kind != .pressed }
      try talk.indicate(.idle, revision: 1, lease: 10_000)
      _ = try talk.expectShown(.idle)
      try talk.press()
      _ = try talk.expectShown(.sending)
      try talk.rig.watchLight()
      try talk.wait(.milliseconds(1_000))
      try compare(talk, talk.rig.takeLight(), with: [100, 100], as: .sending)
    },
  ]

  /// Has a state shown, and compares the light with its pattern, at whatever phase the watch began.
  private static func look(
    _ talk: Conversation, _ state: ShownState, detail: UInt8 = 0, _ pattern: [Int],
    for length: Interval, revision: UInt32
  ) throws {
    try talk.indicate(
      state, detail: detail, revision: revision,
      lease: UInt16(clamping: length.microseconds / 1_000 + 1_000))
    _ = try talk.expect(LEDState.self, "LED_STATE \(state)") {
      $0.shown == state && $0.revision == revision
    }
    try talk.rig.watchLight()
    try talk.wait(length)
    try compare(talk, talk.rig.takeLight(), with: pattern, as: state)
  }

  private static func compare(
    _ talk: Conversation, _ edges: [LightEdge], with pattern: [Int], as state: ShownState
  ) throws {
    let lengths = zip(edges, edges.dropFirst()).map {
      (isOn: $0.isOn, ms: Int(($1.at - $0.at).microseconds / 1_000))
    }
    let tolerance = 5 + Int(talk.slack.microseconds / 1_000)
    let fits = (0..<pattern.count).contains { shift in
      lengths.enumerated().allSatisfy { index, length in
        let step = (index + shift) % pattern.count
        return length.isOn == (step % 2 == 0) && abs(length.ms - pattern[step]) <= tolerance
      }
    }
    let seen = lengths.map { "\($0.isOn ? "on" : "off") \($0.ms)" }.joined(separator: ", ")
    try talk.check(
      fits && lengths.count >= min(2, pattern.count),
      "for \(state) the light was \(seen.isEmpty ? "never seen to change" : seen + " ms")"
        + "; it should be \(pattern) ms, on and off in turn")
    talk.step("saw the light of \(state): \(seen)")
  }
}
