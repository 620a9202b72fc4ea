import FobBase
import WireProtocol

/// Cases of pairing and of the sealed link: PROTOCOL.md, 15. Each case that pairs the device takes
/// the key from it again, also where it fails.
enum SealChapter {
  static let cases = presence + proof + commands + trust + ends + button

  static let presence = [
    ConformanceCase(
      .seal, "no-presence", "15.2", needs: [.button],
      "PAIR is refused where the button was not held when power came"
    ) { talk in
      try withHost(talk) { host in
        try host.hello()
        try refuses(talk, host, "not held")
        try talk.perform(.close)
        _ = try talk.expectEvent(.pressed)
        try refuses(talk, host, "held only since")
        try talk.release()
        _ = try talk.expectEvent(.released)
      }
    },
    ConformanceCase(
      .seal, "held-at-reset", "15.2", needs: [.button, .reset],
      "a button that is held at a reset is no presence"
    ) { talk in
      try withHost(talk) { host in
        try talk.perform(.close)
        _ = try talk.expectEvent(.pressed)
        try talk.wait(.milliseconds(100))
        try talk.reset()
        _ = try talk.expectEvent(.pressed, within: .milliseconds(500)) {
          $0.identity.bootNonce == talk.device.bootNonce
        }
        try host.hello()
        try refuses(talk, host, "held at a reset")
        try talk.release()
        _ = try talk.expectEvent(.released)
      }
    },
    ConformanceCase(
      .seal, "pair", "15.2", needs: [.button, .powerCut],
      "with presence PAIR is answered by the tag of its key, each time, until the button is let go"
    ) { talk in
      try withHost(talk) { host in
        try host.bootHeld()
        for _ in 0..<2 {
          let result = try host.give()
          try talk.check(result.outcome, is: .paired, "the result of PAIR with presence")
          try talk.check(result.tag, is: host.pairingTag, "the tag of PAIR_RESULT")
        }
        try talk.release()
        _ = try talk.expectEvent(.released)
        try refuses(talk, host, "let go")
        let capabilities = try host.hello().capabilities
        try talk.check(capabilities & Hello.isPaired != 0, "its HELLO does not say PAIRED")
      }
    },
    ConformanceCase(
      .seal, "pair-ends-lease", "15.2", needs: [.button, .powerCut],
      "pairing ends what any host has shown, and silences the sounder"
    ) { talk in
      try withHost(talk) { host in
        try host.bootHeld()
        try talk.indicate(.accepted, revision: 1, sounder: true)
        _ = try talk.expectShown(.accepted) { $0.sounder }
        _ = try host.give()
        _ = try talk.expect(
          LEDState.self, "LED_STATE of its own, without sounder", within: .milliseconds(300)
        ) { $0.source == .own && !$0.sounder }
        let beat = try talk.nextHeartbeat().value
        try talk.check(
          beat.shown != .accepted && !beat.flags.contains(.sounder),
          "HEARTBEAT still tells of accepted, or of the sounder")
        try talk.release()
        _ = try talk.expectEvent(.released)
      }
    },
  ]

  static let proof = [
    ConformanceCase(
      .seal, "proof", "15.3", needs: [.button, .powerCut],
      "CHALLENGE is answered by PROOF with the tag of its session, and the same by the same number"
    ) { talk in
      try paired(talk) { host in
        try host.hello()
        let nonce = talk.draw()
        let first = try host.prove(nonce)
        try talk.check(try host.prove(nonce).number, is: first.number, "the number of its PROOF")
        try talk.say(
          Challenge(session: host.session ^ 1, hostNonce: nonce), "CHALLENGE of another session")
        try talk.expectNone(Proof.self, "PROOF")
      }
    },
    ConformanceCase(
      .seal, "own-frames", "15.4", needs: [.button, .powerCut],
      "in a proved session it seals every frame but HELLO and PROOF, and counts them from 1"
    ) { talk in
      try paired(talk) { host in
        try host.open()
        try talk.wait(.milliseconds(2_300))
        // What was under way at the opening may not be sealed yet.
        let frames = talk.sinceMark.drop { $0.trailer == nil }.filter { !$0.isA(.event) }
        try talk.check(frames.count >= 3, "only \(frames.count) sealed frames came")
        var last: UInt32 = 0
        for frame in frames {
          try talk.check(host.seals(frame), "\(frame.words) is not sealed by the session")
          let counter = frame.trailer?.counter ?? 0
          try talk.check(counter > last, "the counter goes from \(last) to \(counter)")
          last = counter
        }
        try talk.check(frames.first?.trailer?.counter ?? 0, is: 1, "the first counter")
      }
    },
    ConformanceCase(
      .seal, "new-session", "15.3", needs: [.button, .powerCut],
      "a session that is proved anew ends the one before, and revisions begin anew"
    ) { talk in
      try paired(talk) { host in
        try host.open()
        let old = Conversation.wire(host.sealed(host.indication(.accepted, revision: 8)))
        try host.indicate(.idle, revision: 9)
        _ = try talk.expectShown(.idle)
        try host.prove()
        try host.indicate(.acknowledged, revision: 1)
        _ = try talk.expectShown(.acknowledged)
        try talk.say(raw: old, "INDICATE accepted, sealed in the session before")
        try showsNothing(talk, .accepted)
      }
    },
  ]

