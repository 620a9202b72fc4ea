import AlertCore
import Bridge
import FobBase
import Foundation
import Storage

/// The records of a core service: says what of them was damaged, and keeps their backup.
final class Records: Sendable {
  private let store: AlertStore
  /// Nobody waits for it.
  private let queue = DispatchQueue(label: "backup", qos: .background)

  init(_ store: AlertStore) { self.store = store }

  /// On the standard error, and to the owner where mail can be sent.
  func tellDamage(to account: Account, _ mail: AlertBridge.Mail?) throws {
    guard let damage = try store.damage() else { return }
    Terminal.error("fob: \(damage.words); \(damage.advice)")
    guard let found = store.found, let mail, !account.email.isEmpty else { return }
    queue.async {
      do {
        try mail(
          account.email, "SafeTime: records were damaged",
          "When SafeTime started, \(damage.words). \(damage.advice).", "damage-\(found.stamp)")
      } catch {
        Terminal.error("fob: the owner could not be mailed of the damage: \(error)")
      }
    }
  }

  /// Who changes the account would not want to find the old one again. The first start has none.
  func start() { if !store.hasBackup { backUpSoon() } }

  func tell(_ event: BridgeEvent) {
    if case .auditEvent(let auditEvent) = event, auditEvent.name == .accountChanged { backUpSoon() }
  }

  private func backUpSoon() { queue.async { [self] in backUp() } }

  /// After the bridge's end.
  func stop() { queue.sync { backUp() } }

  /// A stop waits no longer than for two of them.
  private func backUp() {
    if case .skipped(let reason) = store.backUp(within: .seconds(3)) {
      Terminal.error("fob: \(reason)")
    }
  }
}
