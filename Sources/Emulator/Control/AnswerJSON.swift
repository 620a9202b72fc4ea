import FobBase

/// One keychain's answer as one flat JSON object.
struct AnswerJSON: Encodable, Sendable {
  /// Nil where only one keychain was asked.
  var serial: UInt32?
  let result: Result<EmulatorAnswer, CommandRefusal>

  var isGood: Bool { if case .success = result { true } else { false } }

  private enum Key: CodingKey { case ok, serial, error, event, number }

  func encode(to encoder: any Encoder) throws {
    // The state's own fields beside ours.
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

/// What happened, and to which keychain where several are heard.
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
