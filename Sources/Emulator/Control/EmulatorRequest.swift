import Control
import FobBase

/// What a control request asks for: `{"do":"press","hold_ms":120}` and its like.
enum EmulatorRequest: Decodable, Hashable {
  case command(EmulatorCommand)
  case subscribe(light: Bool)
  /// The bytes of the keychain's link, as they come and go.
  case tap

  static func read(_ request: ControlRequest) -> Result<EmulatorRequest, CommandRefusal> {
    do {
      return .success(try request.decode(EmulatorRequest.self))
    } catch let refusal as CommandRefusal {
      return .failure(refusal)
    } catch {
      return .failure(CommandRefusal("the request cannot be read: send one flat JSON object"))
    }
  }

  init(from decoder: any Decoder) throws {
    var fields = try RequestFields(decoder)
    self = try Self.read(&fields)
    try fields.end()
  }

  private static let words = """
    press, hold, release, battery, unplug, replug, reset, powercut, store, state, subscribe, wait,
    tap
    """

  private static func read(_ fields: inout RequestFields) throws -> EmulatorRequest {
    guard let word = try fields.text("do") else {
      throw CommandRefusal("\"do\" is missing; it is one of \(words)")
    }
    switch word {
    case "press":
      let hold = try fields.number("hold_ms", 1...600_000).map { Interval.milliseconds($0) }
      return .command(.press(hold: hold ?? EmulatorCommand.defaultHold))
    case "hold": return .command(.hold)
    case "release": return .command(.release)
    case "battery": return .command(try battery(&fields))
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
    case "state": return .command(.state)
    case "subscribe": return .subscribe(light: try fields.flag("leds") ?? false)
    case "tap": return .tap
    case "wait": return .command(try wait(&fields))
    default: throw CommandRefusal("\"do\" is \"\(word)\"; it must be one of \(words)")
    }
  }

  private static func battery(_ fields: inout RequestFields) throws -> EmulatorCommand {
    let percent = try fields.number("percent", 0...100)
    let millivolts = try fields.number("mv", 0...65_535)
    switch (percent, millivolts) {
    case (let percent?, nil): return .battery(percent: UInt8(percent))
    case (nil, let millivolts?): return .batteryMillivolts(UInt16(millivolts))
    default: throw CommandRefusal("battery needs either \"percent\", 0 to 100, or \"mv\"")
    }
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
