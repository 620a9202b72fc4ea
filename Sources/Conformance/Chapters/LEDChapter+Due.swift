import FobBase
import WireProtocol

/// Cases of check-ins that wait for an answer.
extension LEDChapter {
  static let due = [
    ConformanceCase(
      .led, "due", "7.3",
      "due is told with its number, and starts over only where its flashes are others"
    ) { talk in
      let said: [(detail: UInt8, isAnew: Bool)] = [
        (3, true), (2, true), (1, true), (0, false), (9, true), (10, false), (255, false),
      ]
      var began: UInt64 = 0
      for (index, (detail, isAnew)) in said.enumerated() {
        try talk.wait(.milliseconds(40))
        try talk.indicate(.due, detail: detail, revision: UInt32(index + 1))
        let told = try talk.expectShown(.due) { $0.detail == detail }.value
        try talk.check(told.source, is: .lease, "why it shows due \(detail)")
        try talk.check(
          (told.clock != began) == isAnew,
          "due \(detail) " + (isAnew ? "did not start its pattern" : "started the pattern over"))
        began = told.clock
      }
      for _ in 0..<2 {
        try talk.indicate(.due, detail: 255, revision: UInt32(said.count))
        try talk.expectNone(LEDState.self, "LED_STATE", for: .milliseconds(150))
      }
      try talk.indicate(.idle, revision: UInt32(said.count + 1))
      _ = try talk.expectShown(.idle) { $0.detail == 0 }
    },
    ConformanceCase(
      .led, "due-lease", "7.2", "after its lease no check-in is said to wait"
    ) { talk in
      try talk.indicate(.due, detail: 2, revision: 1, lease: 600)
      let shown = try talk.expectShown(.due) { $0.detail == 2 }
      let end = try talk.expectShown(
        .unclaimed, within: .milliseconds(700), after: shown.frame)
      try talk.check(end.value.source, is: .own, "why it shows unclaimed")
      try talk.check(end.value.detail, is: 0, "its detail")
    },
    ConformanceCase(
      .led, "due-behind-alarm", "7.1", "an older INDICATE of due undoes no countdown"
    ) { talk in
      try talk.indicate(.due, detail: 1, revision: 1)
      _ = try talk.expectShown(.due)
      try talk.indicate(.countdown, detail: 60, revision: 3)
      _ = try talk.expectShown(.countdown) { $0.detail == 60 }
      try talk.indicate(.due, detail: 1, revision: 2)
      try talk.expectNone(LEDState.self, "LED_STATE due") { $0.shown == .due }
      try talk.check(
        try talk.nextHeartbeat().value.shown == .countdown, "it no longer shows countdown")
    },
    ConformanceCase(
      .led, "due-press", "7.2", needs: [.button],
      "a press under due shows sending until it is acked, and then due again"
    ) { talk in
      talk.acks = { $0.identity.kind != .pressed }
      try talk.indicate(.due, detail: 2, revision: 1, lease: 10_000)
      _ = try talk.expectShown(.due) { $0.detail == 2 }
      try talk.press()
      let event = try talk.expectEvent(.pressed).value
      _ = try talk.expectShown(.sending)
      try talk.wait(.milliseconds(100))
      try talk.ack(event)
      _ = try talk.expectShown(.due) { $0.detail == 2 && $0.source == .lease }
      try talk.indicate(.due, detail: 1, revision: 2, lease: 10_000)
      _ = try talk.expectShown(.due) { $0.detail == 1 }
    },
  ]
}
