import AlertCore
import Bridge
import Foundation
import Storage

/// What the owner is mailed of the keychains and the records, where mail can be sent.
final class OwnerMail: Sendable {
  private let mail: AlertBridge.Mail?
  /// A mailer may take half a minute.
  private let queue = DispatchQueue(label: "owner's mail", qos: .utility)

  init(_ mail: AlertBridge.Mail?) { self.mail = mail }

  /// A low battery, once a local day: so often the core notes it (R34).
  /// - Parameter account: read only where there is something to mail.
  func tell(_ event: BridgeEvent, to account: @autoclosure () -> Account) {
    guard mail != nil, case .auditEvent(let auditEvent) = event, auditEvent.name == .batteryLow,
      let device = auditEvent.device, let low = auditEvent.facts?.words
    else { return }
    let account = account()
    guard account.isActive, account.devices?.contains(device) ?? true else { return }
    send(
      to: account.email, "SafeTime: charge your SafeTime device",
      "The battery of your SafeTime device \(device) is low: \(low). Charge it soon: with an empty"
        + " battery its button raises no alarm.",
      key: "battery-\(device)-\(auditEvent.at.wall)", of: "the low battery")
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
