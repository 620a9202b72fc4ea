import FobBase

/// `{"do":"fault","kind":"drop","rate":0.01,"to":"host","seed":7}`,
/// `{"do":"fault","kind":"flip","at":120}`, `{"do":"fault","kind":"none"}` and their like.
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

  /// Neither rate nor place: the next byte.
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
