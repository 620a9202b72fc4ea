import AlertCore
import Bridge
import FobBase
import Foundation
import SerialIO
import Sinks
import Synchronization
import WireProtocol

/// What happens, a line each, as a person reads it; or as JSON, as a program does.
struct Timeline: Sendable {
  let isJSON: Bool
  let began: Instant
  /// Where lines go while a view has the terminal; nil: there is none.
  private(set) var journal: RunJournal?
  private let obstacles = ToldObstacles()
  /// Comes before each line's words.
  private(set) var place = ""

  /// The same, for a process that has a view.
  func kept() throws(IOFailure) -> Timeline {
    var kept = self
    kept.journal = try RunJournal(began: began)
    return kept
  }

  /// The same, of an account: its number comes before the words, unless it is the first.
  func of(_ account: AccountNumber) -> Timeline {
    guard account != .first else { return self }
    var other = self
    other.place = "account \(account): "
    return other
  }

  func show(_ event: BridgeEvent) {
    if isJSON {
      json(EventJSON(event))
      return
    }
    switch event {
    case .auditEvent(let auditEvent):
      if auditEvent.name == .lineTrouble, obstacles.take(auditEvent.detail ?? "") { return }
      show(auditEvent)
    case .otherAuditEvent(let auditEvent, let account): of(account).show(auditEvent)
    case .notice(let notice):
      obstacles.note(notice.text)
      line("notice", notice.text, notice.level == .info ? .plain : .bad)
    case .led(let device, let led):
      line("light", "\(device) " + light(led.shown) + (led.sounder ? ", sounder on" : ""))
    case .stages(let stages):
      guard let durable = stages.durable, let acked = stages.acked, stages.lit == nil,
        let edge = stages.edge
      else { return }
      line(
        "latency",
        "press \(stages.event) of \(stages.device):"
          + (stages.decided.map { " decided after \(StageTable.milliseconds($0 - edge)), durable" }
            ?? " durable after")
          + " \(StageTable.milliseconds(durable - edge)),"
          + " acked \(StageTable.milliseconds(acked - edge))"
          + " (clock of the keychain: \(StageTable.uncertainty(of: stages)))")
    case .located: break
    }
  }

  /// What a program may wait for: with --json an object of this type.
  func tell(_ type: String, _ value: String, _ text: String, by who: String = "api") {
    if isJSON { json(["type": type, type: value]) } else { line(who, text) }
  }

  func say(_ who: String, _ text: String, _ tone: Tone = .plain) {
    if !isJSON { line(who, text, tone) }
  }

  /// Where the page is, and what opens it: as a link, or to be typed.
  func show(_ page: BridgeControl.PageCode) {
    if isJSON {
      json(["type": "page", "page": page.page, "code": page.code])
    } else {
      line("page", "the page is at \(page.page), its one-time code: \(page.code)", .strong)
    }
  }

  /// What somebody has to mend, also where a program reads.
  func warn(_ who: String, _ text: String) {
    if isJSON { Terminal.error("fob: \(text)") } else { line(who, text, .bad) }
  }

  /// A message that a contact was sent.
  func show(_ message: OutgoingMessage) {
    if isJSON {
      json(Told(message: message))
    } else {
      line("told", "\(message.contact.name): “\(message.text)”", .good)
    }
  }

  enum Tone: String, Sendable {
    case plain = ""
    case good = "\u{1B}[32m"
    case bad = "\u{1B}[31m"
    case strong = "\u{1B}[1m"
  }

  private struct Told: Encodable {
    let type = "message"
    let message: OutgoingMessage
  }

  func json(_ value: some Encodable) {
    try? Terminal.json(value)
  }

