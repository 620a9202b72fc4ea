import AlertCore
import Bridge
import FobBase
import Foundation
import Storage
import Synchronization

/// The backup of a core service's records.
final class Records: Sendable {
  /// Behind each backup: it copies the whole store, and an owner may change something many times
  /// a second.
  private static let rest = DispatchTimeInterval.seconds(2)

  private struct State {
    /// After how many seconds backups were asked for that have not begun: one each.
    var asked: Set<Int> = []
    var restsUntil = DispatchTime.now()
  }

  private let hasBackup: @Sendable () -> Bool?
  private let make: @Sendable () -> StateBackup.Outcome
  private let state = Mutex(State())
  /// Nobody waits for it.
  private let queue = DispatchQueue(label: "backup", qos: .background)

  convenience init(_ store: AlertStore) {
    self.init(hasBackup: { store.hasBackup }, make: { store.backUp(within: .seconds(3)) })
  }

  /// - Parameters:
  ///   - hasBackup: nil: the store makes none.
  ///   - make: makes one, within seconds.
  init(
    hasBackup: @escaping @Sendable () -> Bool?,
    make: @escaping @Sendable () -> StateBackup.Outcome
  ) {
    self.hasBackup = hasBackup
    self.make = make
  }

  /// Who changes the account would not want to find the old one again. The first start has none.
  func start() { if hasBackup() == false { backUpSoon() } }

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

  /// - Parameter seconds: from now, at the earliest.
  private func backUpSoon(in seconds: Int = 0) {
    let due: DispatchTime? = state.withLock { state in
      guard state.asked.insert(seconds).inserted else { return nil }
      return max(.now() + .seconds(seconds), state.restsUntil)
    }
    guard let due else { return }
    queue.asyncAfter(deadline: due) { [self] in
      state.withLock { _ = $0.asked.remove(seconds) }
      backUp()
    }
  }

  /// After the bridge's end; it waits no longer than for two backups. A server may hang: what is
  /// owed there is done at the next start.
  func stop() { if hasBackup() != nil { queue.sync { backUp() } } }

  private func backUp() {
    let outcome = make()
    state.withLock { $0.restsUntil = .now() + Self.rest }
    switch outcome {
    case .made: break
    case .skipped(let reason): Terminal.error("fob: \(reason)")
    case .erasureOwed(let reason):
      Terminal.error("fob: what was erased may not be gone yet: \(reason)")
      backUpSoon(in: 60)
    case .overtaken: backUpSoon()
    }
  }
}