  static let commands = [
    ConformanceCase(
      .seal, "ack", "15.4", needs: [.button, .powerCut],
      "a sealed ack is obeyed, and one that is not sealed or wrongly tagged is not"
    ) { talk in
      try paired(talk) { host in
        try host.open()
        talk.acks = { $0.identity.kind != .pressed }
        try talk.press()
        let press = try talk.expectEvent(.pressed).value
        let ack = EventAck(press.identity)
        try talk.say(ack, "EVENT_ACK, not sealed")
        try comesAgain(talk, press)
        try talk.say(body: host.wronglyTagged(ack), "EVENT_ACK, wrongly tagged")
        try talk.expectNoReject("it")
        try comesAgain(talk, press)
        try host.say(ack, "EVENT_ACK, sealed")
        try talk.settle()
        talk.beginsNow()
        try talk.expectNone(EventRecord.self, "the acked press", for: .milliseconds(2_500)) {
          $0.identity == press.identity
        }
      }
    },
    ConformanceCase(
      .seal, "indicate", "15.4", needs: [.button, .powerCut],
      "a sealed INDICATE is obeyed; unsealed, INDICATE, LED_SET and CONFIG are not"
    ) { talk in
      try paired(talk) { host in
        try host.open()
        try host.indicate(.idle, revision: 1)
        _ = try talk.expectShown(.idle)
        let accepted = host.indication(.accepted, revision: 2)
        try talk.say(accepted, "INDICATE accepted, not sealed")
        try showsNothing(talk, .accepted)
        try talk.say(body: host.wronglyTagged(accepted), "INDICATE accepted, wrongly tagged")
        try showsNothing(talk, .accepted)
        try talk.say(
          LEDSet(state: .identify, detail: 0, duration: 1_000), "LED_SET identify, not sealed")
        try showsNothing(talk, .identify)
        try talk.say(Config(key: .debounce, value: 30), "CONFIG, not sealed")
        try talk.expectNone(ConfigResult.self, "CONFIG_RESULT")
        try host.indicate(.accepted, revision: 2)
        let told = try talk.expectShown(.accepted).value
        try talk.check(told.session, is: host.session, "its session")
      }
    },
    ConformanceCase(
      .seal, "replay", "15.4", needs: [.button, .powerCut],
      "a sealed frame counts once, and none that was made before it counts after it"
    ) { talk in
      try paired(talk) { host in
        try host.open()
        let earlier = Conversation.wire(host.sealed(host.indication(.failed, revision: 1)))
        let once = Conversation.wire(
          host.sealed(host.indication(.accepted, revision: 1, lease: 500)))
        try talk.say(raw: once, "INDICATE accepted for 500 ms, sealed")
        let shown = try talk.expectShown(.accepted)
        _ = try talk.expect(
          LEDState.self, "the end of the lease", within: .milliseconds(700), after: shown.frame
        ) { $0.source == .own }
        try talk.say(raw: once, "the same frame again")
        try showsNothing(talk, .accepted)
        try talk.say(raw: earlier, "a frame that was made before it")
        try showsNothing(talk, .failed)
      }
    },
    ConformanceCase(
      .seal, "stale", "15.4", needs: [.button, .powerCut],
      "INDICATE is ignored where its clock is 3 s behind the device's own, or ahead of it"
    ) { talk in
      try paired(talk) { host in
        try host.open()
        let old = host.deviceClock
        try talk.letDevicePass(.milliseconds(3_300))
        try host.indicate(.accepted, revision: 1, clock: old)
        try showsNothing(talk, .accepted)
        try host.indicate(.accepted, revision: 1, clock: host.deviceClock &+ 5_000)
        try showsNothing(talk, .accepted)
        try host.indicate(.accepted, revision: 1)
        _ = try talk.expectShown(.accepted)
      }
    },
  ]