  private func show(_ auditEvent: AuditEvent) {
    // Whose it is: there may be several keychains, and each counts for itself.
    let event = (auditEvent.event ?? "") + (auditEvent.device.map { " of \($0)" } ?? "")
    let detail = auditEvent.detail ?? ""
    switch auditEvent.name {
    case .event: line("keychain", "event \(event): \(detail)", .strong)
    case .duplicate: line("keychain", "event \(event) again: \(detail)")
    case .numberReused: line("keychain", "event \(event): its number was used before", .bad)
    case .incidentOpened where auditEvent.event == nil:
      line("alarm", "incident opened by a trigger: \(detail)", .bad)
    case .incidentOpened: line("alarm", "incident opened by event \(event)", .bad)
    case .pressAdded: line("alarm", "event \(event) added to the open incident", .bad)
    case .pressJoined: line("alarm", "event \(event) \(detail); nobody is told", .strong)
    case .bootDoubted: line("keychain", "keychain \(auditEvent.device ?? ""): \(detail)", .bad)
    case .pressUnproved: line("alarm", "event \(event) is not proved to be that keychain's", .bad)
    case .pressMoved: line("alarm", "event \(event) went to its keychain's account", .strong)
    case .pressProved: line("alarm", "event \(event) came again, with its proof", .strong)
    case .keychainPaired:
      let device = auditEvent.device ?? ""
      line("keychain", "keychain \(device) is paired with this core, \(detail)", .good)
    case .keychainUnpaired:
      line("keychain", "keychain \(auditEvent.device ?? "") is no longer paired", .strong)
    case .pressDecoded: line("alarm", "event \(event) is read as \(detail)", .strong)
    case .slotRequested: line("message", "event \(event) asks for \(detail)")
    case .slotChanged: line("message", "\(detail) changed")
    case .messageAsked: line("message", "\(detail) is to be sent", .strong)
    case .messageTaken: line("message", "\(detail) was accepted", .good)
    case .messageFailed: line("message", "NOT SENT: \(detail)", .bad)
    case .exerciseStarted: line("exercise", "\(detail) begins")
    case .exerciseEnded: line("exercise", "\(detail)")
    case .exerciseSettingsChanged: line("exercise", "settings changed")
    case .exerciseTotalsChanged: line("exercise", "totals changed")
    case .messageCancelled: line("message", "\(detail): cancelled")
    case .helpLinksChanged: line("message", "help links changed")
    case .affirmationsChanged: line("calm", "affirmations changed")
    case .affirmationDue: line("calm", "the owner is reminded of the current affirmation")
    case .remindersChanged: line("calm", "reminders changed")
    case .reviewDue: line("review", "the owner is reminded of an alarm without a review")
    case .reviewOpen: line("review", "the owner is reminded of a review in progress")
    case .tipDue, .quoteDue: line("calm", "a tip or a quote for the day")
    case .stateChanged: line("alarm", detail, .strong)
    case .committed: line("store", "event \(event) is durable", .good)
    case .commitFailed: line("store", "NOT DURABLE: \(detail)", .bad)
    case .leftToDevice: line("keychain", "event \(event) is left to the keychain: \(detail)", .bad)
    case .storageHealed: line("store", "durable again; it was: \(detail)", .good)
    case .recordsDamaged: line("store", detail, .bad)
    case .auditLost: line("store", "the log lacks \(detail) for the store", .bad)
    case .notified: line("sent", "\(contact(auditEvent)): \(detail)")
    case .delivered: line("received", "\(contact(auditEvent)): \(detail)", .good)
    case .deliveryFailed: line("sent", "\(contact(auditEvent)) failed: \(detail)", .bad)
    case .withdrawn: line("sent", "\(contact(auditEvent)): withdrawn")
    case .acknowledged: line("alarm", "\(contact(auditEvent)) has acknowledged", .good)
    case .silenced: line("alarm", "silenced; the emergency goes on")
    case .surveyOpened: line("alarm", "silenced, survey opened; the emergency goes on")
    case .wrongPIN: line("alarm", "wrong PIN: nothing has changed", .bad)
    case .resumed: line("alarm", "resumed: protecting again", .good)
    case .recovered: line("alarm", detail, .strong)
    case .surveyAnswered: line("alarm", "survey: \(detail)")
    case .triggerAdded: line("alarm", "a trigger in the open incident: \(detail)")
    case .accountChanged: line("account", detail)
    case .pinBlocked: line("alarm", "too many wrong PINs: the next try must wait", .bad)
    case .batteryLow: line("keychain", "battery of \(auditEvent.device ?? "") low: \(detail)", .bad)
    case .lineTrouble: line("link", detail, .bad)
    case .linkUp:
      let more = detail.isEmpty ? "" : ": \(detail)"
      line("link", "keychain \(auditEvent.device ?? "") linked\(more)", .good)
    case .linkDown: line("link", "keychain \(auditEvent.device ?? "") lost: \(detail)", .bad)
    default: showReview(auditEvent.name, detail)
    }
  }

