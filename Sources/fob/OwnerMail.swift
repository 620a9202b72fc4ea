import AlertCore
import Bridge
import Foundation
import Sinks
import Storage
import Synchronization

/// What the owner is mailed of the keychains, the check-ins and the records, where mail can be
/// sent.
final class OwnerMail: Sendable {
  private let mail: AlertBridge.Mail?
  private let checkInMails: Mutex<CheckInMails>
  /// A mailer may take half a minute.
  private let queue = DispatchQueue(label: "owner's mail", qos: .utility)

  /// - Parameter answersByClick: one click answers a check-in; else a press raises the alarm.
  init(_ mail: AlertBridge.Mail?, answersByClick: Bool) {
    self.mail = mail
    checkInMails = Mutex(CheckInMails(answersByClick: answersByClick))
  }

  /// What of an event the owner is mailed.
  /// - Parameters:
  ///   - account: read only where there is something to mail, as is `checkIns`.
  ///   - checkIns: as they are now.
  ///   - settings: which reminders the owner gets.
  func tell(
    _ event: BridgeEvent, to account: @autoclosure () -> Account,
    of checkIns: @autoclosure () -> CheckIns, by settings: @autoclosure () -> ReminderSettings
  ) {
    guard mail != nil, case .auditEvent(let auditEvent) = event else { return }
    switch auditEvent.name {
    case .batteryLow: tell(ofLowBattery: auditEvent, to: account())
    case .checkInDue, .checkInNagged:
      if settings().checkIns { tell(of: checkIns(), to: account(), at: auditEvent.at) }
    case .reviewDue, .reviewOpen, .tipDue, .quoteDue:
      if settings().mails { remind(account(), at: auditEvent.at) }
    default: return
    }
  }

  /// Once a local day: so often the core notes it (R34).
  private func tell(ofLowBattery auditEvent: AuditEvent, to account: Account) {
    guard let device = auditEvent.device, let low = auditEvent.facts?.words else { return }
    guard account.isActive, account.devices?.contains(device) ?? true else { return }
    send(
      to: account.email, "SafeTime: charge your SafeTime device",
      "The battery of your SafeTime device \(device) is low: \(low). Charge it soon: with an empty"
        + " battery its button raises no alarm.",
      key: "battery-\(device)-\(auditEvent.at.wall)", of: "the low battery")
  }

  /// That there is something, and no word of it: others may read a mail (R85).
  private func remind(_ account: Account, at now: Timestamp) {
    guard account.isActive, account.isEmailConfirmed else { return }
    send(
      to: account.email, "SafeTime: there is a reminder for you",
      "There is a reminder for you on SafeTime's page.", key: "reminder-\(now.wall)",
      of: "a reminder")
  }

  /// At falling due and at each repeat, where the owner has switched it on (R100).
  private func tell(of checkIns: CheckIns, to account: Account, at now: Timestamp) {
    let mail = checkInMails.withLock { $0.mail(of: checkIns, account: account, now: now) }
    guard let mail else { return }
    send(
      to: account.email, mail.subject, mail.body, key: "check-ins-\(now.wall)",
      of: "the check-ins")
  }

  /// What the start found damaged in the records; on the standard error, too.
  func tellDamage(of store: AlertStore, to account: Account) throws {
    guard let damage = try store.damage() else { return }
    Terminal.error("fob: \(damage.words); \(damage.advice)")
    guard let found = store.found else { return }
    send(
      to: account.email, "SafeTime: records were damaged",
      "When SafeTime started, \(damage.words). \(damage.advice).", key: "damage-\(found.stamp)",
      of: "the damage")
  }

  private func send(
    to address: String, _ subject: String, _ body: String, key: String, of what: String
  ) {
    guard let mail, !address.isEmpty else { return }
    queue.async {
      do { try mail(address, subject, body, key) } catch {
        Terminal.error("fob: the owner could not be mailed of \(what): \(error)")
      }
    }
  }
}