  static let trust = [
    ConformanceCase(
      .seal, "stranger", "15.4", needs: [.button, .powerCut],
      "HELLO and CHALLENGE of a stranger end nothing, and its INDICATE shows nothing"
    ) { talk in
      try paired(talk) { host in
        try host.open()
        try host.indicate(.idle, revision: 1)
        _ = try talk.expectShown(.idle)
        try talk.sayHello()
        _ = try talk.expect(Hello.self, "HELLO") { $0.session == talk.session }
        try talk.say(
          Challenge(session: talk.session, hostNonce: talk.draw()), "CHALLENGE of a stranger")
        try talk.settle()
        try talk.indicate(.accepted, revision: 1)
        try showsNothing(talk, .accepted)
        try host.indicate(.acknowledged, revision: 2)
        let told = try talk.expectShown(.acknowledged).value
        try talk.check(told.session, is: host.session, "its session")
      }
    },
    ConformanceCase(
      .seal, "events", "15.4", needs: [.button, .powerCut],
      "every sending of an event has the key's tag, also without a session and after a power cut"
    ) { talk in
      try paired(talk) { host in
        talk.acks = { _ in false }
        try talk.press()
        _ = try talk.expectEvent(.pressed)
        try talk.wait(.milliseconds(500))
        try checkEvents(talk, host)
        try talk.cutPower()
        _ = try talk.expectEvent(.pressed, within: .milliseconds(500)) {
          $0.flags.contains(.replayed)
        }
        _ = try talk.expectEvent(.booted, within: .milliseconds(1_000))
        try checkEvents(talk, host)
        talk.acks = { _ in true }
      }
    },
  ]

  static let ends = [
    ConformanceCase(
      .seal, "power-cut", "15.3", needs: [.button, .powerCut],
      "a pairing outlives a power cut, and a session does not"
    ) { talk in
      try paired(talk) { host in
        try host.open()
        let old = Conversation.wire(host.sealed(host.indication(.accepted, revision: 1)))
        try talk.cutPower()
        let capabilities = try host.hello().capabilities
        try talk.check(capabilities & Hello.isPaired != 0, "its HELLO does not say PAIRED")
        try talk.say(raw: old, "INDICATE accepted, sealed before the power cut")
        try showsNothing(talk, .accepted)
        try talk.indicate(.accepted, revision: 1)
        try showsNothing(talk, .accepted)
        try host.open()
        try host.indicate(.idle, revision: 1)
        _ = try talk.expectShown(.idle)
      }
    },
    ConformanceCase(
      .seal, "unpair", "15.2", needs: [.button, .powerCut],
      "UNPAIR is obeyed sealed alone, and from then on the device is as before its pairing"
    ) { talk in
      try paired(talk) { host in
        try host.open()
        try talk.say(Unpair(session: host.session), "UNPAIR, not sealed")
        try talk.expectNone(PairResult.self, "PAIR_RESULT")
        try host.unpair()
        let capabilities = try host.hello().capabilities
        try talk.check(capabilities & Hello.isPaired == 0, "its HELLO still says PAIRED")
        try talk.indicate(.idle, revision: 1)
        _ = try talk.expectShown(.idle)
        let beat = try talk.nextHeartbeat()
        try talk.check(!beat.frame.head.isSealed, "its HEARTBEAT is still sealed")
      }
    },
  ]
}

extension SealChapter {
  /// Plays `steps` with a host that has a key. A device that took the key gives it back.
  private static func withHost(
    _ talk: Conversation, _ steps: (SealedHost) throws -> Void
  ) throws {
    let host = try SealedHost(talk)
    do {
      try steps(host)
    } catch {
      if host.isPaired { try? host.unpair() }
      throw error
    }
    if host.isPaired { try host.unpair() }
  }

  /// Plays `steps` on a device that has the host's key.
  static func paired(
    _ talk: Conversation, _ steps: (SealedHost) throws -> Void
  ) throws {
    try withHost(talk) { host in
      try host.pair()
      try steps(host)
    }
  }

  private static func refuses(_ talk: Conversation, _ host: SealedHost, _ how: String) throws {
    let result = try host.give()
    try talk.check(result.outcome, is: .noPresence, "the result of PAIR with a button \(how)")
    try talk.check(result.tag, is: 0, "the tag of PAIR_RESULT no presence")
  }

  private static func comesAgain(_ talk: Conversation, _ event: EventRecord) throws {
    _ = try talk.expectEvent(.pressed, within: .milliseconds(2_200)) {
      $0.identity == event.identity
    }
  }

  static func showsNothing(_ talk: Conversation, _ state: ShownState) throws {
    try talk.expectNone(LEDState.self, "LED_STATE \(state)") { $0.shown == state }
  }

  private static func checkEvents(_ talk: Conversation, _ host: SealedHost) throws {
    for frame in talk.sinceMark where frame.isA(.event) {
      try talk.check(host.seals(frame), "\(frame.words) has no tag of the key")
    }
  }
}
