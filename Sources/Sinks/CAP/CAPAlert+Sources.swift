package import AlertCore

extension CAPAlert {
  /// A message to one contact. All contacts are told the same message of the incident, each in
  /// their language, so its name has none of theirs.
  init(_ message: OutgoingMessage) {
    let (phrases, background) = (message.phrases, message.background)
    let isOwn = message.kind == .message
    identifier = Self.identifier(message.incident, message.sequence)
    incident = message.incident
    aliases = message.aliases
    sent = message.decidedWall
    isBench = message.isBench
    addresses = [message.contact.id]
    earlier = background.earlier
    // Nobody knows in which language the owner wrote.
    language =
      isOwn ? "und" : AlertPhrases.spoken(for: message.contact.language ?? message.language)
    event = phrases[isOwn ? .ownMessage : .event]
    assessment =
      switch message.kind {
      case .message: .ofOwnMessage
      case .closing: .ofEnd(isClear: message.isClear)
      case .raise, .update, .again:
        .ofAlarm(
          isPressed: message.causes.contains(.press), isUnproved: background.isUnproved)
      }
    headline = message.headline
    description = message.text
    web = message.acknowledgeURL
    contact = background.owner
    parameters = [
      Parameter("incident", message.incident), Parameter("sequence", "\(message.sequence)"),
      Parameter("kind", message.kind.rawValue),
    ]
    parameters += Self.end(message.endReason) + Self.measured(message.position)
    if !background.place.isEmpty {
      area = Area(description: background.place, position: message.position)
    }
  }

  /// An incident as it stands, for whoever may read it. Like its JSON document it has nobody's
  /// name: contacts are named by their ids.
  /// - Parameters:
  ///   - revision: names this state of the incident, in letters, digits and `-`.
  ///   - messages: what was decided to be told of it, the first message first; of many the last.
  ///   - changed: when it came into this state, µs since 1970.
  ///   - account: gives language, zone and places.
  package init(
    _ incident: Incident, revision: String, messages: [MessageTime], changed: Int64,
    account: Account, now: Timestamp
  ) {
    let report = incident.report(at: now)
    let phrases = AlertPhrases.of(account.language)
    let isOver = report.kind == .closing
    self.incident = incident.id.description
    identifier = "\(incident.id).\(revision)"
    aliases = incident.aliases.map(\.description)
    // No message may be later than the one that takes its place.
    sent = max(changed, messages.last?.wall ?? changed)
    isBench = incident.isBench
    addresses = incident.told.isEmpty ? ["owner"] : incident.told
    earlier = messages
    language = AlertPhrases.spoken(for: account.language)
    event = phrases[.event]
    assessment =
      isOver
      ? .ofEnd(isClear: incident.endReason?.isClear ?? false)
      : .ofAlarm(
        isPressed: report.pressedAt != nil, isUnproved: report.context.isUnproved,
        isCountdown: incident.state == .alertCountdown)
    headline = phrases.title(isBench: incident.isBench, isOver: isOver, incident.endReason)
    description = AlertText(account: account)
      .summary(of: report, ended: incident.endedAt?.wall, now: now)
    parameters = [
      Parameter("incident", self.incident), Parameter("messages", "\(incident.messages)"),
      Parameter("state", incident.state.rawValue),
    ]
    parameters += Self.end(incident.endReason) + Self.measured(incident.lastPosition)
    if incident.isAcknowledged {
      parameters.append(Parameter("acknowledgedBy", Self.list(incident.acknowledgedBy)))
    }
    area = Area(
      description: AlertText(account: account).place(report, now),
      position: incident.lastPosition)
  }

  private static func end(_ reason: EndReason?) -> [Parameter] {
    reason.map { [Parameter("endReason", $0.rawValue)] } ?? []
  }

  /// When a position was measured, and its quality (R32).
  private static func measured(_ position: Position?) -> [Parameter] {
    guard let position else { return [] }
    let quality = position.quality == 2 ? "good" : position.quality == 1 ? "weak" : "none"
    return [
      Parameter("positionAt", RFC3339.cap(position.wall)), Parameter("positionQuality", quality),
    ]
  }
}
