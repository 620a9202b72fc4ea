import FobBase

/// The stored form is flat: the phase by its name, with its own times and those of the phases
/// before.
extension Incident: Codable {
  private enum Key: String, CodingKey {
    case id, state, openedAt, isBench, isUnowned, trigger, survey, aliases, device, presses
    case question, furtherPresses, countdownEnds, trackingSince, sentAt, lastPressAt
    case endedAt, endReason
    case sounder, acknowledgedBy, surveyOpened, told, messages, lastMessageAt, messageTimes
    case fixes, lastFixAt, lastPosition, outOfReach, seenAtDisarm
    case gaveWay, furtherAlarms, isOfSeveralKeychains, owesUpdate, unprovedAlarms, owesUnproved
    case owedDevices, handovers
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    id = try values.decode(IncidentID.self, forKey: .id)
    openedAt = try values.decode(Timestamp.self, forKey: .openedAt)
    phase = try Self.phase(values, openedAt: openedAt)
    isBench = try values.decode(Bool.self, forKey: .isBench)
    isUnclaimed = try values.decodeIfPresent(Bool.self, forKey: .isUnowned) ?? false
    trigger = try values.decodeIfPresent(Trigger.Source.self, forKey: .trigger)
    question = try values.decodeIfPresent(UnansweredCheckIn.self, forKey: .question)
    survey = try values.decodeIfPresent(Survey.self, forKey: .survey)
    aliases = try values.decode([IncidentID].self, forKey: .aliases)
    device = try values.device(.device)
    presses = try values.decode([PressEntry].self, forKey: .presses)
    furtherPresses = try values.decode(Int.self, forKey: .furtherPresses)
    lastPressAt = try values.decodeIfPresent(Timestamp.self, forKey: .lastPressAt)
    sounder = try values.decode(Bool.self, forKey: .sounder)
    acknowledgedBy = try values.decode([ContactID].self, forKey: .acknowledgedBy)
    surveyOpened = try values.decode(Bool.self, forKey: .surveyOpened)
    told = try values.decode([ContactID].self, forKey: .told)
    messages = try values.decode(Int.self, forKey: .messages)
    lastMessageAt = try values.decodeIfPresent(Timestamp.self, forKey: .lastMessageAt)
    messageTimes = try values.decodeIfPresent([MessageTime].self, forKey: .messageTimes) ?? []
    fixes = try values.decode(Int.self, forKey: .fixes)
    lastFixAt = try values.decodeIfPresent(Timestamp.self, forKey: .lastFixAt)
    lastPosition = try values.decodeIfPresent(Position.self, forKey: .lastPosition)
    outOfReach = try values.decodeIfPresent(Int.self, forKey: .outOfReach)
    furtherAlarms = try values.decodeIfPresent(Int.self, forKey: .furtherAlarms) ?? 0
    isOfSeveralKeychains =
      try values.decodeIfPresent(Bool.self, forKey: .isOfSeveralKeychains) ?? false
    owesUpdate = try values.decodeIfPresent(Bool.self, forKey: .owesUpdate) ?? false
    unprovedAlarms = try values.decodeIfPresent(Int.self, forKey: .unprovedAlarms) ?? 0
    owesUnproved = try values.decodeIfPresent(Bool.self, forKey: .owesUnproved) ?? false
    owedDevices = try (values.decodeIfPresent([String].self, forKey: .owedDevices) ?? [])
      .compactMap { DeviceID(text: $0)?.rawValue }
    handovers = try values.decodeIfPresent(Int.self, forKey: .handovers)
    gaveWay = try values.decodeIfPresent(GivenWay.self, forKey: .gaveWay)
  }

