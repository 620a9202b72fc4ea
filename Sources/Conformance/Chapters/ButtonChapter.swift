import FobBase
import WireProtocol

/// Cases of contacts and presses: PROTOCOL.md, 4.7 and 9.1.
enum ButtonChapter {
  static let cases = contacts + trouble + boots

  static let contacts = [
    ConformanceCase(
      .button, "press-release", "9.1", needs: [.button],
      "one press is one pressed and one released event"
    ) { talk in
      for _ in 0..<3 {
        try talk.press()
        try talk.wait(.milliseconds(150) + talk.slack)
        let kinds = kinds(talk)
        try talk.check(kinds == [.pressed, .released], "it made \(words(kinds))")
      }
    },
    ConformanceCase(
      .button, "bounce", "9.1", needs: [.edges], "a contact that bounces is one press"
    ) { talk in
      var edges: [Actuation.ContactEdge] = []
      var at: Int64 = 0
      for closed in [true, false, true, false, true, false, true] {
        edges.append(.init(after: .microseconds(at), closed: closed))
        at += Int64.random(in: 40...600, using: &talk.random)
      }
      at = 80_000
      for closed in [false, true, false, true, false] {
        edges.append(.init(after: .microseconds(at), closed: closed))
        at += Int64.random(in: 40...600, using: &talk.random)
      }
      try talk.perform(.edges(edges))
      try talk.wait(.milliseconds(200) + talk.slack)
      let kinds = kinds(talk)
      try talk.check(kinds == [.pressed, .released], "it made \(words(kinds))")
    },
    ConformanceCase(
      .button, "first-edge", "9.1", needs: [.edges],
      "a press is stamped with its first edge, and says how long it took to be sure"
    ) { talk in
      try talk.perform(
        .edges([
          .init(after: .milliseconds(10), closed: true),
          .init(after: .milliseconds(12), closed: false),
          .init(after: .milliseconds(13), closed: true),
          .init(after: .milliseconds(100), closed: false),
        ]))
      let press = try talk.expectEvent(.pressed).value
      let release = try talk.expectEvent(.released).value
      let held = Int64(release.identity.clock - press.identity.clock)
      try talk.check(
        abs(held - 90_000) <= 1_000, "from first edge to first edge it says \(held) µs, not 90000")
      // 2 ms closed, 1 ms open, and 15 ms closed without a break.
      try talk.check(
        (17_500...21_000).contains(press.commitDelta),
        "commit_delta is \(press.commitDelta) µs, not 18000")
    },
    ConformanceCase(
      .button, "short", "9.1", needs: [.brief],
      "a contact shorter than three quarters of the debounce time is no press"
    ) { talk in
      for hold in [1, 5, 11] as [Int64] {
        try talk.perform(.touch(.milliseconds(hold)))
        try talk.expectNone(EventRecord.self, "an event", for: .milliseconds(250))
      }
    },
    ConformanceCase(
      .button, "chatter", "9.1", needs: [.chatter], "chatter counts towards a press"
    ) { talk in
      try talk.perform(.chatter(true))
      try talk.perform(.close)
      let press = try talk.expectEvent(.pressed, within: .milliseconds(200))
      try talk.wait(.milliseconds(300))
      let more = talk.sinceMark.filter { frame in
        frame.read(EventRecord.self).map {
          $0.identity.kind == .pressed && $0.identity != press.value.identity
        } ?? false
      }
      try talk.check(more.isEmpty, "one held contact made \(more.count + 1) presses")
      try talk.release()
      try talk.perform(.chatter(false))
      try talk.wait(.milliseconds(150))
    },
    ConformanceCase(
      .button, "debounce-config", "9.1", needs: [.brief],
      "with a debounce time of 50 ms a contact of 25 ms is no press, and one of 80 is"
    ) { talk in
      try talk.say(Config(key: .debounce, value: 50), "CONFIG debounce to 50 ms")
      _ = try talk.expect(ConfigResult.self, "CONFIG_RESULT") { $0.outcome == .done }
      try talk.perform(.touch(.milliseconds(25)))
      try talk.expectNone(EventRecord.self, "an event", for: .milliseconds(300))
      try talk.perform(.touch(.milliseconds(80)))
      let press = try talk.expectEvent(.pressed, within: .milliseconds(200)).value
      try talk.check(
        press.commitDelta >= 36_500, "commit_delta is \(press.commitDelta) µs, less than 37.5 ms")
      try talk.wait(.milliseconds(150))
      try talk.say(Config(key: .debounce, value: 20), "CONFIG debounce to 20 ms")
    },
    ConformanceCase(
      .button, "double", "9.1", needs: [.button], "two presses in 250 ms are two of everything"
    ) { talk in
      try talk.press(hold: .milliseconds(50))
      let first = talk.mark
      try talk.wait(.milliseconds(80))
      try talk.press(hold: .milliseconds(50))
      try talk.wait(.milliseconds(200) + talk.slack)
      talk.mark(at: first)
      let kinds = kinds(talk)
      try talk.check(
        kinds == [.pressed, .released, .pressed, .released], "they made \(words(kinds))")
    },
  ]

