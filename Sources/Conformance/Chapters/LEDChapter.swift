import FobBase
import WireProtocol

/// Cases of the states that the device shows: PROTOCOL.md, 7.
enum LEDChapter {
  static let cases = indicated + leases + presses + due + bench + light

  static let all: [ShownState] = [
    .unclaimed, .idle, .countdown, .sending, .accepted, .acknowledged, .failed, .ended, .due,
    .breathing, .identify,
  ]

  static let indicated = [
    ConformanceCase(
      .led, "every-state", "7.1", "INDICATE of each state is shown, by lease, and told"
    ) { talk in
      for (index, state) in (all.dropFirst() + [.unclaimed]).enumerated() {
        let revision = UInt32(index + 1)
        try talk.indicate(state, detail: state == .due ? 3 : 0, revision: revision)
        let told = try talk.expectShown(state).value
        try talk.check(told.source, is: .lease, "why it shows \(state)")
        try talk.check(told.session, is: talk.session, "its session")
        try talk.check(told.revision, is: revision, "its revision")
        try talk.check(told.detail, is: state == .due ? 3 : 0, "its detail")
      }
    },
    ConformanceCase(
      .led, "told-at-hello", "7.2", "LED_STATE follows each HELLO"
    ) { talk in
      try talk.indicate(.idle, revision: 1)
      _ = try talk.expectShown(.idle)
      for _ in 0..<2 {
        try talk.sayHello()
        _ = try talk.expectShown(.idle)
      }
    },
    ConformanceCase(
      .led, "repetition", "7.3", "a repeated INDICATE changes nothing and is not told again"
    ) { talk in
      try talk.indicate(.accepted, revision: 1)
      let began = try talk.expectShown(.accepted).value.clock
      for _ in 0..<3 {
        try talk.indicate(.accepted, revision: 1)
        try talk.expectNone(LEDState.self, "LED_STATE", for: .milliseconds(150))
      }
      try talk.sayHello()
      let told = try talk.expectShown(.accepted).value
      try talk.check(told.clock, is: began, "when its pattern began")
    },
    ConformanceCase(
      .led, "other-session", "7.1", "INDICATE of another session is ignored, without an answer"
    ) { talk in
      try talk.indicate(.idle, revision: 1)
      _ = try talk.expectShown(.idle)
      for session in [talk.session ^ 1, 0] {
        try talk.indicate(.accepted, revision: 9, session: session)
        try talk.expectNone(LEDState.self, "LED_STATE accepted") { $0.shown == .accepted }
        try talk.expectNoReject("it")
      }
      try talk.check(try talk.nextHeartbeat().value.shown == .idle, "it no longer shows idle")
    },
    ConformanceCase(
      .led, "older-revision", "7.1",
      "INDICATE of an older revision is ignored; in a new session it counts"
    ) { talk in
      try talk.indicate(.idle, revision: 10)
      _ = try talk.expectShown(.idle)
      try talk.indicate(.acknowledged, revision: 9)
      try talk.expectNone(LEDState.self, "LED_STATE acknowledged") { $0.shown == .acknowledged }
      try talk.sayHello()
      try talk.indicate(.acknowledged, revision: 2)
      _ = try talk.expectShown(.acknowledged)
    },
    ConformanceCase(
      .led, "last-revision", "7.1",
      "behind revision ffffffff no other is obeyed; in a new session it counts"
    ) { talk in
      try talk.indicate(.idle, revision: .max)
      _ = try talk.expectShown(.idle)
      for revision: UInt32 in [0, 1] {
        try talk.indicate(.acknowledged, revision: revision)
        try talk.expectNone(LEDState.self, "LED_STATE acknowledged") { $0.shown == .acknowledged }
      }
      try talk.sayHello()
      try talk.indicate(.acknowledged, revision: 0)
      _ = try talk.expectShown(.acknowledged)
    },
    ConformanceCase(
      .led, "no-session", "7.1", needs: [.reset],
      "before a HELLO of this boot no INDICATE is obeyed, not even of the last session"
    ) { talk in
      try talk.reset()
      try talk.indicate(.accepted, revision: 1)
      try talk.expectNone(LEDState.self, "LED_STATE accepted", for: .milliseconds(300)) {
        $0.shown == .accepted
      }
    },
  ]

