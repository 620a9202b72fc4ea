extension Notification {
  private enum WrittenKey: CodingKey { case key }

  /// Writes `key` as well, by which a receiver knows repeats.
  public func encode(to encoder: any Encoder) throws {
    var written = encoder.container(keyedBy: WrittenKey.self)
    try written.encode(key, forKey: .key)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(incident, forKey: .incident)
    try values.encode(isBench, forKey: .isBench)
    try values.encode(contact, forKey: .contact)
    try values.encode(kind, forKey: .kind)
    try values.encode(sequence, forKey: .sequence)
    try values.encode(decidedAt, forKey: .decidedAt)
    try values.encodeIfPresent(position, forKey: .position)
    try values.encodeIfPresent(trigger, forKey: .trigger)
    try values.encodeIfPresent(question, forKey: .question)
    try values.encodeIfPresent(openedAt, forKey: .openedAt)
    try values.encodeIfPresent(pressedAt, forKey: .pressedAt)
    try values.encodeIfPresent(endReason, forKey: .endReason)
    try values.encode(aliases, forKey: .aliases)
    try values.encodeIfPresent(earlier, forKey: .earlier)
    try values.encodeIfPresent(handovers, forKey: .handovers)
    try values.encode(delivery, forKey: .delivery)
    try values.encode(attempts, forKey: .attempts)
    try values.encodeIfPresent(nextAttempt, forKey: .nextAttempt)
    try values.encodeIfPresent(lastError, forKey: .lastError)
  }
}
