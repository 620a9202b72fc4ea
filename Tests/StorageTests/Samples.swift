import FobBase
import TestSupport
import WireProtocol

@testable import AlertCore

let keychain = DeviceID.bench(0x0B0B)

extension Contact {
  static let first = Contact(id: "contact-1", name: "Contact 1", address: "contact-1@example.org")
}

extension Timestamp {
  static func second(_ n: Int64) -> Timestamp {
    Timestamp(
      boot: 0xFEED_FACE_CAFE_BEEF, instant: Instant(microseconds: n * 1_000_000),
      wall: 1_768_452_420_000_000 + n * 1_000_000)
  }
}

extension EventRecord {
  /// A press of the first boot.
  static func press(_ n: UInt32, clock: UInt64 = 7_000_000, nonce: UInt32 = 0xDEAD_BEEF)
    -> EventRecord
  {
    EventRecord(
      EventIdentity(
        deviceID: keychain, number: EventNumber(boot: 1, n: n), kind: .pressed, clock: clock,
        bootNonce: nonce))
  }

  /// Every field with a value of its own, as a device sends it when its ring was full.
  static func merged(_ n: UInt32) -> EventRecord {
    var record = press(n, clock: .max, nonce: .max)
    record.commitDelta = 20_000
    record.flags = [.merged, .replayed, .volatile].reduce(into: .none) { $0.insert($1) }
    record.detail = 9
    record.millivolts = 3_712
    record.batteryPercent = 41
    record.position.quality = .good
    record.position.latitude = .min
    record.position.longitude = .max
    record.position.age = 1_234
    record.position.accuracy = 56
    record.position.satellites = 11
    record.firstCovered = EventNumber(boot: 1, n: 2)
    record.covered = 17
    return record
  }

  static func random(_ random: inout SeededGenerator) -> EventRecord {
    var record = EventRecord(
      EventIdentity(
        deviceID: DeviceID(rawValue: random.next()), number: EventNumber(rawValue: random.next()),
        kind: .pressed, clock: random.next(), bootNonce: .random(in: 0 ... .max, using: &random)))
    record.identity.rawKind = .random(in: 0 ... .max, using: &random)
    record.flags = Flags(rawValue: .random(in: 0...15, using: &random))
    record.position.latitude = .random(in: .min ... .max, using: &random)
    if record.flags.contains(.merged) { record.covered = .random(in: 0 ... .max, using: &random) }
    return record
  }
}

extension HeardEvent {
  init(_ record: EventRecord, of incident: IncidentID? = nil) {
    self.init(
      record, at: .second(3), happenedAt: nil, meaning: incident == nil ? .noted : .alarm,
      of: incident)
  }
}

extension PressEntry {
  init(
    of identity: EventIdentity, receivedAt: Timestamp, covers: Int, isAgeUnknown: Bool? = nil,
    isSetAside: Bool? = nil, isProved: Bool? = nil
  ) {
    self.init(
      number: identity.number, deviceID: identity.deviceID, receivedAt: receivedAt,
      covers: covers, isAgeUnknown: isAgeUnknown, isSetAside: isSetAside, isProved: isProved,
      crc: isProved == false ? identity.crc : nil)
  }
}

extension Incident {
  static func sample(
    _ n: UInt32, _ state: EmergencyState, openedAt second: Int64, ended: EndReason? = nil
  ) -> Incident {
    Incident(
      IncidentID(EventRecord.press(n).identity), of: EventRecord.press(n).identity.deviceID,
      .sample(state, ended, at: .second(second + 60)), at: .second(second))
  }

