import AlertCore
import FobBase

/// Writes the rows of every press in their `Codable` form, which reads them back. A test compares
/// the two forms.
extension JSONObjectWriter {
  /// - Parameters:
  ///   - incident: the incident's name.
  ///   - key: the notification's key.
  static func of(_ notification: Notification, in incident: String, key: String) throws
    -> [UInt8]
  {
    var line = JSONObjectWriter()
    try line.object { line in
      line.member("key", key)
      line.member("incident", incident)
      line.member("isBench", notification.isBench)
      line.member("contact") { $0.write(notification.contact) }
      line.member("kind", notification.kind.rawValue)
      line.member("sequence", number: notification.sequence)
      line.member("decidedAt", notification.decidedAt)
      line.member("position", notification.position)
      line.member("trigger", notification.trigger?.rawValue)
      if let question = notification.question {
        line.member("question", written: Array(try JSON.encode(question).utf8))
      }
      line.member("openedAt", notification.openedAt)
      line.member("pressedAt", notification.pressedAt)
      line.member("endReason", notification.endReason?.rawValue)
      line.list("aliases", notification.aliases) { $0.text($1.description) }
      if let earlier = notification.earlier { line.list("earlier", earlier) { $0.write($1) } }
      if let handovers = notification.handovers { line.member("handovers", number: handovers) }
      line.member("delivery", notification.delivery.rawValue)
      line.member("attempts", number: notification.attempts)
      line.member("nextAttempt", notification.nextAttempt)
      line.member("lastError", notification.lastError)
    }
    return line.bytes
  }

  /// Leaves out the lists that have their own rows.
  static func of(_ incident: Incident) throws -> [UInt8] {
    var line = JSONObjectWriter()
    try line.object { line in
      line.member("id", incident.id.description)
      line.member("state", incident.state.rawValue)
      line.member("openedAt", incident.openedAt)
      line.member("isBench", incident.isBench)
      if incident.isUnclaimed { line.member("isUnowned", true) }
      line.member("trigger", incident.trigger?.rawValue)
      if let question = incident.question {
        line.member("question", written: Array(try JSON.encode(question).utf8))
      }
      if let survey = incident.survey {
        line.member("survey", written: Array(try JSON.encode(survey).utf8))
      }
      line.list("aliases", [String]()) { $0.text($1) }
      line.member("device", DeviceID(rawValue: incident.device).text)
      line.list("presses", [String]()) { $0.text($1) }
      line.member("furtherPresses", number: incident.furtherPresses)
      line.member("countdownEnds", incident.countdownEnds)
      line.member("trackingSince", incident.trackingSince)
      line.member("sentAt", incident.sentAt)
      line.member("lastPressAt", incident.lastPressAt)
      line.member("endedAt", incident.endedAt)
      line.member("endReason", incident.endReason?.rawValue)
      line.member("sounder", incident.sounder)
      line.list("acknowledgedBy", incident.acknowledgedBy) { $0.text($1) }
      line.member("surveyOpened", incident.surveyOpened)
      line.list("told", incident.told) { $0.text($1) }
      line.member("messages", number: incident.messages)
      line.member("lastMessageAt", incident.lastMessageAt)
      if !incident.messageTimes.isEmpty {
        line.list("messageTimes", incident.messageTimes) { $0.write($1) }
      }
      line.member("fixes", number: incident.fixes)
      line.member("lastFixAt", incident.lastFixAt)
      line.member("lastPosition", incident.lastPosition)
      if let outOfReach = incident.outOfReach { line.member("outOfReach", number: outOfReach) }
      if incident.furtherAlarms > 0 {
        line.member("furtherAlarms", number: incident.furtherAlarms)
      }
      if incident.isOfSeveralKeychains { line.member("isOfSeveralKeychains", true) }
      if incident.owesUpdate { line.member("owesUpdate", true) }
      if incident.unprovedAlarms > 0 {
        line.member("unprovedAlarms", number: incident.unprovedAlarms)
      }
      if incident.owesUnproved { line.member("owesUnproved", true) }
      if !incident.owedDevices.isEmpty {
        line.list("owedDevices", incident.owedDevices) { $0.text(DeviceID(rawValue: $1).text) }
      }
      if let handovers = incident.handovers { line.member("handovers", number: handovers) }
      if let gaveWay = incident.gaveWay {
        line.member("gaveWay", written: Array(try JSON.encode(gaveWay).utf8))
      }
      line.list("seenAtDisarm", incident.seenAtDisarm) { line, seen in
        line.object { line in
          line.member("device", DeviceID(rawValue: seen.device).text)
          line.member("number", number: seen.number)
          line.member("bootNonce", number: seen.bootNonce)
          if let clock = seen.clock { line.member("clock", number: clock) }
          line.member("receivedAt", seen.receivedAt)
          line.member("missedSince", seen.missedSince)
          if let emptyAt = seen.emptyAt { line.member("emptyAt", number: emptyAt) }
        }
      }
    }
    return line.bytes
  }

  static func of(_ press: PressEntry) -> [UInt8] {
    var line = JSONObjectWriter()
    line.object { line in
      line.member("event", press.event)
      line.member("device", press.device)
      line.member("receivedAt", press.receivedAt)
      line.member("covers", number: press.covers)
      if let isAgeUnknown = press.isAgeUnknown { line.member("isAgeUnknown", isAgeUnknown) }
      if let isSetAside = press.isSetAside { line.member("isSetAside", isSetAside) }
      if let isProved = press.isProved { line.member("isProved", isProved) }
      if let crc = press.crc { line.member("crc", number: crc) }
    }
    return line.bytes
  }

  static func of(_ facts: Facts) -> [UInt8] {
    var line = JSONObjectWriter()
    line.object { line in
      facts.members { key, value in
        switch value {
        case .text(let text): line.member(key, text)
        case .number(let number): line.member(key, number: number)
        case .truth(let truth): line.member(key, truth)
        }
      }
    }
    return line.bytes
  }

  static func of(_ alias: IncidentID) -> [UInt8] {
    var line = JSONObjectWriter()
    line.text(alias.description)
    return line.bytes
  }

  private mutating func write(_ contact: Contact) {
    object { line in
      line.member("id", contact.id)
      line.member("name", contact.name)
      line.member("address", contact.address)
      line.member("language", contact.language)
      guard !contact.numbers.isEmpty else { return }
      line.list("numbers", contact.numbers) { $0.text($1) }
      line.member("chosen", number: contact.chosen)
      line.member("email", contact.email)
    }
  }

  private mutating func write(_ message: MessageTime) {
    object { line in
      line.member("sequence", number: message.sequence)
      line.member("wall", number: message.wall)
    }
  }

  private mutating func member(_ name: StaticString, _ timestamp: Timestamp?) {
    guard let timestamp else { return }
    member(name) { line in
      line.object { line in
        line.member("boot", number: timestamp.boot)
        line.member("instant", number: timestamp.instant)
        line.member("wall", number: timestamp.wall)
      }
    }
  }

  private mutating func member(_ name: StaticString, _ position: Position?) {
    guard let position else { return }
    member(name) { line in
      line.object { line in
        line.member("latitude", number: position.latitude)
        line.member("longitude", number: position.longitude)
        line.member("quality", number: position.quality)
        line.member("wall", number: position.wall)
        if let accuracy = position.accuracy { line.member("accuracy", number: accuracy) }
      }
    }
  }
}
