import FobBase

/// What a control request asks for: `{"do":"press","hold_ms":120}` and its like.
enum EmulatorRequest: Hashable {
  case command(EmulatorCommand)
  case subscribe(light: Bool)
  /// The bytes of the keychain's link, as they come and go.
  case tap

  private static let words = """
    press, hold, release, press_every, button, stick, unstick, battery, sag, clock, gps, unplug,
    replug, reset, powercut, store, fault, state, subscribe, tap, wait
    """.replacing("\n", with: " ")

  static func read(_ fields: inout RequestFields) throws -> EmulatorRequest {
    guard let word = try fields.text("do") else {
      throw CommandRefusal("\"do\" is missing; it is one of \(words)")
    }
    switch word {
    case "press":
      let hold = try fields.number("hold_ms", 1...600_000).map { Interval.milliseconds($0) }
      return .command(.press(hold: hold ?? EmulatorCommand.defaultHold))
    case "hold": return .command(.hold)
    case "release": return .command(.release)
    case "press_every": return .command(try pressEvery(&fields))
    case "button", "stick", "unstick", "battery", "sag", "clock", "gps":
      return .command(try board(word, &fields))
    case "unplug": return .command(.unplug)
    case "replug": return .command(.replug)
    case "reset": return .command(.reset)
    case "powercut":
      guard let pause = try fields.number("ms", 1...600_000) else {
        throw CommandRefusal("powercut needs \"ms\", 1 to 600000")
      }
      return .command(.powerCut(.milliseconds(pause)))
    case "store":
      guard let fails = try fields.flag("fail") else {
        throw CommandRefusal("store needs \"fail\", true or false")
      }
      return .command(.failStore(fails))
    case "fault": return .command(try FaultRequest.read(&fields))
    case "state": return .command(.state)
    case "subscribe": return .subscribe(light: try fields.flag("leds") ?? false)
    case "tap": return .tap
    case "wait": return .command(try wait(&fields))
    default: throw CommandRefusal("\"do\" is \"\(word)\"; it must be one of \(words)")
    }
  }

  private static func pressEvery(_ fields: inout RequestFields) throws -> EmulatorCommand {
    let seed = UInt64(try fields.number("seed", 0...Int64.max) ?? 1)
    guard let mean = try fields.number("ms", 0...86_400_000) else {
      throw CommandRefusal("press_every needs \"ms\", the mean time between presses, 0 for none")
    }
    return .pressAtRandom(
      mean == 0 ? nil : RandomPresses(every: .milliseconds(mean), seed: seed))
  }

  private static func wait(_ fields: inout RequestFields) throws -> EmulatorCommand {
    let patience = Interval.milliseconds(try fields.number("within_ms", 1...600_000) ?? 10_000)
    switch try fields.text("for") {
    case "ready": return .wait(.ready, within: patience)
    case "linked": return .wait(.linked, within: patience)
    case "acked":
      guard let number = try fields.text("event").flatMap({ EventNumber(text: $0) }) else {
        throw CommandRefusal("waiting for acked needs \"event\", like \"1.2\"")
      }
      return .wait(.acked(number), within: patience)
    default: throw CommandRefusal("wait needs \"for\": ready, linked or acked")
    }
  }
}
