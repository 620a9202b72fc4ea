import Control
import FobBase

/// A control request, read from JSON as in `{"do":"press","hold_ms":120}`.
enum EmulatorRequest: Hashable {
  case command(EmulatorCommand)
  case subscribe(light: Bool)
  /// A stream of the bytes on the keychain's link.
  case tap

  private static let words = EmulatedKeychain.requests.joined(separator: ", ")

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

/// `{"do":"fault","kind":"drop","rate":0.01,"to":"host","seed":7}`,
/// `{"do":"fault","kind":"flip","at":120}` and `{"do":"fault","kind":"none"}`.
enum FaultRequest {
  private static let kinds =
    "none, " + WireFault.Kind.allCases.map(\.rawValue).sorted().joined(separator: ", ")

  static func read(_ fields: inout RequestFields) throws -> EmulatorCommand {
    guard let word = try fields.text("kind") else {
      throw CommandRefusal("fault needs \"kind\", one of \(kinds)")
    }
    if word == "none" { return .clearFaults }
    guard let kind = WireFault.Kind(rawValue: word) else {
      throw CommandRefusal("\"kind\" is \"\(word)\"; it must be one of \(kinds)")
    }
    var fault = WireFault(kind, try bytes(&fields), to: try direction(&fields))
    if let seed = try fields.number("seed", 0 ... .max) { fault.seed = UInt64(seed) }
    switch kind {
    case .stall, .split:
      if let ms = try fields.number("ms", 1...600_000) { fault.pause = .milliseconds(ms) }
    case .insert: fault.value = try fields.number("byte", 0...255).map { UInt8($0) }
    case .flip: fault.value = try fields.number("bit", 0...7).map { UInt8($0) }
    case .drop, .double: break
    }
    return .fault(fault)
  }

  /// Without `rate` and `at` the fault hits the next byte.
  private static func bytes(_ fields: inout RequestFields) throws -> WireFault.Bytes {
    let rate = try fields.decimal("rate", 0...1)
    let first = try fields.number("at", 0...1_000_000_000)
    let count = try fields.number("count", 1...1_000_000_000)
    guard let rate else { return .at(first ?? 0, count: count ?? 1) }
    guard first == nil, count == nil else {
      throw CommandRefusal("fault takes either \"rate\", or \"at\" and \"count\"")
    }
    return .rate(rate)
  }

  private static func direction(_ fields: inout RequestFields) throws -> WireFault.Direction {
    guard let word = try fields.text("to") else { return .both }
    guard let direction = WireFault.Direction(rawValue: word) else {
      throw CommandRefusal("\"to\" is \"\(word)\"; it must be host, device or both")
    }
    return direction
  }
}

extension EmulatedKeychain {
  /// The values of `do` at a keychain's control socket.
  public static let requests = [
    "press", "hold", "release", "press_every", "button", "stick", "unstick", "battery", "sag",
    "clock", "gps", "unplug", "replug", "reset", "powercut", "store", "fault", "state",
    "subscribe", "tap", "wait",
  ]

  /// Why a keychain, whichever it is, would refuse a request because of its words; nil: it would
  /// carry it out or refuse it for what is so at that moment.
  /// - Parameter request: one JSON object, as for ``carryOut(_:_:)``.
  public static func refusal(of request: [UInt8]) -> CommandRefusal? {
    guard case .failure(let refusal) = AddressedRequest.read(ControlRequest(line: request)) else {
      return nil
    }
    return refusal
  }
}

/// Requests to the parts of the board.
extension EmulatorRequest {
  static func board(_ word: String, _ fields: inout RequestFields) throws -> EmulatorCommand {
    switch word {
    case "stick": return .stick
    case "unstick": return .unstick
    case "button": return try button(&fields)
    case "battery": return try battery(&fields)
    case "sag": return try sag(&fields)
    case "clock": return try clock(&fields)
    default: return try gps(&fields)
    }
  }

  private static func button(_ fields: inout RequestFields) throws -> EmulatorCommand {
    let seed = try fields.number("seed", 0...Int64.max)
    guard let chatters = try fields.flag("chatter") else {
      throw CommandRefusal("button needs \"chatter\", true or false")
    }
    return .chatter(chatters, seed: seed.map { UInt64($0) })
  }

  private static func battery(_ fields: inout RequestFields) throws -> EmulatorCommand {
    let percent = try fields.number("percent", 0...100)
    let millivolts = try fields.number("mv", 0...65_535)
    let drain = try fields.number("drain_per_hour", 0...SimulatedBattery.fastestDrain)
    let ohms = try fields.number("ohms", 0...SimulatedBattery.mostOhms)
    if percent != nil, millivolts != nil {
      throw CommandRefusal("battery takes either \"percent\" or \"mv\", not both")
    }
    guard percent != nil || millivolts != nil || drain != nil || ohms != nil else {
      throw CommandRefusal(
        "battery needs \"percent\", 0 to 100, or \"mv\", or \"drain_per_hour\", in per cent, or"
          + " \"ohms\"")
    }
    return .battery(
      percent: percent.map { UInt8($0) }, millivolts: millivolts.map { UInt16($0) },
      drainPerHour: drain, ohms: ohms)
  }

  private static func sag(_ fields: inout RequestFields) throws -> EmulatorCommand {
    let millivolts = try fields.number("mv", 1...65_535)
    let pause = try fields.number("ms", 1...600_000)
    guard let millivolts, let pause else {
      throw CommandRefusal(
        "sag needs \"mv\", by how much the voltage falls, and \"ms\", 1 to 600000")
    }
    return .sag(millivolts: UInt16(millivolts), for: .milliseconds(pause))
  }

  private static func clock(_ fields: inout RequestFields) throws -> EmulatorCommand {
    let most = Int64(BoardClock.maxDrift)
    let hour: Int64 = 3_600_000_000
    let drift = try fields.number("drift_ppm", -most...most)
    let jump = try fields.number("jump_us", -hour...hour)
    switch (drift, jump) {
    case (let drift?, nil): return .clockDrift(ppm: Int32(drift))
    case (nil, let jump?): return .clockJump(.microseconds(jump))
    default: throw CommandRefusal("clock needs either \"drift_ppm\" or \"jump_us\"")
    }
  }

  private static func gps(_ fields: inout RequestFields) throws -> EmulatorCommand {
    let source = try fields.text("source")
    let loops = try fields.flag("loop")
    let elapsed = try fields.number("at_s", 0...86_400).map { Interval.seconds($0) }
    if let source {
      let source = try GPSSource(source, loop: loops ?? false)
      guard elapsed == nil || source.isStory else {
        throw CommandRefusal("\"at_s\" is a story's clock: \(source.text) has none")
      }
      return .gps(source, storyAt: elapsed ?? .zero)
    }
    guard loops == nil, let elapsed else {
      throw CommandRefusal(
        "gps needs \"source\": \(GPSSource.words); or \"at_s\", a story's clock in seconds")
    }
    return .gpsClock(elapsed)
  }
}
