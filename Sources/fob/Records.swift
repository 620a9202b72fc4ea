import AlertCore
import Bridge
import FobBase
import Foundation
import Storage

/// The backup of a core service's records.
final class Records: Sendable {
  private let store: AlertStore
  /// Nobody waits for it.
  private let queue = DispatchQueue(label: "backup", qos: .background)

  init(_ store: AlertStore) { self.store = store }

  /// Who changes the account would not want to find the old one again. The first start has none.
  func start() { if store.hasBackup == false { backUpSoon() } }

  func tell(_ event: BridgeEvent) {
    switch event {
    case .auditEvent(let auditEvent), .otherAuditEvent(let auditEvent, of: _):
      if auditEvent.name == .accountChanged { changed(auditEvent) }
    case .notice, .stages, .led, .located: break
    }
  }

  private func changed(_ auditEvent: AuditEvent) {
    backUpSoon()
    // An erasure is told before it is durable.
    if case .account(let change)? = auditEvent.facts?.reason, change.kind == .erased {
      backUpSoon(in: 5)
    }
  }

  /// - Parameter seconds: from now.
  private func backUpSoon(in seconds: Int = 0) {
    queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [self] in backUp() }
  }

  /// After the bridge's end. A server may hang: what is owed there is done at the next start.
  func stop() { if store.hasBackup != nil { queue.sync { backUp() } } }

  /// A stop waits no longer than for two of them.
  private func backUp() {
    switch store.backUp(within: .seconds(3)) {
    case .made: break
    case .skipped(let reason): Terminal.error("fob: \(reason)")
    case .erasureOwed(let reason):
      Terminal.error("fob: what was erased may not be gone yet: \(reason)")
      backUpSoon(in: 60)
    case .overtaken: backUpSoon()
    }
  }
}
