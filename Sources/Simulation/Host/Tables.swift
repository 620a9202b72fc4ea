import AlertCore
import FobBase
import WireProtocol

/// What a host's disk holds, as the production store's tables have it.
struct Tables {
  private(set) var events: [HeardEvent] = []
  /// Rows whose meaning became known after their own commit.
  private var late: [EventIdentity: LateMeaning] = [:]
  private var identities: Set<EventIdentity> = []
  private var incidents: [IncidentID: Incident] = [:]
  /// Of the messages, those that are neither delivered nor withdrawn.
  private var notifications: [String: Notification] = [:]
  /// As it was changed last; nil: never by a commit.
  private(set) var account: Account?
  private var devices: [DeviceID: DeviceRecord] = [:]

  mutating func apply(_ changes: Changes) {
    for event in changes.events where identities.insert(event.record.identity).inserted {
      events.append(event)
    }
    late.merge(changes.meanings) { $1 }
    incidents.merge(changes.incidents) { $1 }
    if let changed = changes.account { account = changed }
    devices.merge(changes.devices) { $1 }
    for (key, notification) in changes.notifications {
      let isOver = notification.delivery == .delivered || notification.delivery == .withdrawn
      notifications[key] = isOver ? nil : notification
    }
  }

  func holds(_ identity: EventIdentity) -> Bool { identities.contains(identity) }

  /// As the next run reads it.
  var state: StoredState {
    let opened = incidents.values.filter { $0.state != .noEmergency }
    let disarmed = incidents.values.filter { $0.endReason == .disarmed }
    return StoredState(
      current: opened.max { Self.precedes(($0.openedAt.wall, $0.id), ($1.openedAt.wall, $1.id)) },
      lastDisarmed: disarmed.max {
        Self.precedes(($0.endedAt!.wall, $0.id), ($1.endedAt!.wall, $1.id))
      },
      notifications: notifications.values.sorted { $0.key < $1.key },
      identities: events.map(\.record.identity),
      recent: recent,
      devices: devices,
      triggers: triggers)
  }

  /// The incidents that triggers opened, the oldest first.
  private var triggers: [IncidentID] {
    let triggered = incidents.values.filter { $0.trigger != nil }
    guard triggered.count > 0 else { return [] }
    return triggered.sorted { Self.precedes(($0.openedAt.wall, $1.id), ($1.openedAt.wall, $0.id)) }
      .suffix(Limits.seenTriggers).map(\.id)
  }

  private static func precedes(_ a: (Int64, IncidentID), _ b: (Int64, IncidentID)) -> Bool {
    a.0 != b.0 ? a.0 < b.0 : a.1.wire < b.1.wire
  }

  private var recent: [StoredEvent] {
    let first = events.count - Limits.recentEvents
    return events.enumerated().compactMap { index, event in
      let meaning = late[event.record.identity]?.meaning ?? event.meaning
      guard index >= first || meaning == .open else { return nil }
      return StoredEvent(
        record: event.record, meaning: meaning, receivedWall: event.receivedAt.wall)
    }
  }
}
