import FobBase

/// What can be asked of the board's parts.
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
    if percent != nil, millivolts != nil {
      throw CommandRefusal("battery takes either \"percent\" or \"mv\", not both")
    }
    guard percent != nil || millivolts != nil || drain != nil else {
      throw CommandRefusal(
        "battery needs \"percent\", 0 to 100, or \"mv\", or \"drain_per_hour\", in per cent")
    }
    return .battery(
      percent: percent.map { UInt8($0) }, millivolts: millivolts.map { UInt16($0) },
      drainPerHour: drain)
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
      return .gps(try GPSSource(source, loop: loops ?? false), storyAt: elapsed ?? .zero)
    }
    guard loops == nil, let elapsed else {
      throw CommandRefusal(
        "gps needs \"source\": \(GPSSource.words); or \"at_s\", a story's clock in seconds")
    }
    return .gpsClock(elapsed)
  }
}
