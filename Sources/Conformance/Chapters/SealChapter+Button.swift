import FobBase
import WireProtocol

/// Cases of a key that the button takes away.
extension SealChapter {
  static let button = [
    ConformanceCase(
      .seal, "unpair-by-button", "15.2", needs: [.button, .powerCut],
      "held for 10 s from power-on, let go, and pressed again under identify it forgets the key"
    ) { talk in
      try paired(talk) { host in
        try letGoAfter(.milliseconds(10_500), talk, host)
        _ = try talk.expectShown(.identify)
        try talk.press()
        _ = try talk.expectEvent(.pressed)
        let capabilities = try host.hello().capabilities
        try talk.check(capabilities & Hello.isPaired == 0, "its HELLO still says PAIRED")
        host.isForgotten()
        let beat = try talk.nextHeartbeat()
        try talk.check(!beat.frame.head.isSealed, "its HEARTBEAT is still sealed")
      }
    },
    ConformanceCase(
      .seal, "keeps-its-key", "15.2", needs: [.button, .powerCut],
      "let go before 10 s, or not pressed within 5 s of letting go, it keeps the key"
    ) { talk in
      try paired(talk) { host in
        try letGoAfter(.milliseconds(9_000), talk, host)
        try showsNothing(talk, .identify)
        try talk.press()
        try staysPaired(talk, host, "a hold of 9 s and a press")
        try letGoAfter(.milliseconds(10_500), talk, host)
        _ = try talk.expectShown(.identify)
        try staysPaired(talk, host, "a hold of 10 s alone")
        try talk.letDevicePass(.milliseconds(5_500))
        try talk.press()
        try staysPaired(talk, host, "a press more than 5 s behind the hold")
      }
    },
  ]

  /// Switches the device on with its button held, and lets it go when its clock has come so far.
  /// No press is unacked then.
  private static func letGoAfter(
    _ hold: Interval, _ talk: Conversation, _ host: SealedHost
  ) throws {
    try host.open()
    try host.bootHeld()
    let clock = Interval.microseconds(Int64(try talk.deviceClock()))
    try talk.letDevicePass(hold - clock)
    talk.beginsNow()
    try talk.release()
    _ = try talk.expectEvent(.released)
  }

  private static func staysPaired(
    _ talk: Conversation, _ host: SealedHost, _ why: String
  ) throws {
    let capabilities = try host.hello().capabilities
    try talk.check(capabilities & Hello.isPaired != 0, "\(why) has taken its key")
  }
}