  static let trouble = [
    ConformanceCase(
      .button, "long-hold", "9.1", needs: [.button],
      "a long hold is told at once, and its end when it comes"
    ) { talk in
      try talk.perform(.close)
      let press = try talk.expectEvent(.pressed)
      try talk.expectNone(EventRecord.self, "a release", for: .milliseconds(2_500)) {
        $0.identity.kind == .released
      }
      let closed = talk.mark
      try talk.check(
        try talk.nextHeartbeat().value.flags.contains(.buttonClosed),
        "HEARTBEAT does not say that the button is closed")
      talk.mark(at: closed)
      try talk.release()
      let release = try talk.expectEvent(.released, after: press.frame).value
      try talk.check(
        release.identity.clock > press.value.identity.clock + 2_500_000,
        "by its clock the hold was shorter than 2.5 s")
    },
    ConformanceCase(
      .button, "stuck", "9.1", needs: [.button],
      "a contact that stays closed is one press, and stops nothing else"
    ) { talk in
      try talk.perform(.close)
      _ = try talk.expectEvent(.pressed)
      let closed = talk.mark
      try talk.wait(talk.rig.isVirtual ? .minutes(5) : .seconds(6))
      try talk.check(kinds(talk) == [.pressed], "it made \(words(kinds(talk)))")
      try talk.sayHello()
      _ = try talk.expect(Hello.self, "HELLO") { $0.session == talk.session }
      talk.mark(at: closed)
      try talk.release()
      _ = try talk.expectEvent(.released)
    },
  ]

  static let boots = [
    ConformanceCase(
      .button, "held-at-reset", "4.7", needs: [.button, .reset],
      "a button that is closed at a reset is a press AT_BOOT"
    ) { talk in
      try talk.perform(.close)
      _ = try talk.expectEvent(.pressed)
      try talk.wait(.milliseconds(100))
      try talk.reset()
      let press = try talk.expectEvent(.pressed, within: .milliseconds(500)) {
        $0.identity.bootNonce == talk.device.bootNonce
      }.value
      try talk.check(press.flags.contains(.atBoot), "it is not marked AT_BOOT")
      try talk.release()
      _ = try talk.expectEvent(.released)
    },
    ConformanceCase(
      .button, "held-at-power-on", "4.7", needs: [.button, .powerCut],
      "a button that is closed when power comes is a fault, and no press until it was open"
    ) { talk in
      try talk.perform(.close)
      _ = try talk.expectEvent(.pressed)
      try talk.wait(.milliseconds(200))
      try talk.cutPower()
      _ = try talk.expectEvent(.fault, within: .milliseconds(500)) {
        $0.detail == FaultCode.buttonStuck.rawValue
      }
      try talk.expectNone(EventRecord.self, "a press", for: .milliseconds(500)) {
        $0.identity.kind == .pressed && $0.identity.bootNonce == talk.device.bootNonce
      }
      try talk.release()
      _ = try talk.expectEvent(.released)
      try talk.wait(.milliseconds(150))
      try talk.press()
      _ = try talk.expectEvent(.pressed) { !$0.flags.contains(.atBoot) }
      try talk.wait(.milliseconds(150))
    },
    ConformanceCase(
      .button, "brown-out", "4.7", needs: [.button, .brownOut],
      "a press in the midst of a brown-out is a press AT_BOOT"
    ) { talk in
      try talk.perform(.brownOut(.milliseconds(400)))
      try talk.wait(.milliseconds(100))
      try talk.perform(.close)
      try talk.awaitBoot()
      try talk.check(talk.device.resetCause, is: .brownOut, "the reset's cause in HELLO")
      let press = try talk.expectEvent(.pressed, within: .milliseconds(500)).value
      try talk.check(press.flags.contains(.atBoot), "it is not marked AT_BOOT")
      try talk.release()
      _ = try talk.expectEvent(.released)
    },
  ]

  /// The kinds of the different events since something was said or done last.
  private static func kinds(_ talk: Conversation) -> [EventKind?] {
    var seen: Set<EventIdentity> = []
    return talk.sinceMark.compactMap { $0.read(EventRecord.self)?.identity }
      .filter { seen.insert($0).inserted }.map(\.kind)
  }

  private static func words(_ kinds: [EventKind?]) -> String {
    kinds.isEmpty ? "nothing" : kinds.map { $0.map { "\($0)" } ?? "?" }.joined(separator: ", ")
  }
}
