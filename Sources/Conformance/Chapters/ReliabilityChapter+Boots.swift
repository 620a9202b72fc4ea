import FobBase
import WireProtocol

/// Cases of resets, a full ring and a store that fails.
extension ReliabilityChapter {
  static let boots = [
    ConformanceCase(
      .reliability, "without-hello", "5.1", needs: [.reset, .button],
      "events are sent and acked though no host has said HELLO"
    ) { talk in
      talk.acks = { _ in false }
      try talk.reset()
      let booted = try talk.expectEvent(.booted, within: .milliseconds(300)).value
      try talk.ack(booted)
      try talk.press()
      let press = try talk.expectEvent(.pressed).value
      talk.acks = { _ in true }
      try talk.ack(press)
      try talk.wait(.milliseconds(500))
      try talk.check(try talk.nextHeartbeat().value.unacked, is: 0, "unacked in HEARTBEAT")
    },
    ConformanceCase(
      .reliability, "booted", "4.2", needs: [.reset], "a boot is an event, with the reset's cause"
    ) { talk in
      try talk.reset()
      let event = try talk.expectEvent(.booted, within: .milliseconds(300)).value
      try talk.check(
        event.detail, is: talk.device.resetCause.rawValue, "its cause, which HELLO says too,")
      try talk.check(event.identity.bootNonce, is: talk.device.bootNonce, "its boot nonce")
      try talk.check(event.identity.number.boot, is: talk.device.bootCounter, "its boot")
      try talk.check(event.identity.deviceID == talk.device.deviceID, "it names another device")
    },
    ConformanceCase(
      .reliability, "replay", "4.7", needs: [.reset, .button],
      "after a reset the unacked come again, with number and stamps as they were, and REPLAYED"
    ) { talk in
      try replay(talk) { try talk.reset() }
    },
    ConformanceCase(
      .reliability, "replay-power-cut", "4.7", needs: [.powerCut, .button],
      "after a power cut the unacked come again, as they were"
    ) { talk in
      try replay(talk) { try talk.cutPower() }
    },
    ConformanceCase(
      .reliability, "acked-stays-acked", "4.6", needs: [.reset, .button],
      "what was acked does not come again after a reset"
    ) { talk in
      try talk.press()
      let event = try talk.expectEvent(.pressed).value
      try talk.wait(.milliseconds(150))
      try talk.reset()
      try talk.expectNone(EventRecord.self, "the acked press", for: .milliseconds(800)) {
        $0.identity == event.identity
      }
    },
    ConformanceCase(
      .reliability, "numbers", "4.1", needs: [.reset, .button],
      "each boot counts up, its numbers begin at 1, and its nonce is new"
    ) { talk in
      var seen: [EventIdentity] = []
      var nonces: Set<UInt32> = []
      var boot: UInt32?
      for _ in 0..<3 {
        try talk.reset()
        if let boot { try talk.check(talk.device.bootCounter, is: boot + 1, "boot_counter") }
        boot = talk.device.bootCounter
        nonces.insert(talk.device.bootNonce)
        let booted = try talk.expectEvent(.booted, within: .milliseconds(300)).value
        try talk.check(booted.identity.number.n, is: 1, "n of the first event")
        try talk.press()
        let press = try talk.expectEvent(.pressed).value
        seen += [booted.identity, press.identity]
        try talk.wait(.milliseconds(150))
      }
      try talk.check(nonces.count, is: 3, "the count of different boot nonces in 3 boots")
      try talk.check(
        Set(seen.map(\.number)).count, is: seen.count, "the count of different event numbers")
    },
    ConformanceCase(
      .reliability, "oldest-unacked", "5.1", needs: [.button],
      "HELLO says which event is the oldest unacked, and HEARTBEAT how many there are"
    ) { talk in
      talk.acks = { _ in false }
      try talk.press()
      let press = try talk.expectEvent(.pressed).value
      _ = try talk.expectEvent(.released)
      try talk.check(try talk.nextHeartbeat().value.unacked, is: 2, "unacked in HEARTBEAT")
      try talk.sayHello()
      let hello = try talk.expect(Hello.self, "HELLO") { $0.session == talk.session }.value
      try talk.check(
        hello.oldestUnacked.text, is: press.identity.number.text, "oldest_unacked in HELLO")
    },
  ]

  static let ring = [
    ConformanceCase(
      .reliability, "full-ring", "4.5", needs: [.button],
      "of 70 presses that nobody acks each is told of, alone or MERGED"
    ) { talk in
      let pressed = try fillRing(talk)
      try collect(talk, presses: pressed)
    },
    ConformanceCase(
      .reliability, "full-ring-reset", "4.5", needs: [.button, .reset],
      "a reset with a full ring loses no press of it"
    ) { talk in
      let pressed = try fillRing(talk)
      try talk.reset()
      try collect(talk, presses: pressed)
    },
  ]