  private func showReview(_ name: AuditEvent.Name, _ detail: String) {
    switch name {
    case .reviewStarted: line("review", "\(detail) begun")
    case .reviewSaved: line("review", "\(detail) saved")
    case .reviewCompleted: line("review", "\(detail) completed", .good)
    case .reviewDeleted: line("review", "\(detail) deleted")
    case .reviewDeclined: line("review", "not now")
    case .reviewTemplateChanged: line("review", "the steps of new reviews changed")
    case .outcomeChanged: line("review", "the alarm was: \(detail)")
    default: showCheckIn(name, detail)
    }
  }

  private func showCheckIn(_ name: AuditEvent.Name, _ detail: String) {
    switch name {
    case .checkInAsked: line("check-in", "can be answered: \(detail)")
    case .checkInDue: line("check-in", "due: \(detail)", .strong)
    case .checkInNagged: line("check-in", "still open: \(detail)")
    case .checkInCompleted: line("check-in", "answered: \(detail)", .good)
    case .checkInEscalated: line("check-in", "not answered: \(detail)", .bad)
    case .checkInCovered: line("check-in", "covered by the alarm: \(detail)")
    case .checkInMissed: line("check-in", "missed: \(detail)", .bad)
    case .checkInIdle:
      line("check-in", "not answered, and NO ALARM is raised: protection is off: \(detail)", .bad)
    case .checkInRemoved: line("check-in", "taken out: \(detail)")
    case .checkInRestored: line("check-in", "asked anew: \(detail)")
    case .checkInChanged: line("check-in", "changed: \(detail)")
    case .seriesChanged: line("check-in", detail)
    case .checkInSettingsChanged: line("check-in", "settings changed")
    default: break
    }
  }

  private func contact(_ auditEvent: AuditEvent) -> String { auditEvent.contact ?? "" }

  private func light(_ shown: ShownState?) -> String {
    switch shown {
    case .accepted: "shows accepted: received, nobody has acknowledged"
    case .some(let shown): "shows \(shown)"
    case nil: "shows a state that is not known here"
    }
  }

  private func line(_ who: String, _ text: String, _ tone: Tone = .plain) {
    let line = TimelineLine(
      at: (BootClock.now() - began).microseconds / 1_000, who: who, what: place + text, tone: tone)
    if journal?.keep(line) == true { return }
    Terminal.line(line.printed(hasColour: Terminal.hasColour))
  }
}

/// Why lines cannot be opened, as notices have told it: the log entry that follows says the same.
private final class ToldObstacles: Sendable {
  /// A notice whose entry never comes must not stay for ever.
  private static let most = 64
  private let texts = Mutex<[String]>([])

  func note(_ text: String) {
    texts.withLock { $0 = $0.suffix(Self.most - 1) + [text] }
  }

  /// - Returns: whether a notice has told this, and for the first time since.
  func take(_ reason: String) -> Bool {
    texts.withLock { texts in
      let index = texts.firstIndex { !reason.isEmpty && $0.hasPrefix(reason) }
      return index.map { texts.remove(at: $0) } != nil
    }
  }
}

extension String {
  /// What others have written, as it may stand on a terminal: what would move its cursor, change
  /// its title or turn its text round is written out.
  var printable: String {
    guard unicodeScalars.contains(where: \.actsOnTerminal) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.actsOnTerminal {
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var actsOnTerminal: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
