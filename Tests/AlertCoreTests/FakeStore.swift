import FobBase
import WireProtocol

@testable import AlertCore

/// A store in memory: what a commit was applied to survives a kill, the answer may not.
struct FakeStore {
  enum Behaviour {
    case commits(after: Interval)
    case fails(after: Interval)
    case silent

    static let commitsAtOnce = Behaviour.commits(after: .zero)
    static let failsAtOnce = Behaviour.fails(after: .zero)
  }

  private(set) var events: [HeardEvent] = []
  /// What became known of events after their own commit.
  private(set) var meanings: [EventIdentity: LateMeaning] = [:]
  private(set) var identities: Set<EventIdentity> = []
  /// The acks that a device may be sent.
  private(set) var acks: Set<EventAck> = []
  private(set) var incidents: [IncidentID: Incident] = [:]
  private(set) var notifications: [String: Notification] = [:]
  private(set) var track: [TrackPoint] = []
  private(set) var log: [AuditEvent] = []
  /// Each as it was committed; the last one counts.
  private(set) var accounts: [Account] = []
  private(set) var devices: [DeviceID: DeviceRecord] = [:]
  private(set) var checkIns = StoredCheckIns()
  private(set) var quickMessages = StoredMessages()
  private(set) var reviews = StoredReviews()
  private(set) var exercises = StoredExercises()
  private(set) var affirmations = StoredAffirmations()
  private(set) var reminders = StoredReminders()
  /// Events that came a second time, which its unique key had to refuse.
  private(set) var doubled: [EventIdentity] = []

  mutating func apply(_ changes: Changes) {
    if changes.erasesAccount {
      incidents = incidents.mapValues(\.anonymous)
      checkIns = StoredCheckIns()
      quickMessages = StoredMessages()
      reviews = StoredReviews()
      exercises = StoredExercises()
      affirmations = StoredAffirmations()
      reminders = StoredReminders()
    }
    for event in changes.events {
      if identities.insert(event.record.identity).inserted {
        events.append(event)
        acks.insert(EventAck(event.record.identity))
      } else {
        doubled.append(event.record.identity)
      }
    }
    meanings.merge(changes.meanings) { $1 }
    incidents.merge(changes.incidents) { $1 }
    notifications.merge(changes.notifications) { $1 }
    track += changes.track
    log += changes.log
    if let account = changes.account { accounts.append(account) }
    devices.merge(changes.devices) { $1 }
    for change in changes.checkIns { checkIns.apply(change) }
    for change in changes.quickMessages { quickMessages.apply(change) }
    for change in changes.reviews { reviews.apply(change) }
    for change in changes.exercises { exercises.apply(change) }
    for change in changes.affirmations { affirmations.apply(change) }
    for change in changes.reminders { reminders.apply(change) }
  }

  /// As the next run reads it, and after the round through a column that a real store makes.
  var state: StoredState {
    let disarmed = incidents.values.filter { $0.endReason == .disarmed }
    var state = StoredState(
      current: incidents.values.filter { $0.state != .noEmergency }
        .max { $0.openedAt.wall < $1.openedAt.wall },
      lastDisarmed: disarmed.max { $0.endedAt!.wall < $1.endedAt!.wall },
      notifications: notifications.values.filter {
        $0.delivery != .delivered && $0.delivery != .withdrawn
      }.sorted { $0.key < $1.key },
      identities: events.map(\.record.identity),
      recent: events.suffix(Limits.recentEvents).map {
        StoredEvent(
          record: $0.record, meaning: meaning(of: $0.record.identity)!,
          receivedWall: $0.receivedAt.wall)
      },
      devices: devices,
      triggers: incidents.values.filter { $0.trigger != nil }
        .sorted { $0.openedAt.wall < $1.openedAt.wall }.map(\.id))
    state.checkIns = checkIns
    state.messages = quickMessages
    state.reviews = reviews
    state.exercises = exercises
    state.affirmations = affirmations
    state.reminders = reminders
    return state
  }

  /// As a version that knew less had written it.
  mutating func forgetEvidence() {
    for id in incidents.keys {
      guard case .ended(var end) = incidents[id]!.phase else { continue }
      end.seenAtDisarm = end.seenAtDisarm.map {
        SeenEvent(device: $0.device, number: $0.number, bootNonce: $0.bootNonce)
      }
      incidents[id]!.phase = .ended(end)
    }
  }

  /// As it was recorded last; nil where the event is not here.
  func meaning(of identity: EventIdentity) -> PressDetector.Meaning? {
    meanings[identity]?.meaning ?? events.first { $0.record.identity == identity }?.meaning
  }

  func incident(of identity: EventIdentity) -> IncidentID? {
    if let late = meanings[identity] { return late.incident }
    return events.first { $0.record.identity == identity }?.incident
  }

  func entries(of identity: EventIdentity) -> Int {
    events.filter { $0.record.identity == identity }.count
  }

  /// Incidents that list this press.
  func incidents(listing identity: EventIdentity) -> [Incident] {
    incidents.values.filter { incident in
      incident.presses.contains {
        $0.event == identity.number.text && $0.device == identity.deviceID.text
      }
    }
  }
}