  static let store = [
    ConformanceCase(
      .reliability, "store-fails", "4.3", needs: [.store, .button],
      "a store that fails stops no press: VOLATILE, a fault, and stored when it works again"
    ) { talk in
      talk.acks = { $0.identity.kind != .pressed }
      try talk.perform(.store(fails: true))
      try talk.press()
      let event = try talk.expectEvent(.pressed)
      try talk.check(event.value.flags.contains(.volatile), "it is not marked VOLATILE")
      _ = try talk.expectEvent(.fault) { $0.detail == FaultCode.storeFailed.rawValue }
      try talk.check(
        try talk.nextHeartbeat().value.flags.contains(.storeFailing),
        "HEARTBEAT does not say that the store fails")
      try talk.perform(.store(fails: false))
      _ = try talk.expectEvent(.pressed, within: .milliseconds(3_500)) {
        $0.identity == event.value.identity && !$0.flags.contains(.volatile)
      }
      try talk.check(
        try !talk.nextHeartbeat().value.flags.contains(.storeFailing),
        "HEARTBEAT still says that the store fails")
    }
  ]

  private static func replay(_ talk: Conversation, _ restart: () throws -> Void) throws {
    talk.acks = { _ in false }
    try talk.press()
    let before = [
      try talk.expectEvent(.pressed).value.identity,
      try talk.expectEvent(.released).value.identity,
    ]
    try restart()
    let pressed = try talk.expectEvent(.pressed, within: .milliseconds(300)) {
      $0.flags.contains(.replayed)
    }
    let released = try talk.expectEvent(.released, within: .milliseconds(300)) {
      $0.flags.contains(.replayed)
    }
    try talk.check(
      [pressed.value.identity, released.value.identity] == before,
      "what came again has another number, clock or nonce")
    let booted = try talk.expectEvent(.booted, within: .milliseconds(300))
    try talk.check(
      booted.frame.sequence &- pressed.frame.sequence < 0x8000, "the boot event came before them")
    try talk.check(
      talk.device.oldestUnacked.text, is: before[0].number.text, "oldest_unacked in HELLO")
  }

  /// Presses 70 times without an ack, and checks that each press is sent at once.
  /// - Returns: how many presses were made.
  private static func fillRing(_ talk: Conversation) throws -> Int {
    let count = 70
    talk.acks = { _ in false }
    talk.step("press \(count) times, and ack nothing")
    let first = talk.heard.count
    for number in 1...count {
      talk.beginsNow()
      try talk.rig.perform(.close)
      try talk.check(
        try talk.awaitNewEvent(.pressed, within: .milliseconds(150) + talk.slack),
        "press \(number) of \(count) was not sent within 150 ms")
      try talk.wait(.milliseconds(10))
      try talk.rig.perform(.open)
      _ = try talk.awaitNewEvent(.released, within: .milliseconds(100) + talk.slack)
      try talk.wait(.milliseconds(30))
    }
    let numbers = Set(
      talk.heard[first...].compactMap { $0.read(EventRecord.self) }
        .filter { $0.identity.kind == .pressed }.map(\.identity.number))
    try talk.check(numbers.count, is: count, "the count of presses that were sent at once")
    let beat = try talk.nextHeartbeat().value
    if beat.mergedPresses > 0 {
      try talk.check(
        beat.flags.contains(.ringFull), "presses were merged, and HEARTBEAT does not say ring full")
    }
    return count
  }

  /// Acks everything that comes until nothing is left, and checks that it stands for all presses.
  private static func collect(_ talk: Conversation, presses: Int) throws {
    var stored: [EventNumber: Int] = [:]
    talk.acks = { event in
      if event.identity.kind == .pressed {
        stored[event.identity.number] =
          event.flags.contains(.merged) ? Int(event.covered) : 1
      }
      return true
    }
    try talk.sayHello()
    let isEmpty = try talk.wait(until: talk.rig.now + .seconds(10)) {
      talk.sinceMark.last { $0.isA(.heartbeat) }?.read(Heartbeat.self)?.unacked == 0
    }
    try talk.check(isEmpty, "events are still unacked after 10 s of acks")
    talk.step("acked \(stored.count) presses, which stand for \(stored.values.reduce(0, +))")
    try talk.check(stored.values.reduce(0, +), is: presses, "for how many presses they stand")
  }
}
