extension AuditEvent: Encodable {
  private enum Key: String, CodingKey {
    case at, name, incident, device, event, contact, who, sink, nextWall, facts
    case detail
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(at, forKey: .at)
    try values.encode(name, forKey: .name)
    try values.encodeIfPresent(incident, forKey: .incident)
    try values.encodeIfPresent(device, forKey: .device)
    try values.encodeIfPresent(event, forKey: .event)
    try values.encodeIfPresent(contact, forKey: .contact)
    try values.encodeIfPresent(who, forKey: .who)
    try values.encodeIfPresent(sink, forKey: .sink)
    try values.encodeIfPresent(nextWall, forKey: .nextWall)
    try values.encodeIfPresent(facts, forKey: .facts)
    try values.encodeIfPresent(detail, forKey: .detail)
  }
}