  /// Every field with a value of its own.
  static func full(_ n: UInt32) -> Incident {
    var incident = sample(n, .emergencyEnded, openedAt: 10, ended: .trackingOver)
    incident.aliases = [IncidentID(EventRecord.press(n + 1).identity)]
    incident.presses = [
      PressEntry(
        of: EventRecord.press(1).identity, receivedAt: .second(10), covers: 3, isAgeUnknown: true,
        isSetAside: true, isProved: false)
    ]
    incident.furtherPresses = 5
    incident.lastPressAt = .second(15)
    incident.sounder = false
    incident.acknowledgedBy = [Contact.first.id]
    incident.surveyOpened = true
    incident.told = [Contact.first.id, "contact-2"]
    incident.messages = 4
    incident.lastMessageAt = .second(16)
    incident.messageTimes = [
      MessageTime(sequence: 3, wall: Timestamp.second(15).wall),
      MessageTime(sequence: 4, wall: Timestamp.second(16).wall),
    ]
    incident.outOfReach = 2
    incident.owesUpdate = true
    incident.owedDevices = [9, 8]
    incident.handovers = 3
    incident.fixes = 6
    incident.lastFixAt = .second(17)
    incident.lastPosition = .sample
    incident.lastPosition?.accuracy = 35
    incident.question = .sample
    return incident
  }
}

extension Phase {
  /// Every field with a value of its own.
  static func sample(_ state: EmergencyState, _ reason: EndReason?, at ended: Timestamp) -> Phase {
    let sending = Stage.Sending(countdownEnds: .second(12), since: .second(13))
    return switch state {
    case .alertCountdown: .open(.countdown(ends: .second(12)))
    case .emergencySending: .open(.sending(sending))
    case .emergencySendingFailed: .open(.failed(sending))
    case .emergencySent: .open(.sent(sending, at: .second(14)))
    case .emergencyEnded, .noEmergency:
      .ended(
        End(
          stage: .sent(sending, at: .second(14)), reason: reason, at: ended,
          seenAtDisarm: [
            SeenEvent(
              device: keychain.rawValue, number: .max, bootNonce: .max, clock: .max,
              receivedAt: .second(18), missedSince: .second(9), emptyAt: .max - 1)
          ], isLeft: state == .noEmergency))
    }
  }
}

extension Position {
  static let sample = Position(
    latitude: 514_778_000, longitude: -15_000, quality: 2, wall: 1_768_452_419_000_000)
}

extension Notification {
  static func sample(
    _ delivery: Delivery, of incident: Incident, sequence: Int = 1
  ) -> Notification {
    var notification = Notification(
      .raise, to: .first, of: incident, sequence: sequence, position: .sample, at: .second(11))
    notification.delivery = delivery
    notification.attempts = 2
    notification.nextAttempt = .second(20)
    notification.lastError = "log sink: “full”"
    return notification
  }
}

extension Changes {
  static func of(
    _ events: [EventRecord] = [], incidents: [Incident] = [], notifications: [Notification] = [],
    log: [AuditEvent] = []
  ) -> Changes {
    var changes = Changes()
    changes.events = events.map { HeardEvent($0) }
    for incident in incidents { changes.incidents[incident.id] = incident }
    for notification in notifications { changes.notifications[notification.key] = notification }
    changes.log = log
    return changes
  }

  /// One row in every table, and in that of the check-ins of each kind.
  static func ofEveryKind(_ n: UInt32) -> Changes {
    let incident = Incident.full(n)
    var changes = Changes.of(
      [.merged(n)], incidents: [incident], notifications: [.sample(.due, of: incident)],
      log: [.sample])
    changes.track = [TrackPoint(incident: incident.id, at: .second(18), position: .sample)]
    changes.checkIns = [
      .series(.sample(Int(n))), .checkIn(.sample(.open, of: Int(n))), .settings(.sample),
      .counts(.sample),
    ]
    return changes
  }
}

extension AuditEvent {
  static var sample: AuditEvent {
    var auditEvent = AuditEvent(
      .delivered, at: .second(19), of: EventRecord.press(1).identity,
      .message(Reason.Message(kind: .raise, sequence: 1, attempt: 1, error: nil)))
    auditEvent.incident = IncidentID(EventRecord.press(1).identity)
    auditEvent.contact = Contact.first.id
    return auditEvent
  }
}