  /// A time that is lost by damage becomes the one before it, so that what is due comes early
  /// rather than never.
  private static func phase(
    _ values: KeyedDecodingContainer<Key>, openedAt: Timestamp
  ) throws -> Phase {
    func timestamp(_ key: Key) throws -> Timestamp? {
      try values.decodeIfPresent(Timestamp.self, forKey: key)
    }
    let state = try values.decode(EmergencyState.self, forKey: .state)
    let ends = try timestamp(.countdownEnds)
    let since = try timestamp(.trackingSince)
    let sentAt = try timestamp(.sentAt)
    let sending = Stage.Sending(countdownEnds: ends, since: since ?? openedAt)
    switch state {
    case .alertCountdown: return .open(.countdown(ends: ends ?? openedAt))
    case .emergencySending: return .open(.sending(sending))
    case .emergencySendingFailed: return .open(.failed(sending))
    case .emergencySent: return .open(.sent(sending, at: sentAt ?? sending.since))
    case .emergencyEnded, .noEmergency:
      let stage: Stage? =
        if let sentAt { .sent(sending, at: sentAt) } else if since != nil { .sending(sending) } else
        {
          ends.map { .countdown(ends: $0) }
        }
      return .ended(
        End(
          stage: stage, reason: try values.decodeIfPresent(EndReason.self, forKey: .endReason),
          at: try timestamp(.endedAt),
          seenAtDisarm: try values.decode([SeenEvent].self, forKey: .seenAtDisarm),
          isLeft: state == .noEmergency))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(id, forKey: .id)
    try values.encode(state, forKey: .state)
    try values.encode(openedAt, forKey: .openedAt)
    try values.encode(isBench, forKey: .isBench)
    if isUnclaimed { try values.encode(true, forKey: .isUnowned) }
    try values.encodeIfPresent(trigger, forKey: .trigger)
    try values.encodeIfPresent(question, forKey: .question)
    try values.encodeIfPresent(survey, forKey: .survey)
    try values.encode(aliases, forKey: .aliases)
    try values.encode(DeviceID(rawValue: device).text, forKey: .device)
    try values.encode(presses, forKey: .presses)
    try values.encode(furtherPresses, forKey: .furtherPresses)
    try values.encodeIfPresent(countdownEnds, forKey: .countdownEnds)
    try values.encodeIfPresent(trackingSince, forKey: .trackingSince)
    try values.encodeIfPresent(sentAt, forKey: .sentAt)
    try values.encodeIfPresent(lastPressAt, forKey: .lastPressAt)
    try values.encodeIfPresent(endedAt, forKey: .endedAt)
    try values.encodeIfPresent(endReason, forKey: .endReason)
    try values.encode(sounder, forKey: .sounder)
    try values.encode(acknowledgedBy, forKey: .acknowledgedBy)
    try values.encode(surveyOpened, forKey: .surveyOpened)
    try values.encode(told, forKey: .told)
    try values.encode(messages, forKey: .messages)
    try values.encodeIfPresent(lastMessageAt, forKey: .lastMessageAt)
    if !messageTimes.isEmpty { try values.encode(messageTimes, forKey: .messageTimes) }
    try values.encode(fixes, forKey: .fixes)
    try values.encodeIfPresent(lastFixAt, forKey: .lastFixAt)
    try values.encodeIfPresent(lastPosition, forKey: .lastPosition)
    try values.encodeIfPresent(outOfReach, forKey: .outOfReach)
    if furtherAlarms > 0 { try values.encode(furtherAlarms, forKey: .furtherAlarms) }
    if isOfSeveralKeychains { try values.encode(true, forKey: .isOfSeveralKeychains) }
    if owesUpdate { try values.encode(true, forKey: .owesUpdate) }
    if unprovedAlarms > 0 { try values.encode(unprovedAlarms, forKey: .unprovedAlarms) }
    if owesUnproved { try values.encode(true, forKey: .owesUnproved) }
    if !owedDevices.isEmpty {
      try values.encode(owedDevices.map { DeviceID(rawValue: $0).text }, forKey: .owedDevices)
    }
    try values.encodeIfPresent(handovers, forKey: .handovers)
    try values.encodeIfPresent(gaveWay, forKey: .gaveWay)
    try values.encode(seenAtDisarm, forKey: .seenAtDisarm)
  }
}

extension KeyedDecodingContainer {
  /// 16 hexadecimal digits. An older version wrote a number, which programs that count in floating
  /// point round.
  fileprivate func device(_ key: Key) throws -> UInt64 {
    if let number = try? decode(UInt64.self, forKey: key) { return number }
    return try decode(DeviceID.self, text: key) { DeviceID(text: $0) }.rawValue
  }
}

extension SeenEvent: Codable {
  private enum Key: String, CodingKey {
    case device, number, bootNonce, clock, receivedAt, missedSince, emptyAt
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      device: try values.device(.device),
      number: try values.decode(UInt64.self, forKey: .number),
      bootNonce: try values.decode(UInt32.self, forKey: .bootNonce),
      clock: try values.decodeIfPresent(UInt64.self, forKey: .clock),
      receivedAt: try values.decodeIfPresent(Timestamp.self, forKey: .receivedAt),
      missedSince: try values.decodeIfPresent(Timestamp.self, forKey: .missedSince),
      emptyAt: try values.decodeIfPresent(UInt64.self, forKey: .emptyAt))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(DeviceID(rawValue: device).text, forKey: .device)
    try values.encode(number, forKey: .number)
    try values.encode(bootNonce, forKey: .bootNonce)
    try values.encodeIfPresent(clock, forKey: .clock)
    try values.encodeIfPresent(receivedAt, forKey: .receivedAt)
    try values.encodeIfPresent(missedSince, forKey: .missedSince)
    try values.encodeIfPresent(emptyAt, forKey: .emptyAt)
  }
}
