import FobBase

/// One keychain's answer as one flat JSON object.
struct AnswerJSON: Encodable, Sendable {
  /// Which keychain answers; nil where only one was asked.
  var serial: UInt32?
  let result: Result<EmulatorAnswer, CommandRefusal>

  var isGood: Bool { if case .success = result { true } else { false } }

  private enum Key: CodingKey { case ok, serial, error, event, number }

  func encode(to encoder: any Encoder) throws {
    // The state's fields stand beside ours in one object.
    if case .success(.state(let state)) = result { try state.encode(to: encoder) }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(isGood, forKey: .ok)
    try container.encodeIfPresent(serial, forKey: .serial)
    switch result {
    case .success(.event(let number)):
      try container.encode(number.text, forKey: .event)
      try container.encode(number.rawValue, forKey: .number)
    case .success(.done), .success(.lightTrace), .success(.state): break
    case .failure(let refusal): try container.encode(refusal.description, forKey: .error)
    }
  }
}

/// An event with the serial of its keychain, where a client has subscribed to several.
struct LabelledEvent: Encodable, Sendable {
  var serial: UInt32?
  let event: EmulatorEvent

  private enum Key: CodingKey { case serial }

  func encode(to encoder: any Encoder) throws {
    try event.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(serial, forKey: .serial)
  }
}
