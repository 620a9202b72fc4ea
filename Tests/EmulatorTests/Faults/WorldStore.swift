import AlertCore
import WireProtocol

/// A store in memory that notes each entry as often as it is committed.
struct WorldStore {
  private(set) var entries: [EventRecord] = []
  /// Presses whose entry stands in an incident.
  private(set) var alarms = 0
  private var underWay: CommitBatch?

  mutating func begin(_ batch: CommitBatch) { underWay = batch }

  mutating func commit(_ number: UInt64) {
    guard let batch = underWay, batch.number == number else { return }
    underWay = nil
    entries += batch.changes.events.map(\.record)
    alarms += batch.changes.events.count { $0.meaning == .alarm && $0.incident != nil }
  }
}