  static let leases = [
    ConformanceCase(
      .led, "lease-ends", "7.2", "after its lease nothing is claimed any more"
    ) { talk in
      try talk.indicate(.accepted, revision: 1, lease: 600)
      let shown = try talk.expectShown(.accepted)
      let end = try talk.expectShown(
        .unclaimed, within: .milliseconds(700), after: shown.frame)
      let lasted = (end.frame.at - shown.frame.at).microseconds / 1_000
      let slack = talk.slack.microseconds / 1_000 + 20
      try talk.check(abs(lasted - 600) <= slack, "a lease of 600 ms lasted \(lasted) ms")
      try talk.check(end.value.source, is: .own, "why it shows unclaimed")
      for _ in 0..<2 {
        try talk.check(
          try talk.nextHeartbeat().value.shown == .unclaimed,
          "HEARTBEAT claims what no host says any more")
      }
    },
    ConformanceCase(
      .led, "lease-zero", "7.1",
      "a lease of 0 shows nothing, and its revision and its sounder count"
    ) { talk in
      try talk.indicate(.idle, revision: 1)
      _ = try talk.expectShown(.idle)
      try talk.indicate(.accepted, revision: 3, sounder: true, lease: 0)
      _ = try talk.expectShown(.unclaimed) { $0.source == .own && $0.sounder && $0.revision == 3 }
      try talk.expectNone(LEDState.self, "LED_STATE accepted", for: .milliseconds(300)) {
        $0.shown == .accepted
      }
      try talk.indicate(.ended, revision: 2)
      try talk.expectNone(LEDState.self, "LED_STATE ended") { $0.shown == .ended }
      try talk.indicate(.idle, revision: 3)
      _ = try talk.expectShown(.idle) { !$0.sounder }
    },
    ConformanceCase(
      .led, "never-by-itself", "7.2", needs: [.reset],
      "without a host it never claims that anybody was reached"
    ) { talk in
      try talk.indicate(.accepted, revision: 1)
      _ = try talk.expectShown(.accepted)
      try talk.reset()
      try talk.wait(.milliseconds(2_300))
      let states = talk.sinceMark.compactMap {
        $0.read(LEDState.self)?.shown ?? $0.read(Heartbeat.self)?.shown
      }
      try talk.check(
        !states.isEmpty && states.allSatisfy { $0 == .unclaimed },
        "after a reset it shows \(states.map { "\($0)" }.joined(separator: ", "))")
    },
    ConformanceCase(
      .led, "renewed", "7.1", "a lease that is renewed in time does not end"
    ) { talk in
      talk.step("say INDICATE acknowledged, lease 500 ms, each 250 ms")
      for revision in 1...6 as ClosedRange<UInt32> {
        try talk.indicate(.acknowledged, revision: revision, lease: 500)
        try talk.expectNone(LEDState.self, "LED_STATE unclaimed", for: .milliseconds(250)) {
          $0.shown == .unclaimed
        }
      }
    },
    ConformanceCase(
      .led, "new-session-lease", "7.1", "a new session does not end a lease"
    ) { talk in
      try talk.indicate(.idle, revision: 1, lease: 3_000)
      _ = try talk.expectShown(.idle)
      try talk.sayHello()
      try talk.expectNone(LEDState.self, "LED_STATE unclaimed", for: .milliseconds(800)) {
        $0.shown == .unclaimed
      }
    },
    ConformanceCase(
      .led, "sounder-stays", "7.1", "an expired lease never silences the sounder"
    ) { talk in
      try talk.indicate(.sending, revision: 1, sounder: true, lease: 300)
      let loud = try talk.expectShown(.sending) { $0.sounder }
      let end = try talk.expectShown(
        .unclaimed, within: .milliseconds(500), after: loud.frame
      ).value
      try talk.check(end.sounder, "the sounder went silent with the lease")
      try talk.check(
        try talk.nextHeartbeat().value.flags.contains(.sounder),
        "HEARTBEAT says that the sounder is silent")
      try talk.indicate(.idle, revision: 2)
      _ = try talk.expectShown(.idle) { !$0.sounder }
    },
  ]

  static let presses = [
    ConformanceCase(
      .led, "press-is-sending", "7.2", needs: [.button],
      "without a lease a press shows sending at once, until it is acked"
    ) { talk in
      talk.acks = { $0.identity.kind != .pressed }
      try talk.press()
      let event = try talk.expectEvent(.pressed).value
      _ = try talk.expectShown(.sending)
      try talk.wait(.milliseconds(300))
      try talk.ack(event)
      _ = try talk.expectShown(.unclaimed)
    },
    ConformanceCase(
      .led, "press-undoes-accepted", "7.2", needs: [.button],
      "a new press shows sending in place of accepted, acknowledged, ended and idle"
    ) { talk in
      talk.acks = { $0.identity.kind != .pressed }
      for (index, state) in [ShownState.accepted, .acknowledged, .ended, .idle].enumerated() {
        try talk.indicate(state, revision: UInt32(index + 1), lease: 10_000)
        _ = try talk.expectShown(state)
        try talk.press()
        let event = try talk.expectEvent(.pressed).value
        _ = try talk.expectShown(.sending)
        try talk.wait(.milliseconds(100))
        try talk.ack(event)
        _ = try talk.expectShown(state) { $0.source == .lease }
      }
    },
    ConformanceCase(
      .led, "press-keeps-countdown", "7.2", needs: [.button],
      "countdown and failed are shown though a press is unacked"
    ) { talk in
      talk.acks = { $0.identity.kind != .pressed }
      try talk.press()
      _ = try talk.expectEvent(.pressed)
      for (index, state) in [ShownState.countdown, .failed].enumerated() {
        try talk.indicate(state, detail: 7, revision: UInt32(index + 1))
        _ = try talk.expectShown(state) { $0.detail == 7 }
      }
    },
    ConformanceCase(
      .led, "boot-is-no-cry", "7.2", needs: [.reset],
      "an unacked event that is no press is not shown as sending"
    ) { talk in
      talk.acks = { _ in false }
      try talk.reset()
      _ = try talk.expectEvent(.booted, within: .milliseconds(300))
      let states = try talk.settle().compactMap { $0.read(LEDState.self)?.shown }
      try talk.check(states.last == .unclaimed, "it shows \(states)")
    },
  ]
}
